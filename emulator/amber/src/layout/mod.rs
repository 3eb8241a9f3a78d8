//! Memory layout of data types and image formats in a buffer.
//!
//! Data types follow the rules of std140 and std430 in GLSL; image formats are laid out as texels in memory. Scripts
//! write and compare values, which are integers or floats: one per component, or one per texel for packed formats.

mod texel;
mod types;

use std::sync::Arc;

use quadrille::{Format, Numeric};

pub use texel::{decode, format_named, stencil_offset};
pub use types::{DataType, Member, StructType};

use texel::{encode, field_bits, fields, texel_bytes, texel_components};
use types::vector_alignment;

/// Largest number of components of an element; nested structures multiply it.
const MAX_COMPONENTS: usize = 1 << 16;
/// Largest size of an element, in bytes.
const MAX_STRIDE: u64 = 1 << 28;
/// Message about a type beyond these limits.
const TOO_LARGE: &str = "the type is too large";

/// A value of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Value for an integer component; negative numbers in two's complement.
    Int(u64),
    /// Value for a float component.
    Float(f64),
}

/// Type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Numeric interpretation of the bits.
    pub numeric: Numeric,
    /// Number of bits.
    pub bits: u8,
}

impl Number {
    /// True if scripts write the component as a float.
    pub fn is_float(self) -> bool {
        matches!(self.numeric, Numeric::Sfloat | Numeric::Ufloat)
    }

    /// True if the component can be negative.
    pub fn is_signed(self) -> bool {
        matches!(self.numeric, Numeric::Sint | Numeric::Snorm | Numeric::Sscaled)
    }

    fn bytes(self) -> u32 {
        u32::from(self.bits) / 8
    }
}

/// Alignment rules. Spec: GLSL, "Standard Uniform Block Layout".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standard {
    /// Arrays, matrix columns and structures are aligned to 16 bytes.
    Std140,
    /// Arrays, matrix columns and structures are not aligned to 16 bytes.
    #[default]
    Std430,
}

/// A component of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Offset in the element, in bytes.
    pub offset: u32,
    /// Type of the component.
    pub number: Number,
    /// Number in its vector, or among R, G, B, A.
    pub row: u8,
}

/// Layout of the components of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Type of the elements.
    pub ty: DataType,
    /// Alignment rules.
    pub standard: Standard,
    /// Components in the order in which scripts write them.
    pub components: Vec<Component>,
    /// Stride between elements, in bytes.
    pub stride: u32,
}

/// Components of the type that is being laid out.
struct Placing {
    standard: Standard,
    components: Vec<Component>,
}

impl Placing {
    /// Places a type at `offset` and returns its size in bytes.
    fn place(&mut self, ty: &DataType, offset: u64, matrix_stride: Option<u32>) -> Result<u64, String> {
        match ty {
            DataType::Plain { number, columns, rows, array } => {
                let least = if self.standard == Standard::Std140 { 16 } else { 1 };
                let column = u64::from(vector_alignment(*number, *rows));
                let column = if *columns > 1 { column.max(least) } else { column };
                let filled = u64::from(*rows) * u64::from(number.bytes());
                let column = match matrix_stride.map(u64::from) {
                    Some(stride) if stride < filled => {
                        return Err("columns of the matrix are larger than their stride".into());
                    }
                    Some(stride) => stride,
                    None => column,
                };
                for c in 0..*columns {
                    for row in 0..*rows {
                        let at = offset + u64::from(c) * column + u64::from(row) * u64::from(number.bytes());
                        self.add(at, *number, row)?;
                    }
                }
                // The component after a vec3 may occupy the fourth component of its slot.
                Ok(match (columns, array) {
                    (1, false) => filled,
                    (1, true) => column.max(least),
                    _ => u64::from(*columns) * column,
                })
            }
            DataType::Texel(format) => {
                for c in texel_components(*format) {
                    self.add(offset + u64::from(c.offset), c.number, c.row)?;
                }
                Ok(u64::from(texel_bytes(*format)))
            }
            DataType::Struct(s) => self.place_struct(s, offset),
        }
    }

