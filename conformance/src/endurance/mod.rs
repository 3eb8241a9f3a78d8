//! Endurance: very many objects of each kind, pipelines, devices and frames, through the entry points of the driver.
//!
//! * [`client`]: instance, device and shared resources. [`points`]: memory over time.
//! * [`kinds`]: cheap objects, a row for each kind; [`objects`] makes and destroys very many of them.
//! * [`pipelines`], [`devices`], [`frames`]: very many of each.
//!
//! All work has results that are compared. Random programs are in `calls`.

pub mod client;
pub mod devices;
pub mod frames;
pub mod kinds;
pub mod objects;
pub mod pipelines;
pub mod points;
