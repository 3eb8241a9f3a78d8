//! A scene at a point in time: meshes, lights and cameras at their places.
//!
//! Owns the view that shows everything, for scenes without a camera. [`crate::animate`] makes frames; drawing is left
//! to [`crate::draw`].

use std::ops::Range;

use glam::{Mat3, Mat4, Vec3};

use crate::model::{Camera, Light, Projection};

/// Contents of a picture.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Meshes to draw, in the order of the tree.
    pub draws: Vec<Draw>,
    /// Matrices from a mesh to the world, one per joint; `draws` refer to ranges of them.
    pub joints: Vec<Mat4>,
    /// Lights.
    pub lights: Vec<PlacedLight>,
    /// Placed cameras of the scene, by their order in [`crate::model::Scene::cameras`], then in the tree.
    pub cameras: Vec<PlacedCamera>,
    /// Bounding box of everything drawn; `None` if nothing is drawn.
    pub bounds: Option<(Vec3, Vec3)>,
}

impl Frame {
    /// Middle of everything drawn.
    pub fn middle(&self) -> Vec3 {
        self.bounds.map_or(Vec3::ZERO, |(low, high)| low * 0.5 + high * 0.5)
    }
}

/// A placed mesh.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Index of the node.
    pub node: usize,
    /// Index of the mesh, all of whose primitives are drawn.
    pub mesh: usize,
    /// Matrix from the mesh to the world; the identity for a mesh with joints.
    pub world: Mat4,
    /// Range of [`Frame::joints`] to which the mesh's influences refer.
    pub joints: Option<Range<usize>>,
    /// Weights of the mesh's targets.
    pub weights: Vec<f32>,
}

/// A placed light.
#[derive(Clone, Debug)]
pub struct PlacedLight {
    /// The light.
    pub light: Light,
    /// Position.
    pub position: Vec3,
    /// Direction in which the light shines (spots and directional lights), of unit length.
    pub direction: Vec3,
}

/// A placed camera.
#[derive(Clone, Debug)]
pub struct PlacedCamera {
    /// The camera.
    pub camera: Camera,
    /// Matrix from the camera, which looks along -Z with +Y up, to the world: a rotation and a translation.
    pub world: Mat4,
}

impl PlacedCamera {
    /// The camera, turned by an angle in radians around the vertical axis through a point.
    pub fn turned(&self, middle: Vec3, angle: f32) -> PlacedCamera {
        let turn =
            Mat4::from_translation(middle) * Mat4::from_rotation_y(angle) * Mat4::from_translation(-middle);
        PlacedCamera { camera: self.camera.clone(), world: turn * self.world }
    }

    /// Matrix from the world to the camera.
    pub fn view(&self) -> Mat4 {
        let turn = Mat3::from_mat4(self.world).transpose();
        let position = self.world.w_axis.truncate();
        Mat4::from_mat3(turn) * Mat4::from_translation(-position)
    }
}

/// Vertical field of view of [`camera_for`], in radians: 40 degrees.
const YFOV: f32 = 0.698_131_7;
/// Part of the picture's width or height that stays free, both sides together.
const MARGIN: f32 = 0.1;
/// Direction from the centre to the camera of [`camera_for`]: in front, a little to the right and above.
const FROM: Vec3 = Vec3::new(0.45, 0.35, 1.0);

