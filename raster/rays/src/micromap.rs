//! Opacity micromaps: the opacity of the parts of triangles. Spec: Vulkan, "Ray Opacity Micromap".
//!
//! A triangle of a micromap has `4^level` parts, whose states are bits one after another. Their order is a space-filling
//! curve: first the part nearest to the first vertex, then the middle one, whose own parts have the reverse order, then
//! the parts nearest to the second and third vertices.

/// Largest level of subdivision. A triangle then has 2^24 parts.
pub const MAX_SUBDIVISION_LEVEL: u32 = 12;

/// Number of states of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum States {
    /// Transparent or opaque: a bit for each part.
    Two,
    /// The states of [`PartOpacity`]: two bits for each part.
    Four,
}

impl States {
    /// Number of bits of a part.
    pub fn bits(self) -> u32 {
        match self {
            States::Two => 1,
            States::Four => 2,
        }
    }

    /// Number of bytes of a triangle. A level that is too large counts as the largest.
    pub fn bytes(self, level: u32) -> u64 {
        let parts = 1u64 << (2 * level.min(MAX_SUBDIVISION_LEVEL));
        (parts * u64::from(self.bits())).div_ceil(8)
    }
}

/// State of a part of a triangle, or of a whole triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartOpacity {
    /// Rays miss it.
    Transparent,
    /// Rays hit it.
    Opaque,
    /// It is not opaque; transparent for rays that see two states.
    UnknownTransparent,
    /// It is not opaque; opaque for rays that see two states.
    UnknownOpaque,
}

impl PartOpacity {
    /// The state with a number, of which the lowest two bits are used.
    pub fn of(number: u32) -> PartOpacity {
        match number % 4 {
            0 => PartOpacity::Transparent,
            1 => PartOpacity::Opaque,
            2 => PartOpacity::UnknownTransparent,
            _ => PartOpacity::UnknownOpaque,
        }
    }

    /// `true` if a hit is opaque; `None` if the ray misses the part.
    #[inline]
    pub fn seen(self, two_states: bool) -> Option<bool> {
        match self {
            PartOpacity::Transparent => None,
            PartOpacity::Opaque => Some(true),
            PartOpacity::UnknownTransparent => (!two_states).then_some(false),
            PartOpacity::UnknownOpaque => Some(two_states),
        }
    }
}

/// A triangle of a micromap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MicromapTriangle {
    /// First byte of its states.
    pub offset: u32,
    /// Level of subdivision.
    pub level: u32,
    /// The states of each part.
    pub states: States,
}

/// A micromap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Micromap {
    pub(crate) triangles: Vec<MicromapTriangle>,
    pub(crate) data: Vec<u8>,
}

impl Micromap {
    /// A micromap of triangles with these states. States past the end of the data are transparent.
    pub fn new(triangles: Vec<MicromapTriangle>, data: Vec<u8>) -> Micromap {
        Micromap { triangles, data }
    }

    /// The triangles.
    pub fn triangles(&self) -> &[MicromapTriangle] {
        &self.triangles
    }

    /// Size in memory, in bytes.
    pub fn size(&self) -> u64 {
        (size_of::<Micromap>() + size_of_val(&self.triangles[..]) + self.data.len()) as u64
    }

    /// State of the part of a triangle at a point. Triangles that do not exist are transparent.
    pub(crate) fn at(&self, triangle: u32, [u, v]: [f32; 2]) -> PartOpacity {
        let Some(of) = self.triangles.get(triangle as usize) else { return PartOpacity::Transparent };
        let bit = part(u, v, of.level.min(MAX_SUBDIVISION_LEVEL)) * of.states.bits();
        let byte = self.data.get(of.offset as usize + bit as usize / 8).copied().unwrap_or(0);
        let number = u32::from(byte) >> (bit % 8);
        PartOpacity::of(match of.states {
            States::Two => number & 1,
            States::Four => number & 3,
        })
    }
}

/// Number of the part of a triangle at a point with these weights of the second and third vertices. Spec: Vulkan,
/// VK_EXT_opacity_micromap, "Reference Code".
pub(crate) fn part(u: f32, v: f32, level: u32) -> u32 {
    let n = 1u32 << level;
    // Rows of parts along both edges, and the position in a row. A value that is not a number is 0.
    let cell = |x: f32| {
        let x = x.clamp(0.0, 1.0) * n as f32;
        (x as u32, x - (x as u32) as f32)
    };
    let ((row_u, rest_u), (row_v, rest_v)) = (cell(u), cell(v));
    let (mut row_u, row_v) = (row_u.min(n - 1), row_v.min(n - 1));
    let sum = row_u + row_v;
    if sum >= n {
        row_u -= sum - n + 1;
    }
    let mut row_w = !(row_u + row_v);
    // Two parts share rows of `u` and `v`; the one away from the first vertex has another row of the third weight.
    if rest_u + rest_v >= 1.0 && sum < n - 1 {
        row_w = row_w.wrapping_sub(1);
    }
    let low = !(row_u ^ row_w) & (n - 1);
    let both = (row_u ^ row_v) & low;
    // Each middle part on the way down flips the order of the levels below it: a parity of the bits above.
    let mut flips = both;
    for shift in [1, 2, 4, 8] {
        flips ^= flips >> shift;
    }
    let high = ((flips ^ row_u) & !low) | both;
    spread(low) | spread(high) << 1
}

