//! `quadrille profile`, `--coverage`, and the errors and output of `quadrille trace` and `--trace`.

use crate::common::{self, Folder, bad, good, wrong};
use quadrille::testing::{self, Requirement};

const PICTURE: &str = "#version 450
layout(location = 0) out vec4 color;
void main() {
    float sum = 0.0;
    for (int i = 0; i < int(gl_FragCoord.x); i++) {
        sum += 0.01;
    }
    if (gl_FragCoord.x > 100.0) {
        sum = 0.0;
    }
    color = vec4(sum);
}
";

#[test]
fn a_picture_is_profiled() {
    let folder = Folder::new("profile");
    let shader = folder.write("loop.frag", PICTURE);
    let [picture, heat, over, listing] =
        ["picture.png", "heat.png", "over.png", "listing.txt"].map(|name| folder.path(name));
    let json = good(&[
        "profile",
        "--measure=0",
        "--json",
        "--heat",
        &heat,
        "--overlay",
        &over,
        "--listing",
        &listing,
        &shader,
        "-o",
        &picture,
        "--size",
        "16x8",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let line = |n: u64| {
        let lines = json["lines"].as_array().unwrap();
        lines.iter().find(|l| l["line"] == n).unwrap_or_else(|| panic!("line {n}: {json:#}"))["operations"]
            .as_u64()
    };
    // 8 rows of 0 to 15 iterations: 960 iterations in total, whatever the cost of one.
    let rounds = line(6).unwrap();
    assert!(rounds > 0 && rounds.is_multiple_of(960), "{rounds}");
    assert_eq!(line(9), Some(0));
    let pixel = |file: &str, x| image::open(file).unwrap().into_rgb8().get_pixel(x, 4).0;
    assert!(pixel(&heat, 15)[0] > 240 && pixel(&heat, 0)[0] < 130, "{:?}", pixel(&heat, 0));
    assert_ne!(pixel(&over, 15), pixel(&over, 0));
    let listing = std::fs::read_to_string(listing).unwrap();
    assert!(listing.lines().any(|l| l.contains('%') && l.ends_with("sum += 0.01;")), "{listing}");
    assert!(json["time"].is_null() && line(6).is_some(), "{json:#}");
    // Options of `profile` may stand anywhere, and the picture needs no file.
    let table = good(&["profile", &shader, "--size", "16x8", "--measure", "0", "--lines=2"]);
    assert!(table.contains(" lines more)") && !table.contains("samples of time"), "{table}");
    let table = good(&["profile", "--measure=0", &shader, "-o", &picture, "--size", "16x8"]);
    let first = table.lines().find(|l| l.contains("loop.frag:")).unwrap();
    assert!(first.contains("loop.frag:5") || first.contains("loop.frag:6"), "{table}");
}

/// True if this system supports sampling.
const SAMPLED: bool = cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Like [`SAMPLED`]; the test is skipped on other systems.
fn sampled() -> bool {
    if !SAMPLED {
        testing::skipped(Requirement::Sampling, "profiles have no samples of time on this system");
    }
    SAMPLED
}

/// Line 6 does nearly all of the work.
const HEAVY: &str = "#version 450
layout(location = 0) out vec4 color;
void main() {
    float x = gl_FragCoord.x * 0.001;
    for (int i = 0; i < 2000; i++) {
        x = sqrt(x + 0.5) / (x + 0.25) + sqrt(x + 1.5);
    }
    color = vec4(x);
}
";

#[test]
fn time_is_where_the_work_is() {
    if !sampled() {
        return;
    }
    let folder = Folder::new("measure");
    let shader = folder.write("heavy.frag", HEAVY);
    let [picture, listing] = ["p.png", "listing.txt"].map(|name| folder.path(name));
    let table = |seconds: &str| {
        let measure = format!("--measure={seconds}");
        let args = ["profile", &measure, "--json", "--listing", &listing, &shader, "-o", &picture];
        let json = good(&[&args[..], &["--size", "64x64"]].concat());
        serde_json::from_str::<serde_json::Value>(&json).unwrap()
    };
    // On a busy machine the process may get little time, so the test retries with a longer measurement.
    let (json, stage) = [2, 10, 60]
        .into_iter()
        .map(|seconds| table(&seconds.to_string()))
        .map(|json| (json["time"]["stages"]["fragment"].as_u64().unwrap_or(0), json))
        .find(|(samples, _)| *samples >= 50)
        .map(|(samples, json)| (json, samples))
        .expect("the shader ran for less than a fifth of a second");
    let lines = json["lines"].as_array().unwrap();
    let of = |n: u64| {
        let line = lines.iter().find(|l| l["line"] == n);
        line.map_or(0, |l| l["samples"].as_u64().unwrap())
    };
    assert!(of(6) * 10 >= stage * 7, "line 6 has {} of {stage}: {json:#}", of(6));
    // The vertex shader is short, but samples may hit it, too.
    let stages: u64 = json["time"]["stages"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(lines.iter().map(|l| l["samples"].as_u64().unwrap()).sum::<u64>(), stages);
    // There is little work elsewhere, and all samples are accounted for.
    let all = json["time"]["samples"].as_u64().unwrap();
    let work: u64 = json["time"]["work"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert!(stage * 2 >= all && stages + work == all, "{json:#}");
    let listing = std::fs::read_to_string(listing).unwrap();
    let row = listing.lines().find(|l| l.contains("x = sqrt(")).unwrap();
    assert!(
        listing.contains("   time  samples") && row.split_whitespace().nth(1) == Some(&of(6).to_string()),
        "{row}"
    );
}

/// Line 6 samples an image, line 8 computes.
const SAMPLES: &str = "#version 450
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
    vec2 at = gl_FragCoord.xy / 64.0;
    vec4 texel = texture(image, at) + textureLod(image, at.yx * 3.0, 0.5) + texture(image, at.yy * 0.1);
    for (int i = 0; i < 20; i++) {
        texel = sqrt(texel + 0.5) / (texel + 0.25);
    }
    color = texel;
}
";

#[test]
fn sampling_belongs_to_the_line_that_asks_for_it() {
    if !sampled() {
        return;
    }
    let folder = Folder::new("sampling");
    let shader = folder.write("samples.frag", SAMPLES);
    let [picture, texture] = ["p.png", "texture.png"].map(|name| folder.path(name));
    image::RgbImage::from_fn(64, 64, |x, y| image::Rgb([x as u8, y as u8, (x * y) as u8]))
        .save(&texture)
        .unwrap();
    let args = ["--json", &shader, "-o", &picture, "--size", "64x64", "--texture", &texture];
    let of = |json: &serde_json::Value, n: u64| {
        let line = json["lines"].as_array().unwrap().iter().find(|l| l["line"] == n);
        line.map_or(0, |l| l["samples"].as_u64().unwrap())
    };
    // Even if a busy machine gives the process little time, the longest measurement has samples of both lines.
    let found = [2, 10, 60].into_iter().find_map(|seconds| {
        let measure = format!("--measure={seconds}");
        let json = good(&[&["profile", &measure][..], &args[..]].concat());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        (of(&json, 6) > 0 && of(&json, 8) > 0).then_some(json)
    });
    let json = found.expect("no sample is on line 6, or none on line 8");
    let sum = |of: &serde_json::Value| -> u64 {
        of.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum()
    };
    let lines: u64 = json["lines"].as_array().unwrap().iter().map(|l| l["samples"].as_u64().unwrap()).sum();
    let time = &json["time"];
    assert_eq!(lines + sum(&time["work"]), time["samples"].as_u64().unwrap(), "{json:#}");
    assert_eq!(lines, sum(&time["stages"]), "{json:#}");
}

#[test]
fn a_dispatch_is_profiled() {
    let sum = common::asset("add.comp");
    let args =
        ["--dispatch", "1", "--bind", "0.0=f32:1,2", "--bind", "0.1=f32:10,20", "--bind", "0.2=zeros:8"];
    let table = good(&[&["profile", "--measure=0", &*sum], &args[..]].concat());
    assert!(table.contains("operations of") && table.contains("add.comp:"), "{table}");
    // When measured, each repetition starts with the same bindings, and results are printed once.
    let measured = [&["profile", "--measure=0.1", &*sum], &args[..], &["--read", "0.2:f32"]].concat();
    let table = good(&measured);
    assert_eq!(table.matches("0.2: 11, 22").count(), 1, "{table}");
    assert_eq!(table.contains("samples of time"), SAMPLED, "{table}");
    assert!(bad(&["profile", "--measure=x", &sum]).contains("give a number of seconds"));
    let said = bad(&[&["profile", "--overlay", "x.png", &*sum], &args[..]].concat());
    assert!(said.contains("--overlay is for pictures"), "{said}");
}

#[test]
fn coverage_adds_up_over_commands() {
    let folder = Folder::new("coverage");
    let shader = folder.write("loop.frag", PICTURE);
    let [picture, lcov, page] = ["p.png", "all.lcov", "all.html"].map(|name| folder.path(name));
    for n in 1..3 {
        good(&[
            "render",
            &shader,
            "-o",
            &picture,
            "--size",
            "4x4",
            "--coverage",
            &lcov,
            "--coverage-html",
            &page,
        ]);
        let text = std::fs::read_to_string(&lcov).unwrap();
        // Iterations in 4 rows: 0 + 1 + 2 + 3 each.
        assert!(text.contains(&format!("DA:6,{}\n", 24 * n)), "{text}");
        assert!(
            text.contains("DA:9,0\n") && text.contains("FNDA:") && text.contains("BRDA:8,0,0,0\n"),
            "{text}"
        );
    }
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("class=\"miss\"><td>9") && page.contains("loop.frag"), "{page}");
    // Tests in files, with the same tracefile.
    folder.write(
        "loop.test.toml",
        "shader = \"loop.frag\"\n[[test]]\nname = \"draws\"\ndraw = \"4x4\"\ngolden = \"loop.png\"\n",
    );
    good(&["test", &folder.path("loop.test.toml"), "--bless", "--coverage", &lcov]);
    let text = std::fs::read_to_string(&lcov).unwrap();
    let sources = text.lines().filter(|l| l.starts_with("SF:")).count();
    assert!(sources >= 1 && text.contains("loop.frag"), "{text}");
    assert!(bad(&["render", &shader, "-o", &picture, "--coverage-html", "x.html"]).contains("--coverage"));
}

/// Each row of 4 pixels takes a different path; lines 9, 13, 20 and 25 leave early or never run.
const LEAVES: &str = "#version 450
layout(location = 0) out vec4 color;
void main() {
    int row = int(gl_FragCoord.y);
    color = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        if (i == 1)
        {
            continue;
        }
        if (row == 9)
        {
            break;
        }
        color.r += 0.1;
    }
    switch (row) {
    case 0:
        color.g = 1.0;
        break;
    case 1:
    case 2:
        if (gl_FragCoord.x < 1.0)
        {
            discard;
        }
        color.b = 1.0;
        break;
    case 7:
        color.a = 1.0;
        break;
    default:
        return;
    }
    color.g = 0.5;
}
";

#[test]
fn every_way_out_of_a_block_is_covered() {
    let folder = Folder::new("leaves");
    let shader = folder.write("leaves.frag", LEAVES);
    let [picture, lcov] = ["p.png", "leaves.lcov"].map(|name| folder.path(name));
    good(&["render", &shader, "-o", &picture, "--size", "4x4", "--coverage", &lcov]);
    let text = std::fs::read_to_string(&lcov).unwrap();
    let has = |line: &str| assert!(text.lines().any(|l| l == line), "{line}:\n{text}");
    // 16 pixels; the loop without its second iteration runs 3 times.
    for (line, hits) in
        [(9, 16), (13, 0), (15, 48), (20, 4), (25, 2), (27, 6), (28, 6), (30, 0), (31, 0), (33, 4), (35, 10)]
    {
        has(&format!("DA:{line},{hits}"));
    }
    // The branches of the switch: two cases, one that is never taken, and the default.
    let mut ways: Vec<&str> = text.lines().filter(|l| l.starts_with("BRDA:17,0,")).collect();
    ways.sort_unstable();
    let counts: Vec<&str> = ways.iter().map(|l| l.rsplit(',').next().unwrap()).collect();
    let mut sorted = counts.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["0", "4", "4", "8"], "{text}");
}

