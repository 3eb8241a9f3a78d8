//! Types and values in the notation of GLSL and WGSL, for compiled expressions.
//!
//! A value is a constructor over words of a buffer, which preserves all its bits. Scalars of 64 bits take two words,
//! narrower ones one word.

use quadrille_jit::ir::Ty;
use quadrille_jit::ir::debug::TypeKind;

use crate::declared::{Declared, is_word};
use crate::number::half;
use crate::value::{At, Bits, Part};

/// Maximum number of words of an expression's operands.
const MAX_WORDS: usize = 4096;

/// The type of a result: scalar, vector or matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub base: Ty,
    pub signed: bool,
    pub rows: usize,
    pub columns: usize,
}

/// Scalars that every language has.
const COMMON: [(Ty, bool); 4] = [(Ty::Bool, false), (Ty::I32, true), (Ty::I32, false), (Ty::F32, true)];
/// `double`, and GLSL scalars from extensions.
const MORE: [(Ty, bool); 8] = [
    (Ty::F64, true),
    (Ty::I64, true),
    (Ty::I64, false),
    (Ty::F16, true),
    (Ty::I16, true),
    (Ty::I16, false),
    (Ty::I8, true),
    (Ty::I8, false),
];

/// Possible types of an expression, in the order in which they are tried: untyped numbers are integers if possible.
/// `more` adds types that few shaders use.
pub fn kinds(wgsl: bool, more: bool) -> Vec<Kind> {
    let mut bases = COMMON.to_vec();
    match (more, wgsl) {
        (true, true) => bases.push((Ty::F16, true)),
        (true, false) => bases.extend(MORE),
        _ => {}
    }
    let mut out = Vec::new();
    for rows in 1..=4 {
        out.extend(bases.iter().map(|&(base, signed)| Kind { base, signed, rows, columns: 1 }));
    }
    for &(base, signed) in bases.iter().filter(|b| matches!(b.0, Ty::F16 | Ty::F32 | Ty::F64)) {
        let sizes = (2..=4).flat_map(|columns| (2..=4).map(move |rows| (columns, rows)));
        out.extend(sizes.map(|(columns, rows)| Kind { base, signed, rows, columns }));
    }
    out
}

/// Name of a scalar type; `None` if the language does not have it.
fn scalar(base: Ty, signed: bool, wgsl: bool) -> Option<&'static str> {
    Some(match (base, signed, wgsl) {
        (Ty::Bool, ..) => "bool",
        (Ty::I32, true, true) => "i32",
        (Ty::I32, false, true) => "u32",
        (Ty::F32, _, true) => "f32",
        (Ty::F16, _, true) => "f16",
        (_, _, true) => return None,
        (Ty::I32, true, _) => "int",
        (Ty::I32, false, _) => "uint",
        (Ty::F32, ..) => "float",
        (Ty::F64, ..) => "double",
        (Ty::F16, ..) => "float16_t",
        (Ty::I64, true, _) => "int64_t",
        (Ty::I64, false, _) => "uint64_t",
        (Ty::I16, true, _) => "int16_t",
        (Ty::I16, false, _) => "uint16_t",
        (Ty::I8, true, _) => "int8_t",
        (Ty::I8, false, _) => "uint8_t",
        _ => return None,
    })
}

/// Prefix of `vec3` and `mat3` in GLSL.
fn prefix(base: Ty, signed: bool) -> &'static str {
    match (base, signed) {
        (Ty::Bool, _) => "b",
        (Ty::I32, true) => "i",
        (Ty::I32, false) => "u",
        (Ty::F64, _) => "d",
        (Ty::F16, _) => "f16",
        (Ty::I64, true) => "i64",
        (Ty::I64, false) => "u64",
        (Ty::I16, true) => "i16",
        (Ty::I16, false) => "u16",
        (Ty::I8, true) => "i8",
        (Ty::I8, false) => "u8",
        _ => "",
    }
}

impl Kind {
    /// Name of the type; `None` if the language does not have it.
    pub fn name(&self, wgsl: bool) -> Option<String> {
        let Kind { base, signed, rows, columns } = *self;
        let of = scalar(base, signed, wgsl)?;
        Some(match (wgsl, rows, columns) {
            (_, 1, 1) => of.to_owned(),
            (true, _, 1) => format!("vec{rows}<{of}>"),
            (true, ..) => format!("mat{columns}x{rows}<{of}>"),
            (false, _, 1) => format!("{}vec{rows}", prefix(base, signed)),
            (false, ..) if rows == columns => format!("{}mat{rows}", prefix(base, signed)),
            (false, ..) => format!("{}mat{columns}x{rows}", prefix(base, signed)),
        })
    }

    /// Number of scalars.
    pub fn scalars(&self) -> usize {
        self.rows * self.columns
    }

    /// Number of words per scalar.
    pub fn words(&self) -> usize {
        self.base.bytes().div_ceil(4).max(1) as usize
    }

