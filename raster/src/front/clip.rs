//! Clipping of triangles and lines in clip space: near and far plane, guard band, clip distances.
//!
//! An intersection is always computed from the inside vertex towards the outside one, so two triangles that share an
//! edge get the same bits. Words that are flat or unused contain garbage afterwards; set-up takes flat words from the
//! provoking vertex. Culling and set-up are left to [`super::emitter`] and [`super::setup`].
//!
//! Spec: Vulkan, "Primitive Clipping" (vertexpostproc-clipping).

use quadrille_jit::ir::Interpolation;

use super::setup::ViewTransform;
use super::state::{Barycentric, FrontState};

/// A convex polygon with positions and records of its vertices, and memory for the next clipped polygon.
#[derive(Default)]
pub(crate) struct Clipper {
    line: bool,
    now: Polygon,
    next: Polygon,
}

#[derive(Default)]
struct Polygon {
    positions: Vec<[f32; 4]>,
    words: Vec<u32>,
}

impl Polygon {
    fn clear(&mut self) {
        self.positions.clear();
        self.words.clear();
    }
}

/// A clip plane; distances on its inner side are not negative.
#[derive(Clone, Copy)]
enum ClipPlane {
    Near,
    Far,
    /// Axis, limit in units of w, and whether the inner side is above the limit.
    Side(usize, f32, bool),
    User(u32),
}

impl Clipper {
    /// Clips a triangle, or a line given by two vertices, to the guard band, or `exactly` to the view volume. Returns
    /// the number of remaining vertices: 0, or at least 3 for triangles, 2 for lines. `numbers` are the indices of the
    /// vertices in the primitive.
    pub fn clip<const N: usize>(
        &mut self,
        state: &FrontState,
        view: &ViewTransform,
        positions: [[f32; 4]; N],
        records: [&[u32]; N],
        numbers: [usize; N],
        exactly: bool,
    ) -> usize {
        self.line = N == 2;
        self.now.clear();
        for (i, (p, r)) in positions.iter().zip(records).enumerate() {
            self.now.positions.push(*p);
            self.now.words.extend_from_slice(r);
            if state.barycentric {
                self.now.words.extend_from_slice(&Barycentric::weights(numbers[i]));
            }
        }
        if state.desc.clips_depth() {
            self.against(state, ClipPlane::Near);
            self.against(state, ClipPlane::Far);
        }
        let guard = view.guard.map(|g| if exactly { g.clamp(-1.0, 1.0) } else { g });
        for (i, &limit) in guard.iter().enumerate() {
            self.against(state, ClipPlane::Side(i / 2, limit, i % 2 == 0));
        }
        for &word in &state.record.clip {
            self.against(state, ClipPlane::User(word));
        }
        let n = self.now.positions.len();
        let whole = self.now.positions.iter().all(|p| p[3] > 0.0 && p.iter().all(|v| v.is_finite()));
        if n >= N && whole { n } else { 0 }
    }

    /// Position and record of a vertex of the clipped polygon.
    pub fn vertex(&self, state: &FrontState, i: usize) -> ([f32; 4], &[u32]) {
        let n = record_words(state);
        (self.now.positions[i], &self.now.words[i * n..(i + 1) * n])
    }

    fn against(&mut self, state: &FrontState, plane: ClipPlane) {
        let n_words = record_words(state);
        let n = self.now.positions.len();
        let record = |i: usize| &self.now.words[i * n_words..(i + 1) * n_words];
        let distance = |i: usize| {
            let [x, y, z, w] = self.now.positions[i];
            match plane {
                ClipPlane::Near => z,
                ClipPlane::Far => w - z,
                ClipPlane::Side(axis, limit, above) => {
                    let v = if axis == 0 { x } else { y };
                    if above { v - limit * w } else { limit * w - v }
                }
                ClipPlane::User(word) => f32::from_bits(record(i)[word as usize]),
            }
        };
        // A NaN distance counts as outside.
        if (0..n).all(|i| distance(i) >= 0.0) {
            return;
        }
        let next = &mut self.next;
        next.clear();
        for i in 0..n {
            if self.line && i + 1 == n {
                // A line has no edge from its last vertex to its first.
                if distance(i) >= 0.0 {
                    next.positions.push(self.now.positions[i]);
                    next.words.extend_from_slice(record(i));
                }
                break;
            }
            let j = if i + 1 == n { 0 } else { i + 1 };
            let (di, dj) = (distance(i), distance(j));
            if di >= 0.0 {
                next.positions.push(self.now.positions[i]);
                next.words.extend_from_slice(record(i));
            }
            if (di >= 0.0) != (dj >= 0.0) {
                let (inside, outside, t) =
                    if di >= 0.0 { (i, j, di / (di - dj)) } else { (j, i, dj / (dj - di)) };
                let (p, q) = (self.now.positions[inside], self.now.positions[outside]);
                let at: [f32; 4] = std::array::from_fn(|c| lerp(p[c], q[c], t));
                let first = next.words.len();
                let (from, to) = (record(inside), record(outside));
                next.words.extend(
                    from.iter()
                        .zip(to)
                        .map(|(&a, &b)| lerp(f32::from_bits(a), f32::from_bits(b), t).to_bits()),
                );
                // Linear in screen space: the parameter along the projected edge.
                let t_screen = t * q[3] / at[3];
                for link in &state.links {
                    if let (Some(w), Interpolation::Linear) = (link.word, link.interpolation) {
                        let w = w as usize;
                        let v = lerp(f32::from_bits(from[w]), f32::from_bits(to[w]), t_screen);
                        next.words[first + w] = v.to_bits();
                    }
                }
                next.positions.push(at);
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

/// Number of words per record during clipping.
fn record_words(state: &FrontState) -> usize {
    (state.record.words + if state.barycentric { Barycentric::WORDS } else { 0 }) as usize
}

#[inline]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
