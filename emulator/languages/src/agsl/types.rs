//! Types of AGSL. `vec4` and `float4` are one type. `half4` and `mediump vec4` are one type too, which differs from
//! `float4` only in precision: both are computed in 32 bits and convert to each other.

/// Type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Int,
    Float,
}

/// A scalar, vector or square matrix type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub scalar: Scalar,
    /// Number of columns of a matrix; otherwise 1.
    pub columns: u8,
    /// Number of rows of a matrix or components of a vector; 1 for a scalar.
    pub rows: u8,
    /// True for medium precision: `half`, `short`.
    pub low: bool,
}

impl Number {
    pub const fn vector(scalar: Scalar, rows: u8) -> Number {
        Number { scalar, columns: 1, rows, low: false }
    }

    pub fn is_scalar(self) -> bool {
        self.columns == 1 && self.rows == 1
    }

    pub fn is_vector(self) -> bool {
        self.columns == 1 && self.rows > 1
    }

    pub fn is_matrix(self) -> bool {
        self.columns > 1
    }

    /// Number of components.
    pub fn size(self) -> u32 {
        u32::from(self.columns) * u32::from(self.rows)
    }

    /// Returns the same shape with another scalar type.
    pub fn of(self, scalar: Scalar) -> Number {
        Number { scalar, ..self }
    }

    /// Returns the type of one component.
    pub fn component(self) -> Number {
        Number { columns: 1, rows: 1, ..self }
    }

    /// Returns the type of one column of a matrix or one component of a vector.
    pub fn part(self) -> Number {
        if self.is_matrix() { Number { columns: 1, ..self } } else { self.component() }
    }

    /// True if the types are equal apart from precision.
    pub fn same(self, other: Number) -> bool {
        Number { low: other.low, ..self } == other
    }
}

/// Kind of a child or program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgslKind {
    /// Computes a colour for each coordinate: `half4 main(float2 coord)`.
    Shader,
    /// Computes a colour from a colour: `half4 main(half4 color)`.
    ColorFilter,
    /// Computes a colour from two: `half4 main(half4 src, half4 dst)`.
    Blender,
}

impl AgslKind {
    /// Type name in the `uniform` declaration of a child of this kind.
    pub fn name(self) -> &'static str {
        match self {
            AgslKind::Shader => "shader",
            AgslKind::ColorFilter => "colorFilter",
            AgslKind::Blender => "blender",
        }
    }

    /// Parameter types of `eval`.
    pub(super) fn parameters(self) -> &'static [Number] {
        const COORD: Number = Number::vector(Scalar::Float, 2);
        const COLOR: Number = Number::vector(Scalar::Float, 4);
        match self {
            AgslKind::Shader => &[COORD],
            AgslKind::ColorFilter => &[COLOR],
            AgslKind::Blender => &[COLOR, COLOR],
        }
    }
}

/// Element type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Number(Number),
    Struct(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Number(Number),
    /// A structure, by its number in the program.
    Struct(u32),
    Array(Element, u32),
    Child(AgslKind),
    /// Type of an erroneous expression; suppresses further errors about it.
    Unknown,
}

impl Type {
    pub const BOOL: Type = Type::Number(Number::vector(Scalar::Bool, 1));
    pub const INT: Type = Type::Number(Number::vector(Scalar::Int, 1));
    /// The precision of constants is low, so that it adapts to the other operand.
    pub const FLOAT: Type = Type::Number(Number { low: true, ..Number::vector(Scalar::Float, 1) });

    pub fn number(self) -> Option<Number> {
        match self {
            Type::Number(n) => Some(n),
            _ => None,
        }
    }

    /// True if the types are equal apart from precision.
    pub fn same(self, other: Type) -> bool {
        match (self, other) {
            (Type::Number(a), Type::Number(b)) => a.same(b),
            (Type::Array(Element::Number(a), n), Type::Array(Element::Number(b), m)) => n == m && a.same(b),
            _ => self == other,
        }
    }

    /// Returns the built-in type with this name.
    pub fn named(name: &str) -> Option<Type> {
        let number = |scalar, columns, rows, low| Some(Type::Number(Number { scalar, columns, rows, low }));
        if let Some(kind) = [AgslKind::Shader, AgslKind::ColorFilter, AgslKind::Blender]
            .into_iter()
            .find(|kind| kind.name() == name)
        {
            return Some(Type::Child(kind));
        }
        if name == "void" {
            return Some(Type::Void);
        }
        let digit = |text: &str| match text {
            "2" => Some(2),
            "3" => Some(3),
            "4" => Some(4),
            _ => None,
        };
        let vectors = [("vec", Scalar::Float), ("ivec", Scalar::Int), ("bvec", Scalar::Bool)]
            .into_iter()
            .find_map(|(prefix, scalar)| Some((scalar, digit(name.strip_prefix(prefix)?)?)));
        if let Some((scalar, rows)) = vectors {
            return number(scalar, 1, rows, false);
        }
        if let Some(n) = name.strip_prefix("mat").and_then(digit) {
            return number(Scalar::Float, n, n, false);
        }
        let scalars = [
            ("bool", Scalar::Bool, false),
            ("int", Scalar::Int, false),
            ("short", Scalar::Int, true),
            ("float", Scalar::Float, false),
            ("half", Scalar::Float, true),
        ];
        let (rest, scalar, low) =
            scalars.into_iter().find_map(|(prefix, s, low)| Some((name.strip_prefix(prefix)?, s, low)))?;
        match rest.split_once('x') {
            None if rest.is_empty() => number(scalar, 1, 1, low),
            None => number(scalar, 1, digit(rest)?, low),
            Some((c, r)) if scalar == Scalar::Float && c == r => number(scalar, digit(c)?, digit(r)?, low),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let same = |a, b| assert_eq!(Type::named(a).unwrap(), Type::named(b).unwrap(), "{a} {b}");
        for (a, b) in [
            ("vec2", "float2"),
            ("vec4", "float4"),
            ("ivec3", "int3"),
            ("bvec2", "bool2"),
            ("mat2", "float2x2"),
            ("mat3", "float3x3"),
            ("mat4", "float4x4"),
        ] {
            same(a, b);
        }
        assert!(Type::named("half3x3").unwrap().same(Type::named("mat3").unwrap()));
        assert_ne!(Type::named("half3"), Type::named("float3"));
        for none in
            ["vec1", "float5", "float2x3", "int2x2", "uint", "double", "sampler2D", "half3x", "float1"]
        {
            assert_eq!(Type::named(none), None, "{none}");
        }
    }
}
