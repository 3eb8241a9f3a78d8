//! Options of `quadrille render` that apply only to scenes.

use std::path::PathBuf;

use quadrille_scene::animate::Play;

use crate::number::parse_finite;
use crate::path_args::PathArgs;
use crate::report::{Failure, Result};

/// Options of scenes.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Scenes")]
pub struct SceneArgs {
    /// Index of the camera, from 0 in file order
    #[arg(long, value_name = "N")]
    pub camera: Option<usize>,

    /// Index of the animation to play, from 0, or `none` (default: all that do not conflict)
    #[arg(long, value_name = "N", value_parser = parse_play)]
    pub animation: Option<Play>,

    /// Picture of the environment that lights the scene: .hdr, .exr, .png or .jpg, equirectangular
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,

    /// Factor for the light from the environment (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub ambient: Option<f32>,

    /// Factor for all light before tone mapping (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub exposure: Option<f32>,

    #[command(flatten)]
    pub path: PathArgs,
}

impl SceneArgs {
    /// Fails if such an option is given without a scene.
    pub fn check_unused(&self) -> Result<()> {
        let given = [
            ("--camera", self.camera.is_some()),
            ("--animation", self.animation.is_some()),
            ("--environment", self.environment.is_some()),
            ("--ambient", self.ambient.is_some()),
            ("--exposure", self.exposure.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::new(format!("{name} is an option of scenes: .gltf or .glb"))),
            None if self.path.path_trace => {
                Err(Failure::new("--path-trace is an option of scenes: .gltf or .glb"))
            }
            None => self.path.check_unused(),
        }
    }
}

fn parse_factor(text: &str) -> std::result::Result<f32, String> {
    parse_finite(text).map(|factor| factor as f32)
}

fn parse_play(text: &str) -> std::result::Result<Play, String> {
    match text.trim() {
        "none" => Ok(Play::Rest),
        number => {
            number.parse().map(Play::Only).map_err(|_| "give the number of an animation, or none".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animations() {
        assert_eq!(parse_play("none"), Ok(Play::Rest));
        assert_eq!(parse_play("2"), Ok(Play::Only(2)));
        assert!(parse_play("-1").is_err() && parse_play("x").is_err());
    }
}
