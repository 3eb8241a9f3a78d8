//! Tessellation levels: clamping and rounding, the segments of an edge, and the number of points and primitives of a
//! patch. Connecting the points is left to [`super::stitch`].
//!
//! Spec: Vulkan, "Tessellator Patch Discard", "Tessellator Spacing".

use quadrille_jit::ir::TessellationSpacing as Spacing;

use super::{Domain, MAX_LEVEL, ONE};

/// A level after clamping and rounding. Levels with equal spacing are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Number of segments.
    pub n: u32,
    /// The clamped level: `n`, or up to 2 less.
    pub f: f32,
}

impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        (self.n, self.f.to_bits()) == (other.n, other.f.to_bits())
    }
}

impl Eq for Level {}

impl std::hash::Hash for Level {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (u64::from(self.n) << 32 | u64::from(self.f.to_bits())).hash(state);
    }
}

impl Level {
    /// NaN counts as the minimum level.
    fn new(spacing: Spacing, level: f32) -> Level {
        let max = MAX_LEVEL as f32;
        match spacing {
            Spacing::Equal => {
                let f = level.max(1.0).min(max).ceil();
                Level { n: f as u32, f }
            }
            Spacing::FractionalEven => {
                let f = level.max(2.0).min(max);
                Level { n: (f / 2.0).ceil() as u32 * 2, f }
            }
            Spacing::FractionalOdd => {
                let f = level.max(1.0).min(max - 1.0);
                let n = ((f64::from(f) - 1.0) / 2.0).ceil() as u32 * 2 + 1;
                Level { n, f }
            }
        }
    }

    /// Replaces an inner level of one by one plus epsilon, for patches in which another level exceeds one.
    fn above_one(self, spacing: Spacing) -> Level {
        match (self.n, spacing) {
            (1, Spacing::Equal) => Level { n: 2, f: 2.0 },
            // The outer two segments have zero length.
            (1, _) => Level { n: 3, f: 1.0 },
            _ => self,
        }
    }

    /// Divides an edge. Its points are interpolated between those of `n - 2` and of `n` equal segments: the closer `f`
    /// is to `n - 2`, the shorter are the two added segments.
    pub fn subdivide(self) -> Segments {
        let n = self.n as usize;
        let added = 1.0 - (n as f64 - f64::from(self.f)) / 2.0;
        let split = self.split();
        let mut at = [0; MAX_LEVEL as usize + 1];
        for i in 1..=n / 2 {
            let less = if i > split { i - 1 } else { i };
            let [from, to] = [less as f64 / n.saturating_sub(2).max(1) as f64, i as f64 / n as f64];
            at[i] = (f64::from(ONE) * (from * (1.0 - added) + to * added)).round() as u32;
        }
        for i in 0..n.div_ceil(2) {
            at[n - i] = ONE - at[i];
        }
        Segments { n: self.n, at }
    }

    /// Index of the segment added to the first half of an edge. The specification leaves the place open. The choice
    /// follows Direct3D's tessellator, like other Vulkan drivers, so that images agree.
    fn split(self) -> usize {
        // Number of segments of the half without the added one; if `n` is odd, the middle segment counts.
        let half = (self.n as usize).div_ceil(2).saturating_sub(1);
        let rank = if self.n.is_multiple_of(2) { half } else { half.saturating_sub(1) };
        match rank.checked_ilog2() {
            Some(bits) => 2 * (rank - (1 << bits)) + 1,
            None => 0,
        }
    }
}

/// A divided edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments {
    n: u32,
    at: [u32; MAX_LEVEL as usize + 1],
}

impl Segments {
    /// Number of segments.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Segment borders in ascending order, symmetrical about the middle.
    pub fn at(&self) -> &[u32] {
        &self.at[..=self.n as usize]
    }
}

/// The effective levels of a patch, which completely determine the division of its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Levels {
    pub(super) domain: Domain,
    /// Outer levels; unused entries are one.
    pub(super) outer: [Level; 4],
    /// Inner levels along u and v. Both are one only if the whole patch is undivided.
    pub(super) inner: [Level; 2],
}

impl Levels {
    /// Clamps and rounds the levels of a patch; returns `None` if they discard the patch.
    pub fn new(domain: Domain, spacing: Spacing, outer: [f32; 4], inner: [f32; 2]) -> Option<Levels> {
        let (n_outer, n_inner) = match domain {
            Domain::Triangles => (3, 1),
            Domain::Quads => (4, 2),
            Domain::Isolines => (2, 0),
        };
        let positive = |f: &f32| *f > 0.0;
        if !outer[..n_outer].iter().all(positive) {
            return None;
        }
        let one = Level { n: 1, f: 1.0 };
        let mut levels = Levels { domain, outer: [one; 4], inner: [one; 2] };
        for i in 0..n_outer {
            // Spacing does not affect the number of isolines.
            let lines = domain == Domain::Isolines && i == 0;
            levels.outer[i] = Level::new(if lines { Spacing::Equal } else { spacing }, outer[i]);
        }
        for i in 0..n_inner {
            levels.inner[i] = Level::new(spacing, inner[i]);
        }
        if !levels.whole() {
            for l in &mut levels.inner[..n_inner] {
                *l = l.above_one(spacing);
            }
        }
        Some(levels)
    }

    /// True if the domain is undivided.
    pub(super) fn whole(&self) -> bool {
        self.outer.iter().chain(&self.inner).all(|l| l.n == 1)
    }

    /// Number of points of the divided domain.
    pub fn points(&self) -> usize {
        let outer = self.outer.map(|l| l.n);
        let [m, n] = self.inner.map(|l| l.n);
        let points = match self.domain {
            Domain::Triangles if self.whole() => 3,
            // Rings of 3 (m - 2), 3 (m - 4)... points; for even m, the last one is a single point.
            Domain::Triangles => outer[..3].iter().sum::<u32>() + (3 * (m - 1) * (m - 1) + 1) / 4,
            Domain::Quads if self.whole() => 4,
            Domain::Quads => outer.iter().sum::<u32>() + (m - 1) * (n - 1),
            Domain::Isolines => outer[0] * (outer[1] + 1),
        };
        points as usize
    }

    /// Number of lines or triangles.
    pub fn primitives(&self) -> usize {
        let outer = self.outer.map(|l| l.n);
        let [m, n] = self.inner.map(|l| l.n);
        let primitives = match self.domain {
            Domain::Triangles if self.whole() => 1,
            // Triangles between the outer edges and the first ring, then those inside the first ring.
            Domain::Triangles => outer[..3].iter().sum::<u32>() + 3 * (m - 2) + 3 * (m - 2) * (m - 2) / 2,
            Domain::Quads if self.whole() => 2,
            Domain::Quads => outer.iter().sum::<u32>() + 2 * (m - 2) + 2 * (n - 2) + 2 * (m - 2) * (n - 2),
            Domain::Isolines => outer[0] * outer[1],
        };
        primitives as usize
    }

    /// Number of indices of the primitives.
    pub(super) fn indices(&self) -> usize {
        self.primitives() * if self.domain == Domain::Isolines { 2 } else { 3 }
    }
}
