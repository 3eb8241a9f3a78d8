//! From bytes to a scene: glTF 2.0 as text or GLB, with the files and URIs that it names.
//!
//! Owns everything about the encoding. Whatever is wrong with a file is an error that says where, and nothing
//! about a file makes loading take more memory than [`Limits`] allow: accessors, sparse ones too, are checked
//! against their buffers, indices against what they count, nodes for cycles, numbers for being finite.
//! What is only unknown, such as an extension that is not required, is a warning.
//!
//! What is made here rather than when drawing: strips, loops and fans become lists; triangles without
//! normals get flat ones, targets included. Vertices that no index names are dropped. Missing tangents
//! are left to whoever draws, by derivatives of the texture coordinates.

mod access;
mod animation;
mod file;
mod flat;
mod image;
mod json;
mod material;
mod mesh;
mod topology;
mod tree;

use std::path::Path;

use quadrille::{Error, Result};

use crate::model::{Panorama, Scene};
use access::Data;
use file::{Budget, Files};

/// How much a file may ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of all that is read and decoded.
    pub bytes: u64,
    /// Width and height of a picture.
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

/// Loads what is in memory. Files that it names are looked for in the folder, if there is one.
pub fn bytes(bytes: &[u8], folder: Option<&Path>, limits: &Limits) -> Result<Scene> {
    scene(bytes, folder, limits, &Budget::new(limits))
}

/// Loads a panorama: Radiance HDR, OpenEXR, PNG or JPEG.
pub fn panorama(path: &Path, limits: &Limits) -> Result<Panorama> {
    let bytes = Files::new(None, &Budget::new(limits)).given(path)?;
    panorama_bytes(&bytes, limits).map_err(|e| within(path.display(), e))
}

/// Loads a panorama that is in memory.
pub fn panorama_bytes(bytes: &[u8], limits: &Limits) -> Result<Panorama> {
    image::panorama(bytes, limits)
}

/// The same error with the place in front.
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

/// Extensions that are understood.
const KNOWN: &[&str] = &[
    "KHR_lights_punctual",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    // These do not change how a scene looks as long as nobody asks for anything else.
    "KHR_materials_variants",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp",
    "KHR_xmp_json_ld",
];

fn scene(bytes: &[u8], folder: Option<&Path>, limits: &Limits, budget: &Budget) -> Result<Scene> {
    let (text, glb) = file::parts(bytes)?;
    // A value takes some times the room of its text.
    budget.take((text.len() as u64).saturating_mul(8))?;
    let root = json::Root::parse(text)?;
    let unknown = |name: &&String| !KNOWN.contains(&name.as_str());
    if let Some(name) = root.extensions_required.iter().find(unknown) {
        return Err(Error::unsupported(format!("{name}, an extension that the scene requires")));
    }
    let mut warnings = Vec::new();
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

/// What all parts of loading use.
struct Loader<'a> {
    root: &'a json::Root,
    data: &'a Data<'a>,
    files: &'a Files<'a>,
    limits: &'a Limits,
    warnings: Vec<String>,
}

impl Loader<'_> {
    fn warn(&mut self, text: impl Into<String>) {
        // A file may give reason for very many.
        if self.warnings.len() < 1000 {
            self.warnings.push(text.into());
        }
    }
}
