//! Expected contents of acceleration structures, and what rays straight down hit in them.
//!
//! A bottom level has a few rectangles, or boxes, with corners at whole numbers; rays pass between these. Heights are
//! multiples of 1/64, and no two of a top level are the same, so that floats are exact and the nearest hit is the only
//! one that counts.
//!
//! A top level sees later contents of its bottom levels, and keeps what they were when they ended. The bounds of its
//! instances are those of its build, so that all bottom levels have the same ones: their first primitives are out of the
//! rays' reach. An instance of a bottom level that was not built stays inactive.

use std::sync::Arc;

use quadrille::Stage;

/// Number of the primitives of a bottom level that give it its bounds, with two triangles each.
pub const CORNERS: usize = 2;
/// Maximum number of rectangles of a bottom level besides these, and of instances of a top level.
pub const MOST: usize = 4;
/// Rays of a trace, in a grid of eight by four.
pub const RAYS: u32 = 32;
/// Height of the rays' origin.
pub const FROM: u32 = 64;

/// A rectangle in a bottom level. Its number gives its height, to which rectangles add a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flat {
    /// Lower corner.
    pub at: [i32; 2],
    /// Sizes, powers of two.
    pub size: [i32; 2],
    /// Height above that of the number, in 64ths, less than 16; of boxes, their thickness.
    pub more: u32,
}

/// Contents of a bottom level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bottom {
    /// `true` for boxes, `false` for pairs of triangles.
    pub boxes: bool,
    /// The rectangles.
    pub flats: Vec<Flat>,
}

/// An instance of a top level. Its number is its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Number of the bottom level, if there is one.
    pub of: Option<usize>,
    /// Translation in x and y.
    pub by: [i32; 2],
    /// Custom index.
    pub custom: u32,
    /// Mask.
    pub mask: u32,
    /// Flags. Spec: Vulkan, VkGeometryInstanceFlagBitsKHR.
    pub flags: u32,
}

/// An instance of a top level that was built.
#[derive(Clone, Debug)]
struct Placed {
    instance: Instance,
    known: Option<Arc<Bottom>>,
    /// Number of changes of the bottom level up to the known contents.
    changes: u64,
}

/// The tree of the last build or copy.
#[derive(Clone, Debug, Default)]
enum Tree {
    #[default]
    None,
    Bottom(Arc<Bottom>),
    Top(Vec<Placed>),
}

/// A structure.
#[derive(Clone, Debug, Default)]
struct State {
    tree: Tree,
    /// Number of builds and copies.
    changes: u64,
    ended: bool,
}

impl State {
    fn set(&mut self, tree: Tree) {
        self.tree = tree;
        self.changes += 1;
    }

    fn bottom(&self) -> Option<&Arc<Bottom>> {
        match &self.tree {
            Tree::Bottom(bottom) => Some(bottom),
            Tree::None | Tree::Top(_) => None,
        }
    }

    fn placed(&self) -> &[Placed] {
        match &self.tree {
            Tree::Top(placed) => placed,
            Tree::None | Tree::Bottom(_) => &[],
        }
    }

    fn placed_mut(&mut self) -> &mut [Placed] {
        match &mut self.tree {
            Tree::Top(placed) => placed,
            Tree::None | Tree::Bottom(_) => &mut [],
        }
    }
}

/// A change of structures.
#[derive(Clone, Debug)]
pub enum Change {
    /// Builds a bottom level.
    Bottom(usize, Arc<Bottom>),
    /// Builds a top level.
    Top(usize, Vec<Instance>),
    /// Copies the second structure to the first.
    Copy(usize, usize),
    /// Destroys a structure.
    End(usize),
}

/// Rays in a top level.
#[derive(Clone, Copy, Debug)]
pub struct Trace {
    /// Number of the top level.
    pub top: usize,
    /// Mask of the rays.
    pub mask: u32,
    /// Number that is added to each word.
    pub add: u32,
}

/// The structures of a program. Their numbers are not reused.
#[derive(Clone, Debug, Default)]
pub struct Structures {
    all: Vec<State>,
}

impl Structures {
    /// Adds a structure that is not built, and returns its number.
    pub fn add(&mut self) -> usize {
        self.all.push(State::default());
        self.all.len() - 1
    }

