//! Files that `quadrille run --read` writes; the extension selects the format. Content that a format cannot hold is
//! rejected before the shader runs, or reported.

use std::path::Path;

use quadrille::apps::compute::Compute;
use quadrille::data::list::Type;
use quadrille::data::pixels;
use quadrille::{Error, Result};

use crate::picture;
use crate::report::{self, Failure};

/// Encodes elements of a buffer as a NumPy array of one axis.
pub fn array(ty: Type, bytes: &[u8]) -> Result<Vec<u8>> {
    let kind = match ty {
        Type::Int(n) => format!("i{n}"),
        Type::Uint(n) => format!("u{n}"),
        Type::Float(n) => format!("f{n}"),
        Type::Hex => "u1".into(),
    };
    let count = ty.count(bytes.len()).map_err(Error::invalid)?;
    pixels::npy(&kind, &[count], bytes)
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The bytes, without a header.
    Raw,
    /// A NumPy array.
    Npy,
    /// 8 bits per component.
    Png,
    /// 8 bits per component, lossy.
    Jpeg,
    /// Floating point.
    Exr,
}

impl Format {
    /// The format of a file for an image, or for a buffer with elements of a type.
    pub fn of(path: &Path, is_image: bool, ty: Option<Type>) -> report::Result<Format> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        let shown = path.display();
        match (ending.as_str(), is_image) {
            ("npy", false) if ty.is_none() => Err(Failure::usage(format!("{shown}: a struct cannot be a NumPy array"))
                .help("name the type of its elements, as in --read 0.1:f32=a.npy")),
            ("npy", _) => Ok(Format::Npy),
            ("png", true) => Ok(Format::Png),
            ("jpg" | "jpeg", true) => Ok(Format::Jpeg),
            ("exr", true) => Ok(Format::Exr),
            ("bin" | "raw", true) => Ok(Format::Raw),
            (_, true) => Err(Failure::usage(format!("{shown}: the extension is not of an image format"))
                .help(".png and .jpg have 8 bits, .exr floats; .npy has the texels as they are, .bin and .raw only their bytes")),
            (_, false) if pixels::is_picture(path) => {
                Err(Failure::usage(format!("{shown}: a buffer is not a picture"))
                    .help("save it as a NumPy array (.npy), or as bytes under a name without an image extension"))
            }
            (_, false) => Ok(Format::Raw),
        }
    }

    /// Contents of the file for an element of a binding.
    pub fn bytes(self, compute: &Compute, at: (u32, u32, u32), ty: Option<Type>) -> Result<Vec<u8>> {
        let (set, binding, element) = at;
        let is_image = compute.is_image(set, binding)?;
        match self {
            Format::Raw => compute.read_at(set, binding, element),
            Format::Npy if is_image => compute.read_npy_at(set, binding, element),
            Format::Npy => array(ty.unwrap_or(Type::Hex), &compute.read_at(set, binding, element)?),
            Format::Exr => compute.read_floats_at(set, binding, element)?.exr(),
            Format::Png | Format::Jpeg => {
                let pixels = compute.read_picture_at(set, binding, element)?;
                let encoded = picture::encode(&pixels, self == Format::Jpeg);
                encoded.map_err(|e| Error::invalid(e.to_string()))
            }
        }
    }

    /// Fails if the format does not hold texels like those of an image.
    pub fn check(self, compute: &Compute, (set, binding, element): (u32, u32, u32)) -> Result<()> {
        match self {
            Format::Exr => compute.read_floats_at(set, binding, element).map(drop),
            Format::Png | Format::Jpeg => compute.read_picture_at(set, binding, element).map(drop),
            Format::Raw | Format::Npy => Ok(()),
        }
    }

    /// Warns about values of an image that do not fit into the format.
    pub fn warn(self, compute: &Compute, (set, binding, element): (u32, u32, u32), path: &Path) {
        if !matches!(self, Format::Png | Format::Jpeg) {
            return;
        }
        let beyond = compute.beyond_8_bits_at(set, binding, element).unwrap_or(0);
        if beyond > 0 {
            let shown = path.display();
            // Floats and integers have other ranges, and formats that hold them.
            let (range, other) = match compute.read_floats_at(set, binding, element) {
                Ok(_) => ("0 to 1", "an .exr"),
                Err(_) => ("0 to 255", "an .npy"),
            };
            report::warn(&format!(
                "{shown}: {beyond} components are outside {range} and are clamped to 8 bits: {other} keeps them as they are"
            ));
        }
    }
}
