//! Tests of scenes: one program, because most of the time of a small one is linking.
//!
//! Tests that start processes of themselves, fork, limit the process or read what all devices share are programs of their own,
//! in this package's manifest.

mod common;

#[path = "animate.rs"]
mod animate;
#[path = "checked.rs"]
mod checked;
#[path = "furnace.rs"]
mod furnace;
#[path = "interpreter.rs"]
mod interpreter;
#[path = "layers.rs"]
mod layers;
#[path = "light.rs"]
mod light;
#[path = "material.rs"]
mod material;
#[path = "optics.rs"]
mod optics;
#[path = "place.rs"]
mod place;
#[path = "trace.rs"]
mod trace;
