//! The ways to run a shader, which must all give the same.

use std::fmt;
use std::sync::Arc;

use quadrille_jit::abi::Layout;
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{CompileOptions, NoImageOps, compile, compile_checked};
use quadrille_jit::ir::Shader;
use quadrille_jit::{CpuLevel, Result, Tier, interp};

/// One way to run a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Lane group size S.
    pub lanes: u32,
    /// Generated code; the interpreter if `None`.
    pub code: Option<(Tier, CpuLevel)>,
    /// Keeps the checks that the code generator would leave out, and verifies why it would.
    pub verifies: bool,
}

impl Variant {
    /// The interpreter.
    pub fn interpreter(lanes: u32) -> Variant {
        Variant { lanes, code: None, verifies: false }
    }

    /// Generated code.
    pub fn code(lanes: u32, tier: Tier, cpu: CpuLevel) -> Variant {
        Variant { lanes, code: Some((tier, cpu)), verifies: false }
    }

    /// The code of the second tier, and the interpreter on its IR, verifying all that the code relies on.
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

/// `QUADRILLE_VARIANTS=all`: nothing is left out.
fn all_wanted() -> bool {
    quadrille_jit::env::VARIANTS.get().is_some_and(|v| v == "all")
}

/// Every variant at the first of these lane group sizes; [`few_variants`] at the others.
pub fn variants(lanes: &[u32]) -> Vec<Variant> {
    let full = if all_wanted() { lanes.len() } else { lanes.len().min(1) };
    let mut list = Vec::new();
    for &lanes in &lanes[..full] {
        list.push(Variant::interpreter(lanes));
        for tier in [Tier::First, Tier::Optimized] {
            // Where the host has no more than the least level, the levels are one.
            for cpu in CpuLevel::ALL.into_iter().filter(|c| *c <= CpuLevel::host()) {
                list.push(Variant::code(lanes, tier, cpu));
            }
        }
        list.extend(Variant::verifying(lanes));
    }
    list.extend(few_variants(&lanes[full..]));
    list
}

/// At each of these lane group sizes the interpreter, the first tier at the lowest level and the second at
/// the highest.
pub fn few_variants(lanes: &[u32]) -> Vec<Variant> {
    if all_wanted() && !lanes.is_empty() {
        return variants(lanes);
    }
    let codes = [None, Some((Tier::First, CpuLevel::V2)), Some((Tier::Optimized, CpuLevel::host()))];
    lanes.iter().flat_map(|&lanes| codes.map(|code| Variant { lanes, code, verifies: false })).collect()
}

/// Makes the lane function of a variant.
pub fn build(shader: &Arc<Shader>, layout: &Layout, variant: Variant) -> Result<LaneFn> {
    let lanes = variant.lanes;
    let (tier, cpu) = variant.code.unwrap_or((Tier::Optimized, CpuLevel::host()));
    let options = CompileOptions { lanes, tier, layout, cpu, image_ops: &NoImageOps, missing: false };
    match (variant.code, variant.verifies) {
        (None, false) => interp::build(shader.clone(), layout, lanes, &NoImageOps),
        (Some(_), false) => compile(shader, &options),
        (Some(_), true) => compile_checked(shader, &options),
        (None, true) => match compile_checked(shader, &options)?.claims() {
            Some(claims) => interp::build_checked(claims, layout, &NoImageOps),
            None => Err(quadrille_jit::Error::Internal("no claims".into())),
        },
    }
}
