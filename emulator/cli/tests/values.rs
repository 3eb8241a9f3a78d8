//! Values that shaders read from files and write to files are preserved, or rejected.

use crate::common::{Folder, asset, bad, good, quadrille, wrong};
use image::{DynamicImage, Rgba};

/// Two texels that 8 bits cannot hold.
const FLOATS: [f32; 8] = [2.5, -1.0, 0.125, 1.0, 1e6, 0.0, 0.75, 0.5];

const STORE: &str = "#version 450\nlayout(local_size_x = 2) in;\n\
    layout(set = 0, binding = 0, rgba32f) uniform image2D texels;\n\
    layout(set = 0, binding = 1, r8ui) uniform uimage2D small;\n\
    layout(set = 0, binding = 2) buffer B { float list[]; };\n\
    void main() {\n  uint x = gl_GlobalInvocationID.x;\n\
      imageStore(texels, ivec2(x, 0), x == 0 ? vec4(2.5, -1.0, 0.125, 1.0) : vec4(1e6, 0.0, 0.75, 0.5));\n\
      imageStore(small, ivec2(x, 0), uvec4(7 + x));\n  list[x] = 1.5 + x;\n}\n";

const BOUND: &[&str] =
    &["--dispatch", "1", "--bind", "0.0=image:2x1", "--bind", "0.1=image:2x1", "--bind", "0.2=zeros:8"];

fn bytes_of(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

/// Splits a NumPy file into its header and its data.
fn npy(file: &[u8]) -> (String, &[u8]) {
    assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
    let (header, elements) = file[10..].split_at(usize::from(u16::from_le_bytes([file[8], file[9]])));
    (std::str::from_utf8(header).unwrap().trim_end().to_owned(), elements)
}

/// Buffers of texels have the format that the shader declares, or that the command line states.
#[test]
#[cfg(feature = "glsl")]
fn buffers_of_texels_are_bound() {
    let folder = Folder::new("texels");
    let source = "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) uniform samplerBuffer s;\n\
        layout(binding = 1, rgba32f) uniform imageBuffer i;\n\
        layout(binding = 2) uniform writeonly uimageBuffer w;\n\
        void main() { imageStore(i, 1, texelFetch(s, 1)); imageStore(w, 1, uvec4(7)); }\n";
    let shader = folder.write("texels.comp", source);
    let file = folder.write("bytes.raw", [255u8, 0, 0, 255, 0, 255, 0, 0]);
    let run = |first: &str, second: &str, third: &str| {
        let binds = [first, second, third].map(|bind| ["--bind".to_owned(), bind.to_owned()]).concat();
        let binds: Vec<&str> = binds.iter().map(String::as_str).collect();
        let read = ["--dispatch", "1", "--read", "0.1:f32", "--read", "0.2:u32"];
        quadrille(&[&["run", &shader], &binds[..], &read].concat())
    };
    let (texels, zeros, words) =
        ("0.0=texels:R8G8B8A8_UNORM:u8:255,0,0,255,0,255,0,0", "0.1=f32:0*8", "0.2=texels:R32_UINT:zeros:8");
    let named = format!("0.0=texels:R8G8B8A8_UNORM:{file}");
    for first in [texels, &named] {
        let done = run(first, zeros, words);
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(text, "0.1: 0, 0, 0, 0, 0, 1, 0, 0\n0.2: 0, 7\n", "{errors}");
    }
    for (binds, message) in [
        (["0.0=f32:1", zeros, words], "bytes without a format for the uniform texel buffer"),
        (["0.0=texels:R32_UINT:u32:1", zeros, words], "whose texels are floats"),
        (["0.0=texels:R32G32_SFLOAT:f32:1", zeros, words], "whose texels have 8"),
        (["0.0=texels:RGB:f32:1", zeros, words], "`RGB` is not a format"),
        (["0.0=texels:R32_SFLOAT", zeros, words], "give texels:FORMAT:DATA"),
        ([texels, "0.1=texels:R32_SFLOAT:f32:1", words], "declared as R32G32B32A32_SFLOAT"),
        ([texels, zeros, "0.2=image:2x2"], "a picture for the storage texel buffer"),
    ] {
        let done = run(binds[0], binds[1], binds[2]);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && text.contains(message), "{binds:?}: {text}");
    }
}

