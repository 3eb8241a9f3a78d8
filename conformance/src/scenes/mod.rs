//! Small pictures, each of which shows one behaviour of the rasterizer.
//!
//! [`all`] lists them. [`list`] has the scenes that are one pass of simple draws. [`primitives`], [`tessellation`],
//! [`geometry`], [`mesh`], [`feedback`], [`samples`], [`merge`], [`attachments`], [`textures`], [`formats`] and
//! [`transfer`] have those of several steps, which [`studio`] and [`draw`] carry out. [`client`] is a device of any
//! Vulkan driver, [`has`] lists its features, and [`compare`] measures the difference of two pictures. The tests
//! compare our pictures with those in `goldens`, byte for byte; `quadrille-conformance scenes` also renders them on
//! other drivers. [`witness`] has the second witness of each golden.

pub mod attachments;
pub mod client;
pub mod draw;
mod drawing;
pub mod feedback;
pub mod formats;
pub mod geometry;
pub mod has;
pub mod list;
pub mod merge;
pub mod mesh;
pub mod primitives;
pub mod samples;
pub mod studio;
pub mod targets;
pub mod tessellation;
pub mod textures;
pub mod transfer;
pub mod witness;

use std::path::{Path, PathBuf};

/// Width and height of every scene in pixels.
pub const SIZE: u32 = 64;

/// A scene of several steps.
pub type Steps = fn(&mut studio::Studio) -> studio::Made<()>;

/// Description of a scene.
pub enum How {
    /// One pass of draws.
    Draws(list::Scene),
    /// Several steps.
    Steps(Steps),
}

/// A scene.
pub struct Named {
    /// Name of the scene and of its golden.
    pub name: &'static str,
    how: How,
}

impl Named {
    /// Renders the scene and returns the bytes R, G, B, A of the picture, or `Ok(Err(feature))` if the device lacks a
    /// feature.
    ///
    /// # Errors
    /// The error of the shader compiler or of the driver.
    pub fn make(&self, client: &client::Client) -> Result<Result<Vec<u8>, &'static str>, String> {
        let steps = match &self.how {
            How::Draws(scene) => return client.draw(scene),
            How::Steps(steps) => steps,
        };
        let made = studio::Studio::new(client).and_then(|mut studio| {
            steps(&mut studio)?;
            studio.finish()
        });
        match made {
            Ok(pixels) => Ok(Ok(pixels)),
            Err(studio::Stop::Lacks(feature)) => Ok(Err(feature)),
            Err(studio::Stop::Failed(e)) => Err(format!("{}: {e}", self.name)),
        }
    }
}

/// All scenes.
pub fn all() -> Vec<Named> {
    let simple = list::scenes().into_iter().map(|s| Named { name: s.name, how: How::Draws(s) });
    let steps = [
        primitives::LIST,
        tessellation::LIST,
        geometry::LIST,
        mesh::LIST,
        feedback::LIST,
        samples::LIST,
        merge::LIST,
        attachments::LIST,
        textures::LIST,
        formats::LIST,
        transfer::LIST,
    ]
    .into_iter()
    .flatten();
    simple.chain(steps.map(|&(name, steps)| Named { name, how: How::Steps(steps) })).collect()
}

/// Folder of the goldens.
pub fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens")
}

/// Reads the bytes R, G, B, A of a golden.
///
/// # Errors
/// The file is missing or has another size.
pub fn golden(name: &str) -> Result<Vec<u8>, String> {
    let path = goldens().join(format!("{name}.png"));
    let picture = image::open(&path).map_err(|e| format!("{}: {e}", path.display()))?.into_rgba8();
    if picture.dimensions() != (SIZE, SIZE) {
        return Err(format!("{}: not {SIZE} x {SIZE}", path.display()));
    }
    Ok(picture.into_raw())
}

/// Writes a golden.
///
/// # Errors
/// The file cannot be written.
pub fn bless(name: &str, pixels: &[u8]) -> Result<(), String> {
    let path = goldens().join(format!("{name}.png"));
    image::save_buffer(&path, pixels, SIZE, SIZE, image::ColorType::Rgba8)
        .map_err(|e| format!("{}: {e}", path.display()))
}

/// Difference of two pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Number of equal pixels.
    pub exact: usize,
    /// Largest difference of a component, away from edges.
    pub largest: u8,
    /// Mean difference of a component, away from edges.
    pub mean: f64,
    /// Number of pixels at edges that differ by more than one step.
    pub at_edges: usize,
}

/// Compares two pictures. A pixel is at an edge if one of its neighbours differs by more than 24 steps in either
/// picture.
pub fn compare(a: &[u8], b: &[u8]) -> Difference {
    let n = SIZE as i32;
    let at = |p: &[u8], x: i32, y: i32| -> [u8; 4] {
        let i = ((y * n + x) * 4) as usize;
        [p[i], p[i + 1], p[i + 2], p[i + 3]]
    };
    let step = |a: [u8; 4], b: [u8; 4]| a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
    let edge = |p: &[u8], x: i32, y: i32| {
        (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)))
            .any(|(u, v)| (0..n).contains(&u) && (0..n).contains(&v) && step(at(p, x, y), at(p, u, v)) > 24)
    };
    let mut d = Difference::default();
    let (mut sum, mut count) = (0u64, 0u64);
    for y in 0..n {
        for x in 0..n {
            let (p, q) = (at(a, x, y), at(b, x, y));
            if p == q {
                d.exact += 1;
            }
            if edge(a, x, y) || edge(b, x, y) {
                d.at_edges += usize::from(step(p, q) > 1);
                continue;
            }
            d.largest = d.largest.max(step(p, q));
            sum += p.iter().zip(q).map(|(p, q)| u64::from(p.abs_diff(q))).sum::<u64>();
            count += 4;
        }
    }
    d.mean = if count == 0 { 0.0 } else { sum as f64 / count as f64 };
    d
}
