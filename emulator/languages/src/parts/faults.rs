//! Says why naga's validator refuses a module, in words of the source: with the names of types, where naga has numbers of
//! expressions and types.

use std::error::Error;

use naga::common::wgsl::{TryToWgsl, TypeContext};
use naga::front::Typifier;
use naga::proc::{ResolveContext, TypeResolution};
use naga::valid::{
    CallError, EntryPointError, ExpressionError, FunctionError, LocalVariableError, ValidationError,
};
use naga::{Expression, Function, Handle, Module, Type, TypeInner, UnaryOperator};

/// Describes why a module is not valid.
pub(super) fn described(module: &Module, error: &ValidationError) -> String {
    let found = match error {
        ValidationError::Function { handle, source, .. } => Some((&module.functions[*handle], source)),
        ValidationError::EntryPoint { stage, name, source: EntryPointError::Function(source) } => {
            let entry = module.entry_points.iter().find(|e| e.name == *name && e.stage == *stage);
            entry.map(|entry| (&entry.function, source))
        }
        // Other errors name what they are about.
        _ => None,
    };
    let own = found.and_then(|(function, error)| {
        Types { module, function, types: Typifier::new() }.function_error(error)
    });
    own.unwrap_or_else(|| chain(error))
}

/// Returns an error with its causes, without numbers.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(c) = cause {
        message = format!("{message}: {c}");
        cause = c.source();
    }
    without_numbers(&message)
}

/// Removes numbers in brackets, with the blank before them.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" [") {
        out.push_str(before);
        let number = after.split_once(']').filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
        rest = match number {
            Some((_, after)) => after,
            None => {
                out.push_str(" [");
                after
            }
        };
    }
    out + rest
}

/// Types of the expressions of a function.
struct Types<'m> {
    module: &'m Module,
    function: &'m Function,
    types: Typifier,
}

