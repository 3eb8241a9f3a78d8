//! Materials, textures, pictures.

use glam::{Vec2, Vec3, Vec4};
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::{
    AlphaMode, Anisotropy, Clearcoat, Filter, Iridescence, Material, Sampler, Sheen, Specular, TextureRef,
    Volume, Wrap,
};
use serde_json::{Value, json};

use crate::files::{File, data_uri, png};

/// Defaults of the core and of each extension.
#[test]
fn materials_have_defaults() {
    let mut file = File::triangle();
    file.push("materials", json!({}));
    let names = [
        "anisotropy",
        "clearcoat",
        "dispersion",
        "emissive_strength",
        "ior",
        "iridescence",
        "sheen",
        "specular",
        "transmission",
        "volume",
    ];
    let extensions = names.map(|n| (format!("KHR_materials_{n}"), json!({})));
    file.push(
        "materials",
        json!({ "extensions": extensions.into_iter().collect::<serde_json::Map<_, _>>() }),
    );
    let scene = file.load().unwrap();
    let expected = Material {
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
        clearcoat: Clearcoat {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        },
        transmission: 0.0,
        transmission_texture: None,
        sheen: Sheen { color: Vec3::ZERO, color_texture: None, roughness: 0.0, roughness_texture: None },
        ior: 1.5,
        specular: Specular { factor: 1.0, texture: None, color: Vec3::ONE, color_texture: None },
        volume: Volume {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: Vec3::ONE,
        },
        specular_glossiness: None,
        iridescence: Iridescence {
            factor: 0.0,
            texture: None,
            ior: 1.3,
            thickness_minimum: 100.0,
            thickness_maximum: 400.0,
            thickness_texture: None,
        },
        anisotropy: Anisotropy { strength: 0.0, rotation: 0.0, texture: None },
        dispersion: 0.0,
    };
    assert_eq!(scene.materials, [expected.clone(), expected.clone(), expected]);
}

/// Parts of the light that a surface reflects or a volume lets through are at most 1: more would be light without end.
/// Spec: the schemas of glTF 2.0, KHR_materials_volume and KHR_materials_sheen; factors of KHR_materials_specular have no
/// maximum.
#[test]
fn factors_of_colours_are_at_most_one() {
    let mut file = File::triangle();
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [1.5, -0.5, 0.5, 2.0] },
            "extensions": {
                "KHR_materials_volume": { "attenuationDistance": 1.0, "attenuationColor": [8.0, 0.5, -1.0] },
                "KHR_materials_sheen": { "sheenColorFactor": [0.5, 3.0, -1.0] },
                "KHR_materials_specular": { "specularColorFactor": [2.0, 1.0, -1.0] },
            },
        }),
    );
    let scene = file.load().unwrap();
    let material = &scene.materials[0];
    assert_eq!(material.base_color, Vec4::new(1.0, 0.0, 0.5, 1.0));
    assert_eq!(material.volume.attenuation_color, Vec3::new(1.0, 0.5, 0.0));
    assert_eq!(material.sheen.color, Vec3::new(0.5, 1.0, 0.0));
    assert_eq!(material.specular.color, Vec3::new(2.0, 1.0, 0.0));
}

/// A file with sixteen textures of the same picture.
pub fn textured() -> File {
    let mut file = File::triangle();
    let view = file.view(&png(2, 1, [1, 2, 3, 4]));
    file.push("images", json!({ "bufferView": view, "mimeType": "image/png", "name": "small" }));
    for _ in 0..16 {
        file.push("textures", json!({ "source": 0 }));
    }
    file
}

pub fn texture(number: usize) -> Option<TextureRef> {
    let one = TextureRef { texture: number, uv_set: 0, offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };
    Some(one)
}

