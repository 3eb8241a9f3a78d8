//! What a file of tests says: its tables and keys.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

/// What all tests of a file share, and each may have its own of.
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
    pub draw: Option<Spanned<String>>,
    pub render: Option<Spanned<String>>,

    #[serde(default)]
    pub bind: BTreeMap<Spanned<String>, Spanned<Bound>>,
    #[serde(default)]
    pub sampler: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub push: Vec<Spanned<String>>,
    pub lanes: Option<u32>,

    pub vertex: Option<Spanned<String>>,
    pub vertices: Option<u32>,
    pub topology: Option<Spanned<String>>,
    pub target: Option<Spanned<String>>,
    pub clear: Option<[f32; 4]>,
    pub samples: Option<u32>,

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

/// What a binding holds: `TYPE:VALUES`, `zeros:BYTES`, a file, or an image.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected TYPE:VALUES, zeros:BYTES, a file, or { format, size, texels }")]
pub enum Bound {
    Text(String),
    Image(Image),
}

/// An image by its texels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Image {
    pub format: String,
    pub size: Vec<u32>,
    pub dim: Option<String>,
    pub layers: Option<u32>,
    pub levels: Option<u32>,
    pub samples: Option<u32>,
    pub texels: Option<String>,
}

/// What a buffer or an image holds afterwards.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected TYPE:VALUES, a picture, or a table with values, members or picture")]
pub enum Expected {
    Text(String),
    Values(Values),
    Block(Block),
    Picture(Golden),
}

/// Values from an element on, and how far they may be off.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Values {
    pub values: String,
    pub first: Option<usize>,
    pub tolerance: Option<f64>,
    pub relative: Option<f64>,
}

/// Members of the shader's block by name: those that are given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Block {
    pub members: Value,
}

/// A golden: a file, and how far pictures may be from it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a file, or { picture, component, pixels } or { picture, flip }")]
pub enum Golden {
    File(String),
    Within(Within),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Within {
    pub picture: String,
    pub component: Option<u8>,
    pub pixels: Option<usize>,
    pub flip: Option<f32>,
}
