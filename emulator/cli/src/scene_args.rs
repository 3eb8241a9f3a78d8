//! Options of `quadrille render` that apply only to scenes.

use std::path::{Path, PathBuf};

use quadrille_scene::animate::Play;
use quadrille_scene::model::Scene;

use crate::number::{parse_finite, parse_from_zero};
use crate::path_args::PathArgs;
use crate::report::{Failure, Result};

/// `--camera`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraArg {
    /// A camera of the scene.
    Own(usize),
    /// A view of everything.
    None,
}

/// `--animation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnimationArg {
    /// An animation by its index or name.
    Named(String),
    /// No animation.
    None,
}

/// Options of scenes.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Scenes")]
pub struct SceneArgs {
    /// Index of the camera, from 0 in file order, or `none` for a view of everything (default: the first, if there is one)
    #[arg(long, value_name = "N", value_parser = parse_camera)]
    pub camera: Option<CameraArg>,

    /// Turn the view around the vertical axis through the middle of the scene, once in this time (default: 4 seconds)
    #[arg(
        long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "4",
        value_parser = parse_period
    )]
    pub turntable: Option<f64>,

    /// Name or index of the animation to play, from 0, or `none` (default: all that do not conflict)
    #[arg(long, value_name = "NAME", value_parser = parse_animation)]
    pub animation: Option<AnimationArg>,

    /// Picture of the environment that lights the scene: .hdr, .exr, .png or .jpg, equirectangular
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,

    /// Factor for the light from the environment, with the sun of the built-in sky (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub ambient: Option<f32>,

    /// Factor for all light before tone mapping (default 1)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    pub exposure: Option<f32>,

    #[command(flatten)]
    pub path: PathArgs,
}

impl SceneArgs {
    /// The animations of a scene that play. A number is an index, unless an animation has it as its name.
    pub fn play(&self, scene: &Scene) -> Result<Play> {
        let name = match &self.animation {
            None => return Ok(Play::Together),
            Some(AnimationArg::None) => return Ok(Play::Rest),
            Some(AnimationArg::Named(name)) => name,
        };
        if let Some(index) = scene.animations.iter().position(|a| a.name == *name) {
            return Ok(Play::Only(index));
        }
        let index = name.parse().ok().filter(|index| *index < scene.animations.len());
        index.map(Play::Only).ok_or_else(|| {
            let names: Vec<String> = scene.animations.iter().map(|a| format!("`{}`", a.name)).collect();
            let there = match names.as_slice() {
                [] => "the scene has none".to_owned(),
                names => format!("the scene has {}", names.join(", ")),
            };
            Failure::usage(format!("there is no animation {name}: {there}"))
        })
    }

    /// Fails if one of the files is meant as the value of --turntable: without a `=`, a value would be a file.
    pub fn check_turntable<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let is_period = |file: &&Path| {
            let is_number = file.to_str().is_some_and(|text| parse_period(text).is_ok());
            is_number && !file.exists()
        };
        match files.into_iter().find(is_period).filter(|_| self.turntable.is_some()) {
            None => Ok(()),
            Some(file) => {
                let file = file.display();
                Err(Failure::usage(format!("there is no file {file}"))
                    .help(format!("the value of --turntable follows a `=`, as in --turntable={file}")))
            }
        }
    }

    /// Fails if such an option is given without a scene.
    pub fn check_unused(&self) -> Result<()> {
        let given = [
            ("--camera", self.camera.is_some()),
            ("--turntable", self.turntable.is_some()),
            ("--animation", self.animation.is_some()),
            ("--environment", self.environment.is_some()),
            ("--ambient", self.ambient.is_some()),
            ("--exposure", self.exposure.is_some()),
            ("--path-trace", self.path.path_trace),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::usage(format!("{name} is an option of scenes: .gltf or .glb"))),
            None => Ok(()),
        }
    }
}

fn parse_factor(text: &str) -> std::result::Result<f32, String> {
    parse_from_zero(text).map(|factor| factor as f32)
}

fn parse_camera(text: &str) -> std::result::Result<CameraArg, String> {
    match text.trim() {
        "none" => Ok(CameraArg::None),
        number => {
            number.parse().map(CameraArg::Own).map_err(|_| "give the number of a camera, or none".into())
        }
    }
}

fn parse_animation(text: &str) -> std::result::Result<AnimationArg, String> {
    match text {
        "none" => Ok(AnimationArg::None),
        "" => Err("give the name or the number of an animation, or none".into()),
        name => Ok(AnimationArg::Named(name.to_owned())),
    }
}

fn parse_period(text: &str) -> std::result::Result<f64, String> {
    parse_finite(text)
        .ok()
        .filter(|s| *s != 0.0)
        .ok_or_else(|| "give a number of seconds that is not 0".into())
}

#[cfg(test)]
mod tests {
    use quadrille_scene::model::Animation;

    use super::*;

    #[test]
    fn cameras_and_periods() {
        assert_eq!(parse_camera("none"), Ok(CameraArg::None));
        assert_eq!(parse_camera("2"), Ok(CameraArg::Own(2)));
        assert!(parse_camera("-1").is_err() && parse_camera("x").is_err());
        assert_eq!((parse_period("2.5"), parse_period("-4")), (Ok(2.5), Ok(-4.0)));
        assert!(parse_period("0").is_err() && parse_period("nan").is_err());
    }

    #[test]
    fn animations_have_names_and_numbers() {
        let animation = |name: &str| Animation { name: name.into(), ..Animation::default() };
        let scene =
            Scene { animations: vec![animation("walk"), animation(""), animation("0")], ..Scene::default() };
        let play = |text: &str| {
            let args = SceneArgs { animation: Some(parse_animation(text).unwrap()), ..none() };
            args.play(&scene).ok()
        };
        assert_eq!(none().play(&scene).ok(), Some(Play::Together));
        assert_eq!(play("none"), Some(Play::Rest));
        assert_eq!(
            (play("walk"), play("1"), play("0")),
            (Some(Play::Only(0)), Some(Play::Only(1)), Some(Play::Only(2)))
        );
        assert_eq!((play("3"), play("run"), play("-1")), (None, None, None));
        assert!(parse_animation("").is_err());
    }

    fn none() -> SceneArgs {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            scene: SceneArgs,
        }
        <Line as clap::Parser>::parse_from(["render"]).scene
    }
}
