//! Definition of a scene: plain structs that refer to each other by index.
//!
//! Knows neither glTF's encoding nor the device. Names, units and defaults are those of glTF 2.0 and its extensions:
//! metres, radians, a right-handed space with +Y up, and texture coordinates whose origin is the upper left corner.
//!
//! [`crate::load`] establishes these invariants, on which the other parts rely:
//!
//! - Every index is in range, and the nodes are trees: no cycle, at most one parent.
//! - All vectors of a primitive and of its targets have as many elements as `positions`.
//! - All floats are finite; rotations and stored normals have unit length.
//! - Joints of vertices are below the number of joints of every skin with which the mesh is drawn.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

mod material;

pub use material::{
    AlphaMode, Anisotropy, Clearcoat, Iridescence, Material, Sheen, Specular, SpecularGlossiness, TextureRef,
    Volume,
};

/// A whole file: the nodes of the displayed scene, and everything that they use.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Name of the scene, or empty.
    pub name: String,
    /// All nodes, including those of other scenes in the file.
    pub nodes: Vec<Node>,
    /// Root nodes of the displayed scene.
    pub roots: Vec<usize>,
    /// Shapes.
    pub meshes: Vec<Mesh>,
    /// Skins: joints that move vertices.
    pub skins: Vec<Skin>,
    /// Materials; the last is glTF's default material, for primitives without one.
    pub materials: Vec<Material>,
    /// Images with their samplers.
    pub textures: Vec<Texture>,
    /// Pictures.
    pub images: Vec<Image>,
    /// Samplers; the last is for textures without one: linear, repeated.
    pub samplers: Vec<Sampler>,
    /// Cameras; nodes place them.
    pub cameras: Vec<Camera>,
    /// Lights; nodes place them.
    pub lights: Vec<Light>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// Parts of the file that are not shown, such as unknown extensions.
    pub warnings: Vec<String>,
}

/// A node of the tree, with its contents.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name, or empty.
    pub name: String,
    /// Parent, whose transform applies to this node.
    pub parent: Option<usize>,
    /// Children, to which this node's transform applies.
    pub children: Vec<usize>,
    /// Transform relative to the parent.
    pub transform: Transform,
    /// Mesh at this node.
    pub mesh: Option<usize>,
    /// Skin of the mesh: its joints place the vertices instead of the node's transform.
    pub skin: Option<usize>,
    /// Camera, which looks along -Z.
    pub camera: Option<usize>,
    /// Light; spots and directional lights shine along -Z.
    pub light: Option<usize>,
    /// Weights of the mesh's targets, which override the mesh's own.
    pub weights: Option<Vec<f32>>,
    /// EXT_mesh_gpu_instancing: transforms of the mesh relative to the node, once each; `None` places it once.
    pub instances: Option<Arc<[Trs]>>,
    /// Node of the file of which this is a further placement; it has its transform and its weights, also animated ones.
    pub copy_of: Option<usize>,
}

/// A transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Scale, then rotation, then translation, which animations can change.
    Trs(Trs),
    /// Any affine matrix.
    Matrix(Mat4),
}

impl Default for Transform {
    fn default() -> Self {
        Transform::Trs(Trs::default())
    }
}

impl Transform {
    /// Converts the transform to a matrix.
    pub fn matrix(&self) -> Mat4 {
        match self {
            Transform::Trs(t) => Mat4::from_scale_rotation_translation(t.scale, t.rotation, t.translation),
            Transform::Matrix(m) => *m,
        }
    }
}

/// Translation, rotation, scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// In metres.
    pub translation: Vec3,
    /// Of unit length.
    pub rotation: Quat,
    /// By axis.
    pub scale: Vec3,
}

impl Trs {
    /// The rotation of a quaternion of any length but 0.
    pub fn unit_rotation(q: Vec4) -> Option<Quat> {
        q.try_normalize().map(Quat::from_vec4)
    }
}

impl Default for Trs {
    fn default() -> Self {
        Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

/// A shape: primitives with one material each.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name, or empty.
    pub name: String,
    /// Primitives; all have as many targets as there are `weights`.
    pub primitives: Vec<Primitive>,
    /// Weights of the morph targets, unless the node overrides them.
    pub weights: Vec<f32>,
}

/// Topology of a primitive. The loader converts strips, loops and fans to lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Each vertex is a point.
    Points,
    /// Every two vertices form a line.
    Lines,
    /// Every three vertices form a triangle, whose front face is counter-clockwise.
    #[default]
    Triangles,
}

/// A part of a mesh with one material.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Topology of `indices`, or of the vertices in order.
    pub topology: Topology,
    /// Positions of the vertices.
    pub positions: Vec<Vec3>,
    /// Normals. Triangles always have them: flat ones if the file has none. Points and lines without normals are unlit
    /// and show base colour and emission.
    pub normals: Option<Vec<Vec3>>,
    /// Tangents; `w`, 1 or -1, is the sign of the bitangent `cross(normal, tangent) * w`. If the file has none, drawing
    /// uses derivatives of the texture coordinates.
    pub tangents: Option<Vec<Vec4>>,
    /// Texture coordinates, two sets.
    pub uv: [Option<Vec<Vec2>>; 2],
    /// Linear colours, multiplied with the base colour.
    pub colors: Option<Vec<Vec4>>,
    /// Joints of the vertices, four per set.
    pub influences: Vec<Influences>,
    /// Morph targets.
    pub targets: Vec<Target>,
    /// Indices of the vertices, in order; their number is a multiple of the topology's vertices. `None`: each vertex
    /// once.
    pub indices: Option<Vec<u32>>,
    /// Material.
    pub material: usize,
}

