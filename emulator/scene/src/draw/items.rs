//! The items of a frame: one per primitive, with the shader variant that it needs.

use bytemuck::Zeroable;
use glam::Vec3;
use quadrille::{CullMode, DescriptorSet, Error, Result};

use super::Renderer;
use super::camera::View;
use super::features;
use super::geometry::{DrawUniform, Primitive};
use crate::frame::{Draw, Frame};

/// Maximum number of primitives per frame, counted for each placement of a mesh. Their draws take a quarter of a
/// gigabyte on the device.
const MAX_ITEMS: usize = 1 << 20;

/// A primitive to draw.
pub(super) struct Item {
    pub mesh: usize,
    pub primitive: usize,
    /// Index of its draw uniform.
    pub uniform: u32,
    pub features: u32,
    pub textures: u32,
    /// True if its matrix turns front faces into back faces.
    pub mirrored: bool,
    pub double_sided: bool,
    /// Distance in front of the camera.
    pub depth: f32,
    pub set: DescriptorSet,
}

impl Item {
    pub fn has(&self, feature: u32) -> bool {
        self.features & feature != 0
    }

    /// True if it hides everything behind it.
    pub fn is_opaque(&self) -> bool {
        !self.has(features::BLEND | features::TRANSMISSION)
    }

    /// True if it casts shadows.
    pub fn casts(&self) -> bool {
        self.is_opaque()
    }

    pub fn cull(&self) -> CullMode {
        CullMode { front: false, back: !self.double_sided }
    }
}

/// Makes all items of a frame, and uploads their uniforms.
pub(super) fn of(renderer: &mut Renderer, frame: &Frame, view: &View, lit: bool) -> Result<Vec<Item>> {
    let mut uniforms = Vec::new();
    let mut first_weight = 0;
    for draw in &frame.draws {
        let mesh = renderer.meshes.get(draw.mesh).ok_or_else(|| {
            Error::invalid(format!("the frame is of another scene: this one has no mesh {}", draw.mesh))
        })?;
        if uniforms.len() + mesh.len() > MAX_ITEMS {
            return Err(Error::Limit(format!("a frame draws more than {MAX_ITEMS} primitives")));
        }
        uniforms.extend(mesh.iter().map(|primitive| DrawUniform {
            world: draw.world,
            vertices: primitive.n_vertices,
            joint_sets: primitive.joint_sets,
            first_joint: draw.joints.as_ref().map_or(0, |j| j.start as u32),
            targets: primitive.targets.min(draw.weights.len() as u32),
            first_weight,
            ..DrawUniform::zeroed()
        }));
        first_weight += draw.weights.len() as u32;
    }
    renderer.buffers.draws.put(&renderer.device, &uniforms)?;

    let mut items = Vec::with_capacity(uniforms.len());
    let mut uniform = 0;
    for draw in &frame.draws {
        for (i, primitive) in renderer.meshes[draw.mesh].iter().enumerate() {
            if primitive.count > 0 {
                items.push(item(renderer, frame, view, draw, (i, primitive), uniform, lit)?);
            }
            uniform += 1;
        }
    }
    Ok(items)
}

fn item(
    renderer: &Renderer,
    frame: &Frame,
    view: &View,
    draw: &Draw,
    (index, primitive): (usize, &Primitive),
    uniform: u32,
    lit: bool,
) -> Result<Item> {
    let material = &renderer.materials[primitive.material];
    let (mut features, mut textures) = (material.features, material.textures);
    if !primitive.has_normals && features & features::UNLIT == 0 {
        // Lines and points without normals show the sum of base colour and emission. Spec: glTF 2.0, "Point and Line
        // Materials".
        features = features & (features::MASK | features::BLEND) | features::UNLIT;
        textures &= 0b1_0001;
    }
    let mut add = |feature, is: bool| features |= if is { feature } else { 0 };
    let normal_maps = 0b1000_0100;
    let frames = textures & normal_maps != 0 || material.has(features::ANISOTROPY);
    add(features::TANGENTS, primitive.has_tangents && frames);
    add(features::SKINNED, draw.joints.is_some() && primitive.joint_sets > 0);
    add(features::MORPHED, primitive.targets > 0 && !draw.weights.is_empty());
    add(features::LIGHTS, lit && material.features & features::UNLIT == 0 && primitive.has_normals);
    // The joints place a skinned mesh; the first joint is close enough for sorting.
    let world = draw.joints.as_ref().and_then(|j| frame.joints.get(j.start)).unwrap_or(&draw.world);
    Ok(Item {
        mesh: draw.mesh,
        primitive: index,
        uniform,
        features,
        textures,
        mirrored: world.determinant() < 0.0,
        double_sided: material.double_sided,
        depth: view.depth(if draw.joints.is_some() {
            world.transform_point3(Vec3::ZERO)
        } else {
            world.transform_point3(primitive.center)
        }),
        set: primitive.set(&renderer.device, &renderer.pipelines.draw, &renderer.buffers.draws.buffer)?,
    })
}