/// The lowest 16 bits, with a zero above each.
fn spread(bits: u32) -> u32 {
    let steps = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];
    steps.iter().fold(bits & 0xffff, |bits, (shift, mask)| (bits | bits << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point as weights of the three vertices.
    type Point = [f64; 3];

    /// Number of the part at a point, by the recursive definition: which of the four parts has it, and so on.
    fn by_recursion(corners: [Point; 3], at: Point, level: u32) -> u32 {
        if level == 0 {
            return 0;
        }
        let middle = |a: Point, b: Point| std::array::from_fn(|i| (a[i] + b[i]) / 2.0);
        let [a, b, c] = corners;
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        // The curve enters a part at its first corner and leaves it at its third one, where the next part begins.
        let parts = [[a, ab, ca], [ca, bc, ab], [ab, b, bc], [bc, ca, c]];
        let inside = |p: &[Point; 3]| {
            let side = |a: Point, b: Point| (b[1] - a[1]) * (at[2] - a[2]) - (b[2] - a[2]) * (at[1] - a[1]);
            let sides = [side(p[0], p[1]), side(p[1], p[2]), side(p[2], p[0])];
            sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
        };
        let chosen = parts.iter().position(inside).expect("one of the parts has the point");
        let below = by_recursion(parts[chosen], at, level - 1);
        (chosen as u32) << (2 * (level - 1)) | below
    }

    #[test]
    fn the_curve_is_that_of_the_definition() {
        let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        // Spec: Vulkan, "Ray Opacity Micromap": nearest to vertex 0, the middle, nearest to vertices 1 and 2.
        let four = [[0.1, 0.1], [0.3, 0.3], [0.8, 0.1], [0.1, 0.8]].map(|[u, v]| part(u, v, 1));
        assert_eq!(four, [0, 1, 2, 3]);
        for level in 0..6 {
            let n = 1 << level;
            let mut seen = vec![false; 1 << (2 * level)];
            for i in 0..n {
                for j in 0..n - i {
                    for (third, offset) in [(false, 1.0 / 3.0), (true, 2.0 / 3.0)] {
                        let [u, v] = [i, j].map(|k| (f64::from(k) + offset) / f64::from(n));
                        if third && i + j == n - 1 {
                            continue;
                        }
                        let number = part(u as f32, v as f32, level);
                        let expected = by_recursion(corners, [1.0 - u - v, u, v], level);
                        assert_eq!(number, expected, "{u} {v} at level {level}");
                        seen[number as usize] = true;
                    }
                }
            }
            assert!(seen.iter().all(|seen| *seen), "level {level}");
        }
    }

    #[test]
    fn every_point_has_a_part() {
        for level in 0..=MAX_SUBDIVISION_LEVEL {
            for u in [-1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN, f32::INFINITY] {
                for v in [-1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN] {
                    assert!(part(u, v, level) < 1 << (2 * level), "{u} {v} at level {level}");
                }
            }
        }
    }

    #[test]
    fn states_are_bits_in_order() {
        let two = MicromapTriangle { offset: 1, level: 1, states: States::Two };
        let four = MicromapTriangle { offset: 0, level: 1, states: States::Four };
        let map = Micromap::new(vec![two, four], vec![0b11_10_01_00, 0b0100]);
        let points = [[0.1, 0.1], [0.3, 0.3], [0.8, 0.1], [0.1, 0.8]];
        let of = |triangle| points.map(|at| map.at(triangle, at));
        use PartOpacity as O;
        assert_eq!(of(0), [O::Transparent, O::Transparent, O::Opaque, O::Transparent]);
        assert_eq!(of(1), [O::Transparent, O::Opaque, O::UnknownTransparent, O::UnknownOpaque]);
        assert_eq!(of(2), [O::Transparent; 4]);
        let past = MicromapTriangle { offset: u32::MAX, level: u32::MAX, states: States::Four };
        assert_eq!(Micromap::new(vec![past], Vec::new()).at(0, [0.5, 0.5]), O::Transparent);
        assert_eq!((States::Two.bytes(0), States::Four.bytes(3), States::Two.bytes(4)), (1, 16, 32));
    }
}
