//! Table of AGSL's built-in functions, one row per signature of the reference. `emit` implements them.

use super::types::{Number, Scalar, Type};

/// Operation of a built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fun {
    Radians,
    Degrees,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Pow,
    Exp,
    Log,
    Exp2,
    Log2,
    Sqrt,
    InverseSqrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Fract,
    Mod,
    Min,
    Max,
    Clamp,
    Saturate,
    Mix,
    Step,
    SmoothStep,
    Length,
    Distance,
    Dot,
    Cross,
    Normalize,
    FaceForward,
    Reflect,
    Refract,
    MatrixCompMult,
    Inverse,
    LessThan,
    LessThanEqual,
    GreaterThan,
    GreaterThanEqual,
    Equal,
    NotEqual,
    Any,
    All,
    Not,
    Unpremul,
    ToLinearSrgb,
    FromLinearSrgb,
}

/// Type of a parameter or result. All uses of `T` in a signature are the same type; so are those of `V`, `B` and `M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// float, float2, float3 or float4.
    T,
    /// A float beside `T`, applied to each component.
    Float,
    /// A vector of 2 to 4 floats or ints.
    V,
    /// A vector of bools with as many components as `V`.
    B,
    /// A square matrix.
    M,
    /// float3.
    Float3,
    /// float4.
    Float4,
    /// bool.
    Bool,
}

/// Signature of a built-in function.
#[derive(Debug)]
pub(super) struct Builtin {
    pub name: &'static str,
    pub fun: Fun,
    pub result: Kind,
    pub parameters: &'static [Kind],
}

macro_rules! functions {
    ($($name:literal $fun:ident ($($parameter:ident),*) -> $result:ident;)*) => {
        /// All signatures; the first one that fits is used.
        pub(super) static FUNCTIONS: &[Builtin] = &[$(
            Builtin { name: $name, fun: Fun::$fun, result: Kind::$result, parameters: &[$(Kind::$parameter),*] },
        )*];
    };
}

functions! {
    "radians" Radians(T) -> T;
    "degrees" Degrees(T) -> T;
    "sin" Sin(T) -> T;
    "cos" Cos(T) -> T;
    "tan" Tan(T) -> T;
    "asin" Asin(T) -> T;
    "acos" Acos(T) -> T;
    "atan" Atan2(T, T) -> T;
    "atan" Atan(T) -> T;
    "pow" Pow(T, T) -> T;
    "exp" Exp(T) -> T;
    "log" Log(T) -> T;
    "exp2" Exp2(T) -> T;
    "log2" Log2(T) -> T;
    "sqrt" Sqrt(T) -> T;
    "inversesqrt" InverseSqrt(T) -> T;
    "abs" Abs(T) -> T;
    "sign" Sign(T) -> T;
    "floor" Floor(T) -> T;
    "ceil" Ceil(T) -> T;
    "fract" Fract(T) -> T;
    "mod" Mod(T, T) -> T;
    "mod" Mod(T, Float) -> T;
    "min" Min(T, T) -> T;
    "min" Min(T, Float) -> T;
    "max" Max(T, T) -> T;
    "max" Max(T, Float) -> T;
    "clamp" Clamp(T, T, T) -> T;
    "clamp" Clamp(T, Float, Float) -> T;
    "saturate" Saturate(T) -> T;
    "mix" Mix(T, T, T) -> T;
    "mix" Mix(T, T, Float) -> T;
    "step" Step(T, T) -> T;
    "step" Step(Float, T) -> T;
    "smoothstep" SmoothStep(T, T, T) -> T;
    "smoothstep" SmoothStep(Float, Float, T) -> T;
    "length" Length(T) -> Float;
    "distance" Distance(T, T) -> Float;
    "dot" Dot(T, T) -> Float;
    "cross" Cross(Float3, Float3) -> Float3;
    "normalize" Normalize(T) -> T;
    "faceforward" FaceForward(T, T, T) -> T;
    "reflect" Reflect(T, T) -> T;
    "refract" Refract(T, T, Float) -> T;
    "matrixCompMult" MatrixCompMult(M, M) -> M;
    "inverse" Inverse(M) -> M;
    "lessThan" LessThan(V, V) -> B;
    "lessThanEqual" LessThanEqual(V, V) -> B;
    "greaterThan" GreaterThan(V, V) -> B;
    "greaterThanEqual" GreaterThanEqual(V, V) -> B;
    "equal" Equal(V, V) -> B;
    "notEqual" NotEqual(V, V) -> B;
    "equal" Equal(B, B) -> B;
    "notEqual" NotEqual(B, B) -> B;
    "any" Any(B) -> Bool;
    "all" All(B) -> Bool;
    "not" Not(B) -> B;
    "unpremul" Unpremul(Float4) -> Float4;
    "toLinearSrgb" ToLinearSrgb(Float3) -> Float3;
    "fromLinearSrgb" FromLinearSrgb(Float3) -> Float3;
}

