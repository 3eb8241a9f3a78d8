//! A camera for a shape, and its values for uniforms with common names.
//!
//! Names are matched without regard to case, underscores, the prefixes `u` and `i`, and the word `matrix`:
//!
//! | name | type | meaning |
//! |---|---|---|
//! | `mvp`, `model_view_projection`, `world_view_projection`, `transform` | mat4 | from the model to clip space |
//! | `model`, `world` | mat4, mat3 | from the model to the world: the identity |
//! | `view` | mat4, mat3 | from the world to the camera, which looks along -z |
//! | `projection`, `proj`, `perspective` | mat4 | from the camera to clip space |
//! | `view_projection`, `view_proj`, `vp` | mat4 | from the world to clip space |
//! | `model_view`, `world_view`, `mv` | mat4, mat3 | from the model to the camera |
//! | `normal` (`normalMatrix`) | mat3, mat4 | from model normals to camera space |
//! | `inverse_view`, `view_inverse`, `camera_matrix`, `camera_to_world` | mat4, mat3 | from the camera to the world |
//! | `camera`, `camera_position`, `eye`, `eye_pos`, `view_pos` | vec3, vec4 | position of the camera |
//! | `light`, `light_position`, `light_pos` | vec3, vec4 | position of a light above and beside the camera |
//! | `light_direction`, `light_dir`, `sun_direction`, `sun` | vec3, vec4 | unit vector towards the light |
//! | `light_color` | vec3, vec4 | white |
//!
//! Matrices are column-major; projections depend on the clip space ([`ClipSpace`]).

use super::super::uniforms::{self, Block, Leaf};
use super::{add, cross, dot, scaled, sub, unit};
use crate::frontend::Origin;

/// Tangent and sine of half the vertical field of view, 20 degrees.
const TAN: f32 = 0.363_970_23;
const SIN: f32 = 0.342_020_14;

/// A matrix as a list of columns.
type Matrix = [[f32; 4]; 4];

/// Conventions of clip space.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipSpace {
    /// True if y grows upwards in the picture.
    pub y_up: bool,
    /// Origin of the picture: z runs from -1 to 1 for OpenGL's, otherwise from 0 to 1.
    pub origin: Origin,
}

/// Position and matrices of a camera.
#[derive(Clone, Debug)]
pub struct Camera {
    eye: [f32; 3],
    light: [f32; 3],
    to_light: [f32; 3],
    view: Matrix,
    inverse_view: Matrix,
    projection: Matrix,
}

/// Value of a uniform.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Matrix(Matrix),
    Vector([f32; 4]),
}

impl Camera {
    /// Creates a camera that shows everything within `bounds`, from `eye` towards `target` if these are given.
    pub fn new(
        bounds: ([f32; 3], [f32; 3]),
        aspect: f32,
        eye: Option<[f32; 3]>,
        target: Option<[f32; 3]>,
        clip: ClipSpace,
    ) -> Camera {
        let middle = scaled(add(bounds.0, bounds.1), 0.5);
        let diagonal = sub(bounds.1, bounds.0);
        let mut radius = dot(diagonal, diagonal).sqrt() * 0.5;
        if !(radius > 0.0 && radius.is_finite()) {
            radius = 1.0;
        }
        let target = target.unwrap_or(middle);
        // At this distance the bounding sphere fits into the view, in width too.
        let fits = radius / SIN * if aspect < 1.0 { 1.0 / aspect } else { 1.0 };
        let from = unit([0.55, 0.42, 1.0]).unwrap_or([0.0, 0.0, 1.0]);
        let eye = eye.unwrap_or_else(|| add(target, scaled(from, fits)));
        let back = unit(sub(eye, target)).unwrap_or([0.0, 0.0, 1.0]);
        let right = unit(cross([0.0, 1.0, 0.0], back)).unwrap_or([1.0, 0.0, 0.0]);
        let up = cross(back, right);
        let to_light = unit(add(back, add(scaled(up, 0.8), scaled(right, 0.5)))).unwrap_or(up);

        let column = |i: usize| [right[i], up[i], back[i], 0.0];
        let moved = [0.0 - dot(right, eye), 0.0 - dot(up, eye), 0.0 - dot(back, eye), 1.0];
        let view = [column(0), column(1), column(2), moved];
        let axis = |v: [f32; 3], w: f32| [v[0], v[1], v[2], w];
        let inverse_view = [axis(right, 0.0), axis(up, 0.0), axis(back, 0.0), axis(eye, 1.0)];

        let to_middle = sub(middle, eye);
        let distance = dot(to_middle, to_middle).sqrt();
        let far = (distance + radius) * 1.05;
        let near = ((distance - radius) * 0.95).max(far * 1e-3);
        let sign = if clip.y_up { 1.0 } else { -1.0 };
        let (depth, moved_depth) = match clip.origin {
            Origin::UpperLeft => (far / (near - far), near * (far / (near - far))),
            Origin::LowerLeft => ((near + far) / (near - far), 2.0 * near * far / (near - far)),
        };
        let projection = [
            [1.0 / (TAN * aspect), 0.0, 0.0, 0.0],
            [0.0, sign / TAN, 0.0, 0.0],
            [0.0, 0.0, depth, -1.0],
            [0.0, 0.0, moved_depth, 0.0],
        ];
        let light = add(target, scaled(to_light, 2.0 * fits));
        Camera { eye, light, to_light, view, inverse_view, projection }
    }