#[test]
fn endings_say_how_results_are_written() {
    let folder = Folder::new("endings");
    let shader = folder.write("store.comp", STORE);
    let read = |what: &str, name: &str| {
        let path = folder.path(name);
        good(&[&["run", &shader], BOUND, &["--read", &format!("{what}={path}")]].concat());
        std::fs::read(path).unwrap()
    };
    assert_eq!(read("0.0", "a.bin"), bytes_of(&FLOATS));
    assert_eq!(read("0.0", "a.RAW"), bytes_of(&FLOATS));
    let exr =
        image::load_from_memory_with_format(&read("0.0", "a.exr"), image::ImageFormat::OpenExr).unwrap();
    assert_eq!(exr.into_rgba32f().into_raw(), FLOATS);
    let (header, elements) = (read("0.0", "a.npy"), bytes_of(&FLOATS));
    assert_eq!(
        npy(&header),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 4,), }".into(), &*elements)
    );
    let small = read("0.1", "b.npy");
    assert_eq!(
        npy(&small),
        ("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2,), }".into(), &[7u8, 8][..])
    );
    let (list, elements) = (read("0.2:f32", "c.npy"), bytes_of(&[1.5, 2.5]));
    assert_eq!(npy(&list), ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }".into(), &*elements));
    assert_eq!(read("0.2:f32", "c.data"), bytes_of(&[1.5, 2.5]));

    // Warns about values that 8 bits cannot hold: two above 1, one below 0.
    let path = folder.path("a.png");
    let done = quadrille(&[&["run", &shader], BOUND, &["--read", &format!("0.0={path}")]].concat());
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success() && told.contains("3 components are outside 0 to 1"), "{told}");
    let png = image::open(&path).unwrap();
    assert_eq!(png.into_rgba8().into_raw(), [255, 0, 32, 255, 255, 0, 191, 128]);

    for (what, name, why) in [
        ("0.0", "a.dat", ".exr floats"),
        ("0.0", "none", ".exr floats"),
        ("0.1", "b.exr", "integers"),
        ("0.2:f32", "c.png", "a buffer is not a picture"),
        ("0.2:struct", "struct.npy", "a struct cannot be a NumPy array"),
    ] {
        let path = folder.path(name);
        let text = bad(&[&["run", &shader], BOUND, &["--read", &format!("{what}={path}")]].concat());
        assert!(text.contains(why), "{name}: {text}");
        assert!(!std::path::Path::new(&path).exists(), "{name}");
    }
}

/// Results of kernels have the formats of their names, or are refused before the kernel runs.
#[test]
fn endings_say_how_results_of_kernels_are_written() {
    let folder = Folder::new("endings-kernel");
    let kernel = asset("vadd.spvasm");
    let data = ["--arg", "f32:1,2,3,4", "--arg", "zeros:16", "--arg", "3.0"];
    let run = [&["run", &kernel, "--global", "4"], &data[..]].concat();
    let (array, raw, png) = (folder.path("a.npy"), folder.path("a.raw"), folder.path("a.png"));
    let [as_array, as_raw, as_png] = [&array, &raw, &png].map(|path| format!("1:f32={path}"));
    let elements = bytes_of(&[4.0, 5.0, 6.0, 7.0]);
    good(&[&run[..], &["--read", &as_array, "--read", &as_raw]].concat());
    let file = std::fs::read(&array).unwrap();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    assert_eq!(npy(&file), (header.into(), &*elements));
    assert_eq!(std::fs::read(&raw).unwrap(), elements);
    // Arguments of another kind are not files of bytes.
    let first = ["run", &kernel, "--global", "4", "--arg"];
    for other in ["image:4x4", "sampler:linear", "local:16", "photo.png", "ro:photo.png"] {
        let text = wrong(&[&first[..], &[other], &data[2..]].concat());
        assert!(text.contains("the kernel has a buffer there"), "{text}");
    }
    let text = wrong(&[&run[..], &["--read", &as_png]].concat());
    assert!(text.contains("a buffer is not a picture") && !std::path::Path::new(&png).exists(), "{text}");
}

