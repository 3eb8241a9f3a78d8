//! Data types, by their names in both languages.

use std::sync::Arc;

use quadrille::{Format, Numeric};

use super::texel::{format_named, texel_components};
use super::{Number, Standard};

/// A data type.
#[derive(Clone, Debug, PartialEq)]
pub enum DataType {
    /// A scalar, vector or matrix.
    Plain {
        /// Type of a component.
        number: Number,
        /// Number of columns; 1 for scalars and vectors.
        columns: u8,
        /// Number of rows; 1 for scalars.
        rows: u8,
        /// True if declared as `TYPE[]`, so that elements are laid out as array elements.
        array: bool,
    },
    /// A texel of an image format.
    Texel(Format),
    /// A structure.
    Struct(Arc<StructType>),
}

/// Members and stride of a structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructType {
    /// Declared stride between elements, in bytes.
    pub stride: Option<u32>,
    /// Members in declaration order.
    pub members: Vec<Member>,
    /// Nesting depth of structures, including this one.
    pub depth: u32,
}

/// Largest nesting depth of structures.
const MAX_DEPTH: u32 = 64;

impl StructType {
    /// Creates a structure type; an error if the nesting is too deep.
    pub fn new(stride: Option<u32>, members: Vec<Member>) -> Result<Self, String> {
        let depth = |m: &Member| if let DataType::Struct(s) = &m.ty { s.depth } else { 0 };
        let depth = 1 + members.iter().map(depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(format!("structures are nested deeper than {MAX_DEPTH} levels"));
        }
        Ok(StructType { stride, members, depth })
    }
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Type of the member; an array has one element.
    pub ty: DataType,
    /// Declared offset, in bytes.
    pub offset: Option<u32>,
    /// Declared stride of an array, in bytes.
    pub array_stride: Option<u32>,
    /// Declared stride between matrix columns, in bytes.
    pub matrix_stride: Option<u32>,
}

impl DataType {
    /// Returns a scalar type.
    pub fn scalar(numeric: Numeric, bits: u8) -> Self {
        DataType::Plain { number: Number { numeric, bits }, columns: 1, rows: 1, array: false }
    }

    /// Parses a type name of AmberScript: `int32`, `vec3<float>`, `mat2x3<float>[]`, or an image format.
    pub fn of_amber(name: &str) -> Option<Self> {
        if let Some(format) = format_named(name) {
            return Some(DataType::Texel(format));
        }
        let (name, array) = name.strip_suffix("[]").map_or((name, false), |name| (name, true));
        let (head, number) = match name.split_once('<') {
            Some((head, number)) => (head, number.strip_suffix('>')?),
            None => ("", name),
        };
        let digit = |c: u8| (b'2'..=b'4').contains(&c).then(|| c - b'0');
        let (columns, rows) = match head.as_bytes() {
            [] => (1, 1),
            [b'v', b'e', b'c', rows] => (1, digit(*rows)?),
            [b'm', b'a', b't', columns, b'x', rows] => (digit(*columns)?, digit(*rows)?),
            _ => return None,
        };
        let (numeric, bits) = match number {
            "float16" => (Numeric::Sfloat, 16),
            "float" => (Numeric::Sfloat, 32),
            "double" => (Numeric::Sfloat, 64),
            _ => {
                let unsigned = number.strip_prefix("uint").map(|bits| (Numeric::Uint, bits));
                let (numeric, bits) = unsigned.or(number.strip_prefix("int").map(|b| (Numeric::Sint, b)))?;
                (numeric, ["8", "16", "32", "64"].contains(&bits).then(|| bits.parse().ok())??)
            }
        };
        Some(DataType::Plain { number: Number { numeric, bits }, columns, rows, array })
    }

    /// Parses a type name of VkScript: `int`, `u16vec3`, `dmat2x3`.
    pub fn of_vkscript(name: &str) -> Option<Self> {
        let scalar = |numeric, bits| Some((Number { numeric, bits }, 1, 1));
        let plain = match name {
            "int" => scalar(Numeric::Sint, 32),
            "uint" => scalar(Numeric::Uint, 32),
            "float" => scalar(Numeric::Sfloat, 32),
            "double" => scalar(Numeric::Sfloat, 64),
            "int8_t" => scalar(Numeric::Sint, 8),
            "uint8_t" => scalar(Numeric::Uint, 8),
            "int16_t" => scalar(Numeric::Sint, 16),
            "uint16_t" => scalar(Numeric::Uint, 16),
            "int64_t" => scalar(Numeric::Sint, 64),
            "uint64_t" => scalar(Numeric::Uint, 64),
            _ => vector_of_vkscript(name).or_else(|| matrix_of_vkscript(name)),
        };
        let (number, columns, rows) = plain?;
        Some(DataType::Plain { number, columns, rows, array: false })
    }

    pub(super) fn alignment(&self, standard: Standard) -> u32 {
        let least = match standard {
            Standard::Std140 => 16,
            Standard::Std430 => 1,
        };
        match self {
            DataType::Plain { number, columns, rows, array } => {
                let vector = vector_alignment(*number, *rows);
                if *columns > 1 || *array { vector.max(least) } else { vector }
            }
            DataType::Texel(format) => {
                texel_components(*format).iter().map(|c| c.number.bytes()).max().unwrap_or(1)
            }
            DataType::Struct(s) => {
                s.members.iter().map(|m| m.ty.alignment(standard)).max().unwrap_or(1).max(least)
            }
        }
    }
}

pub(super) fn vector_alignment(number: Number, rows: u8) -> u32 {
    let components = if rows == 3 { 4 } else { u32::from(rows) };
    components * number.bytes()
}

fn vector_of_vkscript(name: &str) -> Option<(Number, u8, u8)> {
    let (prefix, rows) = name.split_once("vec")?;
    let (numeric, bits) = match prefix {
        "" => (Numeric::Sfloat, 32),
        "d" => (Numeric::Sfloat, 64),
        _ => {
            let signed = prefix.strip_prefix('i').map(|bits| (Numeric::Sint, bits));
            let (numeric, bits) =
                signed.or_else(|| prefix.strip_prefix('u').map(|bits| (Numeric::Uint, bits)))?;
            let bits = if bits.is_empty() { "32" } else { bits };
            (numeric, ["8", "16", "32", "64"].contains(&bits).then(|| bits.parse().ok())??)
        }
    };
    let rows = match rows {
        "" | "4" => 4,
        "2" => 2,
        "3" => 3,
        _ => return None,
    };
    Some((Number { numeric, bits }, 1, rows))
}

fn matrix_of_vkscript(name: &str) -> Option<(Number, u8, u8)> {
    let (prefix, size) = name.split_once("mat")?;
    let bits = match prefix {
        "" => 32,
        "d" => 64,
        _ => return None,
    };
    let digit = |c: u8| (b'2'..=b'4').contains(&c).then(|| c - b'0');
    let (columns, rows) = match size.as_bytes() {
        [] => (4, 4),
        [n] => (digit(*n)?, digit(*n)?),
        [columns, b'x', rows] => (digit(*columns)?, digit(*rows)?),
        _ => return None,
    };
    Some((Number { numeric: Numeric::Sfloat, bits }, columns, rows))
}
