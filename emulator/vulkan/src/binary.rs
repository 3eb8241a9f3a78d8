//! Contents of pipeline binaries: a stage and its SPIR-V, after a header that identifies the writer and a digest that
//! detects damage. `pipeline_binary` has the commands.

use std::ffi::c_void;
use std::sync::Mutex;

use ash::vk;
use quadrille::ShaderModule;

use crate::chain::{find, slice};
use crate::guard::{VkResult, log};
use crate::handle::{Object, get_opt};
use crate::newer::{MAX_PIPELINE_BINARY_KEY_SIZE, PipelineBinaryInfoKHR, PipelineBinaryKHR};
use crate::properties::pipeline_cache_uuid;

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
pub type Digest = [u8; MAX_PIPELINE_BINARY_KEY_SIZE];

/// Version of the data format.
pub const VERSION: u32 = 1;

/// Size of the header, in bytes: `pipelineCacheUUID`, version, stage, size of the code, digest of the stage and the
/// code.
const HEADER: usize = vk::UUID_SIZE + 16 + MAX_PIPELINE_BINARY_KEY_SIZE;

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
        let mut out = [0; MAX_PIPELINE_BINARY_KEY_SIZE];
        for (bytes, sum) in out.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&sum.to_le_bytes());
        }
        out
    }
}

fn digest(stage: vk::ShaderStageFlags, words: &[u32]) -> Digest {
    let mut mix = Mix::new();
    mix.add(stage.as_raw());
    mix.add_all(words);
    mix.end()
}

fn header(stage: vk::ShaderStageFlags, words: &[u32]) -> [u8; HEADER] {
    let mut out = [0; HEADER];
    let (uuid, rest) = out.split_at_mut(vk::UUID_SIZE);
    uuid.copy_from_slice(&pipeline_cache_uuid());
    let (numbers, sum) = rest.split_at_mut(16);
    numbers[..4].copy_from_slice(&VERSION.to_le_bytes());
    numbers[4..8].copy_from_slice(&stage.as_raw().to_le_bytes());
    numbers[8..].copy_from_slice(&(4 * words.len() as u64).to_le_bytes());
    sum.copy_from_slice(&digest(stage, words));
    out
}

/// Returns stage and SPIR-V of binary data, if this driver wrote it and it is undamaged.
pub fn unpack(data: &[u8]) -> Option<(vk::ShaderStageFlags, Vec<u32>)> {
    let (head, code) = data.split_at_checked(HEADER)?;
    let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let stage = vk::ShaderStageFlags::from_raw(number(&head[vk::UUID_SIZE + 4..]));
    let words: Vec<u32> = code.chunks_exact(4).map(number).collect();
    let whole = head == header(stage, &words) && code.len().is_multiple_of(4);
    whole.then_some((stage, words))
}

impl Binary {
    /// Returns a binary of a stage.
    pub fn new(stage: vk::ShaderStageFlags, module: &ShaderModule) -> Binary {
        Binary { stage, module: module.clone() }
    }

    /// Key of the binary.
    pub fn key(&self) -> Digest {
        digest(self.stage, self.module.module().words())
    }

    /// Returns the data that applications store.
    pub fn data(&self) -> Vec<u8> {
        let words = self.module.module().words();
        let code = words.iter().flat_map(|word| word.to_le_bytes());
        header(self.stage, words).into_iter().chain(code).collect()
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

    /// Data with any byte changed, cut off or added is refused.
    #[test]
    fn data_of_others_is_refused() {
        let (stage, words) = (vk::ShaderStageFlags::FRAGMENT, [7, 8, 9]);
        let code = words.iter().flat_map(|word: &u32| word.to_le_bytes());
        let good: Vec<u8> = header(stage, &words).into_iter().chain(code).collect();
        assert_eq!(unpack(&good), Some((stage, words.to_vec())));
        for at in 0..good.len() {
            assert_eq!(unpack(&good[..at]), None, "{at} bytes");
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert_eq!(unpack(&bad), None, "byte {at}");
        }
        assert_eq!(unpack(&[&good[..], &[0]].concat()), None);
        assert_eq!(unpack(&[&good[..], &[0; 4]].concat()), None);
    }

    #[test]
    fn digests_tell_stages_and_words_apart() {
        let all = [
            digest(vk::ShaderStageFlags::VERTEX, &[1, 2]),
            digest(vk::ShaderStageFlags::FRAGMENT, &[1, 2]),
            digest(vk::ShaderStageFlags::VERTEX, &[2, 1]),
            digest(vk::ShaderStageFlags::VERTEX, &[1, 2, 0]),
            digest(vk::ShaderStageFlags::VERTEX, &[1]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(a), "{i}");
        }
        // A change of one bit in the last word changes about half the bits of every sum.
        let near = digest(vk::ShaderStageFlags::VERTEX, &[1, 3]);
        for (a, b) in all[0].chunks(8).zip(near.chunks(8)) {
            let changed: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
            assert!((12..=52).contains(&changed), "{changed} bits of 64");
        }
    }
}
