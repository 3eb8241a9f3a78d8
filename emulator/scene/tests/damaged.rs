//! Randomly damaged files: each causes an error that says whose fault it is, or a scene that can be drawn.
//!
//! `QUADRILLE_TEST_ROUNDS` is the number of damaged versions of each file. The damage depends only on the indices of
//! the file and of the round.

mod files;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use files::packed;
use files::{F32, File, U8, U16, data_uri, floats, png, shorts};
use quadrille::{Device, DeviceOptions};
use quadrille_scene::animate::{self, Play};
use quadrille_scene::draw::{Environment, Options, Renderer};
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::Scene;
use quadrille_scene::{Error, Result};
use serde_json::{Value, json};

/// A longer time is a hang, not a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

const LIMITS: Limits = Limits { bytes: 32 << 20, image_dimension: 2048 };

fn rounds(default: u64) -> u64 {
    quadrille::env::TEST_ROUNDS.get().map_or(default, u64::from)
}

/// A random number generator. Steele, Lea, Flood: "Fast splittable pseudorandom number generators".
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

fn jpeg() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(24, 16, |x, y| image::Rgb([x as u8 * 10, y as u8 * 15, 128]));
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, image::ImageFormat::Jpeg).unwrap();
    out.into_inner()
}

/// A small file with everything that a file can contain.
fn all() -> File {
    let mut file = File::triangle();
    file.attribute("NORMAL", F32, "VEC3", 3, &floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
    file.attribute(
        "TANGENT",
        F32,
        "VEC4",
        3,
        &floats(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]),
    );
    file.attribute("TEXCOORD_0", U16, "VEC2", 3, &shorts(&[0, 0, 1, 0, 0, 1]));
    file.attribute("COLOR_0", F32, "VEC3", 3, &floats(&[0.5; 9]));
    file.attribute("JOINTS_0", U8, "VEC4", 3, &[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    file.attribute(
        "WEIGHTS_0",
        F32,
        "VEC4",
        3,
        &floats(&[0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
    );
    let indices = file.accessor(U8, "SCALAR", 4, &[0, 1, 2, 0]);
    let (at, values) = (file.view(&[1]), file.view(&floats(&[0.0, 0.0, 2.0])));
    let sparse = json!({
        "componentType": F32, "type": "VEC3", "count": 3,
        "sparse": {
            "count": 1, "indices": { "bufferView": at, "componentType": U8 }, "values": { "bufferView": values },
        },
    });
    let target = file.push("accessors", sparse);
    file.set("/meshes/0/primitives/0/indices", json!(indices));
    file.set("/meshes/0/primitives/0/mode", json!(5));
    file.set("/meshes/0/primitives/0/material", json!(0));
    file.set("/meshes/0/primitives/0/targets", json!([{ "POSITION": target, "NORMAL": target }]));
    file.set("/meshes/0/weights", json!([0.5]));
    let bind =
        floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0].repeat(2));
    let bind = file.accessor(F32, "MAT4", 2, &bind);
    file.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": bind, "skeleton": 1 }));
    file.set("/nodes/0/skin", json!(0));
    file.push("nodes", json!({ "children": [2, 3], "translation": [0, 0, 1] }));
    file.push("nodes", json!({ "rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 1] }));
    let light = json!({ "KHR_lights_punctual": { "light": 0 } });
    file.push("nodes", json!({ "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1], "camera": 0, "extensions": light }));
    file.set("/scenes/0/nodes", json!([0, 1]));
    file.set("/scene", json!(0));
    let instancing = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": target } } });
    file.push("nodes", json!({ "mesh": 0, "extensions": instancing }));
    file.set("/scenes/0/nodes", json!([0, 1, 4]));
    file.push(
        "cameras",
        json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1, "zfar": 100 } }),
    );
    file.set("/extensions", json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "intensity": 20, "range": 30, "spot": { "outerConeAngle": 0.7 } }] } }));
    let input = file.accessor(F32, "SCALAR", 2, &floats(&[0.0, 1.0]));
    let turn = file.accessor(F32, "VEC4", 6, &floats(&[0.0, 0.0, 0.0, 1.0].repeat(6)));
    let weights = file.accessor(F32, "SCALAR", 2, &floats(&[0.0, 1.0]));
    file.push(
        "animations",
        json!({
            "samplers": [
                { "input": input, "output": turn, "interpolation": "CUBICSPLINE" }, { "input": input, "output": weights },
            ],
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "rotation" } },
                { "sampler": 1, "target": { "node": 0, "path": "weights" } },
            ],
        }),
    );
    let (png, jpeg) = (file.view(&png(5, 3, [200, 100, 50, 128])), file.view(&jpeg()));
    file.push("images", json!({ "bufferView": png, "mimeType": "image/png" }));
    file.push("images", json!({ "bufferView": jpeg, "mimeType": "image/jpeg" }));
    file.push("samplers", json!({ "minFilter": 9987, "wrapS": 33071 }));
    file.push("textures", json!({ "source": 0, "sampler": 0 }));
    file.push("textures", json!({ "source": 1 }));
    let moved = json!({ "KHR_texture_transform": { "offset": [0, 1], "rotation": 1, "scale": [0.5, 2] } });
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "extensions": moved }, "metallicFactor": 0.5 },
            "normalTexture": { "index": 1, "scale": 0.5 },
            "alphaMode": "MASK", "doubleSided": true,
            "extensions": {
                "KHR_materials_clearcoat": { "clearcoatFactor": 1, "clearcoatTexture": { "index": 1 } },
                "KHR_materials_sheen": { "sheenColorFactor": [1, 1, 1], "sheenRoughnessFactor": 0.5 },
                "KHR_materials_transmission": { "transmissionFactor": 0.5 },
                "KHR_materials_volume": { "thicknessFactor": 1, "attenuationDistance": 2 },
                "KHR_materials_ior": { "ior": 1.4 },
                "KHR_materials_iridescence": { "iridescenceFactor": 1, "iridescenceTexture": { "index": 1 } },
                "KHR_materials_anisotropy": { "anisotropyStrength": 0.5, "anisotropyTexture": { "index": 1 } },
                "KHR_materials_dispersion": { "dispersion": 0.5 },
            },
        }),
    );
    file
}

