//! `render` with a vertex shader: meshes and vertices, from files in each format, and messages about them.

use crate::common::{Folder, bad, quadrille};
use image::RgbaImage;

/// The picture that `args` render, and the text on standard error.
fn draw(folder: &Folder, args: &[&str]) -> (RgbaImage, String) {
    let out = folder.path("drawn.png");
    let run = quadrille(&[&["render"], args, &["-o", &out, "--size", "100x100"]].concat());
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{args:?}: {text}");
    (image::open(&out).unwrap().into_rgba8(), text)
}

/// A quad from -1 to 1 that faces +z, and one behind it that is twice as large and faces -z.
const QUADS: &str = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -2 -2 -1\nv 2 -2 -1\nv 2 2 -1\nv -2 2 -1\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\nvn 0 0 -1\n\
    f 1/1/1 2/2/1 3/3/1 4/4/1\nf 8/4/2 7/3/2 6/2/2 5/1/2\n";

const VERT: &str = "#version 330\nlayout(location = 0) in vec3 aPos;\nin vec2 uv;\nlayout(location = 5) in vec3 vertexNormal;\n\
    uniform mat4 model, view, projection;\nuniform float bright;\nout vec3 n;\nout vec2 at;\n\
    void main() { gl_Position = projection * view * model * vec4(aPos, 1.0); n = vertexNormal * bright; at = uv; }\n";
const FRAG: &str = "#version 330\nin vec2 at;\nin vec3 n;\nuniform float floor_;\nout vec4 c;\n\
    void main() { c = vec4(at, max(n.z, 0.0) + floor_, 1.0); }\n";

const VIEW: [&str; 4] = ["--eye", "0,0,5", "--target", "0,0,0"];

/// Half of the 100 pixels covers 5 * tan(20 degrees) = 1.8199 at a distance of 5, so one unit is 27.47 pixels.
fn check_quads(picture: &RgbaImage) {
    let at = |x: u32, y: u32| picture.get_pixel(x, y).0;
    for (inside, outside) in
        [((23, 50), (22, 50)), ((76, 50), (77, 50)), ((50, 23), (50, 22)), ((50, 76), (50, 77))]
    {
        assert_eq!(at(inside.0, inside.1)[2], 255, "{inside:?}");
        assert_eq!(at(outside.0, outside.1)[2], 0, "{outside:?}");
    }
    // Texture coordinates start in the upper left corner. The edges of the quad behind are 2 * 27.47 * 5 / 6 from the
    // middle.
    let near = |pixel: [u8; 4], u: f32, v: f32| {
        let expected = [u * 255.0, v * 255.0];
        (0..2).all(|i| (f32::from(pixel[i]) - expected[i]).abs() <= 1.5)
    };
    let u = |x: f32, half: f32| ((x + 0.5 - 50.0) / half + 1.0) / 2.0;
    assert!(near(at(30, 40), u(30.0, 27.475), u(40.0, 27.475)), "{:?}", at(30, 40));
    assert!(near(at(10, 90), u(10.0, 45.791), u(90.0, 45.791)), "{:?}", at(10, 90));
    assert_eq!(at(2, 50), [0, 0, 0, 255]);
}

#[test]
fn a_mesh_in_opengls_words() {
    let folder = Folder::new("mesh");
    let (vert, frag) = (folder.write("a.vert", VERT), folder.write("a.frag", FRAG));
    let obj = folder.write("quads.obj", QUADS);
    let uniforms = ["--uniform", "bright=1", "--uniform", "floor_=0"];
    let args = [&[&*vert, &*frag, "--mesh", &*obj], &VIEW[..], &uniforms].concat();
    let (picture, text) = draw(&folder, &args);
    assert_eq!(text, "");
    check_quads(&picture);
    // The files in the other order; with culling the large quad disappears, because it shows its back.
    let args = [&[&*frag, &*vert, "--mesh", &*obj, "--cull", "back"], &VIEW[..], &uniforms].concat();
    let (picture, _) = draw(&folder, &args);
    assert_eq!((picture.get_pixel(30, 40).0[2], picture.get_pixel(10, 90).0), (255, [0, 0, 0, 255]));
    let args = [&args[..], &["--background", "#336699"]].concat();
    assert_eq!(draw(&folder, &args).0.get_pixel(10, 90).0, [51, 102, 153, 255]);
    let front = args.iter().map(|a| if *a == "back" { "front" } else { a }).collect::<Vec<_>>();
    assert_eq!(draw(&folder, &front).0.get_pixel(50, 50).0[2], 0);

    // Uniforms of both stages, set and printed; a warning for one without a value.
    let args = [&*vert, &*frag, "--mesh", &*obj, "--uniform", "bright=0.4", "--verbose"];
    let (_, text) = draw(&folder, &[&args[..], &VIEW].concat());
    for line in [
        "the uniform `floor_` gets no value",
        "uniform bright: float at set 3, binding 0, byte 192 = 0.4 (given)",
        "uniform view: mat4 at set 3, binding 0, byte 64 = 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1 (input)",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("`view` gets no"), "{text}");
    // By default the whole mesh is visible.
    let (picture, _) =
        draw(&folder, &[&vert, &frag, "--mesh", &obj, "--uniform", "bright=1", "--uniform", "floor_=0.2"]);
    let lit = picture.enumerate_pixels().filter(|(.., p)| p.0[2] > 0);
    let edge = |x: u32, y: u32| x == 0 || y == 0 || x == 99 || y == 99;
    assert!(lit.clone().count() > 1000 && lit.clone().all(|(x, y, _)| !edge(x, y)));
}

