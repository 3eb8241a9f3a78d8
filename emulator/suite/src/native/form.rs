//! The tables and keys of a test file.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::{Spanned, Value};

/// Settings that all tests of a file share; each test may override them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    pub shader: Option<Spanned<String>>,
    pub entry: Option<String>,
    #[serde(default)]
    pub define: BTreeMap<String, Value>,
    #[serde(default)]
    pub include: Vec<String>,
    #[serde(default)]
    pub constants: BTreeMap<String, f64>,
    #[serde(default)]
    pub spec: BTreeMap<Spanned<String>, Value>,
    pub timeout: Option<f64>,
    #[serde(default)]
    pub test: Vec<Spanned<Test>>,
}

/// A table `[[test]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Test {
    pub name: Option<String>,
    pub shader: Option<Spanned<String>>,
    pub entry: Option<String>,
    #[serde(default)]
    pub define: BTreeMap<String, Value>,
    #[serde(default)]
    pub constants: BTreeMap<String, f64>,
    #[serde(default)]
    pub spec: BTreeMap<Spanned<String>, Value>,
    pub timeout: Option<f64>,
    pub skip: Option<String>,

    pub dispatch: Option<Spanned<Vec<u32>>>,
    pub global: Option<Spanned<Vec<u32>>>,
    pub local: Option<Spanned<Vec<u32>>>,
    pub offset: Option<Spanned<Vec<u32>>>,
    #[serde(default)]
    pub args: Vec<Spanned<Argument>>,
    pub launch: Option<Spanned<Vec<u32>>>,
    pub draw: Option<Spanned<String>>,
    pub render: Option<Spanned<String>>,

    #[serde(default)]
    pub bind: BTreeMap<Spanned<String>, Spanned<Bound>>,
    #[serde(default)]
    pub sampler: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub push: Vec<Spanned<String>>,
    pub lanes: Option<u32>,

    pub vertex: Option<Spanned<Stage>>,
    pub tessellation_control: Option<Spanned<Stage>>,
    pub tessellation_evaluation: Option<Spanned<Stage>>,
    pub geometry: Option<Spanned<Stage>>,
    pub task: Option<Spanned<Stage>>,
    pub mesh: Option<Spanned<Stage>>,
    pub workgroups: Option<Spanned<Vec<u32>>>,
    pub patch: Option<u32>,

    #[serde(default)]
    pub shaders: Vec<Spanned<String>>,
    #[serde(default)]
    pub group: Vec<Spanned<String>>,
    pub recursion: Option<Spanned<u32>>,

    pub vertices: Option<u32>,
    pub instances: Option<u32>,
    #[serde(default)]
    pub attribute: BTreeMap<Spanned<String>, Spanned<Attribute>>,
    pub indices: Option<Spanned<String>>,
    pub topology: Option<Spanned<String>>,
    pub restart: Option<bool>,

    pub cull: Option<Spanned<String>>,
    pub front_face: Option<Spanned<String>>,
    pub polygon: Option<Spanned<String>>,
    pub depth: Option<Spanned<Depth>>,
    pub stencil: Option<Spanned<Stencil>>,
    pub samples: Option<u32>,

    pub target: Option<Spanned<String>>,
    pub clear: Option<[f32; 4]>,
    pub blend: Option<Spanned<Blend>>,
    #[serde(default)]
    pub attachment: Vec<Spanned<Attachment>>,

    pub origin: Option<Spanned<String>>,
    pub time: Option<f64>,
    pub frame: Option<i32>,
    pub mouse: Option<Vec<f32>>,
    #[serde(default)]
    pub uniform: BTreeMap<String, Value>,
    #[serde(default)]
    pub texture: BTreeMap<String, Spanned<String>>,

    #[serde(default)]
    pub expect: BTreeMap<Spanned<String>, Spanned<Expected>>,
    pub golden: Option<Spanned<Golden>>,
    pub printed: Option<Spanned<Vec<String>>>,
    pub error: Option<Spanned<String>>,
}

/// An argument of a kernel: `TYPE:VALUES`, `zeros:BYTES`, a file, `local:BYTES`, or numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected TYPE:VALUES, zeros:BYTES, local:BYTES, a file, a number or a list of numbers"
)]
pub enum Argument {
    Text(String),
    Int(i64),
    Float(f64),
    Numbers(Vec<Value>),
}

/// Contents of a binding: `TYPE:VALUES`, `zeros:BYTES`, `triangles:NUMBERS`, a file, or an image.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected TYPE:VALUES, zeros:BYTES, triangles:NUMBERS, a file, or { format, size, dim, layers, levels, samples, texels }"
)]
pub enum Bound {
    Text(String),
    Image(Image),
}

/// An image with its texels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Image {
    pub format: Option<String>,
    #[serde(default)]
    pub size: Vec<u32>,
    pub dim: Option<String>,
    pub layers: Option<u32>,
    pub levels: Option<u32>,
    pub samples: Option<u32>,
    pub texels: Option<Texels>,
}

/// `TYPE:VALUES`, a file, or a list of these for layers and levels.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected TYPE:VALUES, a file, or a list of them")]
pub enum Texels {
    One(String),
    Many(Vec<String>),
}

/// A stage besides the one under test.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a file, or { shader, entry }")]
pub enum Stage {
    File(String),
    Entry(StageEntry),
}

/// A file with several entry points for the stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageEntry {
    pub shader: String,
    pub entry: Option<String>,
}