#[test]
fn traces_of_pictures() {
    let folder = Folder::new("trace");
    let shader = folder.write("loop.frag", PICTURE);
    let (picture, trace) = (folder.path("p.png"), folder.path("trace"));
    good(&["render", &shader, "-o", &picture, "--size", "8x8", "--trace", &trace]);
    let lines = std::fs::read_to_string(format!("{trace}/trace.jsonl")).unwrap();
    assert!(lines.contains("\"target\":\"draw\"") && lines.contains("\"pictures\""), "{lines}");
    let page = std::fs::read_to_string(format!("{trace}/index.html")).unwrap();
    assert!(page.contains("data:image/png;base64,"));
    // Errors are reported before a program is started.
    assert!(bad(&["trace", "--filter", "paint=info", "--", "true"]).contains("not a trace target"));
    for empty in ["", " , "] {
        assert!(wrong(&["trace", "--filter", empty, "--", "true"]).contains("a directive is missing"));
    }
    assert!(bad(&["trace", "--frames", "3..1", "--", "true"]).contains("is not a range of frames"));
    let driver = folder.write("driver.so", "\x7fELF");
    assert!(wrong(&["trace", "--driver", &driver, "--pictures", &trace, "--", "true"]).contains("not empty"));
    let to_file = |file: &str| bad(&["trace", "--driver", &driver, "-o", file, "--", "no/such/program"]);
    assert!(to_file(&trace).contains("this is a folder"));
    assert!(to_file(&folder.path("new/lines.txt")).contains("cannot start no/such/program"));
    assert!(std::path::Path::new(&folder.path("new")).is_dir());
    let text = wrong(&["render", &shader, "-o", &picture, "--trace", &trace]);
    assert!(text.contains("--trace needs a new folder"), "{text}");
    assert!(bad(&["trace"]).contains("PROGRAM"));
}

