//! Modes 1 and 2: indices of lists of triangles, and other sequences of indices.

use quadrille::{Error, Result};

use super::{Rest, parts};

/// First byte and length of the tail of each mode.
const TRIANGLES: (u8, usize) = (0xe1, 16);
const SEQUENCE: (u8, usize) = (0xd1, 4);

fn put(index: u32, stride: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&index.to_le_bytes()[..stride]);
}

fn signed(v: u32) -> u32 {
    v >> 1 ^ (v & 1).wrapping_neg()
}

/// Appends `count` indices.
pub fn sequence(stream: &[u8], count: usize, stride: usize, out: &mut Vec<u8>) -> Result<()> {
    let (_, mut rest, _) = parts(stream, &[SEQUENCE.0], |_| SEQUENCE.1)?;
    let mut last = [0u32; 2];
    for _ in 0..count {
        let v = rest.number()?;
        let base = &mut last[(v & 1) as usize];
        *base = base.wrapping_add(signed(v >> 1));
        put(*base, stride, out);
    }
    rest.end()
}

/// The last 16 values.
struct Recent<T> {
    values: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Recent { values: [T::default(); 16], pushed: 0 }
    }

    fn push(&mut self, value: T) {
        self.values[self.pushed % 16] = value;
        self.pushed += 1;
    }

    /// The value before `i` later ones.
    fn get(&self, i: u8) -> Result<T> {
        let i = usize::from(i);
        if i >= self.pushed.min(16) {
            return Err(Error::invalid("the compressed triangles refer to a vertex before the first"));
        }
        Ok(self.values[(self.pushed - 1 - i) % 16])
    }
}

/// State of the decoder of triangles.
struct Triangles<'a> {
    data: Rest<'a>,
    next: u32,
    last: u32,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
}

/// Appends `count` indices of triangles.
pub fn triangles(stream: &[u8], count: usize, stride: usize, out: &mut Vec<u8>) -> Result<()> {
    let (_, mut data, table) = parts(stream, &[TRIANGLES.0], |_| TRIANGLES.1)?;
    let codes = data.take(count / 3)?;
    let mut state = Triangles { data, next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    for code in codes {
        let (high, low) = (code >> 4, code & 15);
        let triangle = match high {
            15 if low < 14 => state.known(table[usize::from(low)])?,
            15 => state.explicit(low == 14)?,
            _ => state.beside(high, low)?,
        };
        triangle.into_iter().for_each(|index| put(index, stride, out));
    }
    state.data.end()
}

impl Triangles<'_> {
    fn next(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    fn delta(&mut self) -> Result<u32> {
        self.last = self.last.wrapping_add(signed(self.data.number()?));
        Ok(self.last)
    }

    /// A triangle at a recent edge.
    fn beside(&mut self, edge: u8, code: u8) -> Result<[u32; 3]> {
        let (a, b) = self.edges.get(edge)?;
        let c = match code {
            0 => self.next(),
            1..13 => self.vertices.get(code)?,
            13 | 14 => {
                self.last = if code == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            _ => self.delta()?,
        };
        if !(1..13).contains(&code) {
            self.vertices.push(c);
        }
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    /// A triangle of new and recent vertices, by the table.
    fn known(&mut self, code: u8) -> Result<[u32; 3]> {
        let a = self.next();
        let b = self.corner(code >> 4)?;
        let c = self.corner(code & 15)?;
        self.finish([a, b, c], code)
    }

    /// A triangle with its own code.
    fn explicit(&mut self, new: bool) -> Result<[u32; 3]> {
        let code = self.data.byte()?;
        if code == 0 {
            self.next = 0;
        }
        let a = if new { self.next() } else { self.delta()? };
        let b = self.corner(code >> 4)?;
        let c = self.corner(code & 15)?;
        self.finish([a, b, c], code)
    }

    /// A new vertex, a recent one, or one by its difference.
    fn corner(&mut self, code: u8) -> Result<u32> {
        match code {
            0 => Ok(self.next()),
            15 => self.delta(),
            _ => self.vertices.get(code - 1),
        }
    }

    fn finish(&mut self, [a, b, c]: [u32; 3], code: u8) -> Result<[u32; 3]> {
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        self.vertices.push(a);
        for (vertex, code) in [(b, code >> 4), (c, code & 15)] {
            if matches!(code, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        Ok([a, b, c])
    }
}
