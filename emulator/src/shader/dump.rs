//! Texts of shaders at each stage of compilation, for `QUADRILLE_DUMP`.
//!
//! Each text goes to `<hash>.<entry>.<stage>.<tier>.<topic>` in `QUADRILLE_DUMP_DIR`, or to standard error. The hash is
//! computed from the module's words and the specialization constants, so that two runs can be compared. The first line is the
//! module's name, if it has one.

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
    hash_of(words.iter().copied())
}

fn hash_of(words: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    words.for_each(|w| hasher.write_u32(w));
    hasher.finish()
}

/// The shader module that a text belongs to, and its specialization.
pub(crate) struct Dumped<'a> {
    /// SPIR-V words of the module.
    pub words: &'a [u32],
    /// As [`super::ShaderStage::spec`].
    pub spec: &'a [(u32, u64)],
    /// Name of the module, if it was given one.
    pub name: Option<Box<str>>,
}

impl Dumped<'_> {
    /// Hash of the words and of the specialization constants; that of the words if there are none.
    fn hash(&self) -> u64 {
        let constants = self.spec.iter().flat_map(|&(id, bits)| [id, bits as u32, (bits >> 32) as u32]);
        hash_of(self.words.iter().copied().chain(constants))
    }
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
    let name = format!("{:016x}.{entry}.{stage}.{tier}.{}", module.hash(), topic.name());
    dump::write(&name, &|| match &module.name {
        Some(module) => format!("; shader module {module:?}\n{}", text()),
        None => text(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_specialization_has_a_name_of_its_own() {
        let words = [0x0723_0203, 0x10000, 0, 5, 0];
        let of = |spec| Dumped { words: &words, spec, name: None }.hash();
        assert_eq!(of(&[]), hash(&words));
        let all = [of(&[]), of(&[(0, 1)]), of(&[(0, 2)]), of(&[(1, 1)]), of(&[(0, 1 << 32)])];
        (1..all.len()).for_each(|i| assert!(!all[..i].contains(&all[i]), "{i}"));
    }
}
