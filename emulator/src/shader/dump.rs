//! Texts of shaders at each stage of compilation, for `QUADRILLE_DUMP`.
//!
//! Each text goes to `<hash>.<entry>.<stage>.<tier>.<topic>` in `QUADRILLE_DUMP_DIR`, or to standard error. The hash is
//! computed from the module's words, so that two runs can be compared. The first line is the module's name, if it has
//! one.

use std::hash::Hasher;

use quadrille_jit::codegen::{self, CompileOptions, Listing};
use quadrille_jit::env::{self, Topic};
use quadrille_jit::{Tier, dump, ir};
use quadrille_raster::Activity;
use rustc_hash::FxHasher;

use crate::error::Result;
use quadrille_jit::call::LaneFn;

/// Hash of a module's words, the same in every run.
pub(crate) fn hash(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|w| hasher.write_u32(*w));
    hasher.finish()
}

/// The shader module that a text belongs to.
pub(crate) struct Dumped<'a> {
    /// SPIR-V words of the module.
    pub words: &'a [u32],
    /// Name of the module, if it was given one.
    pub name: Option<Box<str>>,
}

/// Compiles a shader and writes the requested texts.
pub(crate) fn compile(
    module: &Dumped<'_>,
    shader: &ir::Shader,
    options: &CompileOptions<'_>,
) -> Result<LaneFn> {
    let _activity = Activity::Compile.begin();
    if env::DUMP.get().is_none() {
        return codegen::compile(shader, options);
    }
    if env::dumps(Topic::Spirv) {
        write(module, shader, options.tier, Topic::Spirv, &|| {
            quadrille_jit::spirv::asm::disassemble(module.words).unwrap_or_else(|e| format!("; {e}\n"))
        });
    }
    if env::dumps(Topic::Ir) {
        write(module, shader, options.tier, Topic::Ir, &|| shader.to_string());
    }
    let mut listing = Listing::default();
    let made = codegen::compile_listed(shader, options, Some(&mut listing));
    if env::dumps(Topic::Optimized) {
        write(module, shader, options.tier, Topic::Optimized, &|| listing.ir.clone());
    }
    if env::dumps(Topic::Clif) {
        write(module, shader, options.tier, Topic::Clif, &|| listing.clif.clone());
    }
    if env::dumps(Topic::Asm) {
        write(module, shader, options.tier, Topic::Asm, &|| listing.asm.clone());
    }
    made
}

fn write(module: &Dumped<'_>, shader: &ir::Shader, tier: Tier, topic: Topic, text: &dyn Fn() -> String) {
    // The module chooses the entry point's name: only harmless characters of it go into the file name.
    let entry: String =
        shader.name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect();
    let stage = format!("{:?}", shader.stage).to_lowercase();
    let tier = match tier {
        Tier::First => 1,
        Tier::Optimized => 2,
    };
    let name = format!("{:016x}.{entry}.{stage}.{tier}.{}", hash(module.words), topic.name());
    dump::write(&name, &|| match &module.name {
        Some(module) => format!("; shader module {module:?}\n{}", text()),
        None => text(),
    });
}
