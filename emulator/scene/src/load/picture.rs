//! Rules of encoded pictures of every format: their size, and the errors of decoders.

use quadrille::{Error, Result};

use super::Limits;

/// Checks the size of a picture.
pub fn check_size(width: u32, height: u32, limits: &Limits) -> Result<()> {
    let most = limits.image_dimension;
    if width > most || height > most {
        return Err(Error::Limit(format!(
            "a picture of {width}x{height} texels; the largest side is {most}"
        )));
    }
    if width == 0 || height == 0 {
        return Err(Error::invalid("the picture has no texels"));
    }
    Ok(())
}

/// The error of a decoder. Decoders can panic on unexpected input, which is a fault of the picture.
pub fn damaged(error: Error) -> Error {
    match error {
        Error::Internal(message) => Error::invalid(format!("the picture is damaged: {message}")),
        other => other,
    }
}
