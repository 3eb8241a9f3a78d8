//! Options of `quadrille render` that only scenes have.

use std::path::PathBuf;

use quadrille_scene::animate::Play;

use crate::args::parse_finite;
use crate::report::{Failure, Result};

/// Options of scenes.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Scenes")]
pub struct SceneArgs {
    /// Number of the camera, from 0 in the order of the file
    #[arg(long, value_name = "N")]
    pub camera: Option<usize>,

    /// Number of the animation that plays, from 0, or `none` (default: all that do not contradict each other)
    #[arg(long, value_name = "N", value_parser = parse_play)]
    pub animation: Option<Play>,

    /// Picture of all directions that lights the scene: .hdr, .exr, .png or .jpg, equirectangular
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,

    /// Factor of the light that comes from all directions (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub ambient: Option<f32>,

    /// Factor of all light before tone mapping (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub exposure: Option<f32>,
}

impl SceneArgs {
    /// An error if something is given, since there is no scene.
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
            None => Ok(()),
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
