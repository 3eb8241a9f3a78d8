//! Buffer views compressed by EXT_meshopt_compression and KHR_meshopt_compression: checks of their properties, and the
//! choice of a decoder. Each stream is decoded as a whole, into memory that the caller has counted.
//!
//! Spec: KHR_meshopt_compression, whose version 0 of attributes is the format of EXT_meshopt_compression.

mod attributes;
mod filters;
mod indices;

use quadrille::{Error, Result, reserve};

use super::json::MeshoptView;

/// Decodes a view of `length` bytes.
pub fn decode(of: &MeshoptView, length: u64, stream: &[u8]) -> Result<Vec<u8>> {
    let (count, stride) = (of.count, of.byte_stride);
    if count.checked_mul(stride) != Some(length) {
        return Err(Error::invalid(format!(
            "{count} elements of {stride} bytes in a view of {length} bytes"
        )));
    }
    let (Ok(count), Ok(stride)) = (usize::try_from(count), usize::try_from(stride)) else {
        return Err(Error::Limit(format!("{count} elements of {stride} bytes")));
    };
    let filter = of.filter.as_deref().unwrap_or("NONE");
    let wrong = |what: &str| {
        Err(Error::invalid(format!("{what} of {count} elements of {stride} bytes with the filter {filter}")))
    };
    let strides = match filter {
        "NONE" | "EXPONENTIAL" => stride.is_multiple_of(4) && (4..=256).contains(&stride),
        "OCTAHEDRAL" | "COLOR" => matches!(stride, 4 | 8),
        "QUATERNION" => stride == 8,
        other => return Err(Error::invalid(format!("the filter `{other}` does not exist"))),
    };
    let plain_indices = matches!(stride, 2 | 4) && filter == "NONE";
    // The shortest stream of so many elements, so that a short one takes no memory.
    let (good, least) = match &*of.mode {
        "ATTRIBUTES" => {
            (strides, count.div_ceil(attributes::block(stride.max(1))).saturating_mul(stride / 4))
        }
        "TRIANGLES" => (plain_indices && count.is_multiple_of(3), count / 3),
        "INDICES" => (plain_indices, count),
        other => return Err(Error::invalid(format!("the mode `{other}` does not exist"))),
    };
    if !good {
        return wrong(&of.mode);
    }
    if stream.len() < least {
        return Err(ends());
    }
    let mut out = reserve::with_room(count * stride)?;
    match &*of.mode {
        "ATTRIBUTES" => attributes::decode(stream, count, stride, &mut out)?,
        "TRIANGLES" => indices::triangles(stream, count, stride, &mut out)?,
        _ => indices::sequence(stream, count, stride, &mut out)?,
    }
    filters::apply(filter, stride, &mut out);
    Ok(out)
}

fn ends() -> Error {
    Error::invalid("the compressed data end too early")
}

/// The part of a stream that is not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or_else(ends)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads an unsigned LEB128 number of 32 bits.
    fn number(&mut self) -> Result<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Error::invalid("a number of the compressed data has more than 5 bytes"))
    }

    /// Checks that everything is read.
    fn end(&self) -> Result<()> {
        match self.0.len() {
            0 => Ok(()),
            n => Err(Error::invalid(format!("{n} bytes of the compressed data are left over"))),
        }
    }
}

/// Splits a stream into the part between its first byte, which must be one of `heads`, and its last `tail` bytes; and
/// these last bytes.
fn parts<'a>(stream: &'a [u8], heads: &[u8], tail: impl Fn(u8) -> usize) -> Result<(u8, Rest<'a>, &'a [u8])> {
    let (head, rest) = stream.split_first().ok_or_else(ends)?;
    if !heads.contains(head) {
        return Err(Error::invalid(format!(
            "the compressed data begin with {head:#04x}, not {:#04x}",
            heads[0]
        )));
    }
    let body = rest.len().checked_sub(tail(*head)).ok_or_else(ends)?;
    let (body, tail) = rest.split_at(body);
    Ok((*head, Rest(body), tail))
}
