//! The page of `quadrille test --html` in a browser: pictures are shown, and the slider moves between them. These
//! tests are skipped without Chromium.

use std::path::Path;
use std::process::Command;

use crate::common::{Folder, chromium, quadrille};

/// The browser's output for a page: text, or a screenshot.
fn browse(browser: &Path, profile: &str, page: &str, arguments: &[&str]) -> String {
    let out = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
        ])
        .arg(format!("--user-data-dir={profile}"))
        .args(arguments)
        .arg(format!("file://{page}"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn pictures_stand_beside_each_other_and_under_a_slider() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new("page");
    folder
        .write("red.wgsl", "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }");
    let test = folder.write(
        "red.test.toml",
        "[[test]]\nname = \"<red> & \\\"quoted\\\"\"\nshader = \"red.wgsl\"\ndraw = \"64x64\"\ngolden = \"blue.png\"\n",
    );
    image::RgbaImage::from_pixel(64, 64, image::Rgba([0, 0, 255, 255]))
        .save(folder.path("blue.png"))
        .unwrap();
    let (page, out) = (folder.path("report.html"), folder.path("out"));
    let done = quadrille(&["test", &test, "--html", &page, "--artifacts", &out]);
    assert_eq!(done.status.code(), Some(1));

    // Moves the slider to 25 %, with the same event as a user.
    let moved = "<script>const s = document.querySelector('input'); s.value = 25; s.dispatchEvent(new Event('input'));</script>";
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, text.replace("</html>", &format!("{moved}</html>"))).unwrap();
    let (profile, shot) = (folder.path("profile"), folder.path("shot.png"));
    let dom = browse(&browser, &profile, &page, &["--dump-dom"]);
    for part in ["&lt;red&gt; &amp; \"quoted\"", "class=\"over\"", "75%", "left: 25%"] {
        assert!(dom.contains(part), "{part}\n{dom}");
    }
    assert_eq!(dom.matches("<figure>").count(), 3);
    browse(&browser, &profile, &page, &[&format!("--screenshot={shot}"), "--window-size=1200,1600"]);
    let shot = image::open(&shot).unwrap().into_rgba8();
    // In a row through the slider, blue (expected) has a quarter of the width, and red (actual) the rest.
    let run = |row: u32, color: [u8; 3]| {
        (0..shot.width()).filter(|x| shot.get_pixel(*x, row).0[..3] == color).count() as f32
    };
    let parts = (0..shot.height()).map(|y| (run(y, [0, 0, 255]), run(y, [255, 0, 0])));
    let under = parts.filter(|(blue, red)| *blue > 0.0 && *red > 2.0 * blue).count();
    assert!(under > 100, "{under} rows show the slider");
    // The pictures side by side: expected, actual, and the difference, which is also red everywhere.
    let beside = (0..shot.height()).filter(|y| {
        let (blue, red) = (run(*y, [0, 0, 255]), run(*y, [255, 0, 0]));
        blue > 0.0 && red == 2.0 * blue
    });
    assert!(beside.count() > 100);
    if let Some(keep) = option_env!("CARGO_TARGET_TMPDIR") {
        shot.save(Path::new(keep).join("report_page.png")).unwrap();
    }
}