    /// Assignments of the scalars of `x` to words of `out`, from word 1 on.
    pub fn put(&self, wgsl: bool) -> String {
        let place = |i: usize| match (self.rows, self.columns) {
            (1, 1) => "x".to_owned(),
            (_, 1) => format!("x[{i}]"),
            _ => format!("x[{}][{}]", i / self.rows, i % self.rows),
        };
        let set = |word: usize, value: String| format!(" quadrille_out[{}] = {value};", word + 1);
        let all = (0..self.scalars()).map(|i| {
            let x = place(i);
            match (self.base, wgsl) {
                (Ty::Bool, false) => set(i, format!("uint({x})")),
                (Ty::Bool, true) => set(i, format!("u32({x})")),
                (Ty::F32, false) => set(i, format!("floatBitsToUint({x})")),
                (Ty::F16, false) => set(i, format!("floatBitsToUint(float({x}))")),
                (Ty::F16, true) => set(i, format!("bitcast<u32>(f32({x}))")),
                (Ty::F64, _) => {
                    let half = |h| format!("unpackDouble2x32({x}).{h}");
                    set(2 * i, half("x")) + &set(2 * i + 1, half("y"))
                }
                (Ty::I64, _) => {
                    set(2 * i, format!("uint({x})")) + &set(2 * i + 1, format!("uint({x} >> 32)"))
                }
                (Ty::I8 | Ty::I16, _) => set(i, format!("uint(int({x}))")),
                (_, false) => set(i, format!("uint({x})")),
                (_, true) => set(i, format!("bitcast<u32>({x})")),
            }
        });
        all.collect()
    }

    /// Converts the output of [`Kind::put`] to scalars; 16-bit scalars were stored as floats.
    pub fn bits(&self, words: &[u32]) -> Vec<u64> {
        let words = words.get(..self.scalars() * self.words()).unwrap_or_default();
        words
            .chunks(self.words())
            .map(|c| c.iter().rev().fold(0, |bits: u64, &word| bits << 32 | u64::from(word)))
            .collect()
    }
}

/// Writes operands as text, and collects their words and the structures that they need.
pub struct Speller<'a, 'r> {
    pub at: At<'r>,
    pub wgsl: bool,
    /// Declarations of the shader's text.
    pub own: &'a [Declared],
    /// Words of the operands so far.
    pub words: Vec<u32>,
    /// Names and declarations of structures that the text does not declare.
    pub structs: Vec<(String, String)>,
    /// True if an operand has a type that few shaders use.
    pub more: bool,
}

impl Speller<'_, '_> {
    /// Type and value of a part.
    pub fn spell(&mut self, part: &Part) -> Result<(String, String), String> {
        let debug = &self.at.recording.debug;
        let refuse = || {
            Err(format!("{} is {}, which expressions do not support", part.path, debug.type_name(part.ty)))
        };
        let scalar_of = |ty: u32| match debug.types.get(ty as usize).map(|t| &t.kind) {
            Some(TypeKind::Scalar { ty, signed, encoding: None }) => Some((*ty, *signed)),
            _ => None,
        };
        match debug.types.get(part.ty as usize).map(|t| &t.kind) {
            Some(&TypeKind::Scalar { ty, signed, encoding: None }) => match scalar(ty, signed, self.wgsl) {
                Some(name) => Ok((name.to_owned(), self.scalar(part, ty, signed)?)),
                None => refuse(),
            },
            Some(&TypeKind::Vector { elem, n, .. }) => {
                let name = scalar_of(elem).and_then(|(base, signed)| {
                    Kind { base, signed, rows: n as usize, columns: 1 }.name(self.wgsl)
                });
                name.map_or_else(refuse, |name| self.constructed(part, name))
            }
            Some(&TypeKind::Matrix { column, n, .. }) => {
                let (elem, rows) = match debug.types.get(column as usize).map(|t| &t.kind) {
                    Some(&TypeKind::Vector { elem, n, .. }) => (elem, n),
                    _ => return refuse(),
                };
                let name = scalar_of(elem).and_then(|(base, signed)| {
                    Kind { base, signed, rows: rows as usize, columns: n as usize }.name(self.wgsl)
                });
                name.map_or_else(refuse, |name| self.constructed(part, name))
            }
            Some(&TypeKind::Array { n, matrix: None, .. }) if n > 0 => self.array(part, n),
            Some(TypeKind::Struct { name, .. }) => self.structure(part, name.clone()),
            _ => refuse(),
        }
    }

