//! What a scene is: plain structs that name each other by index.
//!
//! Knows neither glTF's encoding nor the device. Names, units and defaults are those of glTF 2.0 and its
//! extensions: metres, radians, a right-handed space with +Y up, and texture coordinates whose origin
//! is the upper left corner.
//!
//! Invariants, which [`crate::load`] establishes and the other parts rely on:
//!
//! - Every index is in range, and the nodes are trees: no cycle, one parent at most.
//! - All vectors of a primitive have as many elements as `positions`; those of a target too.
//! - All floats are finite, rotations and stored normals are of unit length.
//! - Joints of vertices are below the number of joints of every skin that a mesh is drawn with.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

/// A whole file: the nodes of the scene that is shown, and everything that they use.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Name of the scene, or empty.
    pub name: String,
    /// All nodes, those of other scenes of the file too.
    pub nodes: Vec<Node>,
    /// Nodes without a parent, of the scene that is shown.
    pub roots: Vec<usize>,
    /// Shapes.
    pub meshes: Vec<Mesh>,
    /// Joints that move vertices.
    pub skins: Vec<Skin>,
    /// Materials; the last is glTF's default material, for primitives without one.
    pub materials: Vec<Material>,
    /// Images with the way to sample them.
    pub textures: Vec<Texture>,
    /// Pictures.
    pub images: Vec<Image>,
    /// Ways to sample; the last is for textures without one: linear, repeated.
    pub samplers: Vec<Sampler>,
    /// Cameras, which nodes place.
    pub cameras: Vec<Camera>,
    /// Lights, which nodes place.
    pub lights: Vec<Light>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// What the file asks for that is not shown, such as extensions that are not known.
    pub warnings: Vec<String>,
}

/// A place in the tree, and what is there.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name, or empty.
    pub name: String,
    /// The node that this one moves with.
    pub parent: Option<usize>,
    /// Nodes that move with this one.
    pub children: Vec<usize>,
    /// Place relative to the parent.
    pub transform: Transform,
    /// Mesh that is drawn here.
    pub mesh: Option<usize>,
    /// Skin of the mesh: then its joints place the vertices, and the node's own place does not matter.
    pub skin: Option<usize>,
    /// Camera, which looks along -Z.
    pub camera: Option<usize>,
    /// Light; spots and directional ones shine along -Z.
    pub light: Option<usize>,
    /// Weights of the mesh's targets, instead of the mesh's own.
    pub weights: Option<Vec<f32>>,
}

/// A place relative to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// What animations can move: first scaled, then turned, then moved.
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
    /// The same as a matrix.
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

impl Default for Trs {
    fn default() -> Self {
        Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

/// A shape: parts with a material each.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name, or empty.
    pub name: String,
    /// The parts; all have as many targets as there are `weights`.
    pub primitives: Vec<Primitive>,
    /// Weights of the morph targets, where the node says nothing.
    pub weights: Vec<f32>,
}

/// What the vertices of a primitive make. Strips, loops and fans become lists when they are loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Each vertex is a point.
    Points,
    /// Each two vertices are a line.
    Lines,
    /// Each three vertices are a triangle, seen from its front if they are counter-clockwise.
    #[default]
    Triangles,
}

/// A part of a mesh with one material.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// What `indices` (or the vertices in order) make.
    pub topology: Topology,
    /// Places of the vertices.
    pub positions: Vec<Vec3>,
    /// Triangles have normals always: flat ones if the file has none. Points and lines without normals are
    /// not lit: what is seen is base colour and emission.
    pub normals: Option<Vec<Vec3>>,
    /// Tangents; `w`, 1 or -1, is the sign of the bitangent `cross(normal, tangent) * w`. Where the
    /// file has none, whoever needs them takes the derivatives of the texture coordinates.
    pub tangents: Option<Vec<Vec4>>,
    /// Texture coordinates, two sets.
    pub uv: [Option<Vec<Vec2>>; 2],
    /// Linear colours, by which the base colour is multiplied.
    pub colors: Option<Vec<Vec4>>,
    /// By which joints the vertices are moved, four per set.
    pub influences: Vec<Influences>,
    /// Morph targets.
    pub targets: Vec<Target>,
    /// Which vertices, in order; a multiple of the topology's vertices. `None`: each one once.
    pub indices: Option<Vec<u32>>,
    /// Material.
    pub material: usize,
}

impl Primitive {
    /// How many vertices are drawn.
    pub fn count(&self) -> usize {
        self.indices.as_ref().map_or(self.positions.len(), Vec::len)
    }
}

