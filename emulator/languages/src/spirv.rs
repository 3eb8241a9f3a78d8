//! Loads SPIR-V: a binary of either byte order, or assembly text. Goes through the instructions of modules that the
//! front ends have written.

use std::iter;

use ::spirv::Op;
use quadrille_jit::Error;

use super::{CompileError, Diagnostic, Language, Options};

const MAGIC: u32 = 0x0723_0203;

/// Number of words before the first instruction.
pub(super) const HEADER: usize = 5;

/// Returns each instruction with its opcode: `None` for one that SPIR-V does not have. The first word of an instruction has
/// length and opcode, the others are operands. An instruction ends with the module, whatever its length.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (Option<Op>, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    iter::from_fn(move || {
        let first = *rest.first()?;
        let (instruction, after) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
        rest = after;
        Some((Op::from_u32(first & 0xffff), instruction))
    })
}

/// True if the lengths of a module's instructions lead to its end. glslang drops the high bits of a length that has more than
/// 16 bits, so that operands would be read as instructions.
#[cfg(feature = "glsl")]
pub(super) fn is_whole(words: &[u32]) -> bool {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16) as usize;
        match rest.get(length..) {
            Some(after) if length > 0 => rest = after,
            Some(_) | None => return false,
        }
    }
    true
}

/// True if two variables of a module have the same set and binding.
#[cfg(feature = "glsl")]
pub(super) fn share_a_binding(words: &[u32]) -> bool {
    use std::collections::{BTreeMap, BTreeSet};

    use ::spirv::Decoration;

    let mut places = BTreeMap::<u32, [Option<u32>; 2]>::new();
    for instruction in instructions(words) {
        let (Some(Op::Decorate), &[_, variable, kind, number]) = instruction else { continue };
        let kinds = [Decoration::DescriptorSet, Decoration::Binding];
        if let Some(i) = kinds.iter().position(|k| *k as u32 == kind) {
            places.entry(variable).or_default()[i] = Some(number);
        }
    }
    let mut seen = BTreeSet::new();
    places.values().any(|place| place[1].is_some() && !seen.insert(place))
}

/// The module without the lines of its entry point: a front end has added that to the user's text, which does not have its
/// lines.
#[cfg(feature = "glsl")]
pub(super) fn without_lines_of_entry(words: &[u32]) -> Vec<u32> {
    let entry = instructions(words).find_map(|(op, all)| match op {
        Some(Op::EntryPoint) => all.get(2).copied(),
        _ => None,
    });
    let mut kept = words[..HEADER.min(words.len())].to_vec();
    // A line counts from the next instruction on, which may begin the function.
    let (mut line, mut inside): (Option<&[u32]>, bool) = (None, false);
    for (op, all) in instructions(words) {
        if op == Some(Op::Line) {
            line = Some(all);
            continue;
        }
        inside |= op == Some(Op::Function) && all.get(2).copied() == entry;
        kept.extend_from_slice(line.take().filter(|_| !inside).unwrap_or_default());
        kept.extend_from_slice(all);
        inside &= op != Some(Op::FunctionEnd);
    }
    kept
}

/// Returns the words of a module with the least significant byte first: the contents of a `.spv` file.
pub fn words_to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Reads a module: binary in either byte order, or assembly text. Only the header is checked.
pub fn load_spirv(bytes: &[u8], options: &Options) -> Result<Vec<u32>, CompileError> {
    let error =
        |source: &str, message: String| CompileError::new(Language::Spirv, &options.file, source, message);
    let read: Option<fn([u8; 4]) -> u32> = match bytes.first_chunk::<4>() {
        Some(&b) if u32::from_le_bytes(b) == MAGIC => Some(u32::from_le_bytes),
        Some(&b) if u32::from_be_bytes(b) == MAGIC => Some(u32::from_be_bytes),
        _ => None,
    };
    if let Some(read) = read {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(error(
                "",
                format!("a SPIR-V binary consists of whole words, but this has {} bytes", bytes.len()),
            ));
        }
        return Ok(words.iter().map(|&w| read(w)).collect());
    }
    let text = super::files::decoded(bytes)
        .map_err(|why| error("", format!("not a SPIR-V binary (wrong magic number), and {why}")))?;
    if text.trim().is_empty() {
        return Err(error("", "the file is empty".into()));
    }
    assemble(text, options)
}

fn assemble(text: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    quadrille_jit::spirv::asm::assemble(text).map_err(|e| {
        let (message, line) = match e {
            Error::Invalid { message, place } => (message, place.line.unwrap_or(0)),
            other => (other.to_string(), 0),
        };
        let place = Diagnostic { line, column: 0, length: 0, message };
        CompileError::from_diagnostics(Language::Spirv, &options.file, text, vec![place], "")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders() {
        let words = [MAGIC, 0x0001_0300, 0, 1, 0];
        let little = words_to_bytes(&words);
        let big: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
        assert_eq!(load_spirv(&little, &Options::default()).unwrap(), words);
        assert_eq!(load_spirv(&big, &Options::default()).unwrap(), words);
    }

    #[test]
    fn text_and_its_errors() {
        let words = load_spirv(b"OpCapability Shader\n%x = OpTypeVoid\n", &Options::default()).unwrap();
        assert_eq!(words[0], MAGIC);
        let error = load_spirv(b"OpCapability Shader\n%x = OpNonsense\n", &Options::default()).unwrap_err();
        assert_eq!(error.line, 2, "{error}");
    }

    #[test]
    fn broken_files() {
        for bytes in [&b""[..], b"\x03\x02\x23\x07\x00", b"\xff\xfe\x00garbage", b"  \n"] {
            assert!(load_spirv(bytes, &Options::default()).is_err());
        }
    }
}
