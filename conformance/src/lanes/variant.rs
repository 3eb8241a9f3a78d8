//! Variants: ways to run a shader, all of which must give the same results.

use std::fmt;
use std::sync::Arc;

use quadrille_jit::abi::Layout;
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{CompileOptions, NoImageOps, compile, compile_checked};
use quadrille_jit::ir::Shader;
use quadrille_jit::{CpuLevel, Result, Tier, interp, testing};

/// One way to run a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Lane group size S.
    pub lanes: u32,
    /// Tier and host level of generated code; `None` for the interpreter.
    pub code: Option<(Tier, CpuLevel)>,
    /// True if the variant keeps the checks that the code generator would omit, and verifies the reasons.
    pub verifies: bool,
}

impl Variant {
    /// The interpreter at a lane group size.
    pub fn interpreter(lanes: u32) -> Variant {
        Variant { lanes, code: None, verifies: false }
    }

    /// Generated code for a lane group size, tier and host level.
    pub fn code(lanes: u32, tier: Tier, cpu: CpuLevel) -> Variant {
        Variant { lanes, code: Some((tier, cpu)), verifies: false }
    }

    /// Code of the second tier, and the interpreter on its IR, both verifying all claims of the code.
    pub fn verifying(lanes: u32) -> [Variant; 2] {
        let code = Some((Tier::Optimized, CpuLevel::host()));
        [code, None].map(|code| Variant { lanes, code, verifies: true })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S = {}, ", self.lanes)?;
        match self.code {
            None => f.write_str("interpreter")?,
            Some((tier, cpu)) => write!(f, "{tier:?} tier, {cpu:?}")?,
        }
        f.write_str(if self.verifies { ", verifying claims" } else { "" })
    }
}

/// True for `QUADRILLE_VARIANTS=all`, which runs every variant everywhere.
fn all_wanted() -> bool {
    quadrille_jit::env::is_on(quadrille_jit::env::VARIANTS)
}

/// The variants of a module at these lane group sizes: the interpreter, and code of the second tier that verifies its claims,
/// at the first size; and [`a_sixth`] of the others: each tier and each host level at the first size, the interpreter that
/// verifies claims, and [`few_variants`] of the other sizes.
pub fn variants(lanes: &[u32], words: &[u32]) -> Vec<Variant> {
    if all_wanted() {
        return every_variant(lanes);
    }
    let Some((&first, others)) = lanes.split_first() else { return Vec::new() };
    let [code, interpreter] = Variant::verifying(first);
    let mut rest = vec![interpreter, Variant::code(first, Tier::First, CpuLevel::V2)];
    rest.extend(testing::cpu_levels().into_iter().map(|cpu| Variant::code(first, Tier::Optimized, cpu)));
    rest.extend(few_variants(others));
    [vec![Variant::interpreter(first), code], a_sixth(rest, words)].concat()
}

/// Every sixth of a list of ways to run a module. The sum of the module's words decides where it starts, so that modules take
/// turns. All of the list if every variant is wanted.
pub fn a_sixth<T>(list: impl IntoIterator<Item = T>, words: &[u32]) -> Vec<T> {
    let sum = words.iter().fold(0u32, |sum, word| sum.wrapping_add(*word));
    let (first, step) = if all_wanted() { (0, 1) } else { ((sum % 6) as usize, 6) };
    list.into_iter().skip(first).step_by(step).collect()
}

/// For each of these lane group sizes: the interpreter, and generated code, by turns of the second tier at the highest host
/// level and of the first tier at the lowest.
pub fn few_variants(lanes: &[u32]) -> Vec<Variant> {
    if all_wanted() {
        return every_variant(lanes);
    }
    let turns = [(Tier::Optimized, CpuLevel::host()), (Tier::First, CpuLevel::V2)];
    let pair = |(&lanes, (tier, cpu))| [Variant::interpreter(lanes), Variant::code(lanes, tier, cpu)];
    lanes.iter().zip(turns.into_iter().cycle()).flat_map(pair).collect()
}

/// Every tier at every host level up to that of this host, the interpreter and the verifying variants, at each size.
pub fn every_variant(lanes: &[u32]) -> Vec<Variant> {
    let mut list = Vec::new();
    for &lanes in lanes {
        list.push(Variant::interpreter(lanes));
        for tier in [Tier::First, Tier::Optimized] {
            list.extend(testing::cpu_levels().into_iter().map(|cpu| Variant::code(lanes, tier, cpu)));
        }
        list.extend(Variant::verifying(lanes));
    }
    list
}

/// Builds the lane function of a variant.
///
/// # Errors
/// Those of the compiler.
pub fn build(shader: &Arc<Shader>, layout: &Layout, variant: Variant) -> Result<LaneFn> {
    Builder::default().build(shader, layout, variant)
}

/// Builds lane functions of one variant after another. The interpreter that verifies claims takes them from the code before
/// it that verifies them, if both are of the same shader and size: compiling takes most of the time of all variants.
#[derive(Default)]
pub struct Builder {
    verified: Option<Verified>,
}

/// Code that verifies its claims.
struct Verified {
    shader: Arc<Shader>,
    lanes: u32,
    code: LaneFn,
}

impl Builder {
    /// Builds the lane function of a variant. All variants of a builder have the same layout.
    ///
    /// # Errors
    /// Those of the compiler.
    pub fn build(&mut self, shader: &Arc<Shader>, layout: &Layout, variant: Variant) -> Result<LaneFn> {
        let lanes = variant.lanes;
        let (tier, cpu) = variant.code.unwrap_or((Tier::Optimized, CpuLevel::host()));
        let options = CompileOptions { lanes, tier, layout, cpu, image_ops: &NoImageOps, missing: false };
        if !variant.verifies {
            return match variant.code {
                None => interp::build(shader.clone(), layout, lanes, &NoImageOps),
                Some(_) => compile(shader, &options),
            };
        }
        let is_same = |v: &Verified| Arc::ptr_eq(&v.shader, shader) && v.lanes == lanes;
        let code = match self.verified.take().filter(is_same) {
            Some(verified) if variant.code.is_none() => verified.code,
            _ => compile_checked(shader, &options)?,
        };
        if variant.code.is_some() {
            self.verified = Some(Verified { shader: shader.clone(), lanes, code: code.clone() });
            return Ok(code);
        }
        match code.claims() {
            Some(claims) => interp::build_checked(claims, layout, &NoImageOps),
            None => Err(quadrille_jit::Error::Internal("no claims".into())),
        }
    }
}