/// Four joints for each vertex. The weights of a vertex, of all sets together, sum up to 1.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// Elements of [`Skin::joints`].
    pub joints: Vec<[u16; 4]>,
    /// How much.
    pub weights: Vec<Vec4>,
}

/// What a morph target adds to a vertex, at weight 1.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// To positions.
    pub positions: Option<Vec<Vec3>>,
    /// To normals.
    pub normals: Option<Vec<Vec3>>,
    /// To the first three components of tangents.
    pub tangents: Option<Vec<Vec3>>,
}

/// Nodes that move the vertices of meshes.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name, or empty.
    pub name: String,
    /// Nodes.
    pub joints: Vec<usize>,
    /// For each joint: from the mesh to where the joint was when they were bound.
    pub inverse_bind: Vec<Mat4>,
}

/// A texture of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Which of the scene's textures.
    pub texture: usize,
    /// Which coordinates of the primitive, 0 or 1; where a primitive lacks them they are (0, 0).
    pub uv_set: usize,
    /// KHR_texture_transform: coordinates are scaled, turned counter-clockwise by so many radians, then
    /// moved.
    pub offset: Vec2,
    /// See `offset`.
    pub rotation: f32,
    /// See `offset`.
    pub scale: Vec2,
}

/// What alpha of the base colour means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Below the cutoff nothing is drawn, otherwise it is opaque.
    Mask {
        /// The least alpha that is drawn.
        cutoff: f32,
    },
    /// Coverage: what is behind shows.
    Blend,
}

/// How a surface looks. Textures multiply the factors beside them; the comments name the channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, or empty.
    pub name: String,
    /// Linear colour and alpha.
    pub base_color: Vec4,
    /// RGB in sRGB, alpha linear.
    pub base_color_texture: Option<TextureRef>,
    /// From 0, dielectric, to 1, metal.
    pub metallic: f32,
    /// Perceptual roughness from 0 to 1.
    pub roughness: f32,
    /// G is roughness, B metalness, linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Tangent space, linear: `x`, `y` are scaled by `normal_scale`.
    pub normal_texture: Option<TextureRef>,
    /// See `normal_texture`.
    pub normal_scale: f32,
    /// R, linear: indirect light is multiplied by `1 + strength * (R - 1)`.
    pub occlusion_texture: Option<TextureRef>,
    /// See `occlusion_texture`.
    pub occlusion_strength: f32,
    /// Linear light that is given off, KHR_materials_emissive_strength multiplied in.
    pub emissive: Vec3,
    /// RGB in sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// What alpha means.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn, with the normal turned round.
    pub double_sided: bool,
    /// KHR_materials_unlit: the base colour is the colour.
    pub unlit: bool,
    /// KHR_materials_clearcoat.
    pub clearcoat: Clearcoat,
    /// KHR_materials_transmission: from 0 to 1.
    pub transmission: f32,
    /// R, linear.
    pub transmission_texture: Option<TextureRef>,
    /// KHR_materials_sheen.
    pub sheen: Sheen,
    /// KHR_materials_ior: index of refraction, 1.5 by default, at least 1; 0 stands for Fresnel of 1.
    pub ior: f32,
    /// KHR_materials_specular.
    pub specular: Specular,
    /// KHR_materials_volume.
    pub volume: Volume,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            clearcoat: Clearcoat::default(),
            transmission: 0.0,
            transmission_texture: None,
            sheen: Sheen::default(),
            ior: 1.5,
            specular: Specular::default(),
            volume: Volume::default(),
        }
    }
}

/// A clear layer over a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearcoat {
    /// From 0, none, to 1.
    pub factor: f32,
    /// R, linear.
    pub texture: Option<TextureRef>,
    /// Perceptual roughness.
    pub roughness: f32,
    /// G, linear.
    pub roughness_texture: Option<TextureRef>,
    /// The layer's own normals, linear; without it, those of the geometry.
    pub normal_texture: Option<TextureRef>,
    /// Scale of its `x` and `y`.
    pub normal_scale: f32,
}