/// Type of an argument, and `true` for an integer literal, which becomes a float where the parameter is one.
pub(super) type Argument = (Type, bool);

impl Builtin {
    /// Returns the types of the parameters and of the result for these arguments; `None` if the signature does not fit.
    pub fn fit(&self, arguments: &[Argument]) -> Option<(Vec<Number>, Number)> {
        if arguments.len() != self.parameters.len() {
            return None;
        }
        // The first argument of a generic kind determines the type of `T`, `V`, `B` or `M`. A literal determines it
        // only if all such arguments are literals.
        let mut common: Option<Number> = None;
        let mut low = true;
        for literals in [false, true] {
            for (kind, (ty, literal)) in self.parameters.iter().zip(arguments) {
                let given = ty.number()?;
                if *literal != literals {
                    continue;
                }
                let given = if *literal { given.of(Scalar::Float) } else { given };
                low &= given.low || *literal;
                let generic = match kind {
                    Kind::T => given.scalar == Scalar::Float && !given.is_matrix(),
                    Kind::V => given.is_vector() && given.scalar != Scalar::Bool,
                    Kind::B => given.is_vector() && given.scalar == Scalar::Bool,
                    Kind::M => given.is_matrix(),
                    Kind::Float => given.same(Number::vector(Scalar::Float, 1)),
                    Kind::Float3 => given.same(Number::vector(Scalar::Float, 3)),
                    Kind::Float4 => given.same(Number::vector(Scalar::Float, 4)),
                    Kind::Bool => given.same(Number::vector(Scalar::Bool, 1)),
                };
                if !generic {
                    return None;
                }
                if matches!(kind, Kind::T | Kind::V | Kind::B | Kind::M)
                    && !common.get_or_insert(given).same(given)
                {
                    return None;
                }
            }
        }
        let of = |kind: Kind| {
            let number = match kind {
                Kind::T | Kind::V | Kind::M => common?,
                Kind::B => common?.of(Scalar::Bool),
                Kind::Float => Number::vector(Scalar::Float, 1),
                Kind::Float3 => Number::vector(Scalar::Float, 3),
                Kind::Float4 => Number::vector(Scalar::Float, 4),
                Kind::Bool => Number::vector(Scalar::Bool, 1),
            };
            Some(Number { low, ..number })
        };
        let parameters = self.parameters.iter().map(|kind| of(*kind)).collect::<Option<_>>()?;
        Some((parameters, of(self.result)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        let fit = |name: &str, types: &[&str]| {
            let arguments: Vec<Argument> = types
                .iter()
                .map(|t| if *t == "1" { (Type::INT, true) } else { (Type::named(t).unwrap(), false) })
                .collect();
            FUNCTIONS
                .iter()
                .filter(|f| f.name == name)
                .find_map(|f| f.fit(&arguments))
                .map(|(_, r)| Type::Number(r))
        };
        let is = |name: &str, types: &[&str], result: Option<&str>| {
            assert_eq!(fit(name, types), result.and_then(Type::named), "{name}{types:?}");
        };
        is("sin", &["half3"], Some("half3"));
        is("min", &["float3", "half"], Some("float3"));
        is("min", &["half3", "half"], Some("half3"));
        is("mix", &["half3", "half3", "1"], Some("half3"));
        is("smoothstep", &["1", "1", "float2"], Some("float2"));
        is("dot", &["float3", "float3"], Some("float"));
        is("dot", &["float3", "float2"], None);
        is("sin", &["int"], None);
        is("sin", &["1"], Some("half"));
        is("lessThan", &["int2", "int2"], Some("bool2"));
        is("equal", &["bool2", "bool2"], Some("bool2"));
        is("any", &["bool"], None);
        is("inverse", &["half3x3"], Some("half3x3"));
        is("step", &["float3", "float"], None);
    }
}