#[test]
fn materials_have_what_files_say() {
    let mut file = textured();
    // In the order of first use, so that the indices of the file and of the scene are equal.
    file.push(
        "materials",
        json!({
            "name": "all",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "baseColorTexture": { "index": 0 },
                "metallicFactor": 0.5, "roughnessFactor": 0.25, "metallicRoughnessTexture": { "index": 1 },
            },
            "normalTexture": { "index": 2, "scale": -2.0 },
            "occlusionTexture": { "index": 3, "strength": 0.75 },
            "emissiveTexture": { "index": 4 }, "emissiveFactor": [1.0, 0.5, 0.25],
            "alphaMode": "MASK", "alphaCutoff": 0.125, "doubleSided": true,
            "extensions": {
                "KHR_materials_unlit": {},
                "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 },
                "KHR_materials_clearcoat": {
                    "clearcoatFactor": 0.9, "clearcoatTexture": { "index": 5 },
                    "clearcoatRoughnessFactor": 0.8, "clearcoatRoughnessTexture": { "index": 6 },
                    "clearcoatNormalTexture": { "index": 7, "scale": 0.7 },
                },
                "KHR_materials_transmission": { "transmissionFactor": 0.6, "transmissionTexture": { "index": 8 } },
                "KHR_materials_sheen": {
                    "sheenColorFactor": [0.5, 0.25, 0.125], "sheenColorTexture": { "index": 9 },
                    "sheenRoughnessFactor": 0.3, "sheenRoughnessTexture": { "index": 10 },
                },
                "KHR_materials_ior": { "ior": 1.33 },
                "KHR_materials_specular": {
                    "specularFactor": 0.2, "specularTexture": { "index": 11 },
                    "specularColorFactor": [2.0, 1.0, 0.5], "specularColorTexture": { "index": 12 },
                },
                "KHR_materials_volume": {
                    "thicknessFactor": 3.0, "thicknessTexture": { "index": 13 },
                    "attenuationDistance": 5.0, "attenuationColor": [0.1, 0.9, 0.8],
                },
            },
        }),
    );
    let scene = file.load().unwrap();
    let expected = Material {
        name: "all".into(),
        base_color: Vec4::new(0.1, 0.2, 0.3, 0.4),
        base_color_texture: texture(0),
        metallic: 0.5,
        roughness: 0.25,
        metallic_roughness_texture: texture(1),
        normal_texture: texture(2),
        normal_scale: -2.0,
        occlusion_texture: texture(3),
        occlusion_strength: 0.75,
        emissive: Vec3::new(4.0, 2.0, 1.0),
        emissive_texture: texture(4),
        alpha: AlphaMode::Mask { cutoff: 0.125 },
        double_sided: true,
        unlit: true,
        clearcoat: Clearcoat {
            factor: 0.9,
            texture: texture(5),
            roughness: 0.8,
            roughness_texture: texture(6),
            normal_texture: texture(7),
            normal_scale: 0.7,
        },
        transmission: 0.6,
        transmission_texture: texture(8),
        sheen: Sheen {
            color: Vec3::new(0.5, 0.25, 0.125),
            color_texture: texture(9),
            roughness: 0.3,
            roughness_texture: texture(10),
        },
        ior: 1.33,
        specular: Specular {
            factor: 0.2,
            texture: texture(11),
            color: Vec3::new(2.0, 1.0, 0.5),
            color_texture: texture(12),
        },
        volume: Volume {
            thickness: 3.0,
            thickness_texture: texture(13),
            attenuation_distance: Some(5.0),
            attenuation_color: Vec3::new(0.1, 0.9, 0.8),
        },
        // `further_models_are_read` has the others.
        ..Material::default()
    };
    assert_eq!(scene.materials[0], expected);
    // Textures without a material are not loaded, and the picture is loaded once.
    assert_eq!((scene.textures.len(), scene.images.len()), (14, 1));
    let image = &scene.images[0];
    assert_eq!((&*image.name, image.width, image.height), ("small", 2, 1));
    assert_eq!(image.pixels, [1, 2, 3, 4, 1, 2, 3, 4]);
}

/// Spec: KHR_texture_transform.
#[test]
fn textures_are_moved() {
    let mut file = textured();
    let transform = json!({ "offset": [0.25, -1.0], "rotation": 1.5, "scale": [2.0, 0.5], "texCoord": 1 });
    let info = |extension: Value| json!({ "index": 0, "extensions": { "KHR_texture_transform": extension } });
    file.push("materials", json!({ "emissiveTexture": info(transform), "normalTexture": info(json!({})) }));
    let mut other = info(json!({ "scale": [3.0, 3.0] }));
    other["texCoord"] = json!(1);
    file.push(
        "materials",
        json!({ "emissiveTexture": other, "occlusionTexture": { "index": 0, "texCoord": 2 } }),
    );
    let scene = file.load().unwrap();
    let moved = TextureRef {
        texture: 0,
        uv_set: 1,
        offset: Vec2::new(0.25, -1.0),
        rotation: 1.5,
        scale: Vec2::new(2.0, 0.5),
    };
    assert_eq!(scene.materials[0].emissive_texture, Some(moved));
    assert_eq!(scene.materials[0].normal_texture, texture(0));
    let set = scene.materials[1].emissive_texture.unwrap();
    assert_eq!((set.uv_set, set.scale), (1, Vec2::splat(3.0)));
    assert_eq!(scene.materials[1].occlusion_texture, texture(0));
    assert_eq!(scene.warnings.len(), 1, "{:?}", scene.warnings);
}

