//! `quadrille profile`, `--coverage`, and what `quadrille trace` and `--trace` refuse and write.

mod common;

use common::{Folder, bad, good};

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
    // 8 rows of 0 to 15 rounds: the sum is 960 rounds, whatever a round takes.
    let rounds = line(6).unwrap();
    assert!(rounds > 0 && rounds.is_multiple_of(960), "{rounds}");
    assert_eq!(line(9), Some(0));
    let pixel = |file: &str, x| image::open(file).unwrap().into_rgb8().get_pixel(x, 4).0;
    assert!(pixel(&heat, 15)[0] > 240 && pixel(&heat, 0)[0] < 130, "{:?}", pixel(&heat, 0));
    assert_ne!(pixel(&over, 15), pixel(&over, 0));
    let listing = std::fs::read_to_string(listing).unwrap();
    assert!(listing.lines().any(|l| l.contains('%') && l.ends_with("sum += 0.01;")), "{listing}");
    let table = good(&["profile", &shader, "-o", &picture, "--size", "16x8"]);
    let first = table.lines().find(|l| l.contains("loop.frag:")).unwrap();
    assert!(first.contains("loop.frag:5") || first.contains("loop.frag:6"), "{table}");
}

#[test]
fn a_dispatch_is_profiled() {
    let sum = common::asset("add.comp");
    let args =
        ["--dispatch", "1", "--bind", "0.0=f32:1,2", "--bind", "0.1=f32:10,20", "--bind", "0.2=zeros:8"];
    let table = good(&[&["profile", &*sum], &args[..]].concat());
    assert!(table.contains("operations of") && table.contains("add.comp:"), "{table}");
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
        // Rounds of 4 rows: 0 + 1 + 2 + 3 each.
        assert!(text.contains(&format!("DA:6,{}\n", 24 * n)), "{text}");
        assert!(
            text.contains("DA:9,0\n") && text.contains("FNDA:") && text.contains("BRDA:8,0,0,0\n"),
            "{text}"
        );
    }
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("class=\"miss\"><td>9") && page.contains("loop.frag"), "{page}");
    // Tests in files, the same file.
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
    // What cannot be traced is said before a program is started.
    assert!(bad(&["trace", "--filter", "paint=info", "--", "true"]).contains("no target"));
    assert!(bad(&["trace", "--frames", "3..1", "--", "true"]).contains("no range of frames"));
    assert!(bad(&["trace", "--driver", &shader, "--pictures", &trace, "--", "true"]).contains("not empty"));
    assert!(bad(&["trace"]).contains("PROGRAM"));
}