/// An output that cannot be below the overlay is refused before the work, whose profile would be lost.
#[test]
fn overlays_need_a_picture() {
    let folder = Folder::new("overlay");
    let shader = folder.write("loop.frag", PICTURE);
    let over = folder.path("over.png");
    let profile = ["profile", &shader, "--size", "8x8", "--measure", "0", "--overlay", &over];
    for name in ["film.gif", "film.y4m", "frame.rgba"] {
        let out = folder.path(name);
        let text = wrong(&[&profile[..], &["-o", &out]].concat());
        assert!(text.contains("--overlay needs a picture"), "{text}");
        assert!(!std::path::Path::new(&out).exists());
    }
    good(&[&profile[..], &["-o", &folder.path("below.png")]].concat());
    assert!(std::path::Path::new(&over).exists());
}

/// Line 12 multiplies matrices, 50 times.
const MATRICES: &str = "#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#define MATRIX(USE) coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Floats { float x[]; };
void main() {
    MATRIX(A) a; coopMatLoad(a, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
    MATRIX(B) b; coopMatLoad(b, x, 256, 16, gl_CooperativeMatrixLayoutRowMajor);
    MATRIX(Accumulator) c = MATRIX(Accumulator)(0.0);
    for (int i = 0; i < 50; i++) {
        c = coopMatMulAdd(a, b, c);
    }
    coopMatStore(c, x, 512, 16, gl_CooperativeMatrixLayoutRowMajor);
}
";

#[test]
fn matrices_are_inspected_and_profiled() {
    let folder = Folder::new("matrices");
    let shader = folder.write("product.comp", MATRICES);
    let text = good(&["inspect", &shader]);
    assert!(text.contains("CooperativeMatrixKHR") && text.contains("cooperative matrices"), "{text}");
    let ir = good(&["inspect", &shader, "--emit", "ir"]);
    assert!(ir.contains("matrix MulAdd { rows: 16, columns: 16, inner: 16"), "{ir}");
    // Capabilities that are newer than the tables have their names, too.
    let newer = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../conformance/filetests/matrix/cooperative_coordinates.spvasm"
    );
    let text = good(&["inspect", newer]);
    assert!(text.contains("CooperativeMatrixGetCoordinateEXT"), "{text}");
    let spirv = good(&["inspect", newer, "--emit", "spvasm"]);
    assert!(spirv.contains("OpCooperativeMatrixGetCoordinateEXT"), "{spirv}");

    let floats = ["--bind", "0.0=zeros:3072", "--dispatch", "1"];
    let json = good(&[&["profile", "--measure=0", "--json", &shader], &floats[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let lines = json["lines"].as_array().unwrap();
    let operations = |n: u64| {
        let line = lines.iter().find(|l| l["line"] == n);
        line.and_then(|l| l["operations"].as_u64()).unwrap_or_else(|| panic!("line {n}: {json:#}"))
    };
    // Each of the 32 invocations takes part in each product.
    assert!(operations(12) > 0 && operations(12).is_multiple_of(32 * 50), "{json:#}");
    assert!(operations(8) > 0 && operations(14) > 0, "{json:#}");
}
