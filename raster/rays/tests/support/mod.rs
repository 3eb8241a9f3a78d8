//! Random scenes and rays, and a search without trees.
#![allow(dead_code, reason = "each test uses a part")]

use std::sync::Arc;

use quadrille_rays::*;

/// A generator of random numbers (PCG).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0);
        random.bits();
        random
    }

    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = (self.0 >> 45) as u32 ^ (self.0 >> 27) as u32;
        x.rotate_right((self.0 >> 59) as u32)
    }

    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(n)) >> 32) as u32
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }

    /// A number from -1 to 1.
    pub fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    pub fn point(&mut self, size: f32) -> Point {
        std::array::from_fn(|_| self.signed() * size)
    }

    pub fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
}

pub fn add(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Geometries that own their data.
#[derive(Clone)]
pub enum Data {
    Triangles {
        positions: Vec<Point>,
        indices: Option<Vec<[u32; 3]>>,
        transform: Option<Affine>,
        opaque: bool,
    },
    Boxes {
        boxes: Vec<Aabb>,
        opaque: bool,
    },
}

impl Data {
    pub fn geometry(&self) -> Geometry<'_> {
        let (primitives, opaque) = match self {
            Data::Triangles { positions, indices, transform, opaque } => {
                let indices = indices.as_deref();
                (Primitives::Triangles(Triangles { positions, indices, transform: *transform }), *opaque)
            }
            Data::Boxes { boxes, opaque } => (Primitives::Boxes(boxes), *opaque),
        };
        Geometry { primitives, opaque, no_duplicates: false, opacity: None }
    }
}

/// Builds a bottom level.
pub fn bottom(data: &[Data], options: BuildOptions) -> BottomLevel {
    let geometries: Vec<_> = data.iter().map(Data::geometry).collect();
    BottomLevel::build(&geometries, options).unwrap()
}

/// Small triangles in a cube of size 2, some of which share vertices with the one before.
pub fn soup(random: &mut Random, count: usize, size: f32) -> Vec<Point> {
    let mut positions: Vec<Point> = Vec::with_capacity(count * 3);
    for i in 0..count {
        let center = random.point(1.0);
        let mut corners = [0; 3].map(|_| add(center, random.point(size)));
        if i > 0 && random.chance(3) {
            corners[..2].copy_from_slice(&positions[positions.len() - 2..]);
        }
        positions.extend(corners);
    }
    positions
}

/// A random ray near the origin; a part of the rays is parallel to an axis or starts on a grid.
pub fn ray(random: &mut Random) -> Ray {
    let mut origin = random.point(2.0);
    let mut direction = random.point(1.0);
    match random.below(8) {
        0 => direction[random.below(3) as usize] = 0.0,
        1 => {
            let axis = random.below(3) as usize;
            direction = [0.0; 3];
            direction[axis] = if random.chance(2) { -0.5 } else { 2.0 };
        }
        2 => origin = origin.map(|x| (x * 4.0).round() / 4.0),
        3 => direction = direction.map(|x| (x * 2.0).round() / 2.0),
        4 => origin = origin.map(|x| x * 100.0),
        5.. => {}
    }
    if random.chance(2) {
        // Toward the scene.
        let target = random.point(1.0);
        direction = std::array::from_fn(|i| target[i] - origin[i]);
    }
    let tmin = if random.chance(4) { random.unit() } else { 0.0 };
    let tmax = if random.chance(4) { tmin + random.unit() * 3.0 } else { f32::INFINITY };
    Ray { origin, direction, tmin, tmax }
}

/// All options of building.
pub fn all_options() -> impl Iterator<Item = BuildOptions> {
    [Quality::FastBuild, Quality::Balanced, Quality::FastTrace]
        .into_iter()
        .flat_map(|quality| [false, true].map(|allow_update| BuildOptions { quality, allow_update }))
}

/// A top level of one primitive: the search without trees asks one for each primitive.
pub struct Single {
    pub top: TopLevel,
    pub geometry: u32,
    pub primitive: u32,
}

/// Structures of single primitives, in the order of their numbers.
pub fn singles(data: &[Data], instance: &Instance) -> Vec<Single> {
    let mut list = Vec::new();
    for (geometry, data) in data.iter().enumerate() {
        let whole = data.geometry();
        for primitive in 0..whole.primitives.count() {
            let (mut triangle, mut boxes) = (Vec::new(), Vec::new());
            let primitives = match whole.primitives {
                Primitives::Triangles(t) => {
                    triangle.extend(t.vertices(primitive).into_iter().flatten());
                    Primitives::Triangles(Triangles { positions: &triangle, indices: None, transform: None })
                }
                Primitives::Boxes(b) => {
                    boxes.push(b[primitive]);
                    Primitives::Boxes(&boxes)
                }
            };
            let own = Geometry { primitives, ..whole };
            let bottom = Arc::new(BottomLevel::build(&[own], BuildOptions::default()).unwrap());
            let instance = Instance { bottom: Some(bottom), ..instance.clone() };
            let top = TopLevel::build(&[instance], BuildOptions::default()).unwrap();
            list.push(Single { top, geometry: geometry as u32, primitive: primitive as u32 });
        }
    }
    list
}

/// All candidates of a ray: instance, geometry, primitive and the bits of the distance.
pub fn candidates(top: &TopLevel, ray: &Ray, flags: RayFlags, level: Level) -> Vec<(u32, u32, u32, u32)> {
    let mut query = RayQuery::default();
    query.initialize(ray, flags, 0xff);
    let mut found = Vec::new();
    while query.proceed_with(top, level) {
        let hit = query.candidate().unwrap();
        let t = if hit.kind == HitKind::Triangle { hit.t.to_bits() } else { 0 };
        found.push((hit.instance, hit.geometry, hit.primitive, t));
    }
    found
}

/// All levels of the host.
pub fn levels() -> Vec<Level> {
    std::iter::once(Level::PLAIN).chain(Level::avx2()).collect()
}
