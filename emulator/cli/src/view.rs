//! The view of a scene, and its picture as pixels.

use image::RgbaImage;
use quadrille_scene::animate;
use quadrille_scene::draw::Picture;
use quadrille_scene::frame::{Frame, PlacedCamera};
use quadrille_scene::model::Scene;

use crate::report::{Failure, Result};

/// Camera of the frames.
pub enum View {
    /// A camera of the scene, by its index among those of a frame.
    Own(usize),
    /// A fixed camera that sees all of the first frame.
    Still(PlacedCamera),
}

impl View {
    /// The requested camera, or the first one, or one that sees everything.
    pub fn new(scene: &Scene, first: &Frame, asked: Option<usize>, aspect: f32) -> Result<Self> {
        match (asked, first.cameras.len()) {
            (Some(n), 0) => Err(Failure::new(format!("there is no camera {n}: the scene has none"))),
            (Some(n), count) if n >= count => {
                Err(Failure::new(format!("there is no camera {n}: the scene has 0 to {}", count - 1)))
            }
            (None, 0) => Ok(View::Still(animate::camera(scene, first, aspect))),
            (asked, _) => Ok(View::Own(asked.unwrap_or(0))),
        }
    }

    /// Camera of a frame.
    pub fn camera<'a>(&'a self, frame: &'a Frame) -> &'a PlacedCamera {
        match self {
            // All frames have the same cameras.
            View::Own(n) => &frame.cameras[*n],
            View::Still(camera) => camera,
        }
    }
}

/// Pixels of a picture.
pub fn pixels(picture: Picture) -> Result<RgbaImage> {
    let made = RgbaImage::from_raw(picture.width, picture.height, picture.pixels);
    made.ok_or_else(|| Failure::new("the picture has the wrong size"))
}
