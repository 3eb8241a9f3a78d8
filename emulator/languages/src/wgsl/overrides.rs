//! Overridable constants of today's WGSL. Their values come from [`Options::constants`], or else from the source. naga
//! substitutes them, including in workgroup and array sizes.

use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::{Module, Override, ScalarKind, TypeInner};

use super::{CompileError, Diagnostic, Language, Options};
use crate::parts::{faults, finish};

/// Returns the module with its overridable constants replaced by values.
pub(super) fn resolved(module: Module, source: &str, options: &Options) -> Result<Module, CompileError> {
    if module.overrides.is_empty() && options.constants.is_empty() {
        return Ok(module);
    }
    let mut given = naga::back::PipelineConstants::default();
    for (key, number) in &options.constants {
        let Some((handle, constant)) = module.overrides.iter().find(|(_, o)| is_named(o, key)) else {
            return Err(unknown(&module, key, options));
        };
        if !takes(&module, constant, *number) {
            let message =
                format!("the constant `{key}` cannot be {number}: it is {}", type_name(&module, constant));
            let place = finish::at(module.overrides.get_span(handle), source, message);
            let error =
                CompileError::from_diagnostics(Language::Wgsl, &options.file, source, vec![place], "");
            return Err(CompileError { of_constants: true, ..error });
        }
        given.insert(name(constant), *number);
    }
    let info = finish::check(&module, Language::Wgsl, source, options)?;
    match process_overrides(&module, &info, None, &given) {
        Ok((resolved, _)) => Ok(resolved.into_owned()),
        Err(error) => Err(failed(&module, &error, source, options)),
    }
}

/// Key by which naga finds a constant: its id, or its name if it has no id.
fn name(constant: &Override) -> String {
    match (constant.id, &constant.name) {
        (Some(id), _) => id.to_string(),
        (None, name) => name.clone().unwrap_or_default(),
    }
}

fn is_named(constant: &Override, key: &str) -> bool {
    constant.name.as_deref() == Some(key) || constant.id.is_some_and(|id| key.parse() == Ok(id))
}

fn takes(module: &Module, constant: &Override, number: f64) -> bool {
    let whole = number.fract() == 0.0;
    match module.types[constant.ty].inner {
        TypeInner::Scalar(scalar) => match scalar.kind {
            ScalarKind::Sint => whole && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number),
            ScalarKind::Uint => whole && (0.0..=f64::from(u32::MAX)).contains(&number),
            ScalarKind::Float => (number as f32).is_finite(),
            _ => number.is_finite(),
        },
        _ => false,
    }
}

fn type_name(module: &Module, constant: &Override) -> &'static str {
    match module.types[constant.ty].inner {
        TypeInner::Scalar(scalar) => match scalar.kind {
            ScalarKind::Sint => "an i32",
            ScalarKind::Uint => "a u32",
            ScalarKind::Float => "a float",
            _ => "a bool",
        },
        _ => "no scalar",
    }
}

fn unknown(module: &Module, key: &str, options: &Options) -> CompileError {
    let named = |o: &Override| match (o.id, &o.name) {
        (Some(id), Some(name)) => format!("{name} (id {id})"),
        (Some(id), None) => id.to_string(),
        (None, name) => name.clone().unwrap_or_default(),
    };
    let mut there: Vec<String> = module.overrides.iter().map(|(_, o)| named(o)).collect();
    if there.is_empty() {
        there.push("none".into());
    }
    let message =
        format!("no overridable constant has the name or id {key}; there are: {}", there.join(", "));
    let error = CompileError::new(Language::Wgsl, &options.file, "", message);
    CompileError { of_constants: true, ..error }
}