    /// Returns `true` if a structure is built.
    pub fn is_built(&self, of: usize) -> bool {
        !matches!(self.all[of].tree, Tree::None)
    }

    fn bottom(&self, of: usize) -> Option<&Arc<Bottom>> {
        self.all[of].bottom()
    }

    /// Applies a change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Bottom(of, bottom) => self.all[*of].set(Tree::Bottom(bottom.clone())),
            Change::Top(of, instances) => {
                let placed = |instance: &Instance| {
                    let known = instance.of.and_then(|of| self.bottom(of)).cloned();
                    let of = instance.of.filter(|_| known.is_some());
                    let changes = of.map_or(0, |of| self.all[of].changes);
                    Placed { instance: Instance { of, ..*instance }, known, changes }
                };
                let placed = instances.iter().map(placed).collect();
                self.all[*of].set(Tree::Top(placed));
            }
            Change::Copy(to, from) => {
                let tree = self.all[*from].tree.clone();
                self.all[*to].set(tree);
            }
            Change::End(of) => self.all[*of].ended = true,
        }
    }

    /// Returns `true` if a living top level may not have seen the last change of a bottom level that it refers to, even if the
    /// contents are again those that it knows: commands of another thread may have shown it the ones between. If the bottom
    /// level ended now, its contents there would not be known.
    pub fn is_unseen(&self, of: usize) -> bool {
        let now = self.all[of].changes;
        let living = self.all.iter().filter(|state| !state.ended);
        living.flat_map(State::placed).any(|p| p.instance.of == Some(of) && p.changes != now)
    }

    /// Gives all top levels the contents of now of their bottom levels, as a command that traces rays does.
    pub fn freshen(&mut self) {
        let living = |state: &State| (!state.ended).then(|| (state.bottom().cloned(), state.changes));
        let now: Vec<Option<(Option<Arc<Bottom>>, u64)>> = self.all.iter().map(living).collect();
        for state in &mut self.all {
            for p in state.placed_mut() {
                if let Some(now) = p.instance.of.and_then(|of| now[of].clone()) {
                    (p.known, p.changes) = now;
                }
            }
        }
    }

    /// Returns the word that a ray writes.
    pub fn word(&self, trace: &Trace, ray: u32) -> u32 {
        let mut nearest: Option<(u32, u32)> = None;
        for (k, p) in (0u32..).zip(self.all[trace.top].placed()) {
            let Some(bottom) = p.known.as_ref().filter(|_| p.instance.mask & trace.mask & 0xff != 0) else {
                continue;
            };
            let [x, y] = [(ray & 7) as i32 - p.instance.by[0], (ray >> 3 & 3) as i32 - p.instance.by[1]];
            for (j, flat) in (0u32..).zip(&bottom.flats) {
                let inside = |v: i32, i: usize| flat.at[i] <= v && v < flat.at[i] + flat.size[i];
                if inside(x, 0) && inside(y, 1) {
                    let more = if bottom.boxes { 0 } else { flat.more };
                    let distance = 64 * FROM - (64 * k + 16 * j + more);
                    let hit = (distance, p.instance.custom.wrapping_mul(257) ^ (j << 4) ^ (k << 28));
                    nearest = Some(nearest.map_or(hit, |n| if hit.0 < n.0 { hit } else { n }));
                }
            }
        }
        let hit = nearest.map_or(0, |(distance, of)| (distance as f32 / 64.0).to_bits() ^ of);
        hit.wrapping_add(trace.add)
    }
}

