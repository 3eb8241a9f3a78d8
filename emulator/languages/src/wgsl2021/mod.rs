//! Front end for WGSL as drafted on 22 January 2021 and as shaders of that year were written.
//!
//! The stages are tokens (`lexer`), a tree (`parse`, `tree`) and a `naga::Module` (`lower`), which naga writes as
//! SPIR-V or, for [`translate_wgsl`], as today's WGSL. Every construct has the draft's semantics, even if the same text
//! has other semantics today: `select`, `%`, `!=` of floats, `min` and `max` of NaN.
//!
//! In strict mode only the letter of the draft is accepted. The default is lenient and accepts sources as they were
//! written that year: without layouts, with inputs and outputs as parameters and results of entry points, with storage
//! classes and types inferred from context, integer literals for unsigned integers or floats, names that hide others,
//! and the attributes, comments and declarations of earlier and later drafts.

mod lexer;
mod lower;
mod parse;
mod print;
mod tree;

pub use lexer::is_wgsl_2021;

use naga::{Module, ScalarKind};

use super::parts::report::Report;
use super::{CompileError, Language, Options};
use lower::{Lower, Settings};

/// Builds the module of a source. `printed` requests a module that can be printed as WGSL.
fn module(source: &str, options: &Options, printed: bool) -> Result<Module, CompileError> {
    let mut report = Report::default();
    let tokens = lexer::tokens(source, options.strict, &mut report);
    let tree = parse::parse(source, &tokens, options.strict, &mut report);
    let settings = Settings { strict: options.strict, printed, constants: &options.constants };
    let mut lower = Lower::new(&tree, &settings, &mut report);
    lower.module();
    let module = std::mem::take(&mut lower.b.module);
    if report.is_empty() {
        return Ok(module);
    }
    Err(report.into_error(Language::Wgsl, &options.file, source))
}

/// Compiles a source to SPIR-V.
pub(super) fn compile(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    let module = module(source, options, false)?;
    super::parts::finish::spirv(&module, Language::Wgsl, source, options)
}

/// Translates a source into equivalent WGSL of today.
pub(super) fn translate(source: &str, options: &Options) -> Result<String, CompileError> {
    let module = module(source, options, true)?;
    let info = super::parts::finish::check(&module, Language::Wgsl, source, options)?;
    print::print(&module, &info).map_err(|what| {
        let error = crate::Error::unsupported(format!("a translation of {}: {what}", options.file));
        CompileError::because(Language::Wgsl, &options.file, error)
    })
}

/// Converts the value of an overridable constant to its type; `None` if the type cannot hold it.
fn override_value(number: f64, kind: ScalarKind) -> Option<tree::Literal> {
    use tree::Literal;
    let whole = number.fract() == 0.0;
    match kind {
        ScalarKind::Bool => number.is_finite().then_some(Literal::Bool(number != 0.0)),
        ScalarKind::Sint if whole && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number) => {
            Some(Literal::I32(number as i32))
        }
        ScalarKind::Uint if whole && (0.0..=f64::from(u32::MAX)).contains(&number) => {
            Some(Literal::U32(number as u32))
        }
        ScalarKind::Float => Some(number as f32).filter(|n| n.is_finite()).map(Literal::F32),
        _ => None,
    }
}