impl Default for Clearcoat {
    fn default() -> Self {
        Clearcoat {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// The shine of cloth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheen {
    /// Linear colour; black is none.
    pub color: Vec3,
    /// RGB in sRGB.
    pub color_texture: Option<TextureRef>,
    /// Perceptual roughness.
    pub roughness: f32,
    /// Alpha, linear.
    pub roughness_texture: Option<TextureRef>,
}

/// Strength and colour of the reflection of dielectrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Specular {
    /// Strength from 0 to 1.
    pub factor: f32,
    /// Alpha, linear.
    pub texture: Option<TextureRef>,
    /// Linear colour at normal incidence.
    pub color: Vec3,
    /// RGB in sRGB.
    pub color_texture: Option<TextureRef>,
}

impl Default for Specular {
    fn default() -> Self {
        Specular { factor: 1.0, texture: None, color: Vec3::ONE, color_texture: None }
    }
}

/// What is inside of a shape that transmits light.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// How thick it is beneath the surface, in the mesh's space; 0 is thin-walled: nothing is bent.
    pub thickness: f32,
    /// G, linear.
    pub thickness_texture: Option<TextureRef>,
    /// After how far light has the attenuation colour; `None` is never.
    pub attenuation_distance: Option<f32>,
    /// See `attenuation_distance`; linear.
    pub attenuation_color: Vec3,
}

impl Default for Volume {
    fn default() -> Self {
        Volume {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: Vec3::ONE,
        }
    }
}

/// An image and how to sample it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Which of the scene's images.
    pub image: usize,
    /// Which of the scene's samplers.
    pub sampler: usize,
}

/// A picture: 8-bit RGBA as it is in the file, not premultiplied. Grey pictures have it in R, G and B.
/// Whether RGB is sRGB depends on the slot that uses it.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Name, or that of its file, or empty.
    pub name: String,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
    /// Rows from the top, four bytes per texel.
    pub pixels: Vec<u8>,
}

/// What surrounds a scene: light from all directions, as an equirectangular picture whose middle
/// is +X and whose upper edge is +Y.
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
    /// What is brighter, such as the sun in some pictures, is as bright: the greatest finite half float.
    pub const MOST: f32 = 65504.0;
}

/// How texels are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// The weighted mean of the nearest ones.
    Linear,
}

/// What lies beyond the edges of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The texel at the edge.
    ClampToEdge,
    /// The texture, mirrored.
    MirroredRepeat,
    /// The texture again.
    Repeat,
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// For textures that are enlarged.
    pub mag: Filter,
    /// For textures that are made smaller: within a level.
    pub min: Filter,
    /// Between levels; `None`: only the first level is used.
    pub mip: Option<Filter>,
    /// In the directions u and v.
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
    /// Linear.
    pub color: Vec3,
    /// Lux for directional lights, candela for the others.
    pub intensity: f32,
    /// Metres after which nothing is lit, greater than 0; `None`: it reaches everywhere.
    pub range: Option<f32>,
}

/// Kinds of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From infinitely far away.
    Directional,
    /// Into all directions.
    Point,
    /// A cone; the angles are from its axis, in radians: `0 <= inner < outer <= pi / 2`.
    Spot {
        /// Within which it is full.
        inner: f32,
        /// Beyond which it is dark.
        outer: f32,
    },
}

/// What a camera shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name, or empty.
    pub name: String,
    /// How it projects.
    pub projection: Projection,
}

/// How a camera projects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Far things are small.
    Perspective {
        /// Width over height; `None` is that of the picture.
        aspect: Option<f32>,
        /// Vertical field of view in radians, greater than 0 and less than pi.
        yfov: f32,
        /// Distance of the near plane, greater than 0.
        near: f32,
        /// Distance of the far plane, greater than `near`; `None` is infinity.
        far: Option<f32>,
    },
    /// All things are as large as they are.
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

/// What moves with time.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Name, or empty.
    pub name: String,
    /// What moves.
    pub channels: Vec<Channel>,
    /// When the last key of all channels is, in seconds.
    pub duration: f32,
}

/// One property of one node over time.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The node.
    pub node: usize,
    /// Times of the keys in seconds, at least one, ascending.
    pub times: Vec<f32>,
    /// What is between keys.
    pub interpolation: Interpolation,
    /// Values at the keys.
    pub values: Values,
}

/// What is between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The former value.
    Step,
    /// On the line between them; rotations on the shorter arc.
    Linear,
    /// A Hermite spline: each key has three values, the tangent before, the value, the tangent after.
    CubicSpline,
}

/// Values of keys, one per key, or three ([`Interpolation::CubicSpline`]).
#[derive(Clone, Debug)]
pub enum Values {
    /// Of the translation.
    Translation(Vec<Vec3>),
    /// Of the rotation.
    Rotation(Vec<Quat>),
    /// Of the scale.
    Scale(Vec<Vec3>),
    /// Of the weights of morph targets: as many per value as the node's mesh has targets.
    Weights(Vec<f32>),
}
