//! Path tracing of frames: from a [`Frame`] and a camera to a picture of all light in the scene.
//!
//! Owns the acceleration structures, tables and sums of a picture. Appearance of surfaces, tone mapping and the sky are
//! those of [`crate::draw`], whose structures and WGSL the shaders here include.
//!
//! ```text
//!   shaders     WGSL of all steps                 prepare    weights of the environment, albedos
//!   geometry    vertices after skins and targets  structure  acceleration structures
//!   surfaces    materials, texels                 emitters   triangles that emit light
//!   view        the camera and limits of paths    dispatch   samples in short dispatches
//!   sums        sums of samples, their noise      layers     OpenEXR files
//!   identity    a number for each picture         parts      numbers of the samples in sums
//! ```
//!
//! The estimator is unbiased: at each surface, a path samples one source of light and one direction, combined by multiple
//! importance sampling, and Russian roulette ends it. Nothing is clamped. A sample depends on its pixel and its number
//! alone, and sums are in fixed point, so that the picture is the same for any number of threads, and for ranges of
//! samples that are traced apart and added.
//!
//! Definitions beyond glTF:
//!
//! - Layers take from the layers below them exactly what they reflect, and GGX includes multiple scattering, so that a
//!   white furnace stays white. For materials in which light follows the specification's formulas alone, such as a
//!   diffuse surface without specular reflection, light equals that of [`crate::draw`].
//! - A surface with a volume refracts, and absorbs along the path inside. Base colour tints light by its square root at
//!   each boundary. A surface that transmits without a volume is a thin wall.
//! - A single-sided surface is invisible to the camera from behind. To other rays it has two sides; it emits at its front.
//! - Punctual lights have no extent. Smooth surfaces show them to the camera, but after a rough surface there are no
//!   caustics of punctual lights, and transmitting surfaces cast full shadows of them.
//! - Alpha is coverage, decided at random for each ray.
//! - The light of a path that meets a volume with dispersion is that of one colour, chosen at random: each colour has its
//!   own index of refraction.
//! - A film of KHR_materials_iridescence lies below the coat, and is computed as in air.

mod dispatch;
mod emitters;
mod geometry;
mod identity;
mod layers;
mod parts;
mod prepare;
mod shaders;
mod structure;
mod sums;
mod surfaces;
mod view;

use glam::Mat4;
use quadrille::{Buffer, BufferDesc, BufferUsage, Device, Error, ImageView, Resource, Result, Sampler};

pub use dispatch::Progress;
pub use sums::Sums;

use crate::draw::gpu;
use crate::draw::lights::Placed;
use crate::draw::{self, Environment, Picture};
use crate::frame::{Frame, PlacedCamera};
use crate::model::{Scene, Topology};
use dispatch::Machine;
use geometry::Shapes;
use identity::Identity;
use parts::Parts;
use prepare::Prepared;

/// Options of path-traced pictures.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size, surroundings, background and exposure. Samples and shadows of drawings do not apply.
    pub draw: draw::Options,
    /// Maximum number of surfaces after the first that a path meets; `None` leaves its end to chance.
    pub max_bounces: Option<u32>,
    /// Radius of the lens in metres; 0 shows everything in focus.
    pub aperture: f32,
    /// Distance in metres that is in focus; `None` is the middle of what the scene contains.
    pub focus: Option<f32>,
}

impl Options {
    /// Options for a picture of this size, in focus everywhere, under the built-in sky.
    pub fn new(width: u32, height: u32) -> Self {
        Options { draw: draw::Options::new(width, height), max_bounces: None, aperture: 0.0, focus: None }
    }

