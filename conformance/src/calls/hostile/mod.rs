//! Hostile descriptors: valid calls, and shaders that select descriptors with arbitrary contents.
//!
//! A program creates and destroys buffers, images and views, and writes descriptors: of live resources, of destroyed
//! ones, of other kinds, with a flipped bit, or random words. Shaders use arbitrary indices, while another thread
//! writes descriptors. Every resource holds its own word, and some resources never get a descriptor. Shaders may find
//! zero, their own mark, or the word of a live resource that a descriptor has referred to; other resources must not
//! change. Guard pages detect accesses beyond all resources. [`super::api`] and [`super::driver`] own valid use of
//! valid descriptors.
//!
//! * [`library`]: through the Rust API, with a new device for each program.
//! * [`driver`]: through Vulkan, with each way to bind descriptors; resources are also destroyed while shaders run.
//!
//! This file owns the common parts: the shader, its steps, and the checks of results.

pub mod driver;
pub mod library;

use quadrille::frontend;
use quadrille::{Error, Stage};

use crate::random::Random;

/// Number of elements of each descriptor array.
const SLOTS: u32 = 8;
/// Number of invocations in a workgroup.
const LANES: usize = 8;
/// Number of steps of each invocation in a dispatch.
const STEPS: usize = 24;
/// The word that shaders write.
const MARK: u32 = 0x5757_5757;
/// Size of a buffer in words, and of an image in texels.
const WORDS: usize = 64;
/// Alignment of views of parts of buffers, in words.
const VIEW: usize = 16;
/// Number of the first array binding, after the results and the steps.
const FIRST: u32 = 2;
/// Number of descriptor kinds, each with an array: storage buffers, uniform buffers, sampled images, storage images,
/// uniform texel buffers, samplers.
const KINDS: usize = 6;

/// Returns the SPIR-V of the shader. `same`: all invocations use the same index. `shared`: all kinds but samplers share
/// the first array binding.
fn shader(same: bool, shared: bool) -> Result<Vec<u32>, Error> {
    let which = if same { "#define WHICH(i) (i)" } else { "#define WHICH(i) nonuniformEXT(i)" };
    let names = ["WORDS", "BLOCKS", "TEXTURES", "IMAGES", "TEXELS", "SAMPLERS"];
    let mut head = format!("{which}\n#define SAME {same}\n#define SLOTS {SLOTS}\n#define STEPS {STEPS}\n");
    for (i, name) in names.iter().enumerate() {
        let binding = FIRST + if shared && i + 1 < KINDS { 0 } else { i as u32 };
        head += &format!("#define {name} {binding}\n");
    }
    let source = include_str!("hostile.comp");
    let source = source.replace("layout(local_size_x", &format!("{head}layout(local_size_x"));
    Ok(frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?)
}

/// Returns the steps of the invocations, four words each: kind of access, index of the descriptor, offset in the
/// resource, 0.
fn steps(r: &mut Random) -> Vec<u32> {
    let mut step = || {
        let index = if r.one_in(8) { r.bits() as u32 } else { r.below(SLOTS as usize) as u32 };
        let at = if r.one_in(8) { r.bits() as u32 } else { r.below(WORDS) as u32 };
        [r.below(9) as u32, index, at, 0]
    };
    (0..LANES * STEPS).flat_map(|_| step()).collect()
}

/// Checks the words that shaders found. Valid are zero, the mark, words of live named resources, and the steps, because
/// a forged descriptor may refer to them. Returns the number of words of live named resources: shaders that find none
/// show nothing.
fn judge_found(found: &[u32], steps: &[u32], is_named: impl Fn(u32) -> bool) -> Result<u64, String> {
    let mut named = 0;
    for &word in found {
        if is_named(word) {
            named += 1;
        } else if ![0, MARK].contains(&word) && !steps.contains(&word) {
            return Err(format!(
                "a shader found {word:#x}, which no resource holds that lives and was named"
            ));
        }
    }
    Ok(named)
}

/// Checks the words of a resource that never had a descriptor.
fn judge_unnamed(word: u32, held: &[u32]) -> Result<(), String> {
    match held.iter().position(|w| *w != word) {
        Some(at) => Err(format!(
            "what holds {word:#x} and nothing names has changed: word {at} of {} is {:#x}",
            held.len(),
            held[at]
        )),
        None => Ok(()),
    }
}

/// Checks the words of a buffer or an image with descriptors: shaders write only the mark.
fn judge_named(word: u32, held: &[u32]) -> Result<(), String> {
    match held.iter().position(|w| *w != word && *w != MARK) {
        Some(at) => Err(format!("what holds {word:#x} and is named has {:#x} at {at}", held[at])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checks detect wrong words.
    #[test]
    fn judges_find() {
        let named = |word: u32| word == 0xb000_0001;
        assert_eq!(judge_found(&[0, MARK, 0xb000_0001, 5], &[5], named), Ok(1));
        assert!(judge_found(&[0, 0xb000_0002], &[5], named).unwrap_err().contains("0xb0000002"));
        assert!(judge_unnamed(7, &[7; 4]).is_ok());
        assert!(judge_unnamed(7, &[7, 7, MARK, 7]).is_err());
        assert!(judge_named(7, &[7, MARK, 7]).is_ok());
        assert!(judge_named(7, &[0, MARK, 7]).is_err());
        assert!(judge_named(7, &[8]).is_err());
    }
}