#[test]
fn floats_of_pictures_reach_shaders() {
    let folder = Folder::new("floats");
    let picture = image::Rgba32FImage::from_raw(2, 1, FLOATS.to_vec()).unwrap();
    let exr = folder.path("a.exr");
    DynamicImage::from(picture).save(&exr).unwrap();
    let fetch = "#version 450\nlayout(set = 0, binding = 0) uniform sampler2D picture;\n\
        layout(set = 0, binding = 1) buffer B { vec4 texels[2]; };\n\
        layout(set = 0, binding = 2, rgba16f) uniform image2D image;\n\
        void main() { texels[0] = texelFetch(picture, ivec2(0), 0); texels[1] = imageLoad(image, ivec2(1, 0)); }\n";
    let shader = folder.write("fetch.comp", fetch);
    let args =
        ["--dispatch", "1", "--bind", &format!("0.0={exr}"), "--bind", "0.1=zeros:32"].map(str::to_owned);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let image = format!("0.2={exr}");
    let out = good(&[&["run", &shader], &args[..], &["--bind", &image, "--read", "0.1:f32"]].concat());
    // In 16 bits, 1e6 is infinite.
    assert_eq!(out.trim(), "0.1: 2.5, -1, 0.125, 1, inf, 0, 0.75, 0.5");

    // Radiance format: powers of two are exact.
    let hdr = folder.path("a.hdr");
    let light = image::Rgb32FImage::from_pixel(1, 1, image::Rgb([4.0, 2.0, 0.5]));
    DynamicImage::from(light).save(&hdr).unwrap();
    let quarter = folder.write(
        "quarter.frag",
        "#version 450\nlayout(set = 0, binding = 0) uniform sampler2D picture;\nlayout(location = 0) out vec4 c;\n\
         void main() { c = texture(picture, vec2(0.5)) / 8.0; }",
    );
    let png = folder.path("quarter.png");
    good(&["render", &quarter, "-o", &png, "--size", "1x1", "--texture", &hdr]);
    // An eighth of 4, 2 and 0.5, and of the alpha, which is 1.
    assert_eq!(*image::open(&png).unwrap().into_rgba8().get_pixel(0, 0), Rgba([128, 64, 16, 32]));
}

#[test]
fn a_picture_is_no_buffer_and_buffers_end_where_shaders_do() {
    let folder = Folder::new("no-buffer");
    let copy = "#version 450\nlayout(set = 0, binding = 0) buffer B { uint list[]; };\nvoid main() { list[0] = 1; }\n";
    let shader = folder.write("copy.comp", copy);
    let png = folder.path("a.png");
    image::RgbaImage::new(2, 2).save(&png).unwrap();
    let text = bad(&["run", &shader, "--dispatch", "1", "--bind", &format!("0.0={png}")]);
    assert!(
        text.contains("is a picture, and the shader has a buffer there") && text.contains(".bin"),
        "{text}"
    );
    let text = bad(&["run", &shader, "--dispatch", "1", "--bind", "0.0=zeros:4294901764"]);
    assert!(text.contains("4294901764 bytes") && text.contains("shaders reach 4294901760"), "{text}");
}

#[test]
fn goldens_of_floats_are_floats() {
    let folder = Folder::new("golden-floats");
    let shader = |value: &str| {
        folder.write(
            "light.frag",
            format!("#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {{ c = vec4({value}, -0.5, 0.25, 1); }}"),
        )
    };
    let suite = |golden: &str| {
        let text = format!(
            "shader = \"light.frag\"\n[[test]]\nname = \"light\"\ndraw = \"2x2\"\ntarget = \"R32G32B32A32_SFLOAT\"\n\
             golden = {golden}\n"
        );
        folder.write("light.test.toml", text)
    };
    shader("7.5");
    let file = suite("\"hdr.exr\"");
    good(&["test", &file, "--bless"]);
    assert_eq!(std::fs::read(folder.path("hdr.exr")).unwrap()[..4], [0x76, 0x2f, 0x31, 0x01]);
    let golden = image::open(folder.path("hdr.exr")).unwrap().into_rgba32f();
    assert_eq!(golden.get_pixel(1, 1).0, [7.5, -0.5, 0.25, 1.0]);
    good(&["test", &file]);
    // Also for values that 8 bits cannot hold.
    shader("7.625");
    let kept = folder.path("kept");
    let failed = |file: &str| {
        let done = quadrille(&["test", file, "--artifacts", &kept]);
        assert!(!done.status.success());
        String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap()
    };
    let text = failed(&file);
    assert!(text.contains("4 pixels differ, the first at (0, 0): [7.625, -0.5, 0.25, 1.0]"), "{text}");
    good(&["test", &suite("{ picture = \"hdr.exr\", tolerance = 0.125 }")]);
    for (golden, why) in [
        ("{ picture = \"hdr.exr\", component = 1 }", "`tolerance` and `pixels`"),
        ("{ picture = \"x.png\", tolerance = 0.1 }", "`component`, `pixels` and `flip`"),
        ("\"x.png\"", "8 components are outside 0 to 1"),
        ("\"x.jpg\"", "a golden is a .png (8 bits) or an .exr (floats)"),
    ] {
        let text = failed(&suite(golden));
        assert!(text.contains(why), "{golden}: {text}");
    }
    assert!(!std::path::Path::new(&folder.path("x.png")).exists());
}
