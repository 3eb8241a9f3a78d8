//! From bytes to a scene: loads glTF 2.0 as text or GLB, with the files and URIs that it names.
//!
//! Owns everything about the encoding. Every fault of a file is an error that names the place. Loading never takes more
//! memory than [`Limits`] allow: accessors, including sparse ones, are checked against their buffers, indices against
//! the number of elements, nodes for cycles, and numbers for being finite. Unknown parts, such as extensions that are
//! not required, only cause warnings.
//!
//! Compressed data become plain ones: Draco by crate `draco-core`, Basis Universal by crate `basisu`, WebP by crate
//! `image`, and the streams of meshoptimizer by [`meshopt`]. A panic of these crates is an error of the file.
//!
//! A node with several parents and a GLB chunk without padding, which the specification forbids, only cause warnings,
//! too, as in other loaders.
//!
//! Some conversions happen here and not while drawing: strips, loops and fans become lists, and triangles without
//! normals get flat ones, including their targets. Vertices without an index are dropped. Missing tangents are left to
//! the drawing code, which uses derivatives of the texture coordinates.

mod access;
mod animation;
mod draco;
mod file;
mod flat;
mod image;
mod instances;
mod json;
mod ktx;
mod material;
mod mesh;
mod meshopt;
mod parents;
mod picture;
mod topology;
mod tree;
mod value;

use std::path::Path;

use quadrille::{Error, Result};

use crate::model::{Panorama, Scene};
use access::Data;
use file::{Budget, Files};

/// Limits for the contents of a file.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of bytes that are read and decoded in total, including vertices and morph targets as they are drawn.
    pub bytes: u64,
    /// Maximum width and height of a picture.
    pub image_dimension: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 4 << 30, image_dimension: quadrille::LIMITS.max_image_dimension_2d }
    }
}

/// Loads a `.gltf` or `.glb` file.
pub fn file(path: &Path, limits: &Limits) -> Result<Scene> {
    let budget = Budget::new(limits);
    let bytes = Files::new(None, &budget).given(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    scene(&bytes, Some(folder), limits, &budget)
}

/// Loads a scene from memory. Files that it names are read from the folder, if there is one.
pub fn bytes(bytes: &[u8], folder: Option<&Path>, limits: &Limits) -> Result<Scene> {
    scene(bytes, folder, limits, &Budget::new(limits))
}

/// Loads a panorama: Radiance HDR, OpenEXR, PNG or JPEG.
pub fn panorama(path: &Path, limits: &Limits) -> Result<Panorama> {
    let bytes = Files::new(None, &Budget::new(limits)).given(path)?;
    panorama_bytes(&bytes, limits).map_err(|e| within(path.display(), e))
}

/// Loads a panorama from memory.
pub fn panorama_bytes(bytes: &[u8], limits: &Limits) -> Result<Panorama> {
    image::panorama(bytes, limits)
}

/// Prepends the place to an error.
fn within(place: impl std::fmt::Display, error: Error) -> Error {
    match error {
        Error::Invalid { message, place: at } => {
            Error::Invalid { message: format!("{place}: {message}"), place: at }
        }
        Error::Unsupported { what, place: at } => {
            Error::Unsupported { what: format!("{place}: {what}"), place: at }
        }
        Error::Limit(what) => Error::Limit(format!("{place}: {what}")),
        other => other,
    }
}

/// Supported extensions.
const KNOWN: &[&str] = &[
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    // These do not change the look of a scene without further requests.
    "KHR_materials_variants",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp",
    "KHR_xmp_json_ld",
];

fn scene(bytes: &[u8], folder: Option<&Path>, limits: &Limits, budget: &Budget) -> Result<Scene> {
    let file::Parts { json: text, data: glb, unpadded } = file::parts(bytes)?;
    // A parsed value takes a multiple of the memory of its text.
    budget.take((text.len() as u64).saturating_mul(8))?;
    let root = json::Root::parse(text)?;
    let unknown = |name: &&String| !KNOWN.contains(&name.as_str());
    if let Some(name) = root.extensions_required.iter().find(unknown) {
        return Err(Error::unsupported(format!("{name}, an extension that the scene requires")));
    }
    let mut warnings = Vec::new();
    if unpadded {
        warnings.push("GLB: the length of a chunk is not a multiple of 4".to_owned());
    }
    for name in root.extensions_used.iter().filter(unknown) {
        warnings.push(format!("extension {name} is ignored"));
    }
    let files = Files::new(folder, budget);
    let data = Data::new(&root, &files, glb, budget);
    let mut loader = Loader { root: &root, data: &data, files: &files, limits, warnings };

    let (materials, pictures) = material::materials(&mut loader)?;
    let meshes = mesh::meshes(&mut loader, materials.len() - 1)?;
    let mut scene = tree::scene(&mut loader, &meshes)?;
    scene.animations = animation::animations(&mut loader, &mut scene.nodes, &meshes)?;
    scene.meshes = meshes;
    scene.materials = materials;
    scene.textures = pictures.textures;
    scene.images = pictures.images;
    scene.samplers = pictures.samplers;
    let mut seen = std::collections::BTreeSet::new();
    loader.warnings.retain(|w| seen.insert(w.clone()));
    scene.warnings = loader.warnings;
    Ok(scene)
}

/// State that all parts of loading share.
struct Loader<'a> {
    root: &'a json::Root,
    data: &'a Data<'a>,
    files: &'a Files<'a>,
    limits: &'a Limits,
    warnings: Vec<String>,
}

impl Loader<'_> {
    fn warn(&mut self, text: impl Into<String>) {
        // A file could cause very many warnings.
        if self.warnings.len() < 1000 {
            self.warnings.push(text.into());
        }
    }
}
