//! The view: the camera, and the limits of paths.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use super::Options;
use super::prepare::Prepared;
use crate::draw::camera;
use crate::frame::{Frame, PlacedCamera};
use crate::model::Projection;

/// Uniform of the view; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct ViewUniform {
    eye: Vec4,
    forward: Vec4,
    right: Vec4,
    up: Vec4,
    lens_x: Vec4,
    lens_y: Vec4,
    background: Vec4,
    range: Vec4,
    size: [u32; 4],
    counts: [u32; 4],
}

/// Distance of rays that end nowhere.
const ENDLESS: f32 = 1e30;

/// The view of a camera; `counts` are the numbers of lights and emitters.
pub(super) fn uniform(
    options: &Options,
    camera: &PlacedCamera,
    frame: &Frame,
    counts: [u32; 2],
    prepared: &Prepared,
) -> ViewUniform {
    let of = &options.draw;
    let aspect = of.width as f32 / of.height as f32;
    let [x, y, z] = [camera.world.x_axis, camera.world.y_axis, camera.world.z_axis].map(Vec4::truncate);
    let position = camera.world.w_axis.truncate();
    let half = camera::extent(&camera.camera.projection, aspect);
    let (perspective, near, far) = match camera.camera.projection {
        Projection::Perspective { near, far, .. } => (1.0, near, far.unwrap_or(ENDLESS)),
        Projection::Orthographic { near, far, .. } => (0.0, near, far),
    };
    let focus = options.focus.unwrap_or_else(|| middle(frame, position, -z, near));
    let background = match of.background {
        _ if of.transparent => Vec4::W * 2.0,
        Some(color) => Vec3::from_array(color).extend(1.0),
        None => Vec4::ZERO,
    };
    let lit = prepared.bright && of.environment_intensity > 0.0;
    ViewUniform {
        eye: position.extend(focus),
        forward: (-z).extend(perspective),
        right: (x * (half * aspect)).extend(0.0),
        up: (y * half).extend(0.0),
        lens_x: (x * options.aperture).extend(0.0),
        lens_y: (y * options.aperture).extend(0.0),
        background,
        range: Vec4::new(near, far, of.environment_intensity, 0.0),
        size: [of.width, of.height, options.max_bounces.unwrap_or(u32::MAX), u32::from(lit)],
        counts: [counts[0], counts[1], prepared.columns, prepared.rows],
    }
}

/// Distance from the camera to the middle of the scene, along the view.
fn middle(frame: &Frame, position: Vec3, forward: Vec3, near: f32) -> f32 {
    let center = frame.bounds.map_or(position + forward, |(low, high)| low * 0.5 + high * 0.5);
    (center - position).dot(forward).max(2.0 * near).max(1e-6)
}