    /// Writes the known uniforms of a block into its bytes, and returns these uniforms.
    pub fn fill(&self, block: &Block, bytes: &mut [u8]) -> Vec<Leaf> {
        let mut known = |leaf: &Leaf| match self.value(&leaf.name) {
            Some(Value::Matrix(columns)) => uniforms::put(block, leaf, &columns, bytes),
            Some(Value::Vector(vector)) => uniforms::put(block, leaf, &[vector], bytes),
            None => false,
        };
        let mut leaves = uniforms::leaves(block);
        leaves.retain(|leaf| known(leaf));
        leaves
    }

    /// True if the camera has a value for uniforms with this name.
    pub fn knows(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Returns the value for uniforms with this name.
    fn value(&self, name: &str) -> Option<Value> {
        let matrix = |m: &Matrix| Some(Value::Matrix(*m));
        let vector = |v: [f32; 3], w: f32| Some(Value::Vector([v[0], v[1], v[2], w]));
        match plain(name).as_str() {
            "mvp"
            | "modelviewprojection"
            | "modelviewproj"
            | "worldviewprojection"
            | "worldviewproj"
            | "wvp"
            | "transform"
            | "viewprojection"
            | "viewproj"
            | "projview"
            | "projectionview"
            | "vp" => Some(Value::Matrix(product(&self.projection, &self.view))),
            "model" | "world" | "modeltoworld" | "object" | "m" => matrix(&IDENTITY),
            "view" | "v" | "worldtocamera" | "worldtoview" | "modelview" | "worldview" | "mv" => {
                matrix(&self.view)
            }
            "projection" | "proj" | "perspective" | "p" => matrix(&self.projection),
            // The model matrix is the identity and the view only rotates normals, so the view is its own inverse
            // transpose.
            "normal" | "normals" => matrix(&self.view),
            "inverseview" | "viewinverse" | "invview" | "cameramatrix" | "cameratoworld" => {
                matrix(&self.inverse_view)
            }
            "camera" | "cameraposition" | "camerapos" | "campos" | "eye" | "eyeposition" | "eyepos"
            | "viewpos" | "viewposition" => vector(self.eye, 1.0),
            "light" | "lightposition" | "lightpos" => vector(self.light, 1.0),
            "lightdirection" | "lightdir" | "sundirection" | "sundir" | "sun" => vector(self.to_light, 0.0),
            "lightcolor" | "lightcolour" => vector([1.0; 3], 1.0),
            _ => None,
        }
    }
}

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the matrix product `a * b`.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| {
        std::array::from_fn(|row| {
            a[0][row] * column[0] + a[1][row] * column[1] + a[2][row] * column[2] + a[3][row] * column[3]
        })
    })
}