/// Converts naga's error about an overridable constant.
fn failed(module: &Module, reason: &PipelineConstantError, source: &str, options: &Options) -> CompileError {
    let of =
        |key: &str| module.overrides.iter().find(|(_, o)| name(o) == key || is_named(o, key)).map(|(h, _)| h);
    let (message, span, help) = match reason {
        PipelineConstantError::MissingValue(key) => {
            let handle = of(key);
            let shown = handle.and_then(|h| module.overrides[h].name.clone()).unwrap_or_else(|| key.clone());
            let help = format!("give it one, for example with --spec {shown}=1");
            let span = handle.map_or(naga::Span::UNDEFINED, |h| module.overrides.get_span(h));
            (format!("the constant `{shown}` has no value"), span, Some(help))
        }
        PipelineConstantError::NegativeWorkgroupSize => {
            ("the size of a workgroup is greater than zero".into(), naga::Span::UNDEFINED, None)
        }
        PipelineConstantError::ValidationError(inner) => {
            // Its numbers are those of the module with the constants.
            let message = faults::chain(inner.as_inner());
            (format!("with these constants: {message}"), naga::Span::UNDEFINED, None)
        }
        other => (format!("with these constants: {other}"), naga::Span::UNDEFINED, None),
    };
    let place: Diagnostic = finish::at(span, source, message);
    let error = CompileError::from_diagnostics(Language::Wgsl, &options.file, source, vec![place], "");
    let of_constants = matches!(reason, PipelineConstantError::MissingValue(_));
    CompileError { help, of_constants, ..error }
}

#[cfg(test)]
mod tests {
    use ::spirv::{ExecutionMode, Op};

    use crate::spirv::instructions;
    use crate::{Options, compile_wgsl};

    const SOURCE: &str = "@id(7) override n: u32 = 2; override scale: f32; override twice = n * 2u;
        @group(0) @binding(0) var<storage, read_write> out: array<f32>;
        var<workgroup> shared_values: array<f32, n>;
        @compute @workgroup_size(n, twice) fn main(@builtin(local_invocation_index) i: u32) {
            out[i] = scale * f32(twice) + shared_values[i % n];
        }";

    fn compile(constants: &[(&str, f64)]) -> Result<Vec<u32>, String> {
        let constants = constants.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        compile_wgsl(SOURCE, &Options { constants, ..Options::named("a.wgsl") }).map_err(|e| e.to_string())
    }

    #[test]
    fn constants_are_given_by_name_and_by_id() {
        let size = |words: &[u32]| {
            let mode = ExecutionMode::LocalSize as u32;
            let size = instructions(words).find_map(|instruction| match instruction {
                (Some(Op::ExecutionMode), &[_, _, kind, x, y, z]) if kind == mode => Some([x, y, z]),
                _ => None,
            });
            size.expect("a size of workgroups")
        };
        assert_eq!(size(&compile(&[("scale", 1.5)]).unwrap()), [2, 4, 1]);
        assert_eq!(size(&compile(&[("scale", 1.5), ("7", 3.0)]).unwrap()), [3, 6, 1]);
        assert_eq!(size(&compile(&[("scale", 1.5), ("n", 5.0), ("twice", 1.0)]).unwrap()), [5, 1, 1]);
    }

    #[test]
    fn what_is_wrong_with_constants_is_said() {
        let error = |constants: &[(&str, f64)]| compile(constants).unwrap_err();
        let whole = |constants: &[(&str, f64)], source: &str| {
            let constants = constants.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
            compile_wgsl(source, &Options { constants, ..Options::named("a.wgsl") }).unwrap_err()
        };
        for constants in [&[("nothing", 1.0)][..], &[("n", -1.0)], &[]] {
            assert!(whole(constants, SOURCE).of_constants, "{constants:?}");
        }
        assert!(!whole(&[("scale", 1.0)], &SOURCE.replace("out[i]", "in[i]")).of_constants);
        assert!(error(&[]).contains("a.wgsl:1:29: the constant `scale` has no value"), "{}", error(&[]));
        let unknown = error(&[("nothing", 1.0)]);
        assert!(unknown.contains("nothing; there are: n (id 7), scale, twice"), "{unknown}");
        assert!(error(&[("n", -1.0), ("scale", 1.0)]).contains("cannot be -1: it is a u32"));
        assert!(error(&[("scale", f64::INFINITY)]).contains("cannot be inf"));
        let zero = error(&[("scale", 1.0), ("n", 0.0)]);
        assert!(zero.contains("constants") || zero.contains("greater than zero"), "{zero}");
    }
}