/// The file as text, with its data in a URI.
fn text(mut file: File) -> Vec<u8> {
    file.json["buffers"] = json!([{ "byteLength": file.data.len(), "uri": data_uri(&file.data) }]);
    file.json.to_string().into_bytes()
}

/// Collects JSON pointers to all values.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), out)),
        Value::Object(map) => map.iter().for_each(|(k, v)| places(v, &format!("{at}/{k}"), out)),
        _ => {}
    }
}

/// Number of changes: mostly one, so that many damaged files still load.
fn changes(random: &mut Random) -> usize {
    if random.below(3) > 0 { 1 } else { 2 + random.below(5) }
}

/// Damages the values of the JSON.
fn damage_json(file: &mut File, random: &mut Random) {
    for _ in 0..changes(random) {
        let mut all = Vec::new();
        places(&file.json, "", &mut all);
        // Half of the time, the change replaces a number by another number.
        let numbers = random.below(2) == 0;
        if numbers {
            all.retain(|place| file.json.pointer(place).is_some_and(Value::is_number));
        }
        let skip = usize::from(!numbers);
        let Some(at) = all.get(skip + random.below(all.len().saturating_sub(skip))).cloned() else {
            continue;
        };
        let huge =
            [json!(1u64 << 32), json!(u64::MAX), json!(i64::MIN), json!(1e38), json!(1e300), json!(-1)];
        let small = [json!(0), json!(1), json!(2), json!(3), json!(7), json!(0.5), json!(-0.5), json!(1e-38)];
        let odd =
            [json!(null), json!(true), json!(""), json!("x"), json!([]), json!({}), json!([0]), json!([[]])];
        let place = file.json.pointer_mut(&at).unwrap();
        match if numbers { 2 * random.below(2) } else { random.below(6) } {
            0 => *place = random.of(&huge).clone(),
            1 => *place = random.of(&odd).clone(),
            2 | 3 => *place = random.of(&small).clone(),
            4 => {
                let (parent, name) = at.rsplit_once('/').unwrap();
                match file.json.pointer_mut(parent).unwrap() {
                    Value::Object(map) => drop(map.remove(name)),
                    Value::Array(list) => drop(list.remove(name.parse().unwrap())),
                    _ => {}
                }
            }
            _ => {
                let other: &String = random.of(&all[1..]);
                let other = file.json.pointer(other).unwrap().clone();
                *file.json.pointer_mut(&at).unwrap() = other;
            }
        }
    }
}