#[test]
fn a_mesh_in_wgsl_and_from_gltf() {
    let folder = Folder::new("mesh-wgsl");
    let wgsl = folder.write(
        "a.wgsl",
        "struct Scene { viewProj: mat4x4f, eye: vec4f }\n@group(0) @binding(0) var<uniform> scene: Scene;\n\
         struct V { @builtin(position) p: vec4f, @location(0) at: vec2f, @location(1) n: vec3f }\n\
         @vertex fn vs(@location(0) position: vec3f, @location(1) uv: vec2f, @location(2) normal: vec3f) -> V {\n\
           return V(scene.viewProj * vec4f(position, 1), uv, normal); }\n\
         @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.at, max(v.n.z, 0) * scene.eye.z / 5, 1); }",
    );
    let obj = folder.write("quads.obj", QUADS);
    let (picture, text) = draw(&folder, &[&[&*wgsl, "--mesh", &*obj], &VIEW[..]].concat());
    assert_eq!(text, "");
    check_quads(&picture);

    // The same mesh as glTF: each quad is a mesh; the second one is scaled by 2 and moved.
    let mut bytes: Vec<u8> = Vec::new();
    let quad = [[-1f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    for z in [1.0, -1.0] {
        quad.iter().for_each(|[x, y]| [*x, *y, 0.0].iter().for_each(|c| bytes.extend(c.to_le_bytes())));
        quad.iter().for_each(|_| [0.0, 0.0, z].iter().for_each(|c: &f32| bytes.extend(c.to_le_bytes())));
        quad.iter().for_each(|[x, y]| {
            [(x + 1.0) / 2.0, (1.0 - y) / 2.0].iter().for_each(|c| bytes.extend(c.to_le_bytes()));
        });
    }
    [[0u16, 1, 2, 0, 2, 3], [0, 2, 1, 0, 3, 2]]
        .as_flattened()
        .iter()
        .for_each(|i| bytes.extend(i.to_le_bytes()));
    folder.write("quads.bin", &bytes);
    let view = |offset: u32, length: u32| {
        format!("{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}")
    };
    let accessor = |view: u32, component: u32, count: u32, ty: &str| {
        format!(
            "{{\"bufferView\":{view},\"componentType\":{component},\"count\":{count},\"type\":\"{ty}\",\"min\":[-1,-1,0],\"max\":[1,1,0]}}"
        )
    };
    let (mut views, mut accessors, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    for m in 0..2u32 {
        for (part, (offset, length)) in [(0, 48), (48, 48), (96, 32)].into_iter().enumerate() {
            views.push(view(128 * m + offset, length));
            let ty = if part == 2 { "VEC2" } else { "VEC3" };
            let plain = accessor(4 * m + part as u32, 5126, 4, ty);
            accessors.push(if part == 0 {
                plain
            } else {
                plain.split(",\"min\"").next().unwrap().to_owned() + "}"
            });
        }
        views.push(view(256 + 12 * m, 12));
        accessors
            .push(accessor(4 * m + 3, 5123, 6, "SCALAR").split(",\"min\"").next().unwrap().to_owned() + "}");
        let a = 4 * m;
        meshes.push(format!(
            "{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{a},\"NORMAL\":{},\"TEXCOORD_0\":{}}},\"indices\":{}}}]}}",
            a + 1, a + 2, a + 3
        ));
    }
    let gltf = folder.write(
        "quads.gltf",
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0,1]}}],\
             \"nodes\":[{{\"mesh\":0}},{{\"mesh\":1,\"scale\":[2,2,2],\"translation\":[0,0,-1]}}],\
             \"buffers\":[{{\"uri\":\"quads.bin\",\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}],\"meshes\":[{}]}}",
            bytes.len(), views.join(","), accessors.join(","), meshes.join(",")
        ),
    );
    let (picture, text) = draw(&folder, &[&[&*wgsl, "--mesh", &*gltf], &VIEW[..]].concat());
    assert_eq!(text, "");
    check_quads(&picture);

    // The front of a mirrored quad is still its front.
    let scene = std::fs::read_to_string(&gltf).unwrap();
    let scene = scene.replace("{\"mesh\":0}", "{\"mesh\":0,\"scale\":[-1,1,1]}");
    let mirrored = folder.write("mirrored.gltf", scene);
    for (mesh, cull, blue) in [(&gltf, "back", 255), (&mirrored, "back", 255), (&mirrored, "front", 0)] {
        let args = [wgsl.as_str(), "--mesh", mesh.as_str(), "--cull", cull];
        let (picture, _) = draw(&folder, &[&args[..], &VIEW].concat());
        assert_eq!(picture.get_pixel(50, 50).0[2], blue, "{mesh} {cull}");
    }
}