/// Shader that traces the rays with queries. Push constants: addresses of the top level and of the words, number of
/// words, mask, number to add.
pub const QUERY: &str = "#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(push_constant) uniform P { uvec2 top, words; uint count, mask, add, none; } p;
void main() {
    uint g = gl_GlobalInvocationID.x;
    vec3 from = vec3(float(g & 7u) + 0.5, float(g >> 3u & 3u) + 0.25, 64.0);
    rayQueryEXT q;
    rayQueryInitializeEXT(q, accelerationStructureEXT(p.top), gl_RayFlagsNoneEXT, p.mask, from, 0.0,
        vec3(0.0, 0.0, -1.0), 128.0);
    while (rayQueryProceedEXT(q)) {
        if (rayQueryGetIntersectionTypeEXT(q, false) == gl_RayQueryCandidateIntersectionTriangleEXT) {
            rayQueryConfirmIntersectionEXT(q);
            continue;
        }
        float t = rayQueryGetIntersectionObjectRayOriginEXT(q, false).z
            - float(rayQueryGetIntersectionPrimitiveIndexEXT(q, false) - 2) * 0.25;
        bool first = rayQueryGetIntersectionTypeEXT(q, true) == gl_RayQueryCommittedIntersectionNoneEXT;
        if (first || t < rayQueryGetIntersectionTEXT(q, true)) rayQueryGenerateIntersectionEXT(q, t);
    }
    uint word = 0u;
    uint type = rayQueryGetIntersectionTypeEXT(q, true);
    if (type != gl_RayQueryCommittedIntersectionNoneEXT) {
        uint j = uint(rayQueryGetIntersectionPrimitiveIndexEXT(q, true));
        if (type == gl_RayQueryCommittedIntersectionTriangleEXT) j >>= 1u;
        j -= 2u;
        word = floatBitsToUint(rayQueryGetIntersectionTEXT(q, true))
            ^ uint(rayQueryGetIntersectionInstanceCustomIndexEXT(q, true)) * 257u ^ j << 4u
            ^ uint(rayQueryGetIntersectionInstanceIdEXT(q, true)) << 28u;
    }
    if (g < p.count) Words(p.words).w[g] = word + p.add;
}
";

/// Returns the shaders that trace the rays with a pipeline, for a launch of eight by four: ray generation, miss, closest
/// hit on triangles and in boxes, intersection. They have the push constants of [`QUERY`].
pub fn pipeline() -> [(Stage, String); 5] {
    const HEAD: &str = "#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(push_constant) uniform P { uvec2 top, words; uint count, mask, add, none; } p;
";
    let hit = |shift: u32| {
        format!(
            "layout(location = 0) rayPayloadInEXT uint word;
            void main() {{
                uint j = (uint(gl_PrimitiveID) >> {shift}) - 2u;
                word = floatBitsToUint(gl_HitTEXT) ^ uint(gl_InstanceCustomIndexEXT) * 257u ^ j << 4u
                    ^ uint(gl_InstanceID) << 28u;
            }}"
        )
    };
    let shaders = [
        (
            Stage::RayGeneration,
            "layout(location = 0) rayPayloadEXT uint word;
            void main() {
                uint g = gl_LaunchIDEXT.x + 8u * gl_LaunchIDEXT.y;
                vec3 from = vec3(float(gl_LaunchIDEXT.x) + 0.5, float(gl_LaunchIDEXT.y) + 0.25, 64.0);
                word = 1u;
                traceRayEXT(accelerationStructureEXT(p.top), 0u, p.mask, 0, 0, 0, from, 0.0, vec3(0.0, 0.0, -1.0),
                    128.0, 0);
                if (g < p.count) Words(p.words).w[g] = word + p.add;
            }"
            .to_owned(),
        ),
        (Stage::Miss, "layout(location = 0) rayPayloadInEXT uint word; void main() { word = 0u; }".into()),
        (Stage::ClosestHit, hit(1)),
        (Stage::ClosestHit, hit(0)),
        (
            Stage::Intersection,
            "void main() { reportIntersectionEXT(gl_ObjectRayOriginEXT.z - float(gl_PrimitiveID - 2) * 0.25, 0u); }"
                .into(),
        ),
    ];
    shaders.map(|(stage, text)| (stage, format!("{HEAD}{text}")))
}

/// Returns the input of a build of a bottom level, with its corners first.
pub fn floats(flats: &[Flat], boxes: bool) -> Vec<f32> {
    let corners = [(-40, 0), (40, MOST)];
    let corners =
        corners.map(|(at, number)| Flat { at: [at; 2], size: [1; 2], more: 0 }.floats(number, boxes));
    let flats = flats.iter().enumerate().map(|(number, flat)| flat.floats(number, boxes));
    corners.into_iter().chain(flats).flatten().collect()
}

impl Flat {
    /// Returns the input of a build: two triangles, or a box. `number` is that of the rectangle.
    fn floats(&self, number: usize, boxes: bool) -> Vec<f32> {
        let [x, y] = self.at.map(|v| v as f32);
        let [to_x, to_y] = [0, 1].map(|i| (self.at[i] + self.size[i]) as f32);
        let z = number as f32 / 4.0;
        let top = z + self.more as f32 / 64.0;
        if boxes {
            return vec![x, y, z, to_x, to_y, top];
        }
        let corners = [[x, y], [to_x, y], [x, to_y], [to_x, to_y], [x, to_y], [to_x, y]];
        corners.iter().flat_map(|[x, y]| [*x, *y, top]).collect()
    }
}