/// Spec: "Samplers".
#[test]
fn samplers_have_the_numbers_of_gl() {
    use Filter::{Linear, Nearest};
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 }, "normalTexture": { "index": 1 } }));
    let (repeat, clamp, mirror) = (Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat);
    let rows = [
        (json!({}), Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [repeat; 2] }),
        (
            json!({ "magFilter": 9728, "minFilter": 9728 }),
            Sampler { mag: Nearest, min: Nearest, mip: None, wrap: [repeat; 2] },
        ),
        (
            json!({ "magFilter": 9729, "minFilter": 9729 }),
            Sampler { mag: Linear, min: Linear, mip: None, wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9984 }),
            Sampler { mag: Linear, min: Nearest, mip: Some(Nearest), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9985 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Nearest), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9986 }),
            Sampler { mag: Linear, min: Nearest, mip: Some(Linear), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9987, "wrapS": 33071, "wrapT": 33648 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [clamp, mirror] },
        ),
        (
            json!({ "wrapS": 33648, "wrapT": 10497 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [mirror, repeat] },
        ),
    ];
    for (from, _) in &rows {
        file.push("samplers", from.clone());
    }
    file.set("/textures/1/sampler", json!(6));
    let scene = file.load().unwrap();
    for (i, (from, expected)) in rows.iter().enumerate() {
        assert_eq!(scene.samplers[i], *expected, "{from}");
    }
    let sampler = |of: &Option<TextureRef>| scene.textures[of.unwrap().texture].sampler;
    let material = &scene.materials[0];
    assert_eq!((sampler(&material.emissive_texture), sampler(&material.normal_texture)), (8, 6));
    assert_eq!(scene.samplers[8], Sampler::default());
    for wrong in [json!({ "magFilter": 9984 }), json!({ "minFilter": 1 }), json!({ "wrapS": 33070 })] {
        assert!(file.clone().set("/samplers/0", wrong.clone()).load().is_err(), "{wrong}");
    }
}

