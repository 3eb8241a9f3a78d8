//! Mode 0, attributes: deltas between elements, byte by byte, in groups of 16 elements.

use quadrille::{Error, Result};

use super::{Rest, parts};

/// Elements of a group.
const GROUP: usize = 16;
/// First bytes of streams of versions 0 and 1.
const HEADS: [u8; 2] = [0xa0, 0xa1];

/// Maximum number of elements of a block.
pub fn block(stride: usize) -> usize {
    ((8192 / stride) & !(GROUP - 1)).clamp(GROUP, 256)
}

/// Appends `count` elements.
pub fn decode(stream: &[u8], count: usize, stride: usize, out: &mut Vec<u8>) -> Result<()> {
    let tail = |head| if head == HEADS[0] { stride.max(32) } else { (stride + stride / 4).max(24) };
    let (head, mut rest, tail) = parts(stream, &HEADS, tail)?;
    let first = head == HEADS[0];
    let modes = if first { 0 } else { stride / 4 };
    let (_, last) = tail.split_at(tail.len() - stride - modes);
    let (base, modes) = last.split_at(stride);
    let mut element = base.to_vec();
    let mut deltas = vec![0; stride * block(stride)];
    let mut left = count;
    while left > 0 {
        let n = left.min(block(stride));
        let control = if first { &[] } else { rest.take(stride / 4)? };
        for (k, of_byte) in deltas.chunks_exact_mut(block(stride)).enumerate() {
            let control = control.get(k / 4).map(|byte| byte >> (k % 4 * 2) & 3);
            bytes(&mut rest, control, n, of_byte)?;
        }
        for i in 0..n {
            for (channel, at) in element.chunks_exact_mut(4).enumerate() {
                let delta: [u8; 4] = std::array::from_fn(|j| deltas[(4 * channel + j) * block(stride) + i]);
                let mode = modes.get(channel).copied().unwrap_or(0);
                at.copy_from_slice(&next([at[0], at[1], at[2], at[3]], delta, mode)?);
            }
            out.extend_from_slice(&element);
        }
        left -= n;
    }
    rest.end()
}

/// The channel of the next element.
fn next(before: [u8; 4], delta: [u8; 4], mode: u8) -> Result<[u8; 4]> {
    Ok(match mode {
        0 => std::array::from_fn(|i| before[i].wrapping_add(delta[i] >> 1 ^ (delta[i] & 1).wrapping_neg())),
        1 => {
            let half = |of: [u8; 4], i: usize| u16::from_le_bytes([of[2 * i], of[2 * i + 1]]);
            let [a, b] = [0, 1].map(|i| {
                let delta = half(delta, i);
                half(before, i).wrapping_add(delta >> 1 ^ (delta & 1).wrapping_neg()).to_le_bytes()
            });
            [a[0], a[1], b[0], b[1]]
        }
        mode if mode & 15 == 2 => {
            let delta = u32::from_le_bytes(delta).rotate_right(u32::from(mode >> 4));
            (u32::from_le_bytes(before) ^ delta).to_le_bytes()
        }
        mode => return Err(Error::invalid(format!("the mode {mode} of a channel does not exist"))),
    })
}

/// Reads the deltas of one byte of `n` elements.
fn bytes(rest: &mut Rest<'_>, control: Option<u8>, n: usize, out: &mut [u8]) -> Result<()> {
    let lengths = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => {
            out.fill(0);
            return Ok(());
        }
        Some(_) => {
            out[..n].copy_from_slice(rest.take(n)?);
            return Ok(());
        }
    };
    let groups = n.div_ceil(GROUP);
    let heads = rest.take(groups.div_ceil(4))?;
    for (i, group) in out.chunks_exact_mut(GROUP).take(groups).enumerate() {
        read(rest, lengths[usize::from(heads[i / 4] >> (i % 4 * 2) & 3)], group)?;
    }
    Ok(())
}

/// Reads the deltas of a group, of `length` bits each; a value with all bits set stands for a byte behind them.
fn read(rest: &mut Rest<'_>, length: usize, group: &mut [u8]) -> Result<()> {
    match length {
        0 => group.fill(0),
        8 => group.copy_from_slice(rest.take(GROUP)?),
        _ => {
            let packed = rest.take(GROUP * length / 8)?;
            let (each, sentinel) = (8 / length, (1u8 << length) - 1);
            for (i, delta) in group.iter_mut().enumerate() {
                // Single bits begin at the lowest one, longer values at the highest.
                let place = if length == 1 { i % each } else { each - 1 - i % each };
                let value = packed[i / each] >> (place * length) & sentinel;
                *delta = if value == sentinel { rest.byte()? } else { value };
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification, "Channel mode 0".
    #[test]
    fn the_example_of_the_specification() {
        let stream = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
        let (mut rest, mut group) = (Rest(&stream), [0; GROUP]);
        read(&mut rest, 4, &mut group).unwrap();
        assert!(rest.end().is_ok());
        let deltas = group.map(|d| (d >> 1 ^ (d & 1).wrapping_neg()) as i8);
        assert_eq!(deltas, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
    }

    #[test]
    fn channels_have_three_modes() {
        assert_eq!(next([0, 255, 7, 0], [1, 2, 0, 255], 0).unwrap(), [255, 0, 7, 128]);
        assert_eq!(next([255, 0, 0, 0], [2, 0, 1, 0], 1).unwrap(), [0, 1, 255, 255]);
        assert_eq!(next([1, 2, 3, 4], [0x10, 0, 0, 0], 0x42).unwrap(), [0, 2, 3, 4]);
        assert!(next([0; 4], [0; 4], 3).is_err() && next([0; 4], [0; 4], 0x10).is_err());
    }
}
