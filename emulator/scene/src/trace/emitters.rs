//! Triangles that emit light, with probabilities by their power; and the records of instances, which refer to them.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use quadrille::{Error, Result};

use super::geometry::{Instance, Placed};
use super::surfaces::Surfaces;
use crate::draw::features;
use crate::model::Scene;

/// Maximum number of triangles that emit light.
const MAX_EMITTERS: usize = 1 << 24;
/// Index that refers to no emitter.
const NONE: u32 = u32::MAX;

/// A triangle in the world; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Emitter {
    a: Vec4,
    b: Vec4,
    c: Vec4,
    instance: u32,
    primitive: u32,
    mirrored: u32,
    pad: u32,
}

/// An instance for shaders; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Record {
    first_index: u32,
    first_vertex: u32,
    material: u32,
    features: u32,
    first_emitter: u32,
    object: u32,
    pad: [u32; 2],
}

/// Emitters and instances of a frame.
pub(super) struct Emitters {
    pub list: Vec<Emitter>,
    pub instances: Vec<Record>,
}

/// Lists the emitters and instances of a frame.
pub(super) fn of(scene: &Scene, surfaces: &Surfaces, placed: &Placed) -> Result<Emitters> {
    let mut list: Vec<Emitter> = Vec::new();
    let mut powers = Vec::new();
    let mut instances = Vec::with_capacity(placed.instances.len());
    for (number, instance) in (0u32..).zip(&placed.instances) {
        let bright = surfaces.emission[instance.material];
        let mut first_emitter = NONE;
        if bright > 0.0 {
            first_emitter = list.len() as u32;
            if list.len() + instance.triangles as usize > MAX_EMITTERS {
                return Err(Error::Limit(format!("more than {MAX_EMITTERS} triangles emit light")));
            }
            let sides = if scene.materials[instance.material].double_sided { 2.0 } else { 1.0 };
            for primitive in 0..instance.triangles {
                let emitter = emitter(placed, instance, number, primitive);
                powers.push(f64::from(emitter.c.w) * bright * sides);
                list.push(emitter);
            }
        }
        instances.push(Record {
            first_index: instance.first_index,
            first_vertex: instance.first_vertex,
            material: instance.material as u32,
            features: instance.features & !features::LIGHTS,
            first_emitter,
            object: instance.object,
            pad: [0; 2],
        });
    }
    if !weigh(&mut list, &powers) {
        list.clear();
        instances.iter_mut().for_each(|i| i.first_emitter = NONE);
    }
    Ok(Emitters { list, instances })
}

fn emitter(placed: &Placed, instance: &Instance, number: u32, primitive: u32) -> Emitter {
    let first = instance.first_index as usize + 3 * primitive as usize;
    let [a, b, c] = [0, 1, 2].map(|k| {
        let vertex = instance.first_vertex as usize + placed.list[first + k] as usize;
        instance.world.transform_point3(placed.positions.get(vertex).copied().unwrap_or(Vec3::ZERO))
    });
    let mirrored = instance.world.determinant() < 0.0;
    let area = 0.5 * (b - a).cross(c - a).length();
    Emitter {
        a: a.extend(0.0),
        b: b.extend(0.0),
        c: c.extend(if area.is_finite() { area } else { 0.0 }),
        instance: number,
        primitive,
        mirrored: u32::from(mirrored),
        pad: 0,
    }
}

/// Sets the probabilities and their sums; returns false if no triangle has power.
fn weigh(list: &mut [Emitter], powers: &[f64]) -> bool {
    let total: f64 = powers.iter().sum();
    if !(total.is_finite() && total > 0.0) {
        return false;
    }
    let (mut sum, mut before) = (0.0, 0.0f32);
    let last = powers.iter().rposition(|p| *p > 0.0).unwrap_or(0);
    for (i, (emitter, power)) in list.iter_mut().zip(powers).enumerate() {
        sum += power;
        let up_to = if i >= last { 1.0 } else { (sum / total) as f32 };
        emitter.a.w = up_to;
        // The rounded sums decide about samples.
        emitter.b.w = up_to - before;
        before = up_to;
    }
    true
}