    fn scalar(&mut self, part: &Part, ty: Ty, signed: bool) -> Result<String, String> {
        let bits = match self.at.scalar(part) {
            Bits::Known(bits) => bits,
            Bits::Unset => 0,
            Bits::Unknown => {
                return Err(format!("{} is not known: the shader has not accessed it yet", part.path));
            }
        };
        if self.words.len() >= MAX_WORDS {
            return Err(format!("{} is too large for an expression", part.path));
        }
        self.more |= matches!(ty, Ty::F16 | Ty::F64 | Ty::I64 | Ty::I16 | Ty::I8);
        let word = |i: usize| format!("quadrille_in[{i}]");
        let first = self.words.len();
        let (low, high) = (word(first), word(first + 1));
        self.words.push(if ty == Ty::F16 { half(bits as u16).to_bits() } else { bits as u32 });
        if ty.bytes() == 8 {
            self.words.push((bits >> 32) as u32);
        }
        Ok(match (ty, signed, self.wgsl) {
            (Ty::Bool, ..) => format!("({low} != 0u)"),
            (Ty::F32, _, false) => format!("uintBitsToFloat({low})"),
            (Ty::F32, _, true) => format!("bitcast<f32>({low})"),
            (Ty::F16, _, false) => format!("float16_t(uintBitsToFloat({low}))"),
            (Ty::F16, _, true) => format!("f16(bitcast<f32>({low}))"),
            (Ty::F64, ..) => format!("packDouble2x32(uvec2({low}, {high}))"),
            (Ty::I64, ..) => {
                let name = if signed { "int64_t" } else { "uint64_t" };
                format!("({name}({low}) | {name}({high}) << 32)")
            }
            (Ty::I32, true, false) => format!("int({low})"),
            (Ty::I32, true, true) => format!("bitcast<i32>({low})"),
            (Ty::I8 | Ty::I16, ..) => {
                let name = scalar(ty, signed, false).unwrap_or("int");
                format!("{name}(int({low}))")
            }
            _ => low,
        })
    }

    /// Constructs a part from its parts, with a constructor of this name.
    fn constructed(&mut self, part: &Part, name: String) -> Result<(String, String), String> {
        let parts = self.at.parts(part);
        let values = parts.iter().map(|p| self.spell(p).map(|(_, value)| value));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let value = format!("{name}({})", values.join(", "));
        Ok((name, value))
    }

    fn array(&mut self, part: &Part, n: u32) -> Result<(String, String), String> {
        if n as usize > MAX_WORDS {
            return Err(format!("{} is too large for an expression", part.path));
        }
        let mut element = String::new();
        let mut values = Vec::new();
        for p in self.at.parts(part) {
            let (ty, value) = self.spell(&p)?;
            element = ty;
            values.push(value);
        }
        let ty = match (self.wgsl, element.split_once('[')) {
            (true, _) => format!("array<{element}, {n}>"),
            // The outermost length comes first.
            (false, Some((base, inner))) => format!("{base}[{n}][{inner}"),
            (false, None) => format!("{element}[{n}]"),
        };
        let value = format!("{ty}({})", values.join(", "));
        Ok((ty, value))
    }

    fn structure(&mut self, part: &Part, name: String) -> Result<(String, String), String> {
        // The languages have no structures without members, and those may have very many parts.
        if !self.at.has_scalars(part) {
            return Err(format!("{} has no value", part.path));
        }
        let plain = !name.is_empty() && name.chars().all(is_word);
        let name = if plain { name } else { format!("quadrille_struct_{}", part.ty) };
        let (mut values, mut members) = (Vec::new(), String::new());
        for p in self.at.parts(part) {
            let (ty, value) = self.spell(&p)?;
            let member = p.path.strip_prefix(&part.path).unwrap_or(&p.path).trim_start_matches('.');
            members += &match self.wgsl {
                true => format!(" {member}: {ty},"),
                false => format!(" {ty} {member};"),
            };
            values.push(value);
        }
        let known = self.own.iter().any(|item| item.names.contains(&name))
            || self.structs.iter().any(|(known, _)| *known == name);
        if !known {
            let end = if self.wgsl { "" } else { ";" };
            self.structs.push((name.clone(), format!("struct {name} {{{members} }}{end}\n")));
        }
        let value = format!("{name}({})", values.join(", "));
        Ok((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words() {
        let kind = |base, signed, rows, columns| Kind { base, signed, rows, columns };
        let names = |k: Kind| [k.name(false), k.name(true)].map(Option::unwrap_or_default);
        assert_eq!(names(kind(Ty::F32, true, 3, 1)), ["vec3", "vec3<f32>"]);
        assert_eq!(names(kind(Ty::F32, true, 3, 2)), ["mat2x3", "mat2x3<f32>"]);
        assert_eq!(names(kind(Ty::F64, true, 4, 4)), ["dmat4", ""]);
        assert_eq!(names(kind(Ty::I64, false, 2, 1)), ["u64vec2", ""]);
        let double = kind(Ty::F64, true, 2, 1);
        assert_eq!(double.bits(&[1, 2, 3, 4, 5]), [2 << 32 | 1, 4 << 32 | 3]);
        assert!(double.put(false).contains("quadrille_out[4] = unpackDouble2x32(x[1]).y;"));
        assert_eq!(
            kinds(false, false)[..4].iter().map(|k| k.name(false).unwrap()).collect::<Vec<_>>(),
            ["bool", "int", "uint", "float"]
        );
        assert!(kinds(true, true).iter().all(|k| k.name(true).is_some()));
    }
}
