//! Meshes, and drawing them with the user's vertex shader, for `quadrille render x.vert x.frag --mesh FILE`.
//!
//! ```text
//!   obj         reader of Wavefront OBJ meshes
//!   polygon     triangles of polygons
//!   attributes  mapping of vertex inputs to attributes, by name or location
//!   camera      view that shows a whole mesh; sets camera uniforms by name
//!   varyings    fragment inputs at the locations of the outputs of the same name
//!   geometry    buffers and draws of a mesh for a vertex shader
//! ```
//!
//! [`super::picture`] owns the fragment shader and the rest of the picture.

mod attributes;
mod camera;
mod geometry;
mod obj;
mod polygon;
mod varyings;

use crate::CullMode;
use crate::Topology;

pub(super) use camera::Camera;
pub(super) use geometry::Geometry;
pub use obj::read_obj;
pub use varyings::match_varyings;

/// Numbers of a file for a part of a scene (see [`crate::launch::parse_scene`]): the corners of the triangles of an OBJ
/// file, or the 32-bit floats that any other file consists of.
///
/// # Errors
/// A description of the mistake.
pub fn scene_numbers(file: &str, bytes: &[u8]) -> Result<Vec<f32>, String> {
    if std::path::Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")) {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{file} is not text"))?;
        return Ok(read_obj(text).map_err(|e| format!("{file}: {e}"))?.triangle_corners());
    }
    let (words, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err(format!("{file} has {} bytes, not a whole number of 32-bit floats", bytes.len()));
    }
    Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
}

/// Vertices of a mesh. An attribute list is either empty or as long as `positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Primitive topology: a point, line or triangle list.
    pub topology: Topology,
    /// Positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates with the origin at the upper left corner.
    pub uvs: Vec<[f32; 2]>,
    /// Colours as red, green, blue and alpha.
    pub colors: Vec<[f32; 4]>,
    /// Tangents along u; `w` is the sign of the bitangent.
    pub tangents: Vec<[f32; 4]>,
    /// Vertex indices in drawing order; if empty, each vertex is drawn once.
    pub indices: Vec<u32>,
}

/// Input of a vertex shader.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// A mesh.
    Mesh(&'a Mesh),
    /// This number of vertices, without attributes.
    Vertices(u32, Topology),
}

/// A vertex shader and the shape that it draws.
#[derive(Clone, Debug)]
pub struct GeometryDesc<'a> {
    /// SPIR-V with a vertex entry point.
    pub words: &'a [u32],
    /// Entry point; `None` selects the only vertex entry point.
    pub entry: Option<&'a str>,
    /// Shape to draw.
    pub shape: Shape<'a>,
    /// Triangles to cull.
    pub cull: CullMode,
    /// Position of the camera; `None` selects one that shows the whole shape.
    pub eye: Option<[f32; 3]>,
    /// Point in the middle of the view; `None` is the centre of the shape.
    pub target: Option<[f32; 3]>,
    /// True if the compiler negates y of clip space, as for WGSL.
    pub y_up: bool,
    /// Background colour.
    pub background: [f32; 4],
}

