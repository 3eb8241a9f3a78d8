//! The JSON of extensions for compressed data: meshes, buffer views, textures.

use std::collections::BTreeMap;

use serde::Deserialize;

/// EXT_meshopt_compression and KHR_meshopt_compression of a buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshoptView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    pub filter: Option<String>,
}

/// KHR_draco_mesh_compression of a primitive.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DracoPrimitive {
    pub buffer_view: usize,
    pub attributes: BTreeMap<String, u32>,
}

/// KHR_texture_basisu and EXT_texture_webp of a texture.
#[derive(Debug, Deserialize)]
pub struct OtherSource {
    pub source: Option<usize>,
}