/// A camera that shows all of `points`, centred and as large as possible, in a picture whose width is `aspect` times
/// its height. It shows a single point from a metre away.
pub fn camera_for(points: impl IntoIterator<Item = Vec3>, aspect: f32) -> PlacedCamera {
    let back = FROM.normalize();
    let right = Vec3::Y.cross(back).normalize();
    let up = back.cross(right);
    let turn = Mat3::from_cols(right, up, back);

    // A point is inside the picture if, in each direction, its distance from the axis is at most the slope times its
    // depth. The eye is therefore behind planes through the outermost points, one for each edge.
    let slope_y = libm::tanf(YFOV * 0.5) * (1.0 - MARGIN);
    let slope_x = slope_y * aspect;
    let (mut most, mut least) = (Vec3::NEG_INFINITY, Vec3::INFINITY);
    let mut edges = [f32::NEG_INFINITY; 4];
    for point in points {
        let at = turn.transpose() * point;
        (most, least) = (most.max(at), least.min(at));
        let reach =
            [slope_x * at.z + at.x, slope_x * at.z - at.x, slope_y * at.z + at.y, slope_y * at.z - at.y];
        edges = std::array::from_fn(|i| edges[i].max(reach[i]));
    }
    if !most.is_finite() {
        (most, least, edges) = (Vec3::ZERO, Vec3::ZERO, [0.0; 4]);
    }
    let [x0, x1, y0, y1] = edges;
    let needed = ((x0 + x1) / slope_x).max((y0 + y1) / slope_y) * 0.5;
    let distance = needed - most.z;
    let distance = if distance > 0.0 { distance } else { 1.0 };
    let eye = turn * Vec3::new((x0 - x1) * 0.5, (y0 - y1) * 0.5, most.z + distance);

    let near = (distance * 0.9).max(f32::MIN_POSITIVE);
    let far = (distance + most.z - least.z) * 1.1;
    let world = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), eye.extend(1.0));
    let projection = Projection::Perspective { aspect: None, yfov: YFOV, near, far: Some(far) };
    PlacedCamera { camera: Camera { name: String::new(), projection }, world }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners((low, high): (Vec3, Vec3)) -> [Vec3; 8] {
        let pick = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        std::array::from_fn(|c| Vec3::new(pick(c, 0), pick(c, 1), pick(c, 2)))
    }

    /// Every corner is inside the picture and between the planes. Points touch two opposite edges; the margins at
    /// the other two are equal.
    #[test]
    fn everything_is_in_the_middle_of_the_picture() {
        let boxes = [
            (Vec3::splat(-1.0), Vec3::splat(1.0)),
            (Vec3::new(100.0, -3.0, 7.0), Vec3::new(100.5, 40.0, 7.0)),
            (Vec3::new(-500.0, 0.0, -2.0), Vec3::new(500.0, 0.0, 2.0)),
            (Vec3::splat(-1e-6), Vec3::splat(1e-6)),
            (Vec3::splat(-1e15), Vec3::splat(1e15)),
        ];
        for bounds in boxes {
            for aspect in [0.25, 1.0, 16.0 / 9.0] {
                let camera = camera_for(corners(bounds), aspect);
                let Projection::Perspective { yfov, near, far: Some(far), .. } = camera.camera.projection
                else {
                    panic!("{camera:?}");
                };
                let projection = Mat4::perspective_rh(yfov, aspect, near, far) * camera.view();
                let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
                for corner in corners(bounds) {
                    let at = projection * corner.extend(1.0);
                    let at = at.truncate() / at.w;
                    assert!(at.z > 0.0 && at.z < 1.0, "{bounds:?} {aspect}: {at}");
                    (low, high) = (low.min(at), high.max(at));
                }
                let widest = high.x.max(high.y);
                assert!((widest - (1.0 - MARGIN)).abs() < 1e-3, "{bounds:?} {aspect}: {low} {high}");
                let side = if high.x > high.y { 0 } else { 1 };
                assert!((low[side] + high[side]).abs() < 1e-3, "{bounds:?} {aspect}: {low} {high}");
            }
        }
    }

    #[test]
    fn a_point_is_seen_from_a_metre() {
        for points in [vec![], vec![Vec3::ZERO]] {
            let camera = camera_for(points, 1.0);
            let seen = camera.view() * Vec3::ZERO.extend(1.0);
            assert!((seen.truncate() - Vec3::new(0.0, 0.0, -1.0)).length() < 1e-5, "{seen}");
        }
    }
}
