//! A page in Chromium, with the driver instead of the browser's software GPU, without flags for drivers.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use quadrille::testing::{self, Requirement};

const LIBRARY: &str = "libvk_swiftshader.so";

/// Draws a ramp by WebGL 2, and shows the renderer and the colour of the corner pixel: (255.5 / 256) of 255, and half.
const PAGE: &str = r"<canvas id=c width=256 height=256></canvas><pre id=p></pre><script>
const gl = document.getElementById('c').getContext('webgl2');
const program = gl.createProgram();
for (const [type, source] of [
  [gl.VERTEX_SHADER, `#version 300 es
void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2. - 1., 0, 1); }`],
  [gl.FRAGMENT_SHADER, `#version 300 es
precision highp float;
out vec4 colour;
void main() { colour = vec4(gl_FragCoord.xy / 256., .5, 1.); }`]]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
gl.drawArrays(gl.TRIANGLES, 0, 3);
const pixel = new Uint8Array(4);
gl.readPixels(255, 255, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
const names = gl.getExtension('WEBGL_debug_renderer_info');
document.getElementById('p').textContent = gl.getParameter(names.UNMASKED_RENDERER_WEBGL) + ': ' + pixel;
</script>";

/// The folder and the program of an installed browser that brings a software GPU.
fn browser() -> Option<(PathBuf, &'static str)> {
    let places = [
        ("/usr/lib/chromium", "chromium"),
        ("/usr/lib/chromium-browser", "chromium"),
        ("/opt/google/chrome", "chrome"),
    ];
    let found = places.map(|(folder, program)| (PathBuf::from(folder), program));
    let found = found
        .into_iter()
        .find(|(folder, program)| folder.join(LIBRARY).is_file() && folder.join(program).is_file());
    if found.is_none() {
        testing::skipped(Requirement::Chromium, "no Chromium with a software GPU");
    }
    found
}

/// Builds a folder like the browser's, with the driver as its software GPU. The program is a copy: a browser looks for
/// its files in the folder of its real path.
fn with_driver(browser: &Path, program: &str, folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for file in fs::read_dir(browser).unwrap() {
        let file = file.unwrap();
        let to = folder.join(file.file_name());
        match file.file_name() {
            name if name == program => drop(fs::copy(file.path(), &to).unwrap()),
            name if name == LIBRARY => {}
            _ => symlink(file.path(), &to).unwrap(),
        }
    }
    let driver = std::env::current_exe().unwrap().with_file_name("libvk_quadrille.so");
    fs::copy(driver, folder.join(LIBRARY)).unwrap();
}

#[test]
fn pages_draw_on_the_driver_in_the_place_of_swiftshader() {
    let Some((from, program)) = browser() else { return };
    let folder = std::env::temp_dir().join(format!("quadrille-browser-{}", std::process::id()));
    with_driver(&from, program, &folder.join("browser"));
    let page = folder.join("page.html");
    fs::write(&page, PAGE).unwrap();
    let out = Command::new(folder.join("browser").join(program))
        .args(["--headless", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--virtual-time-budget=8000"])
        .arg(format!("--user-data-dir={}", folder.join("data").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .env("HOME", &folder)
        .env_remove("VK_DRIVER_FILES")
        .env_remove("VK_ICD_FILENAMES")
        .output()
        .unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let (dom, log) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let line =
        dom.lines().find(|line| line.contains("<pre id=\"p\">")).unwrap_or_else(|| panic!("{dom}\n{log}"));
    assert!(line.contains("in its place: Quadrille") && line.contains(": 255,255,128,255"), "{line}\n{log}");
}
