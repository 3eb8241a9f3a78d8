//! Arguments of kernels from text, as options and test files have them.

use image::DynamicImage;

use super::image::KernelImage;
use super::{ArgumentKind, Kernel, Limit, Ty};
use crate::data::list::{self, Type};
use crate::data::{names, pixels};
use crate::{Format, ViewDim};

/// Result of a message for people.
type Result<T> = std::result::Result<T, String>;

impl Kernel {
    /// Sets an argument from text:
    ///
    /// * a buffer: `TYPE:VALUES`, `zeros:BYTES`, `undef:BYTES`, `null` or a file, after `ro:` or `wo:` if the kernel may
    ///   only read or only write it,
    /// * a value: one number for each scalar, or `TYPE:VALUES`,
    /// * workgroup memory: `local:BYTES`,
    /// * an image: `image:SIZE`, `image:SIZE:FORMAT` or `image:SIZE:FORMAT:DATA` with the data of a buffer, where the
    ///   size is as in `64x32`, ends with the number of layers if the image is arrayed, and may be followed by the number
    ///   of levels as in `64x32/7`; or a picture file,
    /// * a sampler: `sampler:` and words as in `sampler:linear unnormalized`.
    ///
    /// `read` reads a file.
    ///
    /// # Errors
    /// A message about the text, or an error of `read`.
    pub fn set_text(
        &mut self,
        index: usize,
        text: &str,
        read: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let argument = self.argument(index).map_err(|e| e.to_string())?;
        let done = match &argument.kind {
            ArgumentKind::Workgroup => {
                let bytes = text.strip_prefix("local:").and_then(|n| n.trim().parse().ok());
                let bytes =
                    bytes.ok_or("the kernel has workgroup memory there: local:BYTES gives its size")?;
                self.set_local(index, bytes)
            }
            ArgumentKind::Buffer if is_limited(text) => {
                let (limit, rest) = text.split_at(3);
                if is_limited(rest) {
                    return Err(format!("`{limit}` and `{}`: a buffer has one of them", &rest[..3]));
                }
                self.set_text(index, rest, read)?;
                self.limit_access(index, if limit == "ro:" { Limit::ReadOnly } else { Limit::WriteOnly })
            }
            ArgumentKind::Buffer if text == "null" => self.set_null(index),
            ArgumentKind::Buffer if text.starts_with("undef:") => {
                self.set_unwritten(index, list::bytes(text, "undef:")?)
            }
            ArgumentKind::Buffer if is_of_another_kind(text) => {
                return Err(
                    "the kernel has a buffer there, as in f32:1,2,3, zeros:BYTES, undef:BYTES, null, or a \
                            file of bytes"
                        .into(),
                );
            }
            ArgumentKind::Buffer => self.set_buffer(index, &contents(text, read)?),
            ArgumentKind::Value(_) if text.contains(':') => self.set_value(index, &list::encode(text)?),
            ArgumentKind::Value(scalars) => {
                let bytes = value(text, scalars, argument.size)?;
                self.set_value(index, &bytes)
            }
            ArgumentKind::Sampler => {
                let words = text.strip_prefix("sampler:");
                let words =
                    words.ok_or("the kernel has a sampler there, as in sampler:linear unnormalized")?;
                self.set_sampler(index, names::sampler(words)?)
            }
            ArgumentKind::Image(_) => return self.set_image_text(index, text, read),
        };
        done.map_err(|e| e.to_string())
    }