#[test]
fn pictures_become_rgba_of_8_bits() {
    let encode = |picture: image::DynamicImage, format| {
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    };
    let grey = image::DynamicImage::ImageLuma8(image::GrayImage::from_pixel(1, 1, image::Luma([77])));
    let wide = image::ImageBuffer::from_pixel(1, 1, image::Rgba([0xffffu16, 0x8080, 0x0000, 0x4040]));
    let wide = image::DynamicImage::ImageRgba16(wide);
    let jpeg = image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([128, 128, 128])));
    let rows = [
        (encode(grey, image::ImageFormat::Png), [77, 77, 77, 255]),
        (encode(wide, image::ImageFormat::Png), [255, 128, 0, 64]),
        (encode(jpeg, image::ImageFormat::Jpeg), [128, 128, 128, 255]),
    ];
    let folder = std::env::temp_dir().join(format!("quadrille-scene-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("t")).unwrap();
    for (bytes, expected) in rows {
        std::fs::write(folder.join("t/a b.img"), &bytes).unwrap();
        let inside = data_uri(&bytes);
        for uri in [inside.clone(), inside.replacen("data", "DATA", 1), "t/a%20b.img".to_owned()] {
            let mut file = textured();
            file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
            file.set("/images/0", json!({ "uri": uri }));
            let name = if uri.starts_with('t') { uri.as_str() } else { "" };
            let scene = load::bytes(&file.glb(), Some(&folder), &Limits::default()).unwrap();
            assert_eq!((&scene.images[0].pixels[..4], &*scene.images[0].name), (&expected[..], name));
        }
    }
    // Without a folder, nothing is read.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/images/0", json!({ "uri": "t/a%20b.img" }));
    assert!(file.load().is_err());
    std::fs::write(folder.join("scene.glb"), file.glb()).unwrap();
    assert_eq!(
        load::file(&folder.join("scene.glb"), &Limits::default()).unwrap().images[0].name,
        "t/a%20b.img"
    );
    // Pictures of unsupported types, and data that are not a picture.
    for (bytes, text) in [
        (&b"GIF89a\x01\0\x01\0\0\0\0;"[..], "type Gif; supported are Png, Jpeg, WebP, KTX2"),
        (b"\xabKTX 20\xbb\r\n\x1a\n", "KTX2"),
        (b"hello", "not a picture of a supported type (Png, Jpeg, WebP, KTX2)"),
        (b"", "not a picture"),
    ] {
        file.set("/images/0", json!({ "uri": data_uri(bytes) }));
        let error = file.load().unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn panoramas_are_linear() {
    let encode = |picture: image::DynamicImage, format| {
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    };
    let texels = image::Rgb32FImage::from_fn(4, 2, |x, y| image::Rgb([x as f32, y as f32 * 0.5, 1000.0]));
    let bright = image::DynamicImage::ImageRgb32F(texels);
    for format in [image::ImageFormat::Hdr, image::ImageFormat::OpenExr] {
        let got = load::panorama_bytes(&encode(bright.clone(), format), &Limits::default()).unwrap();
        assert_eq!((got.width, got.height, got.texels.len()), (4, 2, 8));
        // Radiance stores 8 bits per component, with the exponent of the largest component.
        let exact = format == image::ImageFormat::OpenExr;
        let [r, g, b] = got.texels[7];
        assert!((r - 3.0).abs() <= if exact { 0.0 } else { 4.0 }, "{r}");
        assert!((g - 0.5).abs() <= if exact { 0.0 } else { 4.0 }, "{g}");
        assert!((b - 1000.0).abs() <= if exact { 0.0 } else { 4.0 }, "{b}");
    }
    // sRGB 188 is 0.5029 in linear light, by the sRGB equation.
    let got = load::panorama_bytes(&png(1, 1, [188, 0, 255, 255]), &Limits::default()).unwrap();
    let [r, g, b] = got.texels[0];
    assert!((r - 0.5029).abs() < 1e-4 && g == 0.0 && (b - 1.0).abs() < 1e-6, "{r} {g} {b}");
    // NaN becomes black, and values above the largest half float become that value.
    let odd = image::Rgb32FImage::from_pixel(1, 1, image::Rgb([f32::NAN, f32::INFINITY, -1.0]));
    let odd = encode(image::DynamicImage::ImageRgb32F(odd), image::ImageFormat::OpenExr);
    let got = load::panorama_bytes(&odd, &Limits::default()).unwrap();
    assert_eq!(got.texels[0], [0.0, 65504.0, 0.0]);
}

/// KHR_materials_pbrSpecularGlossiness takes the place of metalness and roughness; the other new extensions keep values.
#[test]
fn further_models_are_read() {
    let mut file = textured();
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "baseColorTexture": { "index": 9 } },
            "extensions": {
                "KHR_materials_pbrSpecularGlossiness": {
                    "diffuseFactor": [0.5, 0.25, 0.125, 0.75], "specularFactor": [1.0, 0.5, 0.0],
                    "glossinessFactor": 0.25, "specularGlossinessTexture": { "index": 0 },
                },
                "KHR_materials_iridescence": {
                    "iridescenceFactor": 0.5, "iridescenceIor": 1.8, "iridescenceThicknessMinimum": 200,
                    "iridescenceThicknessMaximum": 900, "iridescenceThicknessTexture": { "index": 0 },
                },
                "KHR_materials_anisotropy": {
                    "anisotropyStrength": 0.75, "anisotropyRotation": 1.5, "anisotropyTexture": { "index": 0 },
                },
                "KHR_materials_dispersion": { "dispersion": 0.5 },
            },
        }),
    );
    let scene = file.load().unwrap();
    let material = &scene.materials[0];
    assert_eq!(material.base_color, Vec4::new(0.5, 0.25, 0.125, 0.75));
    assert!(material.base_color_texture.is_none());
    let glossy = material.specular_glossiness.as_ref().unwrap();
    assert_eq!((glossy.specular, glossy.glossiness), (Vec3::new(1.0, 0.5, 0.0), 0.25));
    assert_eq!(glossy.texture.unwrap().texture, 0);
    let film = &material.iridescence;
    assert_eq!((film.factor, film.ior), (0.5, 1.8));
    assert_eq!((film.thickness_minimum, film.thickness_maximum), (200.0, 900.0));
    assert!(film.texture.is_none() && film.thickness_texture.is_some());
    let Anisotropy { strength, rotation, texture } = &material.anisotropy;
    assert_eq!((*strength, *rotation, texture.is_some()), (0.75, 1.5, true));
    assert_eq!(material.dispersion, 0.5);
}