impl Mesh {
    /// Returns the smallest and largest coordinates; for a mesh without vertices, those of a cube from -1 to 1.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let Some(&first) = self.positions.first() else { return ([-1.0; 3], [1.0; 3]) };
        let grow = |f: fn(f32, f32) -> f32| {
            self.positions.iter().fold(first, |a, b| std::array::from_fn(|i| f(a[i], b[i])))
        };
        (grow(f32::min), grow(f32::max))
    }

    /// Returns the triangles as vertex numbers, without those that have an index out of range.
    fn triangles(&self) -> Vec<[usize; 3]> {
        if self.topology != Topology::TriangleList {
            return Vec::new();
        }
        let n = self.positions.len();
        let all: Vec<usize> = match self.indices.is_empty() {
            true => (0..n).collect(),
            false => self.indices.iter().map(|i| *i as usize).collect(),
        };
        all.as_chunks::<3>().0.iter().copied().filter(|t| t.iter().all(|i| *i < n)).collect()
    }

    /// Returns the corners of the triangles, one after another: nine numbers for each.
    pub fn triangle_corners(&self) -> Vec<f32> {
        self.triangles().into_iter().flatten().flat_map(|i| self.positions[i]).collect()
    }

    /// Returns the normals of the mesh. If it has none, each is the area-weighted mean of the normals of the adjacent
    /// triangles.
    pub fn normals_or_made(&self) -> Vec<[f32; 3]> {
        if !self.normals.is_empty() {
            return self.normals.clone();
        }
        let p = &self.positions;
        let mut sums = vec![[0.0f32; 3]; p.len()];
        for [a, b, c] in self.triangles() {
            let normal = cross(sub(p[b], p[a]), sub(p[c], p[a]));
            for i in [a, b, c] {
                sums[i] = add(sums[i], normal);
            }
        }
        sums.into_iter().map(|n| unit(n).unwrap_or([0.0, 0.0, 1.0])).collect()
    }

    /// Returns the tangents of the mesh. If it has only texture coordinates, the tangents are the directions in which u
    /// grows.
    pub fn tangents_or_made(&self) -> Vec<[f32; 4]> {
        if !self.tangents.is_empty() || self.uvs.is_empty() {
            return self.tangents.clone();
        }
        let (p, t, normals) = (&self.positions, &self.uvs, self.normals_or_made());
        let mut along = vec![([0.0f32; 3], [0.0f32; 3]); p.len()];
        for [a, b, c] in self.triangles() {
            let (e, f) = (sub(p[b], p[a]), sub(p[c], p[a]));
            let (du, dv) = ([t[b][0] - t[a][0], t[c][0] - t[a][0]], [t[b][1] - t[a][1], t[c][1] - t[a][1]]);
            let area = du[0] * dv[1] - du[1] * dv[0];
            if area == 0.0 {
                continue;
            }
            let u: [f32; 3] = std::array::from_fn(|i| (e[i] * dv[1] - f[i] * dv[0]) / area);
            let v: [f32; 3] = std::array::from_fn(|i| (f[i] * du[0] - e[i] * du[1]) / area);
            for i in [a, b, c] {
                along[i] = (add(along[i].0, u), add(along[i].1, v));
            }
        }
        let one = |((u, v), n): (([f32; 3], [f32; 3]), [f32; 3])| {
            let flat = sub(u, scaled(n, dot(n, u)));
            let [x, y, z] = unit(flat).unwrap_or_else(|| any_across(n));
            // In glTF, v grows downwards, so the bitangent points against it.
            [x, y, z, if dot(cross(n, u), v) < 0.0 { 1.0 } else { -1.0 }]
        };
        along.into_iter().zip(normals).map(one).collect()
    }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn scaled(a: [f32; 3], by: f32) -> [f32; 3] {
    a.map(|x| x * by)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Normalizes a vector; `None` for the zero vector and for vectors that are not finite.
fn unit(a: [f32; 3]) -> Option<[f32; 3]> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

/// Returns a unit vector perpendicular to another.
fn any_across(n: [f32; 3]) -> [f32; 3] {
    let axis = if n[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    unit(cross(n, axis)).unwrap_or(axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_and_tangents() {
        let quad = Mesh {
            positions: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]],
            uvs: vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Mesh::default()
        };
        assert_eq!(quad.normals_or_made(), vec![[0.0, 0.0, 1.0]; 4]);
        // u grows along x, and cross(normal, tangent) is +y, against v.
        assert_eq!(quad.tangents_or_made(), vec![[1.0, 0.0, 0.0, 1.0]; 4]);
        assert_eq!(quad.bounds(), ([0.0; 3], [2.0, 2.0, 0.0]));
        // Degenerate triangles and indices out of range cause no error.
        let odd = Mesh { indices: vec![0, 1, 9, 3, 3, 3, 0], ..quad };
        assert_eq!(odd.normals_or_made(), vec![[0.0, 0.0, 1.0]; 4]);
        assert_eq!(odd.tangents_or_made().len(), 4);
    }
}
