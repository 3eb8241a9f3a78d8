//! WGSL as it was drafted on 22 January 2021, and as shaders of that year were written.
//!
//! Text to tokens (`lexer`), to a tree (`parse`, `tree`), to a `naga::Module` (`lower`), which naga writes as SPIR-V or,
//! for [`translate_wgsl`], as today's WGSL. Every construct means what the draft says, also where the same text means
//! something else today: `select`, `%`, `!=` of floats, `min` and `max` of NaN.
//!
//! Strict, the draft's letter holds. Lenient, which is the default, sources are taken as they were written that year:
//! with layouts left out, inputs and outputs as parameters and results of entry points, storage classes and types that
//! follow from the context, integer literals where unsigned integers or floats are wanted, names that hide others, and
//! the attributes, comments and declarations of the drafts before and after.

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

/// The module of a source. `printed` asks for one that is to be printed as WGSL.
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

/// SPIR-V of a source.
pub(super) fn compile(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    let module = module(source, options, false)?;
    super::parts::finish::spirv(&module, Language::Wgsl, source, options)
}

/// Today's WGSL that does what a source does.
pub(super) fn translate(source: &str, options: &Options) -> Result<String, CompileError> {
    let module = module(source, options, true)?;
    let info = super::parts::finish::check(&module, Language::Wgsl, source, options)?;
    print::print(&module, &info).map_err(|what| {
        let error = crate::Error::unsupported(format!("a translation of {}: {what}", options.file));
        CompileError::because(Language::Wgsl, &options.file, error)
    })
}

/// The value of an overridable constant; `None` where it is not of the type.
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