impl Types<'_> {
    /// Returns the type of an expression; `None` if naga finds none.
    fn resolution(&mut self, expression: Handle<Expression>) -> Option<&TypeResolution> {
        let function = self.function;
        let context =
            ResolveContext::with_locals(self.module, &function.local_variables, &function.arguments);
        self.types.grow(expression, &function.expressions, &context).ok()?;
        Some(&self.types[expression])
    }

    fn of(&mut self, expression: Handle<Expression>) -> Option<String> {
        let module = self.module;
        self.resolution(expression).map(|ty| module.to_ctx().type_resolution_to_string(ty))
    }

    /// Returns the type of the values that a pointer points to.
    fn pointee(&mut self, pointer: Handle<Expression>) -> Option<String> {
        let module = self.module;
        let ty = self.resolution(pointer)?.inner_with(&module.types).clone();
        match ty {
            TypeInner::Pointer { base, .. } => Some(self.named(base)),
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => {
                Some(self.inner(&TypeInner::Vector { size, scalar }))
            }
            TypeInner::ValuePointer { size: None, scalar, .. } => {
                Some(self.inner(&TypeInner::Scalar(scalar)))
            }
            _ => None,
        }
    }

    fn named(&self, ty: Handle<Type>) -> String {
        self.module.to_ctx().type_to_string(ty)
    }

    fn inner(&self, ty: &TypeInner) -> String {
        self.module.to_ctx().type_resolution_to_string(&TypeResolution::Value(ty.clone()))
    }

    /// Describes an error about types; `None` for other errors.
    fn function_error(&mut self, error: &FunctionError) -> Option<String> {
        Some(match error {
            FunctionError::InvalidReturnType { expression: Some(value), expected_ty: Some(ty) } => {
                format!("the function returns `{}`, but this is `{}`", self.named(*ty), self.of(*value)?)
            }
            FunctionError::InvalidReturnType { expression: Some(value), expected_ty: None } => {
                format!("the function returns nothing, but this is `{}`", self.of(*value)?)
            }
            FunctionError::InvalidReturnType { expression: None, expected_ty: Some(ty) } => {
                format!("the function returns `{}`, but here no value", self.named(*ty))
            }
            FunctionError::InvalidIfType(condition) => {
                format!("a condition is a `bool`, but this is `{}`", self.of(*condition)?)
            }
            FunctionError::InvalidSwitchType(value) => {
                format!("`switch` takes an integer, but this is `{}`", self.of(*value)?)
            }
            FunctionError::InvalidStoreTypes { pointer, value } => {
                format!("`{}` cannot be stored in `{}`", self.of(*value)?, self.pointee(*pointer)?)
            }
            FunctionError::LocalVariable { name, source: LocalVariableError::InvalidType(ty), .. } => {
                format!("the variable `{name}` of a function cannot be of type `{}`", self.named(*ty))
            }
            FunctionError::InvalidCall { function, error } => {
                let name = self.module.functions[*function].name.clone()?;
                match error {
                    CallError::ArgumentType { index, required, seen_expression } => format!(
                        "argument {} of `{name}` is of type `{}`, but `{}` is given",
                        index + 1,
                        self.named(*required),
                        self.of(*seen_expression)?
                    ),
                    CallError::ArgumentCount { required, seen } => {
                        format!("`{name}` takes {required} arguments, but {seen} are given")
                    }
                    _ => return None,
                }
            }
            FunctionError::Expression { source, .. } => return self.expression_error(source),
            _ => return None,
        })
    }

    fn expression_error(&mut self, error: &ExpressionError) -> Option<String> {
        Some(match error {
            ExpressionError::InvalidBinaryOperandTypes { op, lhs_type, rhs_type, .. } => format!(
                "`{}` cannot be applied to `{}` and `{}`",
                naga::back::binary_operation_str(*op),
                self.inner(lhs_type),
                self.inner(rhs_type)
            ),
            ExpressionError::InvalidUnaryOperandType(op, operand) => {
                let symbol = match op {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::LogicalNot => "!",
                    UnaryOperator::BitwiseNot => "~",
                };
                format!("`{symbol}` cannot be applied to `{}`", self.of(*operand)?)
            }
            ExpressionError::SelectValuesTypeMismatch { accept, reject } => format!(
                "the values of `select` are of types `{}` and `{}`",
                self.inner(reject),
                self.inner(accept)
            ),
            ExpressionError::SelectConditionNotABool { actual } => {
                format!("the condition of `select` is `{}`, not a `bool`", self.inner(actual))
            }
            ExpressionError::InvalidArgumentType(function, index, argument) => format!(
                "argument {} of `{}` cannot be `{}`",
                index + 1,
                function.try_to_wgsl()?,
                self.of(*argument)?
            ),
            // A comparison needs a depth texture and a sampler for it, which is for nothing else.
            ExpressionError::ComparisonSamplingMismatch { sampler: false, .. } => {
                "a comparison takes a `sampler_comparison`, but this is a `sampler`".into()
            }
            ExpressionError::ComparisonSamplingMismatch { has_ref: false, .. } => {
                "a `sampler_comparison` is only for comparisons, such as `textureSampleCompare`, but here a \
                 `sampler` is needed"
                    .into()
            }
            ExpressionError::ComparisonSamplingMismatch { .. } => {
                "a comparison takes a depth texture, such as `texture_depth_2d`, but this texture has colours"
                    .into()
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::without_numbers;
    use crate::{Options, compile_wgsl};

    #[test]
    fn types_have_names() {
        for (body, message) in [
            ("return vec2f(1.0);", "the function returns `f32`, but this is `vec2<f32>`"),
            ("return;", "the function returns `f32`, but here no value"),
            ("return g(1, vec2f(1));", "argument 2 of `g` is of type `vec3<f32>`, but `vec2<f32>` is given"),
            ("return g(1);", "`g` takes 2 arguments, but 1 are given"),
            ("return (mat2x2f() * vec3f()).x;", "`*` cannot be applied to `mat2x2<f32>` and `vec3<f32>`"),
            ("for (var i = 0; i < 3u; i++) {} return 1.0;", "`<` cannot be applied to `i32` and `u32`"),
            ("if (1u) { } return 1.0;", "a condition is a `bool`, but this is `u32`"),
            ("var q = b; return 1.0;", "the variable `q` of a function cannot be of type `array<f32>`"),
            ("b[0] = vec2f(); return 1.0;", "`vec2<f32>` cannot be stored in `f32`"),
            ("var s: S; s = vec2f(); return 1.0;", "`vec2<f32>` cannot be stored in `S`"),
        ] {
            let source = format!(
                "struct S {{ a: f32 }}
                @group(0) @binding(0) var<storage, read_write> b: array<f32>;
                fn g(a: f32, c: vec3f) -> f32 {{ return a; }}
                fn f() -> f32 {{ {body} }}"
            );
            let error = compile_wgsl(&source, &Options::default()).unwrap_err();
            assert!(error.message.contains(message), "{body}: {}", error.message);
        }
    }

    #[test]
    fn comparisons_need_depth_textures_and_their_samplers() {
        for (call, message) in [
            (
                "textureSampleCompare(c, sc, vec2f(), 0.5)",
                "takes a depth texture, such as `texture_depth_2d`",
            ),
            (
                "textureSampleCompare(d, s, vec2f(), 0.5)",
                "takes a `sampler_comparison`, but this is a `sampler`",
            ),
            (
                "textureGatherCompare(d, s, vec2f(), 0.5).x",
                "takes a `sampler_comparison`, but this is a `sampler`",
            ),
            ("textureSample(d, sc, vec2f())", "here a `sampler` is needed"),
            ("textureSample(c, sc, vec2f()).x", "here a `sampler` is needed"),
            ("textureSample(d, s, vec2f()) + textureSampleCompare(d, sc, vec2f(), 0.5)", ""),
        ] {
            let source = format!(
                "@group(0) @binding(0) var c: texture_2d<f32>;
                @group(0) @binding(1) var d: texture_depth_2d;
                @group(0) @binding(2) var s: sampler;
                @group(0) @binding(3) var sc: sampler_comparison;
                @fragment fn f() -> @location(0) vec4f {{ return vec4f({call}); }}"
            );
            match compile_wgsl(&source, &Options::default()) {
                Ok(_) => assert_eq!(message, "", "{call}"),
                Err(e) => {
                    assert!(!message.is_empty() && e.message.contains(message), "{call}: {}", e.message)
                }
            }
        }
    }

    #[test]
    fn numbers_are_removed() {
        assert_eq!(without_numbers("Function [1] 'f' is [2]: [x] [3"), "Function 'f' is: [x] [3");
        assert_eq!(without_numbers(""), "");
    }
}
