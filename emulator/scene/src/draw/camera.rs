//! The camera: matrices, and rays of pixels.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::frame::PlacedCamera;
use crate::model::Projection;

/// A camera for pictures of one aspect ratio.
pub(super) struct View {
    pub clip_from_world: Mat4,
    /// Position and 1 for a perspective camera; the direction opposite to the view and 0 for an orthographic one.
    pub eye: Vec4,
    ray: Vec3,
    right: Vec3,
    up: Vec3,
    view: Mat4,
}

/// Uniform that all draws of a picture share; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct FrameUniform {
    pub eye: Vec4,
    pub ray: Vec4,
    pub ray_right: Vec4,
    pub ray_up: Vec4,
    pub environment: Vec4,
    pub size: Vec4,
    pub background: Vec4,
}

/// Half of the height of a perspective picture at distance 1. A picture narrower than the camera's own aspect ratio
/// shows the camera's full width.
fn slope(own: Option<f32>, yfov: f32, aspect: f32) -> f32 {
    let slope = libm::tanf(yfov * 0.5);
    own.filter(|own| *own > aspect).map_or(slope, |own| slope * (own / aspect))
}

/// Half of the height of an orthographic picture, which shows the camera's full width and height.
fn half_height(xmag: f32, ymag: f32, aspect: f32) -> f32 {
    let (xmag, ymag) = (xmag.abs().max(1e-9), ymag.abs().max(1e-9));
    (xmag / aspect).max(ymag)
}

/// Half of the height of a picture: at distance 1, or absolute for an orthographic camera.
pub(crate) fn extent(projection: &Projection, aspect: f32) -> f32 {
    match *projection {
        Projection::Perspective { aspect: own, yfov, .. } => slope(own, yfov, aspect),
        Projection::Orthographic { xmag, ymag, .. } => half_height(xmag, ymag, aspect),
    }
}

impl View {
    /// Depth is reversed: 1 at the near plane, 0 at the far plane or at infinity.
    pub fn new(camera: &PlacedCamera, aspect: f32) -> Self {
        let view = camera.view();
        let [x, y, z] = [camera.world.x_axis, camera.world.y_axis, camera.world.z_axis].map(Vec4::truncate);
        let position = camera.world.w_axis.truncate();
        match camera.camera.projection {
            Projection::Perspective { aspect: own, yfov, near, far } => {
                let slope = slope(own, yfov, aspect);
                let (depth, offset) = match far {
                    Some(far) => (near / (far - near), near * far / (far - near)),
                    None => (0.0, near),
                };
                let projection = Mat4::from_cols(
                    Vec4::new(1.0 / (slope * aspect), 0.0, 0.0, 0.0),
                    Vec4::new(0.0, 1.0 / slope, 0.0, 0.0),
                    Vec4::new(0.0, 0.0, depth, -1.0),
                    Vec4::new(0.0, 0.0, offset, 0.0),
                );
                let (right, up) = (x * (slope * aspect), y * slope);
                View {
                    clip_from_world: projection * view,
                    eye: position.extend(1.0),
                    ray: -z,
                    right,
                    up,
                    view,
                }
            }
            Projection::Orthographic { xmag, ymag, near, far } => {
                let widest = half_height(xmag, ymag, aspect);
                let projection = Mat4::from_cols(
                    Vec4::new(1.0 / (widest * aspect), 0.0, 0.0, 0.0),
                    Vec4::new(0.0, 1.0 / widest, 0.0, 0.0),
                    Vec4::new(0.0, 0.0, 1.0 / (far - near), 0.0),
                    Vec4::new(0.0, 0.0, far / (far - near), 1.0),
                );
                View {
                    clip_from_world: projection * view,
                    eye: z.extend(0.0),
                    ray: -z,
                    right: Vec3::ZERO,
                    up: Vec3::ZERO,
                    view,
                }
            }
        }
    }

    /// Distance of a point in front of the camera.
    pub fn depth(&self, position: Vec3) -> f32 {
        -self.view.transform_point3(position).z
    }

    /// The uniform without lights, environment and background, which the caller fills in.
    pub fn uniform(&self, width: u32, height: u32) -> FrameUniform {
        FrameUniform {
            eye: self.eye,
            ray: self.ray.extend(0.0),
            ray_right: self.right.extend(0.0),
            ray_up: self.up.extend(0.0),
            environment: Vec4::new(1.0, 0.0, 1.0, 0.0),
            size: Vec4::new(width as f32, height as f32, 0.0, 0.0),
            background: Vec4::ZERO,
        }
    }
}
