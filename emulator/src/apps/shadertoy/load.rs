//! Loads a Shadertoy from a folder or file.

use std::path::Path;

use super::project::ShadertoyProject;
use super::{folder, json};
use crate::error::Result;

impl ShadertoyProject {
    /// Reads a Shadertoy: a folder, its `shadertoy.toml`, or a JSON file as Shadertoy's API gives it.
    ///
    /// A folder has `image.glsl` and, if there are such passes, `common.glsl`, `buffer_a.glsl` to `buffer_d.glsl`,
    /// `cube_a.glsl` and `sound.glsl`. `shadertoy.toml` describes the channels:
    ///
    /// ```toml
    /// [image]
    /// iChannel0 = "buffer_a"
    /// iChannel1 = { source = "wood.jpg", filter = "mipmap", wrap = "repeat", vflip = true, srgb = false }
    /// iChannel2 = { faces = ["px.png", "nx.png", "py.png", "ny.png", "pz.png", "nz.png"] }
    /// iChannel3 = { source = "slices.png", depth = 32 }
    /// ```
    ///
    /// A source is the name of a file (pictures, and 3D textures as the site's `.bin`), `buffer_a` to `buffer_d`,
    /// `cube_a`, `keyboard`, `music`, `mic`, `video`, `webcam`, or noise: `gray_noise_small`, `gray_noise_medium`,
    /// `rgba_noise_small`, `rgba_noise_medium`, `gray_noise_3d`, `rgba_noise_3d`. The noise has the same size as the
    /// site's, but other values. Without `shadertoy.toml`, channels 0 to 3 of every pass are those of buffers A to D
    /// that exist.
    ///
    /// Files named in JSON are searched beside the JSON file, by the whole path (`media/a/NAME.png`) or the name alone.
    ///
    /// # Errors
    /// `Invalid` with the file and the place.
    pub fn load(path: impl AsRef<Path>) -> Result<ShadertoyProject> {
        let path = path.as_ref();
        let is_toml = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
        if path.is_dir() {
            folder::load(path)
        } else if is_toml && path.file_name().is_some_and(|n| n == folder::CHANNELS) {
            folder::load(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))
        } else {
            json::load(path)
        }
    }

    /// True if [`ShadertoyProject::load`] accepts the path.
    pub fn is_project(path: &Path) -> bool {
        let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        is_json || path.is_dir() || path.file_name().is_some_and(|n| n == folder::CHANNELS)
    }
}
