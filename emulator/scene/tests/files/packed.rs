//! Compressed data: files of the reference encoders, and a mesh that is compressed here.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
};
use serde_json::json;

use super::{F32, File, U16};

pub const ATTRIBUTES: [&[u8]; 2] =
    [include_bytes!("../compressed/attributes_0.bin"), include_bytes!("../compressed/attributes_1.bin")];
pub const TRIANGLES: &[u8] = include_bytes!("../compressed/triangles.bin");
pub const INDICES: &[u8] = include_bytes!("../compressed/indices.bin");
pub const ETC1S: &[u8] = include_bytes!("../compressed/etc1s.ktx2");
pub const UASTC: &[u8] = include_bytes!("../compressed/uastc.ktx2");

/// The grid of [`draco`] by the reference encoder, fast and small.
pub const DRACO: [&[u8]; 2] =
    [include_bytes!("../compressed/level_1.drc"), include_bytes!("../compressed/level_10.drc")];

/// Number of elements of `ATTRIBUTES` and `INDICES`, and of indices of `TRIANGLES`.
pub const COUNT: usize = 300;
pub const CORNERS: usize = 9 * 9 * 6;

/// Element `i` of `ATTRIBUTES`.
pub fn element(i: u32) -> [u16; 4] {
    [i, 7 * i, i.wrapping_mul(i), 65535 - i].map(|v| v as u16)
}

/// Replaces the data of a view by a compressed stream. The buffer of the view has no data.
pub fn pack(
    file: &mut File,
    view: usize,
    stream: &[u8],
    count: usize,
    stride: usize,
    mode: &str,
    filter: &str,
) {
    let packed = file.view(stream);
    let place = file.json["bufferViews"][packed].clone();
    let extension = json!({
        "buffer": 0, "byteOffset": place["byteOffset"], "byteLength": place["byteLength"],
        "byteStride": stride, "count": count, "mode": mode, "filter": filter,
    });
    let view_of = json!({
        "buffer": 1, "byteLength": count * stride, "extensions": { "EXT_meshopt_compression": extension },
    });
    file.set(&format!("/bufferViews/{view}"), view_of);
}

/// Gives a file with a packed view its buffers.
pub fn buffers(file: &mut File) {
    let fallback = json!({ "EXT_meshopt_compression": { "fallback": true } });
    let length = file.data.len();
    file.set(
        "/buffers",
        json!([{ "byteLength": length }, { "byteLength": 1 << 20, "extensions": fallback }]),
    );
}

/// Triangles of a grid, whose vertices and indices are compressed by meshoptimizer's codecs.
pub fn meshopt(version: usize) -> File {
    let mut file = File::new();
    let positions = file.accessor(U16, "VEC3", COUNT, &[0]);
    pack(&mut file, 0, ATTRIBUTES[version], COUNT, 8, "ATTRIBUTES", "NONE");
    file.set("/bufferViews/0/byteStride", json!(8));
    let indices = file.accessor(U16, "SCALAR", CORNERS, &[0]);
    let view = file.json["accessors"][indices]["bufferView"].as_u64().unwrap() as usize;
    pack(&mut file, view, TRIANGLES, CORNERS, 2, "TRIANGLES", "NONE");
    let primitive = json!({ "attributes": { "POSITION": positions }, "indices": indices });
    file.push("meshes", json!({ "primitives": [primitive] }));
    file.push("nodes", json!({ "mesh": 0 }));
    file.push("scenes", json!({ "nodes": [0] }));
    buffers(&mut file);
    file
}

/// A grid of points as Draco's bytes: positions x, y and x * y / 8, texture coordinates x / 8, y / 8.
pub fn draco_bytes(method: i32) -> Vec<u8> {
    const SIDE: u32 = 9;
    let count = (SIDE * SIDE) as usize;
    let attribute = |kind, components: u8, of: &dyn Fn(u32, u32) -> Vec<f32>| {
        let mut attribute = PointAttribute::new();
        attribute.init(kind, components, DataType::Float32, false, count);
        let bytes: Vec<u8> =
            (0..SIDE * SIDE).flat_map(|i| of(i % SIDE, i / SIDE)).flat_map(f32::to_le_bytes).collect();
        attribute.buffer_mut().write(0, &bytes);
        attribute
    };
    let mut mesh = Mesh::new();
    mesh.set_num_points(count);
    mesh.add_attribute(attribute(GeometryAttributeType::Position, 3, &|x, y| {
        vec![x as f32, y as f32, (x * y) as f32 / 8.0]
    }));
    mesh.add_attribute(attribute(GeometryAttributeType::TexCoord, 2, &|x, y| {
        vec![x as f32 / 8.0, y as f32 / 8.0]
    }));
    for y in 0..SIDE - 1 {
        for x in 0..SIDE - 1 {
            let a = y * SIDE + x;
            for face in [[a, a + 1, a + SIDE], [a + SIDE, a + 1, a + SIDE + 1]] {
                mesh.add_face(face.map(draco_core::PointIndex));
            }
        }
    }
    let mut options = EncoderOptions::new();
    options.set_encoding_method(method);
    options.set_attribute_quantization(0, 16);
    options.set_attribute_quantization(1, 12);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    out.data().to_vec()
}

/// The grid in a file.
pub fn draco(method: i32) -> File {
    draco_file(&draco_bytes(method), 0)
}

/// A file with the compressed grid, whose attribute of this number are the positions.
pub fn draco_file(bytes: &[u8], positions: u32) -> File {
    let (mut file, number) = (File::new(), positions);
    let view = file.view(bytes);
    let accessor = |kind: &str, component: u32, count: usize| json!({ "componentType": component, "type": kind, "count": count });
    let positions = file.push("accessors", accessor("VEC3", F32, 81));
    let coordinates = file.push("accessors", accessor("VEC2", F32, 81));
    let indices = file.push("accessors", accessor("SCALAR", U16, 8 * 8 * 6));
    let packed =
        json!({ "bufferView": view, "attributes": { "POSITION": number, "TEXCOORD_0": 1 - number } });
    let primitive = json!({
        "attributes": { "POSITION": positions, "TEXCOORD_0": coordinates }, "indices": indices,
        "extensions": { "KHR_draco_mesh_compression": packed },
    });
    file.push("meshes", json!({ "primitives": [primitive] }));
    file.push("nodes", json!({ "mesh": 0 }));
    file.push("scenes", json!({ "nodes": [0] }));
    file
}

/// The picture of the reference files as lossless WebP.
pub fn webp() -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(16, 12, |x, y| image::Rgba(color(x, y)));
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, image::ImageFormat::WebP).unwrap();
    out.into_inner()
}

/// Colour of the picture of the reference files.
pub fn color(x: u32, y: u32) -> [u8; 4] {
    match (x < 8, y < 6) {
        (true, true) => [255, 0, 0, 255],
        (false, true) => [0, 255, 0, 255],
        (true, false) => [0, 0, 255, 255],
        (false, false) => [255, 255, 255, 128],
    }
}