    fn check(&self) -> Result<()> {
        self.draw.check()?;
        let pixels = u64::from(self.draw.width) * u64::from(self.draw.height);
        if pixels > sums::MAX_PIXELS {
            let most = sums::MAX_PIXELS;
            return Err(Error::Limit(format!("a path-traced picture of {pixels} pixels: at most {most}")));
        }
        if !(self.aperture.is_finite() && self.aperture >= 0.0) {
            return Err(Error::invalid(format!("an aperture of {}", self.aperture)));
        }
        match self.focus {
            Some(focus) if !(focus.is_finite() && focus > 0.0) => {
                Err(Error::invalid(format!("a focal distance of {focus}")))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// A scene on a device, for path tracing.
pub struct Tracer<'a> {
    device: Device,
    scene: &'a Scene,
    options: Options,
    shapes: Shapes,
    surfaces: surfaces::Surfaces,
    prepared: Prepared,
    panorama: ImageView,
    panorama_sampler: Sampler,
    /// Factor for the light of the sky, if that surrounds the scene.
    sky: Option<f32>,
    machine: Machine,
    sums: Buffer,
    /// For each pixel, the numbers of its node and material.
    names: Buffer,
    /// Samples in `sums`.
    parts: Parts,
    /// The light of the environment, which samples of every frame depend on.
    surroundings: Identity,
    /// Values and buffers that the samples depend on.
    identity: Identity,
    warnings: Vec<String>,
}

impl<'a> Tracer<'a> {
    /// Uploads a scene to a device.
    pub fn new(device: &Device, scene: &'a Scene, options: &Options) -> Result<Self> {
        options.check()?;
        let environment = &options.draw.environment;
        let sky = matches!(environment, Environment::Sky);
        let panorama = draw::environment::panorama_of(device, environment)?.view;
        let panorama_sampler = gpu::panorama_sampler(device)?;
        let anisotropic = scene.materials.iter().any(|m| m.anisotropy.strength > 0.0);
        let prepared = Prepared::new(device, &options.draw, &panorama, &panorama_sampler, anisotropic)?;
        let (width, height) = (options.draw.width, options.draw.height);
        let size = u64::from(width) * u64::from(height) * u64::from(sums::PER_PIXEL) * 8;
        let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_DST;
        let sums = device.create_bound_buffer(BufferDesc { size, usage })?;
        let size = u64::from(width) * u64::from(height) * 8;
        let names = device.create_bound_buffer(BufferDesc { size, usage })?;
        let shapes = Shapes::new(device, scene)?;
        let machine = Machine::new(device, sky, shapes.features(scene), options)?;
        Ok(Tracer {
            device: device.clone(),
            scene,
            shapes,
            surfaces: surfaces::Surfaces::new(device, scene)?,
            prepared,
            panorama,
            panorama_sampler,
            sky: sky.then_some(options.draw.environment_intensity),
            machine,
            sums,
            names,
            parts: Parts::default(),
            surroundings: surroundings(environment),
            identity: Identity::default(),
            warnings: Vec::new(),
            options: Options {
                draw: draw::Options { environment: Environment::default(), ..options.draw.clone() },
                ..options.clone()
            },
        })
    }

    /// Parts of the last frame that its picture does not show.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Begins the picture of a frame, without samples.
    ///
    /// Returns `Invalid` if the frame belongs to another scene.
    pub fn begin(&mut self, frame: &Frame, camera: &PlacedCamera) -> Result<()> {
        self.warnings.clear();
        let flat = |p: &crate::model::Primitive| p.topology != Topology::Triangles && p.count() > 0;
        let drawn = frame.draws.iter().filter_map(|d| self.scene.meshes.get(d.mesh));
        let lines = drawn.flat_map(|m| &m.primitives).filter(|p| flat(p)).count();
        if lines > 0 {
            self.warnings
                .push(format!("{lines} primitives of points or lines have no surface, and are left out"));
        }
        let lights = Placed::new(frame, self.sky, false);
        if lights.left_out.0 > 0 {
            let (left, most) = (lights.left_out.0, draw::MAX_LIGHTS);
            self.warnings.push(format!("{left} of the lights are left out: at most {most} are supported"));
        }
        let placed = self.shapes.place(&self.device, self.scene, frame)?;
        let emitters = emitters::of(self.scene, &self.surfaces, &placed)?;
        let counts = [lights.lights.len() as u32, emitters.list.len() as u32];
        let view = view::uniform(&self.options, camera, frame, counts, &self.prepared);

        let usage = BufferUsage::STORAGE;
        let set = &self.machine.set;
        set.write(0, 0, Resource::Structure(&placed.structure))?;
        self.machine.view.write(0, &[view])?;
        let instances = gpu::buffer_of(&self.device, &emitters.instances, usage)?;
        // The vertices are in the spaces of their instances.
        let places: Vec<Mat4> = placed.instances.iter().map(|instance| instance.world).collect();
        self.identity = self
            .surroundings
            .clone()
            .values(&[view])
            .values(&places)
            .values(&lights.lights)
            .values(&emitters.list)
            .values(&emitters.instances)
            .buffer(&placed.vertices)
            .buffer(self.shapes.indices())
            .buffer(&self.surfaces.materials)
            .buffer(&self.surfaces.pictures)
            .buffer(&self.surfaces.texels)
            .buffer(&self.prepared.cells)
            .buffer(&self.prepared.albedos);
        set.write_buffer(3, &placed.vertices)?;
        set.write_buffer(4, self.shapes.indices())?;
        set.write_buffer(5, &instances)?;
        set.write_buffer(6, &self.surfaces.materials)?;
        set.write_buffer(7, &self.surfaces.pictures)?;
        set.write_buffer(8, &self.surfaces.texels)?;
        set.write_buffer(9, &gpu::buffer_of(&self.device, &lights.lights, usage)?)?;
        set.write_buffer(10, &gpu::buffer_of(&self.device, &emitters.list, usage)?)?;
        set.write_buffer(11, &self.prepared.cells)?;
        set.write(12, 0, Resource::Image(&self.panorama))?;
        set.write(13, 0, Resource::Sampler(&self.panorama_sampler))?;
        set.write_buffer(14, &self.prepared.albedos)?;
        set.write_buffer(15, &self.sums)?;
        set.write_buffer(16, &self.names)?;
        self.machine.keep(placed);
        self.clear()
    }

    /// Removes all samples.
    pub fn clear(&mut self) -> Result<()> {
        let mut commands = self.device.create_command_buffer();
        commands.fill_buffer(&self.sums, 0, None, 0);
        commands.end()?;
        self.parts = Parts::default();
        self.device.queue().run(&commands)
    }

    /// Number of samples per pixel that the sums contain.
    pub fn samples(&self) -> u32 {
        self.parts.count()
    }

    /// Adds samples of all pixels, by their numbers. Returns `Invalid` if one of them is in the sums already, and `Limit` if the
    /// sums had more than 65,536 separate ranges of samples. `progress` is called after each pass over the picture; tracing
    /// stops if it returns false. Returns the number of samples that were added.
    pub fn add(
        &mut self,
        samples: std::ops::Range<u32>,
        mut progress: impl FnMut(&mut Progress<'_>) -> bool,
    ) -> Result<u32> {
        self.parts.clone().add(&samples)?;
        // The first pass may be a range of its own, even if all samples together touch the next one.
        self.parts.clone().add(&(samples.start..samples.end.min(samples.start.saturating_add(1))))?;
        let mut next = samples.start;
        while next < samples.end {
            let pass = self.machine.pass(samples.end - next);
            self.machine.run(&self.device, next, pass)?;
            self.parts.add(&(next..next + pass))?;
            next += pass;
            let mut report = Progress::new(next - samples.start, &self.sums, self.parts.count());
            if !progress(&mut report) {
                break;
            }
            report.error()?;
        }
        Ok(next - samples.start)
    }

    /// The picture of the samples so far.
    pub fn picture(&self) -> Result<Picture> {
        let (width, height) = (self.options.draw.width, self.options.draw.height);
        self.machine.develop(
            &self.device,
            &self.sums,
            [width, height],
            self.parts.count(),
            self.options.draw.exposure,
            self.options.draw.transparent,
        )
    }

    /// The sums so far, to be added to those of other samples of the same picture.
    pub fn sums(&self) -> Result<Sums> {
        let (width, height) = (self.options.draw.width, self.options.draw.height);
        let (picture, parts, words) = (self.identity.number()?, self.parts.clone(), self.sums.read_all()?);
        Ok(Sums { width, height, picture, parts, words })
    }

    /// Adds the sums of other samples; see [`Sums::add`].
    pub fn add_sums(&mut self, other: &Sums) -> Result<()> {
        let mut all = self.sums()?;
        all.add(other)?;
        self.sums.write(0, &all.words)?;
        self.parts = all.parts;
        Ok(())
    }
}

/// The light of an environment. Its cells have the same probabilities in another colour.
fn surroundings(environment: &Environment) -> Identity {
    let known = Identity::default();
    match environment {
        Environment::Sky => known.values(b"sky"),
        Environment::Uniform(color) => known.values(color),
        Environment::Panorama(p) => known.values(&[p.width, p.height]).values(&p.texels),
    }
}
