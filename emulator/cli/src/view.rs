//! The view of a scene, and its picture as pixels.

use std::f64::consts::TAU;

use image::RgbaImage;
use quadrille_scene::animate;
use quadrille_scene::draw::Picture;
use quadrille_scene::frame::{Frame, PlacedCamera};
use quadrille_scene::model::Scene;

use crate::report::{Failure, Result};
use crate::scene_args::{CameraArg, SceneArgs};

/// Camera of the frames.
pub struct View {
    from: From,
    /// Seconds of a turn around the middle of the first frame.
    turn: Option<f64>,
    middle: [f32; 3],
}

enum From {
    /// A camera of the scene, by its index among those of a frame.
    Own(usize),
    /// A fixed camera that sees all of the first frame.
    Still(PlacedCamera),
}

impl View {
    /// The requested camera, or the first one, or one that sees everything.
    pub fn new(scene: &Scene, first: &Frame, args: &SceneArgs, aspect: f32) -> Result<Self> {
        let from = match (args.camera, first.cameras.len()) {
            (Some(CameraArg::Own(n)), 0) => {
                return Err(Failure::usage(format!("there is no camera {n}: the scene has none")));
            }
            (Some(CameraArg::Own(n)), count) if n >= count => {
                return Err(Failure::usage(format!(
                    "there is no camera {n}: the scene has {count}, counted from 0"
                )));
            }
            (Some(CameraArg::Own(n)), _) => From::Own(n),
            (None, 1..) if args.turntable.is_none() => From::Own(0),
            (Some(CameraArg::None) | None, _) => From::Still(match args.turntable {
                Some(_) => animate::camera_around(scene, first, aspect),
                None => animate::camera(scene, first, aspect),
            }),
        };
        Ok(View { from, turn: args.turntable, middle: first.middle().to_array() })
    }

    /// Camera of a frame at a time in seconds.
    pub fn camera(&self, frame: &Frame, time: f64) -> PlacedCamera {
        let camera = match &self.from {
            // All frames have the same cameras.
            From::Own(n) => &frame.cameras[*n],
            From::Still(camera) => camera,
        };
        match self.turn {
            Some(period) => camera.turned(self.middle.into(), ((time / period).fract() * TAU) as f32),
            None => camera.clone(),
        }
    }
}

/// Pixels of a picture.
pub fn pixels(picture: Picture) -> Result<RgbaImage> {
    let made = RgbaImage::from_raw(picture.width, picture.height, picture.pixels);
    made.ok_or_else(|| Failure::new("the picture has the wrong size"))
}