impl Instance {
    /// Returns the input of a build. `number` is that of the instance, `reference` leads to the bottom level.
    pub fn words(&self, number: usize, boxes: bool, reference: u64) -> [u32; 16] {
        let one = 1.0f32.to_bits();
        let [x, y, z] = [self.by[0], self.by[1], number as i32].map(|v| (v as f32).to_bits());
        let [index, table] = [self.custom | self.mask << 24, u32::from(boxes) | self.flags << 24];
        let [low, high] = [reference as u32, (reference >> 32) as u32];
        [one, 0, 0, x, 0, one, 0, y, 0, 0, one, z, index, table, low, high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bottom(at: i32, more: u32) -> Arc<Bottom> {
        Arc::new(Bottom { boxes: false, flats: vec![Flat { at: [at, 0], size: [1, 4], more }] })
    }

    #[test]
    fn ended_bottom_levels_stay_what_top_levels_have_seen() {
        let mut all = Structures::default();
        let [low, top] = [all.add(), all.add()];
        let instance = Instance { of: Some(low), by: [1, 0], custom: 3, mask: 2, flags: 0 };
        let trace = Trace { top, mask: 6, add: 10 };
        let hit = |more: u32| ((64.0 - more as f32 / 64.0).to_bits() ^ (3 * 257)) + 10;
        all.apply(&Change::Top(top, vec![instance]));
        all.apply(&Change::Bottom(low, bottom(1, 4)));
        all.freshen();
        assert_eq!(all.word(&trace, 2), 10);
        all.apply(&Change::Top(top, vec![instance]));
        assert_eq!(all.word(&trace, 2), hit(4));
        all.apply(&Change::Bottom(low, bottom(0, 5)));
        assert!(all.is_unseen(low));
        assert_eq!(all.word(&trace, 1), 10);
        all.freshen();
        assert!(!all.is_unseen(low));
        assert_eq!([0, 1, 9, 2].map(|ray| all.word(&trace, ray)), [10, hit(5), hit(5), 10]);
        assert_eq!(all.word(&Trace { mask: 1, ..trace }, 1), 10);
        all.apply(&Change::Bottom(low, bottom(2, 6)));
        all.freshen();
        all.apply(&Change::End(low));
        all.apply(&Change::Bottom(low, bottom(0, 7)));
        all.freshen();
        assert_eq!([1, 3].map(|ray| all.word(&trace, ray)), [10, hit(6)]);
    }

    #[test]
    fn contents_that_come_back_are_unseen() {
        let mut all = Structures::default();
        let [low, other, top] = [all.add(), all.add(), all.add()];
        let instance = Instance { of: Some(low), by: [0, 0], custom: 1, mask: 1, flags: 0 };
        all.apply(&Change::Bottom(low, bottom(1, 4)));
        all.apply(&Change::Copy(other, low));
        all.apply(&Change::Top(top, vec![instance]));
        assert!(!all.is_unseen(low));
        all.apply(&Change::Bottom(low, bottom(2, 5)));
        all.apply(&Change::Copy(low, other));
        assert!(all.is_unseen(low));
        all.freshen();
        assert!(!all.is_unseen(low));
    }

    #[test]
    fn nearest_hits_count() {
        let mut all = Structures::default();
        let [low, top, copy] = [all.add(), all.add(), all.add()];
        let flat = |more| Flat { at: [0, 0], size: [8, 4], more };
        let boxes = Arc::new(Bottom { boxes: true, flats: vec![flat(3), flat(9)] });
        all.apply(&Change::Bottom(low, boxes));
        let instance = Instance { of: Some(low), by: [0, 0], custom: 0, mask: 0xff, flags: 0 };
        all.apply(&Change::Top(top, vec![instance; 3]));
        all.apply(&Change::Copy(copy, top));
        let word = all.word(&Trace { top: copy, mask: 0xff, add: 0 }, 31);
        assert_eq!(word, 61.75f32.to_bits() ^ (1 << 4) ^ (2 << 28));
    }
}