#[test]
fn vertices_without_a_mesh() {
    let folder = Folder::new("vertices");
    let vert = folder.write(
        "a.vert",
        "#version 450\nlayout(location = 1) in vec3 color;\nlayout(location = 0) out vec3 shade;\nvoid main() {\n\
         vec2 p[4] = vec2[](vec2(-1), vec2(1, -1), vec2(-1, 1), vec2(1));\n\
         gl_Position = vec4(p[gl_VertexIndex], 0.5, 1); shade = vec3(0.2, 0.4, 0.6) * color; }\n",
    );
    let frag = folder.write("a.frag", "#version 450\nlayout(location = 0) in vec3 s;\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(s, 1); }\n");
    let args = [&*vert, &*frag, "--vertices", "4", "--topology", "triangle-strip"];
    let (picture, text) = draw(&folder, &args);
    assert!(picture.pixels().all(|p| p.0 == [51, 102, 153, 255]));
    assert!(text.contains("the vertex input `color` at location 1 gets white: there is no mesh"), "{text}");
    // Three vertices cover the half above the diagonal.
    let (picture, _) = draw(&folder, &[&*vert, &frag, "--vertices", "3"]);
    assert_eq!((picture.get_pixel(10, 10).0[2], picture.get_pixel(90, 90).0[2]), (153, 0));
}

#[test]
fn what_is_missing_or_wrong() {
    let folder = Folder::new("mesh-wrong");
    let (vert, frag) = (folder.write("a.vert", VERT), folder.write("a.frag", FRAG));
    let bare = folder.write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let odd = folder.write(
        "odd.vert",
        "#version 450\nlayout(location = 2) in vec2 uv;\nlayout(location = 0) in vec4 first;\nlayout(location = 7) in float weight;\n\
         layout(location = 1) in ivec2 ids;\nlayout(location = 3) out vec3 n;\n\
         void main() { gl_Position = first + vec4(uv, weight, ids.x); n = vec3(0); }\n",
    );
    let flat = folder.write(
        "flat.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nlayout(location = 4) in vec3 gone;\nvoid main() { c = vec4(gone, 1); }",
    );
    let (_, text) = draw(&folder, &[&odd, &flat, "--mesh", &bare]);
    for line in [
        "the vertex input `uv` at location 2 gets 0: the mesh has no texture coordinates",
        "the vertex input `first` at location 0 gets the mesh's positions, by its location",
        "the vertex input `weight` at location 7 gets 0: meshes have no such attribute",
        "the vertex input `ids` at location 1 gets 0",
        "the input `gone` at location 4 gets no value: it is 0, as no vertex output is there",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }

    let out = folder.path("o.png");
    let wrong = |args: &[&str]| bad(&[&["render"], args, &["-o", &out]].concat());
    let broken = folder.write("broken.obj", "v 0 0 0\nf 1 2 3\n");
    let text = folder.write("mesh.txt", "");
    let gltf = folder.write("broken.gltf", "{\"asset\":");
    for (args, why) in [
        (&[&*vert, &*frag][..], "--mesh model.obj"),
        (&[&vert, "--mesh", &bare], "a fragment shader is missing"),
        (&[&frag, "--mesh", &bare], "no vertex shader for --mesh"),
        (&[&frag, "--vertices", "3"], "no vertex shader for --vertices"),
        (&[&vert, &frag, "--mesh", &broken], "there are 1 vertices"),
        (&[&vert, &frag, "--mesh", &text], ".obj, .gltf or .glb"),
        (&[&vert, &frag, "--mesh", &gltf], "broken.gltf"),
        (&[&vert, &frag, "--mesh", "none.obj"], "cannot read none.obj"),
        (&[&vert, &frag, "--mesh", &bare, "--eye", "1,2"], "three numbers"),
        (&[&frag, "--eye", "1,2,3"], "--eye needs --mesh or --vertices"),
        (&[&frag, "--background", "#ff8000"], "--background is an option of meshes and scenes"),
        (&[&vert, &frag, "--mesh", &bare, "--background", "red"], "give a colour"),
    ] {
        let said = wrong(args);
        assert!(said.contains(why), "{args:?}: {said}");
    }
}