impl Primitive {
    /// Number of vertices to draw.
    pub fn count(&self) -> usize {
        self.indices.as_ref().map_or(self.positions.len(), Vec::len)
    }
}

/// Four joints per vertex. The weights of a vertex add up to 1 over all sets.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// Indices into [`Skin::joints`].
    pub joints: Vec<[u16; 4]>,
    /// Weights of the joints.
    pub weights: Vec<Vec4>,
}

/// Changes of vertices by a morph target at weight 1.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Changes of positions.
    pub positions: Option<Vec<Vec3>>,
    /// Changes of normals.
    pub normals: Option<Vec<Vec3>>,
    /// Changes of the first three components of tangents.
    pub tangents: Option<Vec<Vec3>>,
}

/// Nodes that move the vertices of meshes.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name, or empty.
    pub name: String,
    /// Joint nodes.
    pub joints: Vec<usize>,
    /// For each joint, the matrix from the mesh to the joint's space at binding.
    pub inverse_bind: Vec<Mat4>,
}

/// An image with its sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Index of the scene's image.
    pub image: usize,
    /// Index of the scene's sampler.
    pub sampler: usize,
}

/// A picture: 8-bit RGBA as in the file, not premultiplied. A grey picture has equal R, G and B. The slot of a texture
/// determines whether its RGB is sRGB.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Name, or the name of its file, or empty.
    pub name: String,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
    /// Rows from the top, four bytes per texel.
    pub pixels: Vec<u8>,
}

/// The surroundings of a scene: light from all directions, as an equirectangular picture with +X at its middle and +Y
/// at its upper edge.
#[derive(Clone, Debug, Default)]
pub struct Panorama {
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
    /// Rows from the top: linear RGB from 0 to [`Panorama::MOST`].
    pub texels: Vec<[f32; 3]>,
}

impl Panorama {
    /// Maximum of a component, to which brighter light, such as the sun in some pictures, is clamped: the largest
    /// finite half float.
    pub const MOST: f32 = 65504.0;
}

/// Texture filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// The weighted mean of the nearest texels.
    Linear,
}

/// Wrap mode for coordinates beyond the edges of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// Repeats the texel at the edge.
    ClampToEdge,
    /// Repeats the texture, mirrored every second time.
    MirroredRepeat,
    /// Repeats the texture.
    Repeat,
}

/// Sampling parameters of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Magnification filter.
    pub mag: Filter,
    /// Minification filter within a level.
    pub min: Filter,
    /// Filter between levels; `None` uses only the first level.
    pub mip: Option<Filter>,
    /// Wrap modes in the directions u and v.
    pub wrap: [Wrap; 2],
}

impl Default for Sampler {
    fn default() -> Self {
        Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: Some(Filter::Linear),
            wrap: [Wrap::Repeat; 2],
        }
    }
}

/// KHR_lights_punctual.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name, or empty.
    pub name: String,
    /// Kind.
    pub kind: LightKind,
    /// Linear colour.
    pub color: Vec3,
    /// Intensity: lux for directional lights, candela for the others.
    pub intensity: f32,
    /// Range in metres, greater than 0, beyond which nothing is lit; `None` is unlimited.
    pub range: Option<f32>,
}

/// Kinds of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel light from infinity.
    Directional,
    /// Light in all directions.
    Point,
    /// A cone; the angles are from its axis, in radians: `0 <= inner < outer <= pi / 2`.
    Spot {
        /// Angle of full intensity.
        inner: f32,
        /// Angle beyond which there is no light.
        outer: f32,
    },
}

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name, or empty.
    pub name: String,
    /// Projection.
    pub projection: Projection,
}

/// Kind of projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Perspective projection.
    Perspective {
        /// Width over height; `None`: that of the picture.
        aspect: Option<f32>,
        /// Vertical field of view in radians, greater than 0 and less than pi.
        yfov: f32,
        /// Distance of the near plane, greater than 0.
        near: f32,
        /// Distance of the far plane, greater than `near`; `None` is infinity.
        far: Option<f32>,
    },
    /// Orthographic projection.
    Orthographic {
        /// Half of the width.
        xmag: f32,
        /// Half of the height.
        ymag: f32,
        /// Distance of the near plane, at least 0.
        near: f32,
        /// Distance of the far plane, greater than `near`.
        far: f32,
    },
}

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Name, or empty.
    pub name: String,
    /// Animated properties.
    pub channels: Vec<Channel>,
    /// Time of the last key of all channels, in seconds.
    pub duration: f32,
}

/// One property of one node over time.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Index of the node.
    pub node: usize,
    /// Times of the keys in seconds, at least one, ascending.
    pub times: Vec<f32>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Values at the keys.
    pub values: Values,
}

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// Linear; for rotations, on the shorter arc.
    Linear,
    /// A Hermite spline: each key has three values, the incoming tangent, the value, the outgoing tangent.
    CubicSpline,
}

/// Values of the keys: one per key, or three for [`Interpolation::CubicSpline`].
#[derive(Clone, Debug)]
pub enum Values {
    /// Translations.
    Translation(Vec<Vec3>),
    /// Rotations.
    Rotation(Vec<Quat>),
    /// Scales.
    Scale(Vec<Vec3>),
    /// Weights of morph targets: per value, as many as the node's mesh has targets.
    Weights(Vec<f32>),
}
