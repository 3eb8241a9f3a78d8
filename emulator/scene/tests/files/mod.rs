//! glTF files in memory, for tests of loading.

#![allow(dead_code, reason = "no test uses all of these helpers")]

pub mod packed;

use quadrille_scene::Result;
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::Scene;
use serde_json::{Value, json};

pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// The JSON and the data of its only buffer.
#[derive(Clone, Debug)]
pub struct File {
    pub json: Value,
    pub data: Vec<u8>,
}

/// Floats as bytes.
pub fn floats(list: &[f32]) -> Vec<u8> {
    list.iter().flat_map(|f| f.to_le_bytes()).collect()
}

/// 16-bit integers as bytes.
pub fn shorts(list: &[u16]) -> Vec<u8> {
    list.iter().flat_map(|s| s.to_le_bytes()).collect()
}

impl File {
    /// A file without any objects.
    pub fn new() -> File {
        File { json: json!({ "asset": { "version": "2.0" } }), data: Vec::new() }
    }

    /// A triangle in the xy plane, drawn by one node.
    pub fn triangle() -> File {
        let mut file = File::new();
        let positions =
            file.accessor(F32, "VEC3", 3, &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
        file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
        file.push("nodes", json!({ "mesh": 0 }));
        file.push("scenes", json!({ "nodes": [0] }));
        file
    }

    /// Appends to a top-level list and returns the index.
    pub fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json.as_object_mut().unwrap().entry(list).or_insert(json!([]));
        let list = list.as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    /// Appends data to the buffer and returns a new view of them.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let from = self.data.len();
        self.data.extend(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": from, "byteLength": bytes.len() }))
    }

    /// Appends data to the buffer and returns a new accessor of them.
    pub fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        self.push("accessors", accessor)
    }

    /// Sets the value at a JSON pointer.
    pub fn set(&mut self, pointer: &str, value: Value) -> &mut File {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match self.json.pointer_mut(parent).unwrap_or_else(|| panic!("{parent} is not there")) {
            Value::Object(map) => {
                map.insert(name.to_owned(), value);
            }
            Value::Array(list) => list[name.parse::<usize>().unwrap()] = value,
            other => panic!("{pointer}: {other}"),
        }
        self
    }

    /// Gives the first primitive an attribute.
    pub fn attribute(&mut self, name: &str, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let accessor = self.accessor(component, kind, count, bytes);
        self.set(&format!("/meshes/0/primitives/0/attributes/{name}"), json!(accessor));
        accessor
    }

    /// The file as GLB.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() && !self.data.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.data.len() }]);
        }
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut data = self.data.clone();
        data.resize(data.len().next_multiple_of(4), 0);
        let mut out = b"glTF\x02\0\0\0".to_vec();
        out.extend((12 + 8 + text.len() as u32 + 8 + data.len() as u32).to_le_bytes());
        for (kind, bytes) in [(b"JSON", &text), (b"BIN\0", &data)] {
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(bytes);
        }
        out
    }

    pub fn load(&self) -> Result<Scene> {
        load::bytes(&self.glb(), None, &Limits::default())
    }
}

/// A PNG of this size in one colour.
pub fn png(width: u32, height: u32, color: [u8; 4]) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_pixel(width, height, image::Rgba(color));
    picture.write_to(&mut out, image::ImageFormat::Png).unwrap();
    out.into_inner()
}

/// Bytes as a data URI.
pub fn data_uri(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("data:application/octet-stream;base64,");
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for i in 0..4 {
            let digit = digits[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}