/// Damages bytes: flips bits, inserts meaningful words, changes the length.
fn damage_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..changes(random) {
        let at = random.below(bytes.len());
        match random.below(9) {
            0..4 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            4 if at < bytes.len() => bytes[at] = random.next() as u8,
            5 => {
                let words = [
                    f32::NAN.to_bits(),
                    f32::INFINITY.to_bits(),
                    f32::MAX.to_bits(),
                    0,
                    u32::MAX,
                    0x7fff_ffff,
                ];
                let word = random.of(&words).to_le_bytes();
                for (to, from) in bytes[at..].iter_mut().zip(word) {
                    *to = from;
                }
            }
            6 => bytes.truncate(at),
            7 => {
                let part: Vec<u8> = bytes[at..].iter().take(random.below(40)).copied().collect();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            _ => {
                let to = bytes.len().min(at + random.below(40));
                bytes.drain(at..to);
            }
        }
    }
}

/// Outcomes of the files.
#[derive(Debug, Default)]
struct Tally {
    drawn: usize,
    posed: usize,
    refused: usize,
}

/// Draws a few pixels.
fn draw(scene: &Scene, device: &Device) -> Result<()> {
    let frame = animate::frame(scene, Play::Together, 0.0)?;
    let camera = frame.cameras.first().cloned().unwrap_or_else(|| animate::camera(scene, &frame, 1.0));
    let options = Options { samples: 1, environment: Environment::Uniform([1.0; 3]), ..Options::new(8, 8) };
    let picture = Renderer::new(device, scene, &options)?.render(&frame, &camera)?;
    assert_eq!(picture.pixels.len(), 8 * 8 * 4);
    Ok(())
}

fn check(name: &str, round: u64, tally: &mut Tally, run: impl FnOnce(&mut Tally) -> Result<()>) {
    let started = Instant::now();
    match catch_unwind(AssertUnwindSafe(|| run(tally))) {
        Err(_) => panic!("{name}, round {round}: panic"),
        Ok(Ok(())) => {}
        Ok(Err(Error::Invalid { message, .. })) if !message.is_empty() => tally.refused += 1,
        Ok(Err(Error::Unsupported { .. } | Error::Limit(_))) => tally.refused += 1,
        Ok(Err(other)) => panic!("{name}, round {round}: {other}"),
    }
    let took = started.elapsed();
    assert!(took < PATIENCE, "{name}, round {round}: {took:?}");
}

/// Loads and poses a scene, and sometimes draws it.
fn scene(name: &str, round: u64, bytes: &[u8], device: &Device, tally: &mut Tally) {
    check(name, round, tally, |tally| {
        let scene = load::bytes(bytes, None, &LIMITS)?;
        for time in [0.0, 0.3, 1e30] {
            animate::frame(&scene, Play::Together, time)?;
        }
        tally.posed += 1;
        if tally.posed % 8 == 1 {
            draw(&scene, device)?;
            tally.drawn += 1;
        }
        Ok(())
    });
}

