//! KTX2 pictures with Basis Universal: ETC1S and UASTC. Spec: KTX 2.0; KHR_texture_basisu.

use basisu::{DecodeFlags, TargetFormat, Transcoder};
use quadrille::error::guard;
use quadrille::{Error, Result};

use super::Limits;
use super::file::Budget;
use super::picture::{check_size, damaged};

/// First bytes of a file.
pub const MAGIC: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// Offsets of fields of the header, in bytes.
const WIDTH: usize = 20;
const HEIGHT: usize = 24;
const DEPTH: usize = 28;
const LAYERS: usize = 32;
const FACES: usize = 36;
/// Offset of the data format descriptor.
const DESCRIPTOR: usize = 48;
/// Length of the first level before its supercompression.
const LENGTH: usize = 96;

/// Colour model, in the descriptor.
const MODEL: usize = 12;
/// The models of KHR_texture_basisu: ETC1S and UASTC. Others state in their streams how much memory they take.
const MODELS: [u8; 2] = [163, 166];

/// Decodes the first level of a picture: width, height, RGBA.
pub fn texture(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<(u32, u32, Vec<u8>)> {
    let ends = || Error::invalid("KTX2: the file ends in its header");
    let word = |at: usize| match bytes.get(at..at + 4) {
        Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
        Some(_) | None => Err(ends()),
    };
    let (width, height) = (word(WIDTH)?, word(HEIGHT)?);
    check_size(width, height, limits)?;
    if word(DEPTH)? > 0 || word(LAYERS)? > 1 || word(FACES)? != 1 {
        return Err(Error::unsupported(
            "KTX2: textures of glTF are two-dimensional, without layers and faces",
        ));
    }
    let descriptor = word(DESCRIPTOR)? as usize;
    let model = descriptor.checked_add(MODEL).and_then(|at| bytes.get(at)).ok_or_else(ends)?;
    if !MODELS.contains(model) {
        return Err(Error::unsupported(format!(
            "KTX2: pictures of colour model {model}; textures of glTF are ETC1S or UASTC"
        )));
    }
    let length = u64::from(word(LENGTH)?) | u64::from(word(LENGTH + 4)?) << 32;
    // Blocks have 16 bytes and at least 4x4 texels.
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
    if length > blocks * 16 {
        return Err(Error::invalid(format!("KTX2: a level of {length} bytes for {width}x{height} texels")));
    }
    budget.take(u64::from(width) * u64::from(height) * 4 + length)?;
    let decoded = guard("decoding a picture", || {
        let fail = |e: basisu::Error| match e {
            basisu::Error::Unsupported { source, .. } => {
                Error::unsupported(format!("KTX2: pictures of type {source:?}"))
            }
            basisu::Error::UnsupportedFeature(what) => Error::unsupported(format!("KTX2: {what}")),
            other => Error::invalid(format!("KTX2: {other:?}")),
        };
        let picture = Transcoder::new(bytes).map_err(|e| match e {
            basisu::Error::InvalidData => {
                Error::invalid("KTX2: this is not a texture of Basis Universal, or it is damaged")
            }
            other => fail(other),
        })?;
        picture.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(fail)
    });
    let pixels = decoded.map_err(damaged)?;
    if pixels.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err(Error::invalid("KTX2: the picture has the wrong size"));
    }
    Ok((width, height, pixels))
}
