//! A scene at a point in time: what is drawn, where, from where and in which light.
//!
//! Owns the view that shows everything, for scenes without a camera. [`crate::animate`] makes frames; how
//! they are drawn is not known here.

use std::ops::Range;

use glam::{Mat3, Mat4, Vec3};

use crate::model::{Camera, Light, Projection};

/// Everything that a picture shows.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Meshes, in the order of the tree.
    pub draws: Vec<Draw>,
    /// Matrices that `draws` take ranges of: from the mesh to the world, for one joint each.
    pub joints: Vec<Mat4>,
    /// Lights.
    pub lights: Vec<PlacedLight>,
    /// The scene's cameras, by their order in [`crate::model::Scene::cameras`], then in the tree.
    pub cameras: Vec<PlacedCamera>,
    /// Least and greatest corner of all that is drawn; `None` if nothing is.
    pub bounds: Option<(Vec3, Vec3)>,
}

/// A mesh at a place.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The node that it is of.
    pub node: usize,
    /// The mesh, of which all primitives are drawn.
    pub mesh: usize,
    /// From the mesh to the world; the identity for what has joints.
    pub world: Mat4,
    /// Which of [`Frame::joints`] the mesh's influences count in.
    pub joints: Option<Range<usize>>,
    /// One weight for each target of the mesh.
    pub weights: Vec<f32>,
}

/// A light at a place.
#[derive(Clone, Debug)]
pub struct PlacedLight {
    /// The light.
    pub light: Light,
    /// Where it is.
    pub position: Vec3,
    /// Where it shines (spots, directional ones), of unit length.
    pub direction: Vec3,
}

/// A camera at a place.
#[derive(Clone, Debug)]
pub struct PlacedCamera {
    /// The camera.
    pub camera: Camera,
    /// From the camera, which looks along -Z with +Y up, to the world: a rotation and a translation.
    pub world: Mat4,
}

impl PlacedCamera {
    /// From the world to the camera.
    pub fn view(&self) -> Mat4 {
        let turn = Mat3::from_mat4(self.world).transpose();
        let position = self.world.w_axis.truncate();
        Mat4::from_mat3(turn) * Mat4::from_translation(-position)
    }
}

/// Vertical field of view of [`camera_for`], in radians: 40 degrees.
const YFOV: f32 = 0.698_131_7;
/// How much of the picture's width or height stays free, both sides together.
const MARGIN: f32 = 0.12;
/// Where [`camera_for`] stands, as seen from the centre: in front, a little to the right and above.
const FROM: Vec3 = Vec3::new(0.55, 0.38, 1.0);

/// A camera that shows all of `bounds` in a picture whose width is `aspect` times its height.
///
/// Bounds without extent are seen from a metre away.
pub fn camera_for(bounds: (Vec3, Vec3), aspect: f32) -> PlacedCamera {
    let center = bounds.0 * 0.5 + bounds.1 * 0.5;
    let half = (bounds.1 * 0.5 - bounds.0 * 0.5).max(Vec3::ZERO);
    let back = FROM.normalize();
    let right = Vec3::Y.cross(back).normalize();
    let up = back.cross(right);

    let slope_y = libm::tanf(YFOV * 0.5) * (1.0 - MARGIN);
    let slope_x = slope_y * aspect;
    // A corner is in the picture if it is no farther from the axis than the slope times its depth.
    let (mut distance, mut reach) = (0.0_f32, 0.0_f32);
    for corner in 0..8 {
        let side = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let at = half * Vec3::new(side(0), side(1), side(2));
        let ahead = at.dot(back);
        let needed = (at.dot(right).abs() / slope_x).max(at.dot(up).abs() / slope_y);
        distance = distance.max(ahead + needed);
        reach = reach.max(ahead);
    }
    if distance <= 0.0 {
        distance = 1.0;
    }
    let near = ((distance - reach) * 0.9).max(distance * 1e-3);
    let far = (distance + reach) * 1.1 + distance * 1e-2;
    let position = center + back * distance;
    let world = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), position.extend(1.0));
    let projection = Projection::Perspective { aspect: None, yfov: YFOV, near, far: Some(far) };
    PlacedCamera { camera: Camera { name: String::new(), projection }, world }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every corner is within the picture and between the planes, and one comes close to its edge.
    #[test]
    fn everything_is_in_the_picture() {
        let boxes = [
            (Vec3::splat(-1.0), Vec3::splat(1.0)),
            (Vec3::new(100.0, -3.0, 7.0), Vec3::new(100.5, 40.0, 7.0)),
            (Vec3::new(-500.0, 0.0, -2.0), Vec3::new(500.0, 0.0, 2.0)),
            (Vec3::splat(-1e-6), Vec3::splat(1e-6)),
            (Vec3::splat(-1e15), Vec3::splat(1e15)),
        ];
        for (low, high) in boxes {
            for aspect in [0.25, 1.0, 16.0 / 9.0] {
                let camera = camera_for((low, high), aspect);
                let Projection::Perspective { yfov, near, far: Some(far), .. } = camera.camera.projection
                else {
                    panic!("{camera:?}");
                };
                let projection = Mat4::perspective_rh(yfov, aspect, near, far) * camera.view();
                let mut widest = 0.0_f32;
                for corner in 0..8 {
                    let pick =
                        |bit: usize, axis: usize| if corner >> bit & 1 == 0 { low[axis] } else { high[axis] };
                    let at = projection * Vec3::new(pick(0, 0), pick(1, 1), pick(2, 2)).extend(1.0);
                    let at = at.truncate() / at.w;
                    assert!(at.z > 0.0 && at.z < 1.0, "{low} {high} {aspect}: {at}");
                    widest = widest.max(at.x.abs()).max(at.y.abs());
                }
                assert!((widest - (1.0 - MARGIN)).abs() < 0.02, "{low} {high} {aspect}: {widest}");
            }
        }
    }

    #[test]
    fn a_point_is_seen_from_a_metre() {
        let camera = camera_for((Vec3::ONE, Vec3::ONE), 1.0);
        let seen = camera.view() * Vec3::ONE.extend(1.0);
        assert!((seen.truncate() - Vec3::new(0.0, 0.0, -1.0)).length() < 1e-5, "{seen}");
    }
}