    fn place_struct(&mut self, s: &StructType, offset: u64) -> Result<u64, String> {
        let mut end = 0;
        for member in &s.members {
            let align = u64::from(member.ty.alignment(self.standard).max(1));
            let at = member.offset.map_or_else(|| u64::next_multiple_of(end, align), u64::from);
            if at < end {
                return Err(format!("member `{}` starts at byte {at}, where the one before is", member.name));
            }
            let size = self.place(&member.ty, offset + at, member.matrix_stride)?;
            let size = match member.array_stride.map(u64::from) {
                Some(stride) if stride < size => {
                    return Err(format!("elements of `{}` are larger than their stride", member.name));
                }
                Some(stride) => stride,
                None => size,
            };
            end = at + size;
        }
        let align = u64::from(DataType::Struct(Arc::new(StructType::default())).alignment(self.standard));
        let align = s.members.iter().map(|m| u64::from(m.ty.alignment(self.standard))).fold(align, u64::max);
        match s.stride.map(u64::from) {
            Some(stride) if stride < end => {
                Err(format!("the members take {end} bytes, more than the stride"))
            }
            Some(stride) => Ok(stride),
            None => Ok(end.next_multiple_of(align)),
        }
    }

    fn add(&mut self, offset: u64, number: Number, row: u8) -> Result<(), String> {
        if self.components.len() >= MAX_COMPONENTS || offset >= MAX_STRIDE {
            return Err(TOO_LARGE.into());
        }
        self.components.push(Component { offset: offset as u32, number, row });
        Ok(())
    }
}

impl Layout {
    /// Computes the layout of a type.
    pub fn new(ty: DataType, standard: Standard) -> Result<Layout, String> {
        let mut placing = Placing { standard, components: Vec::new() };
        let size = placing.place(&ty, 0, None)?;
        // As a whole element, a vec3 occupies four components.
        let stride = match &ty {
            DataType::Plain { number, columns: 1, rows, .. } => {
                size.max(vector_alignment(*number, *rows).into())
            }
            _ => size,
        };
        if placing.components.is_empty() {
            return Err("a type without members".into());
        }
        if stride > MAX_STRIDE {
            return Err(TOO_LARGE.into());
        }
        Ok(Layout { ty, standard, components: placing.components, stride: stride as u32 })
    }

    /// Returns the layout of the texels of a format.
    pub fn of_format(format: Format) -> Layout {
        let components = texel_components(format);
        let stride = texel_bytes(format);
        Layout { ty: DataType::Texel(format), standard: Standard::Std430, components, stride }
    }

    /// Returns the image format with the same texels; `None` for matrices and structures.
    pub fn format(&self) -> Option<Format> {
        let (number, rows) = match &self.ty {
            DataType::Texel(format) => return Some(*format),
            DataType::Plain { number, columns: 1, rows, .. } => (number, *rows),
            _ => return None,
        };
        let mut name: String =
            "RGBA"[..rows as usize].chars().map(|c| format!("{c}{}", number.bits)).collect();
        name += match number.numeric {
            Numeric::Sint => "_SINT",
            Numeric::Uint => "_UINT",
            _ => "_SFLOAT",
        };
        format_named(&name)
    }

    /// True if both layouts have the same stride, components and format.
    pub fn is_like(&self, other: &Layout) -> bool {
        self.stride == other.stride && self.components == other.components && self.format() == other.format()
    }

    /// Returns the type of the component for value number `index` of a script.
    pub fn number(&self, index: usize) -> Number {
        self.components[index % self.components.len()].number
    }

    /// Encodes values, which must fill whole elements.
    pub fn bytes(&self, values: &[Value]) -> Vec<u8> {
        let stride = self.stride as usize;
        let mut bytes = vec![0; values.len() / self.components.len() * stride];
        let elements = bytes.chunks_exact_mut(stride).zip(values.chunks_exact(self.components.len()));
        for (element, values) in elements {
            for (c, value) in self.components.iter().zip(values) {
                let word = encode(c.number, *value).to_le_bytes();
                let at = c.offset as usize;
                let n = c.number.bytes() as usize;
                element[at..at + n].copy_from_slice(&word[..n]);
            }
        }
        bytes
    }

    /// Returns the bits of a component.
    pub fn bits(&self, element: &[u8], component: &Component) -> u64 {
        let (at, n) = (component.offset as usize, component.number.bytes() as usize);
        let mut word = [0; 8];
        word[..n].copy_from_slice(&element[at..at + n]);
        u64::from_le_bytes(word)
    }