/// Kinds of damage: to the JSON, to a whole file, to its data, to pictures and compressed data.
const KINDS: [&str; 12] = [
    "json",
    "glb",
    "text",
    "data",
    "png",
    "jpeg",
    "webp",
    "etc1s",
    "uastc",
    "draco",
    "sequential",
    "meshopt",
];

#[test]
fn damaged_scenes_are_refused_or_drawn() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    scene("whole", 0, &all().glb(), &device, &mut Tally::default());
    let rounds = rounds(60);
    for (number, name) in KINDS.into_iter().enumerate() {
        let mut tally = Tally::default();
        for round in 0..rounds {
            let mut random = Random((number as u64) << 32 | round);
            let mut file = all();
            let mut bytes = Vec::new();
            match name {
                "json" => damage_json(&mut file, &mut random),
                "glb" => {
                    bytes = file.glb();
                    damage_bytes(&mut bytes, &mut random);
                }
                "text" => {
                    bytes = text(file.clone());
                    damage_bytes(&mut bytes, &mut random);
                }
                "data" => {
                    let length = file.data.len();
                    damage_bytes(&mut file.data, &mut random);
                    // The JSON and the length of the data still agree.
                    file.data.resize(length, 0);
                }
                "draco" | "sequential" | "meshopt" => {
                    file = match name {
                        "draco" => packed::draco(1),
                        "sequential" => packed::draco(0),
                        _ => packed::meshopt(round as usize % 2),
                    };
                    let length = file.data.len();
                    damage_bytes(&mut file.data, &mut random);
                    file.data.resize(length, 0);
                }
                picture => {
                    let mut image = match picture {
                        "png" => png(40, 30, [200, 100, 50, 128]),
                        "webp" => packed::webp(),
                        "etc1s" => packed::ETC1S.to_vec(),
                        "uastc" => packed::UASTC.to_vec(),
                        _ => jpeg(),
                    };
                    damage_bytes(&mut image, &mut random);
                    file.set("/images/0", json!({ "uri": data_uri(&image) }));
                }
            }
            if bytes.is_empty() {
                bytes = file.glb();
            }
            scene(name, round, &bytes, &device, &mut tally);
        }
        // Otherwise the damage is of the wrong kind.
        assert!(tally.refused > 0, "{name}: {tally:?}");
        assert!(tally.posed > 0 || rounds < 60, "{name}: {tally:?}");
        println!("{name}: {tally:?}");
    }
}

#[test]
fn damaged_panoramas_are_refused_or_read() {
    let texels = image::Rgb32FImage::from_fn(32, 16, |x, y| image::Rgb([x as f32, y as f32, 0.5]));
    let texels = image::DynamicImage::ImageRgb32F(texels);
    let rounds = rounds(60);
    for (number, format) in [image::ImageFormat::Hdr, image::ImageFormat::OpenExr].into_iter().enumerate() {
        let mut whole = std::io::Cursor::new(Vec::new());
        texels.write_to(&mut whole, format).unwrap();
        let whole = whole.into_inner();
        let name = format!("{format:?}");
        let mut tally = Tally::default();
        for round in 0..rounds {
            let mut random = Random(1 << 40 | (number as u64) << 32 | round);
            let mut bytes = whole.clone();
            damage_bytes(&mut bytes, &mut random);
            check(&name, round, &mut tally, |tally| {
                let panorama = load::panorama_bytes(&bytes, &LIMITS)?;
                assert_eq!(panorama.texels.len(), panorama.width as usize * panorama.height as usize);
                assert!(panorama.texels.as_flattened().iter().all(|v| (0.0..=65504.0).contains(v)));
                tally.posed += 1;
                Ok(())
            });
        }
        assert!(tally.refused > 0 && tally.posed > 0, "{name}: {tally:?}");
        println!("{name}: {tally:?}");
    }
}