    fn set_image_text(
        &mut self,
        index: usize,
        text: &str,
        read: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let dim = self.image_dim(index).map_err(|e| e.to_string())?;
        let Some(rest) = text.strip_prefix("image:") else {
            if !pixels::is_picture(text) {
                return Err(
                    "the kernel has an image there, as in image:64x32:R32_SFLOAT, or a picture file".into()
                );
            }
            let picture = pixels::decode(text, &read(text)?).map_err(|e| e.to_string())?;
            let extent = [picture.width(), picture.height(), 1];
            let (format, texels) = match picture {
                DynamicImage::ImageRgba8(bytes) => (Format::R8G8B8A8_UNORM, bytes.into_raw()),
                floats => {
                    let floats = floats.into_rgba32f().into_raw();
                    (Format::R32G32B32A32_SFLOAT, floats.into_iter().flat_map(f32::to_le_bytes).collect())
                }
            };
            let done = self.set_image(index, &KernelImage::new(format, extent, &texels));
            return done.map_err(|e| e.to_string());
        };
        let mut parts = rest.splitn(3, ':');
        let size = parts.next().unwrap_or_default();
        let format = parts.next().map_or(Ok(Format::R8G8B8A8_UNORM), names::format)?;
        let (size, levels) = match size.split_once('/') {
            Some((size, levels)) => {
                (size, levels.trim().parse().ok().filter(|levels| (1..=16).contains(levels)))
            }
            None => (size, Some(1)),
        };
        let levels = levels.ok_or_else(|| format!("`{text}` has no number of levels after `/`"))?;
        let (extent, layers) = shape(size, dim)?;
        let mut image = KernelImage { format, extent, layers, levels, texels: None };
        let texels;
        match parts.next() {
            Some("undef") => {}
            Some(data) => {
                texels = contents(data, read)?;
                image.texels = Some(&texels);
            }
            None => {
                texels = list::encode(&format!("zeros:{}", image.bytes()))?;
                image.texels = Some(&texels);
            }
        }
        self.set_image(index, &image).map_err(|e| e.to_string())
    }
}

/// True for a buffer that the kernel may only read or only write.
fn is_limited(text: &str) -> bool {
    text.starts_with("ro:") || text.starts_with("wo:")
}

/// True for an image, also in a file, a sampler, and workgroup memory.
fn is_of_another_kind(text: &str) -> bool {
    ["image:", "sampler:", "local:"].iter().any(|word| text.starts_with(word)) || pixels::is_picture(text)
}

/// Extent and number of layers of an image.
fn shape(text: &str, dim: ViewDim) -> Result<([u32; 3], u32)> {
    let sides: Option<Vec<u32>> =
        text.split('x').map(|side| side.trim().parse().ok().filter(|&n| n > 0)).collect();
    let sides = sides.ok_or_else(|| format!("`{text}` is not a size such as 64x32"))?;
    Ok(match (dim, &sides[..]) {
        (ViewDim::D1 | ViewDim::Buffer, &[x]) => ([x, 1, 1], 1),
        (ViewDim::D1Array, &[x, layers]) => ([x, 1, 1], layers),
        (ViewDim::D2, &[x, y]) => ([x, y, 1], 1),
        (ViewDim::D2Array, &[x, y, layers]) => ([x, y, 1], layers),
        (ViewDim::D3, &[x, y, z]) => ([x, y, z], 1),
        _ => {
            return Err(format!(
                "the kernel has an image of dimensionality {dim:?} there, not of size {text}"
            ));
        }
    })
}

/// The bytes of `TYPE:VALUES`, `zeros:BYTES` or a file.
fn contents(text: &str, read: &mut dyn FnMut(&str) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if list::is_list(text) { list::encode(text).map_err(|e| e.to_string()) } else { read(text) }
}

/// A value in its memory layout, from one number for each scalar.
fn value(text: &str, scalars: &[(u32, Ty)], size: u32) -> std::result::Result<Vec<u8>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != scalars.len() {
        return Err(format!("{} values for {} scalars", words.len(), scalars.len()));
    }
    let mut bytes = vec![0; size as usize];
    for (&(at, ty), word) in scalars.iter().zip(words) {
        let n = ty.bytes() as usize;
        let encoded = match ty.is_float() {
            true => Type::Float(n).encode_one(word)?,
            // Signedness is not part of the types of kernels.
            false => Type::Int(n).encode_one(word).or_else(|_| Type::Uint(n).encode_one(word))?,
        };
        bytes[at as usize..at as usize + n].copy_from_slice(&encoded);
    }
    Ok(bytes)
}
