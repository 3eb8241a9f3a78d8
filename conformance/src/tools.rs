//! Our assembler, and Khronos' SPIRV-Tools as a second opinion if they are installed (Debian: `spirv-tools`).

use std::io::Write;
use std::process::{Command, Stdio};

use quadrille_jit::spirv;
use quadrille_jit::testing::{self, Requirement};
use rspirv::spirv::{MemoryModel, Op};

/// Modules for which the tools give a second opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// No module.
    Nothing,
    /// Every module in a file and, of the modules made from a table, those with constant operands.
    Some,
    /// Every module.
    All,
}

/// Runs a tool and returns its output or its complaint. If the tool is missing, reports that and returns `None`.
fn run(tool: &str, args: &[&str], input: &[u8]) -> Option<Result<Vec<u8>, String>> {
    let child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let missing = || {
        let reason = format!("no {tool}: modules are tested without a second opinion");
        testing::skipped(Requirement::SpirvTools, &reason);
        None
    };
    let Ok(mut child) = child else { return missing() };
    let mut pipe = child.stdin.take()?;
    let input = input.to_vec();
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    // Under qemu-user a child that cannot become the tool ends like that of a shell.
    if output.status.code() == Some(127) {
        return missing();
    }
    if output.status.success() {
        return Some(Ok(output.stdout));
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_string();
    // The module is newer than the installed tool, which has no opinion then.
    if UNKNOWN.iter().any(|u| complaint.contains(u)) {
        return None;
    }
    Some(Err(complaint))
}

/// Messages of the tools about an unknown instruction, extension or enumerant.
const UNKNOWN: [&str; 5] = [
    "Invalid Opcode name",
    "Invalid capability '",
    "Invalid capability operand",
    "Invalid execution mode '",
    "Invalid opcode: ",
];

/// Assembles a text with `spirv-as`.
fn spirv_as(text: &str) -> Option<Result<Vec<u32>, String>> {
    // SPIR-V version that the text states.
    let version = text.lines().find_map(|l| l.strip_prefix("; Version: ")).unwrap_or("1.3");
    let target = format!("spv{}", version.trim());
    let args = ["--target-env", target.as_str(), "--preserve-numeric-ids", "-o", "-", "-"];
    let done = run("spirv-as", &args, text.as_bytes())?;
    Some(
        done.map(|bytes| {
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
        }),
    )
}

/// Assembles SPIR-V text. `second_opinion` compares the words with those of Khronos' assembler, if that is installed.
///
/// # Errors
/// The error of either assembler, or a difference between the two.
pub fn assemble(text: &str, second_opinion: bool) -> Result<Vec<u32>, String> {
    let words = spirv::asm::assemble(text).map_err(|e| e.to_string())?;
    if second_opinion && let Some(theirs) = spirv_as(text) {
        let theirs = theirs.map_err(|e| format!("spirv-as: {e}"))?;
        // The assemblers number named ids differently; the third word names the generator.
        let named = text.split_whitespace().any(|w| w.starts_with('%') && w[1..].parse::<u32>().is_err());
        let differ = |i: &usize| i != &2 && words.get(*i) != theirs.get(*i);
        if words.len() != theirs.len() {
            return Err(format!("{} words, spirv-as makes {}", words.len(), theirs.len()));
        }
        if !named && let Some(i) = (0..words.len()).find(differ) {
            return Err(format!("word {i} is {:#x}, spirv-as makes {:#x}", words[i], theirs[i]));
        }
    }
    Ok(words)
}

/// `true` if the module has the memory model OpenCL.
fn is_of_opencl(words: &[u32]) -> bool {
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        if first & 0xffff == Op::MemoryModel as u32 {
            return words.get(at + 2) == Some(&(MemoryModel::OpenCL as u32));
        }
        at += (first >> 16).max(1) as usize;
    }
    false
}

/// Validates the words with `spirv-val`: by the rules of Vulkan, or for kernels by those of SPIR-V alone.
pub fn validate(words: &[u32]) -> Option<Result<(), String>> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let layouts = ["--scalar-block-layout", "--workgroup-scalar-block-layout"];
    let rules = if is_of_opencl(words) { "spv1.6" } else { "vulkan1.3" };
    let args = ["--target-env", rules, layouts[0], layouts[1], "-"];
    Some(run("spirv-val", &args, &bytes)?.map(|_| ()))
}
