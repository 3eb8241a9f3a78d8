//! Binary data of shaders and pipelines: a stage and its SPIR-V, after a header that identifies the writer and a digest
//! that detects damage. `shader::object` and `pipeline::binary` have the commands; `heap_binary` encodes mappings to
//! heaps.
//!
//! The digest is not cryptographic, and applications can forge it. The words that [`Form::open`] returns are therefore
//! validated like any module.

use std::ffi::c_void;
use std::sync::Mutex;

use ash::vk;
use quadrille::{Result, ShaderModule, reserve};

use crate::capabilities::properties::{SHADER_BINARY_VERSION, pipeline_cache_uuid, shader_binary_uuid};
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, log};
use crate::interface::handle::{Object, get_opt};
use crate::newer::{MAX_PIPELINE_BINARY_KEY_SIZE_KHR, PipelineBinaryInfoKHR, PipelineBinaryKHR};

/// A VkPipelineBinaryKHR.
#[derive(Clone)]
pub struct Binary {
    /// Stage of the code.
    pub stage: vk::ShaderStageFlags,
    /// Code of the stage.
    pub module: ShaderModule,
}

impl Object for Binary {
    type Handle = PipelineBinaryKHR;
}

/// Binaries that a pipeline keeps, from which applications may create pipeline binaries later.
pub type Captured = Mutex<Vec<Binary>>;

/// A digest.
pub type Digest = [u8; MAX_PIPELINE_BINARY_KEY_SIZE_KHR];

/// A data format: its UUID and version.
pub struct Form {
    uuid: fn() -> [u8; vk::UUID_SIZE],
    version: u32,
}

/// Format of shader binaries.
pub const SHADERS: Form = Form { uuid: shader_binary_uuid, version: SHADER_BINARY_VERSION };
/// Format of pipeline binaries.
pub const PIPELINES: Form = Form { uuid: pipeline_cache_uuid, version: PIPELINE_BINARY_VERSION };

/// Version of the format of pipeline binaries.
pub const PIPELINE_BINARY_VERSION: u32 = 2;

/// Offset of the numbers in the header, after the UUID: version, kind, number of words of the code, number of words
/// after the code.
const NUMBERS: usize = vk::UUID_SIZE;
/// Offset of the digest in the header. It covers kind, code and the words after the code.
const DIGEST: usize = NUMBERS + 16;
/// Size of the header, in bytes.
const HEADER: usize = DIGEST + MAX_PIPELINE_BINARY_KEY_SIZE_KHR;

/// Contents of binary data.
#[derive(Debug, PartialEq, Eq)]
pub struct Opened {
    /// Number of the stage; each format has its own numbering.
    pub kind: u32,
    /// SPIR-V.
    pub code: Vec<u32>,
    /// Words after the code.
    pub after: Vec<u32>,
}

/// A digest, the same in every run: four sums that mix each word differently. It detects damage and differences; it is
/// not cryptographic.
pub struct Mix([u64; 4]);

impl Mix {
    const FACTORS: [u64; 4] =
        [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0xd6e8_feb8_6659_fd93];

    /// Starts a digest without words.
    pub fn new() -> Mix {
        Mix(Self::FACTORS.map(|f| f.rotate_left(32)))
    }

    /// Adds a word. Every step is bijective, so that later steps lose no difference.
    pub fn add(&mut self, word: u32) {
        for (sum, factor) in self.0.iter_mut().zip(Self::FACTORS) {
            *sum = (*sum ^ u64::from(word)).wrapping_mul(factor);
            *sum ^= *sum >> 29;
        }
    }

    /// Adds the number of words, and the words.
    pub fn add_all(&mut self, words: &[u32]) {
        self.add(words.len() as u32);
        words.iter().for_each(|&word| self.add(word));
    }

    /// Returns the digest of all added words.
    pub fn end(mut self) -> Digest {
        // These steps mix the last words as often as the first ones.
        (0..4).for_each(|i| self.add(i));
        let mut out = [0; MAX_PIPELINE_BINARY_KEY_SIZE_KHR];
        for (bytes, sum) in out.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&sum.to_le_bytes());
        }
        out
    }
}

fn digest(kind: u32, code: &[u32], after: &[u32]) -> Digest {
    let mut mix = Mix::new();
    mix.add(kind);
    mix.add_all(code);
    mix.add_all(after);
    mix.end()
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn words(bytes: &[u8]) -> Result<Vec<u32>> {
    let mut words = reserve::with_room(bytes.len() / 4)?;
    words.extend(bytes.chunks_exact(4).map(number));
    Ok(words)
}

impl Form {
    fn header(&self, kind: u32, code: &[u32], after: &[u32]) -> [u8; HEADER] {
        let mut out = [0; HEADER];
        out[..NUMBERS].copy_from_slice(&(self.uuid)());
        let numbers = [self.version, kind, code.len() as u32, after.len() as u32];
        for (bytes, number) in out[NUMBERS..DIGEST].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        out[DIGEST..].copy_from_slice(&digest(kind, code, after));
        out
    }

    /// Returns binary data with a kind, its code and the words after it.
    pub fn seal(&self, kind: u32, code: &[u32], after: &[u32]) -> Vec<u8> {
        let all = code.iter().chain(after).flat_map(|word| word.to_le_bytes());
        self.header(kind, code, after).into_iter().chain(all).collect()
    }

    /// Returns the contents of binary data, or `None` if the data is damaged or has another format.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn open(&self, bytes: &[u8]) -> Result<Option<Opened>> {
        let Some((head, rest)) = bytes.split_at_checked(HEADER) else { return Ok(None) };
        let [kind, n] = [number(&head[NUMBERS + 4..]), number(&head[NUMBERS + 8..])];
        let n = usize::try_from(n).ok().and_then(|n| n.checked_mul(4));
        let Some((code, after)) = n.and_then(|n| rest.split_at_checked(n)) else { return Ok(None) };
        let whole = after.len().is_multiple_of(4);
        let (code, after) = (words(code)?, words(after)?);
        let ours = whole && head == self.header(kind, &code, &after);
        Ok(ours.then_some(Opened { kind, code, after }))
    }
}

