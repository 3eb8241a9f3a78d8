//! Hostile descriptors: valid calls, and shaders that choose among descriptors which lead anywhere.
//!
//! A program makes and drops buffers, images and views, and puts descriptors where shaders find them: of what lives, of
//! what is gone, of other kinds, with a bit flipped, or random words. Shaders take any index, while another thread writes
//! descriptors. Every resource holds a word of its own, and some have never been named by a descriptor. What shaders find
//! must be zero, their own mark, or the word of a resource that lives and was named; what was never named must not change.
//! Guard pages catch what reaches beyond all resources. Valid use of valid descriptors is left to [`super::api`] and
//! [`super::driver`].
//!
//! * [`library`]: through the Rust API, on a device of its own for each program.
//! * [`driver`]: through Vulkan, in every way that it has to bind descriptors; what ends while shaders run.
//!
//! This file owns what both have in common: the shader, the steps that it is given, and what may be found.

pub mod driver;
pub mod library;

use quadrille::frontend;
use quadrille::{Error, Stage};

use crate::random::Random;

/// Elements of each array of descriptors.
const SLOTS: u32 = 8;
/// Invocations of a workgroup.
const LANES: usize = 8;
/// Steps of each invocation in a dispatch.
const STEPS: usize = 24;
/// The word that shaders write.
const MARK: u32 = 0x5757_5757;
/// Words of a buffer, texels of an image.
const WORDS: usize = 64;
/// The first binding that is an array; before it are those of the results and the steps.
const FIRST: u32 = 2;
/// Arrays of descriptors, by kind: storage buffers, uniform buffers, sampled images, storage images, uniform texel buffers,
/// samplers.
const KINDS: usize = 6;

/// SPIR-V of the shader, with one index for all invocations or one each. Each kind has a binding, or all but samplers share
/// the first one.
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

/// What each invocation does: kind of access, index of the descriptor, place in the resource, and nothing.
fn steps(r: &mut Random) -> Vec<u32> {
    let mut step = || {
        let index = if r.one_in(8) { r.bits() as u32 } else { r.below(SLOTS as usize) as u32 };
        let at = if r.one_in(8) { r.bits() as u32 } else { r.below(WORDS) as u32 };
        [r.below(9) as u32, index, at, 0]
    };
    (0..LANES * STEPS).flat_map(|_| step()).collect()
}

/// A find, if a shader found a word that it must not: zero, its mark and the words of resources that lived and were named
/// are open to it, and the steps, which a forged descriptor may name too.
fn judge_found(found: &[u32], steps: &[u32], is_named: impl Fn(u32) -> bool) -> Result<(), String> {
    let open = |word: u32| [0, MARK].contains(&word) || is_named(word) || steps.contains(&word);
    match found.iter().find(|word| !open(**word)) {
        Some(word) => {
            Err(format!("a shader found {word:#x}, which no resource holds that lives and was named"))
        }
        None => Ok(()),
    }
}

/// A find, if a resource that was never named does not hold its word everywhere.
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

/// A find, if a buffer or an image that was named holds what no shader writes.
fn judge_named(word: u32, held: &[u32]) -> Result<(), String> {
    // A texel buffer that a shader takes for an image is a live view, and a store by two coordinates puts a zero there.
    match held.iter().position(|w| ![word, MARK, 0].contains(w)) {
        Some(at) => Err(format!("what holds {word:#x} and is named has {:#x} at {at}", held[at])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The judges find what is wrong: without that, programs would prove nothing.
    #[test]
    fn judges_find() {
        let named = |word: u32| word == 0xb000_0001;
        assert!(judge_found(&[0, MARK, 0xb000_0001, 5], &[5], named).is_ok());
        assert!(judge_found(&[0, 0xb000_0002], &[5], named).unwrap_err().contains("0xb0000002"));
        assert!(judge_unnamed(7, &[7; 4]).is_ok());
        assert!(judge_unnamed(7, &[7, 7, MARK, 7]).is_err());
        assert!(judge_named(7, &[0, MARK, 7]).is_ok());
        let mut held = [7; 16];
        held[9] = 0;
        assert!(judge_named(7, &held).is_ok());
        held[9] = 0xb000_0002;
        assert!(judge_named(7, &held).is_err());
        assert!(judge_named(7, &[8]).is_err());
    }
}
