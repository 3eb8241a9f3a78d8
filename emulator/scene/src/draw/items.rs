//! What a frame draws: one item per primitive, with the variant of the shaders that it takes.

use bytemuck::Zeroable;
use glam::Vec3;
use quadrille::{CullMode, DescriptorSet, Error, Result};

use super::Renderer;
use super::camera::View;
use super::geometry::{DrawUniform, Primitive};
use super::shaders::features;
use crate::frame::{Draw, Frame};

/// Primitives that a frame may draw, each time a mesh is placed anew: what a draw takes on the device times this is
/// a quarter of a gigabyte.
const MAX_ITEMS: usize = 1 << 20;

/// A primitive that is drawn.
pub(super) struct Item {
    pub mesh: usize,
    pub primitive: usize,
    /// Which of the draw uniforms.
    pub uniform: u32,
    pub features: u32,
    pub textures: u32,
    /// Its matrix turns fronts into backs.
    pub mirrored: bool,
    pub double_sided: bool,
    /// Before the camera.
    pub depth: f32,
    pub set: DescriptorSet,
}

impl Item {
    pub fn has(&self, feature: u32) -> bool {
        self.features & feature != 0
    }

    /// It hides what is behind it.
    pub fn is_opaque(&self) -> bool {
        !self.has(features::BLEND | features::TRANSMISSION)
    }

    /// It keeps light from what is behind it.
    pub fn casts(&self) -> bool {
        self.is_opaque()
    }

    pub fn cull(&self) -> CullMode {
        CullMode { front: false, back: !self.double_sided }
    }
}

/// Everything that a frame draws; their uniforms go to the device.
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
        // Of lines and points: the sum of base colour and emission. Spec: glTF 2.0, "Point and Line Materials".
        features = features & (features::MASK | features::BLEND) | features::UNLIT;
        textures &= 0b1_0001;
    }
    let mut add = |feature, is: bool| features |= if is { feature } else { 0 };
    let normal_maps = 0b1000_0100;
    add(features::TANGENTS, primitive.has_tangents && textures & normal_maps != 0);
    add(features::SKINNED, draw.joints.is_some() && primitive.joint_sets > 0);
    add(features::MORPHED, primitive.targets > 0 && !draw.weights.is_empty());
    add(features::LIGHTS, lit && material.features & features::UNLIT == 0 && primitive.has_normals);
    // A skin places the mesh: its first joint is about where it is.
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