/// Writes a matching size of the code and a matching digest into binary data of a shader or a pipeline. Tests use it to
/// forge damaged data that the digest accepts. Data without a whole header stays unchanged.
pub fn forge(bytes: &mut [u8]) {
    let Some((head, rest)) = bytes.split_at_mut_checked(HEADER) else { return };
    let all: Vec<u32> = rest.chunks_exact(4).map(number).collect();
    let after = number(&head[NUMBERS + 12..]) as usize;
    let (code, after) = all.split_at(all.len().saturating_sub(after));
    let kind = number(&head[NUMBERS + 4..]);
    head[NUMBERS + 8..NUMBERS + 12].copy_from_slice(&(code.len() as u32).to_le_bytes());
    head[NUMBERS + 12..DIGEST].copy_from_slice(&(after.len() as u32).to_le_bytes());
    head[DIGEST..].copy_from_slice(&digest(kind, code, after));
}

impl Binary {
    /// Returns a binary of a stage.
    pub fn new(stage: vk::ShaderStageFlags, module: &ShaderModule) -> Binary {
        Binary { stage, module: module.clone() }
    }

    /// Key of the binary.
    pub fn key(&self) -> Digest {
        digest(self.stage.as_raw(), self.module.module().words(), &[])
    }

    /// Returns the data that applications store.
    pub fn data(&self) -> Vec<u8> {
        PIPELINES.seal(self.stage.as_raw(), self.module.module().words(), &[])
    }
}

/// Returns the binaries that a create info names as the code of its stages; empty if it names none.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn named<'a>(next: *const c_void) -> &'a [PipelineBinaryKHR] {
    // SAFETY: the caller promises a valid chain, whose structure has `binary_count` binaries.
    unsafe {
        find::<PipelineBinaryInfoKHR>(next)
            .map_or(&[][..], |info| slice(info.p_pipeline_binaries, info.binary_count))
    }
}

/// Returns the module of a stage among binaries, or `None` if there are no binaries and the stage has its own code.
///
/// # Safety
/// The handles are those of a valid create info.
pub unsafe fn module_of<'a>(
    binaries: &[PipelineBinaryKHR],
    stage: vk::ShaderStageFlags,
) -> VkResult<Option<&'a ShaderModule>> {
    if binaries.is_empty() {
        return Ok(None);
    }
    // SAFETY: the caller promises that the handles are live or null.
    let mut all = binaries.iter().filter_map(|&binary| unsafe { get_opt::<Binary>(binary) });
    let found = all.find(|binary| binary.stage == stage);
    let found = found.ok_or_else(|| {
        log(&format!("no pipeline binary has stage {stage:?}"));
        vk::Result::ERROR_UNKNOWN
    })?;
    Ok(Some(&found.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data is refused if bytes were changed, removed or added, or if it has another format.
    #[test]
    fn bytes_of_others_are_refused() {
        for (form, other) in [(SHADERS, PIPELINES), (PIPELINES, SHADERS)] {
            let good = form.seal(16, &[7, 8, 9], &[1, 2]);
            let opened = Opened { kind: 16, code: vec![7, 8, 9], after: vec![1, 2] };
            assert_eq!(form.open(&good).unwrap(), Some(opened));
            assert_eq!(other.open(&good).unwrap(), None);
            for at in 0..good.len() {
                assert_eq!(form.open(&good[..at]).unwrap(), None, "{at} bytes");
                for bit in 0..8 {
                    let mut bad = good.clone();
                    bad[at] ^= 1 << bit;
                    assert_eq!(form.open(&bad).unwrap(), None, "bit {bit} of byte {at}");
                }
            }
            assert_eq!(form.open(&[&good[..], &[0]].concat()).unwrap(), None);
            assert_eq!(form.open(&[&good[..], &[0; 4]].concat()).unwrap(), None);
        }
    }

    #[test]
    fn forged_bytes_are_opened() {
        let mut bytes = SHADERS.seal(16, &[7, 8, 9], &[1, 2]);
        bytes[HEADER] = 3;
        bytes.truncate(HEADER + 16);
        forge(&mut bytes);
        let opened = Opened { kind: 16, code: vec![3, 8], after: vec![9, 1] };
        assert_eq!(SHADERS.open(&bytes).unwrap(), Some(opened));
        forge(&mut bytes[..HEADER - 1]);
    }

    #[test]
    fn digests_tell_kinds_and_words_apart() {
        let all = [
            digest(1, &[1, 2], &[]),
            digest(16, &[1, 2], &[]),
            digest(1, &[2, 1], &[]),
            digest(1, &[1, 2, 0], &[]),
            digest(1, &[1], &[2]),
            digest(1, &[1], &[]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(a), "{i}");
        }
        // A change of one bit in the last word changes about half the bits of every sum.
        let near = digest(1, &[1, 3], &[]);
        for (a, b) in all[0].chunks(8).zip(near.chunks(8)) {
            let changed: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
            assert!((12..=52).contains(&changed), "{changed} bits of 64");
        }
    }
}
