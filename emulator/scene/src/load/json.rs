//! The JSON of glTF 2.0: objects and properties of scenes, with checks of their presence and type. Relations between
//! properties, such as the range of an index, are left to the other files of this folder, reading a value to
//! [`super::value`].
//!
//! These types replace those of crate `gltf`: every error names its object, numbers are finite, indices keep all their
//! digits, and the build needs no second version of `syn` for a derive macro.

use std::collections::BTreeMap;
use std::fmt;

use quadrille::{Error, Result};
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::value;

mod compression;
mod material;

pub use compression::{DracoPrimitive, MeshoptView, OtherSource};
pub use material::*;

/// A finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Num(pub f32);

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Num, D::Error> {
        struct Numbers;
        impl Visitor<'_> for Numbers {
            type Value = Num;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number that a 32-bit float holds")
            }
            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Num, E> {
                let num = value as f32;
                let wrong = || E::invalid_value(serde::de::Unexpected::Float(value), &self);
                if num.is_finite() { Ok(Num(num)) } else { Err(wrong()) }
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Num, E> {
                Ok(Num(value as f32))
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Num, E> {
                Ok(Num(value as f32))
            }
        }
        from.deserialize_f64(Numbers)
    }
}

/// Values of an array.
pub fn nums<const N: usize>(of: [Num; N]) -> [f32; N] {
    of.map(|n| n.0)
}

/// A name, cut to 200 characters, because many objects may share it.
fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let mut name = String::deserialize(from)?;
    if let Some((end, _)) = name.char_indices().nth(200) {
        name.truncate(end);
        name.shrink_to_fit();
    }
    Ok(name)
}

/// Top-level object of the file.
#[derive(Debug, Default)]
pub struct Root {
    pub scene: Option<usize>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub accessors: Vec<Accessor>,
    pub animations: Vec<Animation>,
    pub buffers: Vec<Buffer>,
    pub buffer_views: Vec<BufferView>,
    pub cameras: Vec<Camera>,
    pub images: Vec<Image>,
    pub lights: Vec<Light>,
    pub materials: Vec<Material>,
    pub meshes: Vec<Mesh>,
    pub nodes: Vec<Node>,
    pub samplers: Vec<Sampler>,
    pub scenes: Vec<Scene>,
    pub skins: Vec<Skin>,
    pub textures: Vec<Texture>,
}

impl Root {
    /// Parses the text of a file; refuses versions other than 2.
    pub fn parse(text: &[u8]) -> Result<Root> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut root: Value =
            serde_json::from_slice(text).map_err(|e| Error::invalid(format!("JSON: {e}")))?;
        whole_numbers(&mut root);
        let Value::Object(root) = root else {
            return Err(Error::invalid("JSON: glTF is an object, this is not"));
        };
        let mut top = Top { root };
        let asset: Asset =
            top.one("asset")?.ok_or_else(|| Error::invalid("`asset` is missing: no glTF 2.0"))?;
        asset.check()?;
        let mut extensions: Extensions = top.one("extensions")?.unwrap_or_default();
        Ok(Root {
            scene: top.one("scene")?,
            extensions_used: top.one("extensionsUsed")?.unwrap_or_default(),
            extensions_required: top.one("extensionsRequired")?.unwrap_or_default(),
            accessors: top.list("accessors")?,
            animations: top.list("animations")?,
            buffers: top.list("buffers")?,
            buffer_views: top.list("bufferViews")?,
            cameras: top.list("cameras")?,
            images: top.list("images")?,
            lights: lights(&mut extensions)?,
            materials: top.list("materials")?,
            meshes: top.list("meshes")?,
            nodes: top.list("nodes")?,
            samplers: top.list("samplers")?,
            scenes: top.list("scenes")?,
            skins: top.list("skins")?,
            textures: top.list("textures")?,
        })
    }
}

/// Converts integers that are written as 1.0.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|v| number.is_f64() && v.fract() == 0.0 && v.abs() < 1e15);
            if let Some(v) = whole {
                *number = (v as i64).into();
            }
        }
        // The parser limits the depth of this recursion.
        Value::Array(list) => list.iter_mut().for_each(whole_numbers),
        Value::Object(map) => map.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