/// Values of a vertex attribute, per vertex or per instance.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attribute {
    pub format: String,
    pub values: String,
    pub stride: Option<u32>,
    #[serde(default)]
    pub offset: u32,
    #[serde(default)]
    pub per_instance: bool,
}

/// A colour attachment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attachment {
    pub format: Option<Spanned<String>>,
    pub clear: Option<[f32; 4]>,
    pub blend: Option<Spanned<Blend>>,
}

/// `alpha`, `premultiplied`, `add`, `multiply`, `none`, or all equations.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected alpha, premultiplied, add, multiply, none, or { src, dst, op, src-alpha, dst-alpha, op-alpha, write }"
)]
pub enum Blend {
    Name(String),
    Equations(Equations),
}

/// Factors and operations; those of alpha default to those of colour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Equations {
    pub src: Option<String>,
    pub dst: Option<String>,
    pub op: Option<String>,
    pub src_alpha: Option<String>,
    pub dst_alpha: Option<String>,
    pub op_alpha: Option<String>,
    /// Components to write.
    pub write: Option<String>,
}

/// The depth attachment and its test.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Depth {
    pub format: Option<String>,
    pub clear: Option<f32>,
    pub test: Option<String>,
    pub write: Option<bool>,
    /// Constant factor, clamp and slope factor.
    pub bias: Option<[f32; 3]>,
    pub clamp: Option<bool>,
    pub bounds: Option<[f32; 2]>,
}

/// The stencil attachment and its test.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stencil {
    pub format: Option<String>,
    pub clear: Option<u8>,
    #[serde(default)]
    pub front: Face,
    /// Defaults to `front`.
    pub back: Option<Face>,
}

/// The stencil test of a face.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Face {
    pub test: Option<String>,
    pub pass: Option<String>,
    pub fail: Option<String>,
    pub depth_fail: Option<String>,
    pub reference: Option<u8>,
    pub compare_mask: Option<u8>,
    pub write_mask: Option<u8>,
}

/// Expected contents of a buffer or an image.
#[derive(Clone, Debug)]
pub enum Expected {
    Text(String),
    Values(Values),
    Block(Block),
    Picture(Golden),
}

/// Values, optionally from an element on, and the allowed difference.
#[derive(Clone, Debug)]
pub struct Values {
    pub values: String,
    pub first: Option<usize>,
    pub tolerance: Option<f64>,
    pub relative: Option<f64>,
}

/// Members of the shader's block by name; only the given ones are compared.
#[derive(Clone, Debug)]
pub struct Block {
    pub members: Value,
}

/// The form of the value decides, so that mistakes in a table are named.
impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Expected, D::Error> {
        from.deserialize_any(Expectations)
    }
}

struct Expectations;

impl<'de> Visitor<'de> for Expectations {
    type Value = Expected;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TYPE:VALUES, a picture, or a table with values, members or picture")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Expected, E> {
        Ok(Expected::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expected, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map))?.expected().map_err(Error::custom)
    }
}

/// All keys of tables of expected contents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    values: Option<String>,
    members: Option<Value>,
    picture: Option<String>,
    first: Option<usize>,
    tolerance: Option<f64>,
    relative: Option<f64>,
    component: Option<u8>,
    pixels: Option<usize>,
    flip: Option<f32>,
}

impl Table {
    /// The contents, unless keys do not go together.
    fn expected(self) -> Result<Expected, String> {
        let Table { values, members, picture, first, tolerance, relative, component, pixels, flip } = self;
        let within = ("tolerance", tolerance.is_some());
        let of_values = [("first", first.is_some()), ("relative", relative.is_some())];
        let of_pictures =
            [("component", component.is_some()), ("pixels", pixels.is_some()), ("flip", flip.is_some())];
        let refuse = |keys: &[(&str, bool)], of: &str| match keys.iter().find(|(_, given)| *given) {
            Some((key, _)) => Err(format!("`{key}` does not belong to `{of}`")),
            None => Ok(()),
        };
        match (values, members, picture) {
            (Some(values), None, None) => {
                refuse(&of_pictures, "values")?;
                Ok(Expected::Values(Values { values, first, tolerance, relative }))
            }
            (None, Some(members), None) => {
                refuse(&[&[within], &of_values[..], &of_pictures].concat(), "members")?;
                Ok(Expected::Block(Block { members }))
            }
            (None, None, Some(picture)) => {
                refuse(&of_values, "picture")?;
                let tolerance = tolerance.map(|most| most as f32);
                let within = Within { picture, component, pixels, flip, tolerance };
                Ok(Expected::Picture(Golden::Within(within)))
            }
            _ => Err("a table has one of `values`, `members` and `picture`".into()),
        }
    }
}

/// A golden: a file, and the allowed difference.
#[derive(Clone, Debug)]
pub enum Golden {
    File(String),
    Within(Within),
}

/// The form of the value decides, so that mistakes in a table are named.
impl<'de> Deserialize<'de> for Golden {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Golden, D::Error> {
        from.deserialize_any(Goldens)
    }
}

struct Goldens;

impl<'de> Visitor<'de> for Goldens {
    type Value = Golden;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file, or a table of a picture and the allowed difference")
    }

    fn visit_str<E: Error>(self, file: &str) -> Result<Golden, E> {
        Ok(Golden::File(file.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Golden, A::Error> {
        Within::deserialize(MapAccessDeserializer::new(map)).map(Golden::Within)
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Within {
    pub picture: String,
    pub component: Option<u8>,
    pub pixels: Option<usize>,
    pub flip: Option<f32>,
    pub tolerance: Option<f32>,
}