/// Normalizes a name: `u_ModelMatrix`, `modelMatrix`, `scene.model` and `model_mat` become `model`.
fn plain(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    let name = match name.as_bytes() {
        [b'u' | b'i', b'_' | b'A'..=b'Z', ..] => &name[1..],
        _ => name,
    };
    let plain: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    if plain == "cameramatrix" {
        return plain;
    }
    let short = ["matrix", "mat"].iter().find_map(|end| plain.strip_suffix(end)).filter(|s| !s.is_empty());
    short.map_or(plain.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transformed(m: &Matrix, p: [f32; 3]) -> [f32; 4] {
        std::array::from_fn(|r| m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r])
    }

    fn matrix(camera: &Camera, name: &str) -> Matrix {
        match camera.value(name) {
            Some(Value::Matrix(m)) => m,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn above(y_up: bool) -> ClipSpace {
        ClipSpace { y_up, origin: Origin::UpperLeft }
    }

    /// OpenGL's clip planes: z = -w at the near plane, z = w at the far plane.
    #[test]
    fn depth_goes_from_minus_one_to_one_in_opengl() {
        let bounds = ([-1.0; 3], [1.0; 3]);
        let depths = |origin| {
            let clip = ClipSpace { y_up: true, origin };
            let camera = Camera::new(bounds, 1.0, Some([0.0, 0.0, 9.0]), Some([0.0; 3]), clip);
            let radius = 3f32.sqrt();
            let (near, far) = ((9.0 - radius) * 0.95, (9.0 + radius) * 1.05);
            [near, far].map(|distance| {
                let [_, _, z, w] = transformed(&matrix(&camera, "projection"), [0.0, 0.0, -distance]);
                (z / w * 1e5).round() / 1e5
            })
        };
        assert_eq!(depths(Origin::LowerLeft), [-1.0, 1.0]);
        assert_eq!(depths(Origin::UpperLeft), [0.0, 1.0]);
    }

    #[test]
    fn all_of_the_shape_is_seen() {
        let bounds = ([-3.0, 10.0, 0.0], [5.0, 11.0, 2.0]);
        for aspect in [0.4, 1.0, 2.5] {
            for y_up in [true, false] {
                let camera = Camera::new(bounds, aspect, None, None, above(y_up));
                let mvp = matrix(&camera, "u_mvp");
                for corner in 0..8 {
                    let side =
                        |axis: usize| if corner >> axis & 1 == 0 { bounds.0[axis] } else { bounds.1[axis] };
                    let [x, y, z, w] = transformed(&mvp, [side(0), side(1), side(2)]);
                    assert!(x.abs() <= w && y.abs() <= w && (0.0..=w).contains(&z), "{aspect} {corner}");
                }
                // The higher point is drawn higher.
                let [_, low, _, w0] = transformed(&mvp, [1.0, 10.0, 1.0]);
                let [_, high, _, w1] = transformed(&mvp, [1.0, 11.0, 1.0]);
                assert_eq!(high / w1 > low / w0, y_up);
            }
        }
    }

    #[test]
    fn a_view_by_hand() {
        let camera =
            Camera::new(([-1.0; 3], [1.0; 3]), 1.0, Some([0.0, 0.0, 5.0]), Some([0.0; 3]), above(true));
        assert_eq!(transformed(&matrix(&camera, "viewMatrix"), [1.0, 2.0, 3.0]), [1.0, 2.0, -2.0, 1.0]);
        // 20 degrees above the axis, at a distance of 5, is the upper edge.
        let [_, y, _, w] = transformed(&matrix(&camera, "view_proj"), [0.0, 5.0 * TAN, 0.0]);
        assert!((y / w - 1.0).abs() < 1e-6 && w == 5.0);
        assert_eq!(camera.value("cameraPosition"), Some(Value::Vector([0.0, 0.0, 5.0, 1.0])));
        assert_eq!(camera.value("u_model"), Some(Value::Matrix(IDENTITY)));
        assert!(camera.value("color").is_none() && camera.value("material").is_none());
        let there = product(&matrix(&camera, "inverseView"), &matrix(&camera, "view"));
        assert_eq!(there, IDENTITY);
        // A single point is a valid shape.
        let point = Camera::new(([2.0; 3], [2.0; 3]), 1.0, None, None, above(false));
        let [x, y, z, w] = transformed(&matrix(&point, "mvp"), [2.0; 3]);
        assert!(x.abs() < 1e-5 && y.abs() < 1e-5 && (0.0..=w).contains(&z));
    }
}