fn lights(extensions: &mut Extensions) -> Result<Vec<Light>> {
    const NAME: &str = "KHR_lights_punctual";
    match extensions.0.remove(NAME) {
        None => Ok(Vec::new()),
        Some(Value::Object(root)) => {
            Top { root }.list("lights").map_err(|e| super::within(format!("extensions.{NAME}"), e))
        }
        Some(_) => Err(Error::invalid(format!("extensions.{NAME} is not an object"))),
    }
}

/// Properties of an object, which are taken out one by one.
struct Top {
    root: serde_json::Map<String, Value>,
}

impl Top {
    fn one<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.root.remove(name) else { return Ok(None) };
        value::read(&value).map(Some).map_err(|e| Error::invalid(format!("{name}: {e}")))
    }

    fn list<T: DeserializeOwned>(&mut self, name: &str) -> Result<Vec<T>> {
        let list = match self.root.remove(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(Error::invalid(format!("{name} is not an array"))),
        };
        let read = |(i, value)| value::read(&value).map_err(|e| Error::invalid(format!("{name}[{i}]: {e}")));
        list.into_iter().enumerate().map(read).collect()
    }
}

/// Extensions of an object, by name.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Extensions(pub BTreeMap<String, Value>);

impl Extensions {
    /// Returns the extension, if it is present.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        value::read(value).map(Some).map_err(|e| Error::invalid(format!("extensions.{name}: {e}")))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

impl Asset {
    /// Refuses files that need another version. A version is compatible with later ones of the same major number; the
    /// least version that a file names is needed as it is.
    fn check(&self) -> Result<()> {
        let (needed, is_supported) = match &self.min_version {
            Some(least) => (least, least == "2.0"),
            None => (&self.version, self.version.split('.').next() == Some("2")),
        };
        match is_supported {
            true => Ok(()),
            false => Err(Error::unsupported(format!("version {needed} of glTF; 2.0 is supported"))),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Deserialize)]
pub struct Animation {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
}

#[derive(Debug, Deserialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub struct ChannelTarget {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub struct AnimationSampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Camera {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
pub struct Perspective {
    #[serde(rename = "aspectRatio")]
    pub aspect_ratio: Option<Num>,
    pub yfov: Num,
    pub znear: Num,
    pub zfar: Option<Num>,
}

#[derive(Debug, Deserialize)]
pub struct Orthographic {
    pub xmag: Num,
    pub ymag: Num,
    pub znear: Num,
    pub zfar: Num,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

/// KHR_lights_punctual.
#[derive(Debug, Deserialize)]
pub struct Light {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub color: Option<[Num; 3]>,
    pub intensity: Option<Num>,
    pub range: Option<Num>,
    pub spot: Option<Spot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spot {
    pub inner_cone_angle: Option<Num>,
    pub outer_cone_angle: Option<Num>,
}

/// KHR_lights_punctual on a node.
#[derive(Debug, Deserialize)]
pub struct NodeLight {
    pub light: usize,
}

#[derive(Debug, Deserialize)]
pub struct Mesh {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    pub primitives: Vec<Primitive>,
    pub weights: Option<Vec<Num>>,
}

#[derive(Debug, Deserialize)]
pub struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, usize>>,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
pub struct Node {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    #[serde(default)]
    pub children: Vec<usize>,
    pub matrix: Option<[Num; 16]>,
    pub translation: Option<[Num; 3]>,
    pub rotation: Option<[Num; 4]>,
    pub scale: Option<[Num; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub camera: Option<usize>,
    pub weights: Option<Vec<Num>>,
    #[serde(default)]
    pub extensions: Extensions,
}

/// EXT_mesh_gpu_instancing.
#[derive(Debug, Deserialize)]
pub struct Instancing {
    #[serde(default)]
    pub attributes: BTreeMap<String, usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: Option<u32>,
    pub min_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub struct Scene {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    pub inverse_bind_matrices: Option<usize>,
    pub joints: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub struct Texture {
    pub sampler: Option<usize>,
    pub source: Option<usize>,
    #[serde(default)]
    pub extensions: Extensions,
}
