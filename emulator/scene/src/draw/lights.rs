//! Lights of a frame, and the views of their shadow maps.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use super::shaders::SUN_DIRECTION;
use crate::frame::{Frame, PlacedLight};
use crate::model::{Light, LightKind};

/// Maximum number of lights per frame; [`Placed::left_out`] counts further ones.
pub const MAX_LIGHTS: usize = 256;
/// Maximum number of shadow maps per frame: one for a directional light or a spot, six for a point light.
pub const MAX_SHADOW_MAPS: usize = 24;

/// Uniform of a light; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct LightUniform {
    position: Vec4,
    direction: Vec4,
    color: Vec4,
    spot: Vec4,
}

/// The lights of a frame.
#[derive(Default)]
pub(crate) struct Placed {
    pub lights: Vec<LightUniform>,
    /// Matrices from the world to each shadow map.
    pub shadow_views: Vec<Mat4>,
    /// Number of lights beyond [`MAX_LIGHTS`], and number of the remaining lights without a shadow.
    pub left_out: (usize, usize),
}

/// The sun of the built-in sky, whose light has this factor.
fn sun(factor: f32) -> PlacedLight {
    PlacedLight {
        light: Light {
            name: "sun".into(),
            kind: LightKind::Directional,
            color: Vec3::new(1.0, 0.95, 0.86),
            intensity: 2.4 * factor,
            range: None,
        },
        position: Vec3::ZERO,
        direction: -Vec3::from_array(SUN_DIRECTION),
    }
}

/// Side of the shadow maps, by their number.
pub(super) fn map_side(maps: usize) -> u32 {
    match maps {
        0..=2 => 2048,
        3..=12 => 1024,
        _ => 512,
    }
}

impl Placed {
    /// The lights of a frame; without any, the sun of the sky, of which `sky` is the factor where it surrounds the frame.
    pub fn new(frame: &Frame, sky: Option<f32>, shadows: bool) -> Self {
        let sun = sky.filter(|_| frame.lights.is_empty()).map(sun);
        let all: Vec<&PlacedLight> = frame.lights.iter().chain(&sun).collect();
        let shining = all.iter().filter(|l| l.light.intensity > 0.0 && l.light.color.max_element() > 0.0);
        let counted: Vec<&PlacedLight> = shining.copied().collect();
        let mut placed = Placed::default();
        placed.left_out.0 = counted.len().saturating_sub(MAX_LIGHTS);
        let counted = &counted[..counted.len().min(MAX_LIGHTS)];
        let maps = |l: &PlacedLight| if l.light.kind == LightKind::Point { 6 } else { 1 };
        let mut casting = 0;
        let casts: Vec<bool> = counted
            .iter()
            .map(|l| {
                let fits = shadows && frame.bounds.is_some() && casting + maps(l) <= MAX_SHADOW_MAPS;
                casting += if fits { maps(l) } else { 0 };
                fits
            })
            .collect();
        let side = map_side(casting);
        for (light, casts) in counted.iter().zip(casts) {
            // Nothing casts a shadow in a scene without meshes.
            placed.left_out.1 += usize::from(shadows && frame.bounds.is_some() && !casts);
            placed.add(light, frame.bounds.filter(|_| casts), side);
        }
        placed
    }

    fn add(&mut self, l: &PlacedLight, bounds: Option<(Vec3, Vec3)>, side: u32) {
        let first = bounds.map_or(-1.0, |_| self.shadow_views.len() as f32);
        let (mut scale, mut offset, mut texel) = (0.0, 0.0, 0.0);
        let kind = match l.light.kind {
            LightKind::Directional => 0.0,
            LightKind::Point => 1.0,
            LightKind::Spot { inner, outer } => {
                // Spec: KHR_lights_punctual, "Inner and Outer Cone Angles".
                scale = 1.0 / (libm::cosf(inner) - libm::cosf(outer)).max(1e-3);
                offset = -libm::cosf(outer) * scale;
                2.0
            }
        };
        if let Some(bounds) = bounds {
            texel = self.add_views(l, bounds, side);
        }
        self.lights.push(LightUniform {
            position: l.position.extend(kind),
            direction: l.direction.extend(l.light.range.unwrap_or(0.0)),
            color: (l.light.color * l.light.intensity).extend(first),
            spot: Vec4::new(scale, offset, texel, 0.0),
        });
    }

    /// Adds the views of a light's shadow maps, and returns the width of a texel (at distance 1 for perspective views).
    fn add_views(&mut self, l: &PlacedLight, bounds: (Vec3, Vec3), side: u32) -> f32 {
        let center = bounds.0 * 0.5 + bounds.1 * 0.5;
        let radius = (bounds.1 * 0.5 - bounds.0 * 0.5).length().max(1e-6);
        let pixels = side as f32;
        if l.light.kind == LightKind::Directional {
            let (view, extent) = around(bounds, l.direction);
            self.shadow_views.push(view);
            return 2.0 * extent / pixels;
        }
        // The far plane is as near as the scene allows, for depth precision.
        let distance = (l.position - center).length();
        let far = (distance + radius) * 1.01;
        let near = (distance - radius).max(far * 1e-3);
        match l.light.kind {
            LightKind::Spot { outer, .. } => {
                let slope = libm::tanf(outer.min(1.5)) * 1.02;
                self.shadow_views.push(spread(slope, near, far) * look(l.position, l.direction));
                2.0 * slope / pixels
            }
            _ => {
                // Faces extend a little beyond their edges, for the filter.
                let slope = 1.0 + 4.0 / pixels;
                for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
                    self.shadow_views.push(spread(slope, near, far) * look(l.position, axis));
                }
                2.0 * slope / pixels
            }
        }
    }
}

/// A view matrix along `direction`.
fn look(position: Vec3, direction: Vec3) -> Mat4 {
    let up = if direction.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    let right = direction.cross(up).normalize_or(Vec3::X);
    let up = right.cross(direction);
    let turn = Mat4::from_cols(
        Vec4::new(right.x, up.x, -direction.x, 0.0),
        Vec4::new(right.y, up.y, -direction.y, 0.0),
        Vec4::new(right.z, up.z, -direction.z, 0.0),
        Vec4::W,
    );
    turn * Mat4::from_translation(-position)
}

/// A perspective projection of equal width and height, with depth from 0 to 1.
fn spread(slope: f32, near: f32, far: f32) -> Mat4 {
    let depth = far / (near - far);
    Mat4::from_cols(
        Vec4::new(1.0 / slope, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 1.0 / slope, 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth, -1.0),
        Vec4::new(0.0, 0.0, depth * near, 0.0),
    )
}

/// An orthographic projection of the whole bounds, and half of its width.
fn around(bounds: (Vec3, Vec3), direction: Vec3) -> (Mat4, f32) {
    let center = bounds.0 * 0.5 + bounds.1 * 0.5;
    let half = bounds.1 * 0.5 - bounds.0 * 0.5;
    let view = look(center, direction);
    let reach = |row: usize| {
        let axis = view.row(row);
        half.x * axis.x.abs() + half.y * axis.y.abs() + half.z * axis.z.abs()
    };
    let extent = reach(0).max(reach(1)).max(1e-6) * 1.02;
    let depth = reach(2).max(1e-6) * 1.02;
    let projection = Mat4::from_cols(
        Vec4::new(1.0 / extent, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 1.0 / extent, 0.0, 0.0),
        Vec4::new(0.0, 0.0, -0.5 / depth, 0.0),
        Vec4::new(0.0, 0.0, 0.5, 1.0),
    );
    (projection * view, extent)
}