    /// Decodes R, G, B and A of a texel as shaders see them; missing ones are `None`.
    pub fn channels(&self, element: &[u8]) -> [Option<f64>; 4] {
        let mut out = [None; 4];
        let DataType::Texel(format) = &self.ty else {
            for c in self.components.iter().take(4) {
                out[c.row as usize % 4] = Some(decode(c.number, self.bits(element, c)));
            }
            return out;
        };
        let numeric = format.info().numeric;
        for (channel, shift, bits) in fields(*format) {
            let number = Number { numeric, bits };
            let alpha = channel == 3 && numeric == Numeric::Srgb;
            let number = if alpha { Number { numeric: Numeric::Unorm, ..number } } else { number };
            let value = decode(number, field_bits(element, shift.into(), bits.into()));
            out[usize::from(channel)] = Some(value);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stride(name: &str, standard: Standard) -> u32 {
        Layout::new(DataType::of_amber(name).unwrap(), standard).unwrap().stride
    }

    /// The tables are from the Amber project's page about memory layout.
    #[test]
    fn strides_are_those_of_the_document() {
        for (name, std140, std430) in [
            ("int8", 1, 1),
            ("double", 8, 8),
            ("vec2<float>", 8, 8),
            ("vec3<float>", 16, 16),
            ("vec3<int8>", 4, 4),
            ("vec3<int16>", 8, 8),
            ("int8[]", 16, 1),
            ("int64[]", 16, 8),
            ("vec2<float>[]", 16, 8),
            ("vec3<int16>[]", 16, 8),
            ("vec4<int8>[]", 16, 4),
            ("mat2x2<int8>", 32, 4),
            ("mat2x2<float16>", 32, 8),
            ("mat2x3<float>", 32, 32),
            ("mat3x2<float>", 48, 24),
            ("mat4x3<float>[]", 64, 64),
            ("R8G8B8A8_UNORM", 4, 4),
            ("R32G32B32_SFLOAT", 12, 12),
            ("D32_SFLOAT_S8_UINT", 5, 5),
        ] {
            assert_eq!(stride(name, Standard::Std140), std140, "{name}");
            assert_eq!(stride(name, Standard::Std430), std430, "{name}");
        }
    }

    fn structure(members: &[(&str, Option<u32>)]) -> DataType {
        let member = |(i, (ty, offset)): (usize, &(&str, Option<u32>))| Member {
            name: format!("m{i}"),
            ty: DataType::of_amber(ty).unwrap(),
            offset: *offset,
            array_stride: None,
            matrix_stride: None,
        };
        let members = members.iter().enumerate().map(member).collect();
        DataType::Struct(Arc::new(StructType::new(None, members).unwrap()))
    }

    #[test]
    fn structures_are_those_of_the_document() {
        let offsets = |ty: &DataType, standard| {
            let layout = Layout::new(ty.clone(), standard).unwrap();
            (layout.components.iter().map(|c| c.offset).collect::<Vec<_>>(), layout.stride)
        };
        let plain = structure(&[("int32", None), ("float", None)]);
        assert_eq!(offsets(&plain, Standard::Std140), (vec![0, 4], 16));
        assert_eq!(offsets(&plain, Standard::Std430), (vec![0, 4], 8));
        let member =
            Member { name: "s".into(), ty: plain, offset: None, array_stride: None, matrix_stride: None };
        let float = Member { name: "f".into(), ty: DataType::scalar(Numeric::Sfloat, 32), ..member.clone() };
        let nested = StructType::new(None, vec![member, float]).unwrap();
        let nested = DataType::Struct(Arc::new(nested));
        assert_eq!(offsets(&nested, Standard::Std140), (vec![0, 4, 16], 32));
        assert_eq!(offsets(&nested, Standard::Std430), (vec![0, 4, 8], 12));
        let vec3 = structure(&[("int32", None), ("vec3<float>", None), ("float", None)]);
        assert_eq!(offsets(&vec3, Standard::Std430), (vec![0, 16, 20, 24, 28], 32));
        let matrix = structure(&[("int32", None), ("mat2x2<float>", None), ("float", None)]);
        assert_eq!(offsets(&matrix, Standard::Std140), (vec![0, 16, 20, 32, 36, 48], 64));
        assert_eq!(offsets(&matrix, Standard::Std430), (vec![0, 8, 12, 16, 20, 24], 32));
        let placed = structure(&[("float", Some(8)), ("int32", Some(16))]);
        assert_eq!(offsets(&placed, Standard::Std430), (vec![8, 16], 20));
        let back = structure(&[("float", Some(8)), ("int32", Some(4))]);
        assert!(Layout::new(back, Standard::Std430).is_err());
    }

    /// Every element has components, which lie within it.
    #[test]
    fn strides_hold_what_they_separate() {
        let of = |stride, members: &[(&str, Option<u32>)]| {
            let member = |(ty, matrix_stride): &(&str, Option<u32>)| Member {
                name: "m".into(),
                ty: DataType::of_amber(ty).unwrap(),
                offset: None,
                array_stride: None,
                matrix_stride: *matrix_stride,
            };
            let of = StructType::new(stride, members.iter().map(member).collect()).unwrap();
            Layout::new(DataType::Struct(Arc::new(of)), Standard::Std430)
        };
        for stride in [0, 1, 7] {
            let error = of(None, &[("mat2x2<float>", Some(stride))]).unwrap_err();
            assert!(error.contains("larger than their stride"), "{stride}: {error}");
        }
        let wide = of(None, &[("mat2x2<float>", Some(16))]).unwrap();
        assert_eq!(wide.components.iter().map(|c| c.offset).collect::<Vec<_>>(), [0, 4, 16, 20]);
        assert_eq!(wide.stride, 32);
        assert!(of(Some(16), &[]).unwrap_err().contains("without members"));
        assert!(of(Some(u32::MAX), &[("float", None)]).unwrap_err().contains("too large"));
    }

    fn nested(depth: usize, names: &[&str]) -> Result<Layout, String> {
        let mut ty = DataType::scalar(Numeric::Sint, 32);
        for _ in 0..depth {
            let member = |name: &&str| Member {
                name: name.to_string(),
                ty: ty.clone(),
                offset: None,
                array_stride: None,
                matrix_stride: None,
            };
            let of = StructType::new(None, names.iter().map(member).collect())?;
            ty = DataType::Struct(Arc::new(of));
            Layout::new(ty.clone(), Standard::Std430)?;
        }
        Layout::new(ty, Standard::Std430)
    }

    #[test]
    fn structures_do_not_explode() {
        assert_eq!(nested(4, &["a", "b"]).unwrap().components.len(), 16);
        assert!(nested(64, &["a", "b"]).unwrap_err().contains("too large"));
        assert_eq!(nested(64, &["a"]).unwrap().stride, 4);
        assert!(nested(100_000, &["a"]).unwrap_err().contains("nested deeper"));
    }

    #[test]
    fn halves_are_cut_off() {
        for (value, bits) in [
            (1.0, 0x3c00),
            (1.0 + 1.9 / 1024.0, 0x3c01),
            (-1.0 - 1.9 / 1024.0, 0xbc01),
            // Rounded to a 32-bit float first, this value is exactly a half.
            (0.099_975_585_937_499_9, 0x2e66),
            (0.0, 0),
            (-0.0, 0x8000),
            (1e-9, 0),
            (65519.0, 0x7bff),
            (1e6, 0x7c00),
            (f64::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(texel::half_bits(value), bits, "{value}");
        }
        assert!(half::f16::from_bits(texel::half_bits(f64::NAN)).is_nan());
    }

    /// Spec: Khronos Data Format, "sRGB transfer functions"; Vulkan, "Conversion From Normalized Fixed-Point to Floating-Point".
    #[test]
    fn texels_are_decoded() {
        let channels = |name: &str, texel: &[u8]| {
            Layout::of_format(format_named(name).unwrap()).channels(texel).map(|c| c.unwrap_or(-9.0))
        };
        assert_eq!(channels("B8G8R8A8_UNORM", &[0, 51, 255, 255]), [1.0, 0.2, 0.0, 1.0]);
        assert_eq!(channels("R8G8_SNORM", &[0x80, 127]), [-1.0, 1.0, -9.0, -9.0]);
        assert_eq!(channels("B10G11R11_UFLOAT_PACK32", &0x781e_03c0u32.to_le_bytes()), [1.0, 1.0, 1.0, -9.0]);
        assert_eq!(channels("A2B10G10R10_UNORM_PACK32", &0xc000_03ffu32.to_le_bytes()), [1.0, 0.0, 0.0, 1.0]);
        assert!((channels("R8G8B8A8_SRGB", &[188, 0, 0, 51])[0] - 0.502_886).abs() < 1e-6);
        assert_eq!(channels("R8G8B8A8_SRGB", &[188, 0, 0, 51])[3], 0.2);
        assert_eq!(channels("R16_SINT", &[0xff, 0xff]), [-1.0, -9.0, -9.0, -9.0]);
        assert_eq!(channels("D32_SFLOAT", &0.5f32.to_le_bytes())[0], 0.5);
        let wide = [(1u64 << 40).to_le_bytes(), (-3i64).to_le_bytes()].concat();
        assert_eq!(channels("R64G64_SINT", &wide), [1_099_511_627_776.0, -3.0, -9.0, -9.0]);
        assert_eq!(channels("R64_UINT", &wide[..8]), [1_099_511_627_776.0, -9.0, -9.0, -9.0]);
    }
}
