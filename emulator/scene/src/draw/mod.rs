//! Drawing of frames: from a [`Frame`] and a camera to a picture.
//!
//! Owns all device objects of a scene. Knows neither files nor animation.
//!
//! ```text
//!   shaders      WGSL by material features        pipelines    created at first use
//!   materials    factors, textures, samplers      geometry     vertices, joints, targets
//!   environment  prefiltered surroundings         lights       positions and shadow views
//!   camera       matrices and rays                items        primitives with their variants
//!   passes       render passes and their order    gpu          helpers that create objects
//!   tone         tone mapping of samples to pixels features     bits of shader variants
//!   slots        texture slots, in Rust and WGSL
//! ```
//!
//! Lighting follows glTF 2.0, appendix B, and the extensions: metals and dielectrics with GGX, diffuse light below,
//! sheen, clear coats, transmission, thin films, anisotropy; or reflection by its colour, of specular-glossiness. With
//! dispersion, each colour passes glass on its own path. An anisotropic surface reflects the environment around a turned
//! normal. Light of the environment is split into a sum over directions and albedos,
//! including multiple scattering between facets, so that a white furnace stays white. Light of punctual lights follows
//! the specification, without multiple scattering: a white metal of roughness 1, seen straight on, reflects 1 - ln 2 =
//! 31 %.
//!
//! Not drawn: indirect light between surfaces, shadows of blended or transmitting surfaces, and shadows of the
//! environment. Transmitting surfaces show only opaque surfaces inside the picture.
//!
//! A picture is the same on every host: the device computes the shaders, and matrices are computed with additions,
//! multiplications, divisions, square roots and crate `libm`.

pub(crate) mod camera;
pub(crate) mod environment;
pub(crate) mod features;
pub(crate) mod geometry;
pub(crate) mod gpu;
mod items;
pub(crate) mod lights;
pub(crate) mod materials;
mod passes;
mod pipelines;
pub(crate) mod shaders;
pub(crate) mod slots;
mod tone;

use quadrille::{Device, Error, ImageDesc, ImageUsage, LIMITS, Result, ViewDim};

pub use environment::Environment;
pub use lights::{MAX_LIGHTS, MAX_SHADOW_MAPS};

use crate::frame::{Frame, PlacedCamera};
use crate::model::Scene;
use environment::Prepared;
use gpu::{Growing, Target};
use pipelines::{COLOR, DEPTH, Pipelines};

/// Options for pictures of a scene.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples per pixel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// Surroundings of the scene.
    pub environment: Environment,
    /// True to prepare the environment coarsely, in a small part of the time: for tests and checks.
    pub draft_environment: bool,
    /// Factor for the light of the environment, the sun of the built-in sky included.
    pub environment_intensity: f32,
    /// Linear colour behind the scene, shown without tone mapping; `None` shows the environment.
    pub background: Option<[f32; 3]>,
    /// True to leave out what is behind the scene: pixels and light have alpha, and light is premultiplied.
    pub transparent: bool,
    /// Factor for all light before tone mapping.
    pub exposure: f32,
    /// True if lights cast shadows.
    pub shadows: bool,
}

impl Options {
    /// Options for a picture of this size with four samples per pixel under the built-in sky.
    pub fn new(width: u32, height: u32) -> Self {
        Options {
            width,
            height,
            samples: 4,
            environment: Environment::default(),
            draft_environment: false,
            environment_intensity: 1.0,
            background: None,
            transparent: false,
            exposure: 1.0,
            shadows: true,
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let side = |what, n: u32| {
            let most = quadrille::Picture::MAX_SIDE;
            if n == 0 || n > most {
                return Err(Error::Limit(format!("{what} of {n} pixels: 1 to {most} are possible")));
            }
            Ok(())
        };
        side("a width", self.width)?;
        side("a height", self.height)?;
        if !self.samples.is_power_of_two() || LIMITS.sample_counts & self.samples == 0 {
            return Err(Error::invalid(format!(
                "{} samples per pixel: 1, 2, 4, 8 or 16 are supported",
                self.samples
            )));
        }
        let positive = |what, x: f32| {
            if x.is_finite() && x >= 0.0 { Ok(()) } else { Err(Error::invalid(format!("{what} of {x}"))) }
        };
        positive("an exposure", self.exposure)?;
        positive("an intensity of the environment", self.environment_intensity)
    }
}

/// A finished picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Displayed picture: RGBA in sRGB, not premultiplied, with rows from the top.
    pub pixels: Vec<u8>,
    /// Light before tone mapping, times the exposure: linear RGBA, premultiplied, averaged over the samples.
    pub light: Vec<[f32; 4]>,
}

impl Picture {
    /// Bytes of an OpenEXR file of the light; with alpha if a pixel is transparent.
    pub fn exr(&self) -> Result<Vec<u8>> {
        let floats = self.light.as_flattened();
        if self.light.iter().any(|light| light[3] < 1.0) {
            return quadrille::data::pixels::exr(self.width, self.height, floats, true);
        }
        let rgb: Vec<f32> = floats.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        quadrille::data::pixels::exr(self.width, self.height, &rgb, false)
    }
}

/// A scene on a device.
pub struct Renderer {
    device: Device,
    options: Options,
    materials: Vec<materials::Material>,
    meshes: Vec<Vec<geometry::Primitive>>,
    environment: Prepared,
    pipelines: Pipelines,
    /// Samplers: linear, for shadows, for the panorama.
    samplers: [quadrille::Sampler; 3],
    color: Target,
    depth: Target,
    /// Picture that transmitting surfaces show; one texel if no material transmits.
    backdrop: Target,
    shadow_maps: Option<Target>,
    buffers: Buffers,
    tone: tone::Tone,
    warnings: Vec<String>,
}

/// Buffers that change from frame to frame.
struct Buffers {
    views: Growing,
    frame: Growing,
    joints: Growing,
    weights: Growing,
    draws: Growing,
    lights: Growing,
    shadow_views: Growing,
}

impl Renderer {
    /// Uploads a scene to a device.
    pub fn new(device: &Device, scene: &Scene, options: &Options) -> Result<Self> {
        options.check()?;
        let size = [options.width, options.height];
        let color = Target::flat(
            device,
            COLOR,
            size,
            options.samples,
            ImageUsage::COLOR_ATTACHMENT | ImageUsage::SAMPLED | ImageUsage::TRANSFER_SRC,
        )?;
        let depth = Target::flat(device, DEPTH, size, options.samples, ImageUsage::DEPTH_STENCIL_ATTACHMENT)?;
        let tone = tone::Tone::new(device, &color.view, options.transparent)?;
        let sky = matches!(options.environment, Environment::Sky);
        let pipelines = Pipelines::new(device, options.samples, sky)?;
        let materials = materials::upload(device, scene, &pipelines.material)?;
        let any = |feature| materials.iter().any(|m| m.has(feature));
        let environment = Prepared::new(device, options, any(features::SHEEN))?;
        let transmits = any(features::TRANSMISSION);
        let [width, height] = if transmits { size } else { [1, 1] };
        let usage = ImageUsage::SAMPLED
            | ImageUsage::COLOR_ATTACHMENT
            | ImageUsage::TRANSFER_SRC
            | ImageUsage::TRANSFER_DST;
        let backdrop = ImageDesc {
            levels: gpu::levels_of(width, height),
            ..ImageDesc::new_2d(COLOR, width, height, usage)
        };
        let compare = quadrille::SamplerDesc {
            compare: Some(quadrille::CompareOp::LessOrEqual),
            ..quadrille::SamplerDesc::linear(quadrille::AddressMode::ClampToEdge)
        };
        Ok(Renderer {
            device: device.clone(),
            options: Options { environment: Environment::default(), ..options.clone() },
            meshes: geometry::upload(device, scene)?,
            materials,
            environment,
            pipelines,
            samplers: [
                gpu::smooth_sampler(device)?,
                device.create_sampler(compare)?,
                gpu::panorama_sampler(device)?,
            ],
            color,
            depth,
            backdrop: Target::new(device, backdrop, ViewDim::D2)?,
            shadow_maps: None,
            buffers: Buffers::new(device)?,
            tone,
            warnings: Vec::new(),
        })
    }

    /// Parts of the last frame that its picture does not show.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Draws a frame.
    ///
    /// Returns `Invalid` if the frame belongs to another scene.
    pub fn render(&mut self, frame: &Frame, camera: &PlacedCamera) -> Result<Picture> {
        let exposure = self.options.exposure;
        if !self.options.transparent {
            self.tone.set(exposure, false)?;
            self.draw(frame, camera, self.options.background)?;
            return self.tone.read();
        }
        // The difference of light before white and before black is what passes.
        self.tone.set(1.0, false)?;
        self.draw(frame, camera, Some([1.0; 3]))?;
        let white = self.tone.read()?.light;
        self.draw(frame, camera, Some([0.0; 3]))?;
        let black = self.tone.read()?.light;
        let passed = |(w, b): (&[f32; 4], &[f32; 4])| (w[0] - b[0] + w[1] - b[1] + w[2] - b[2]) / 3.0;
        let coverage: Vec<f32> =
            white.iter().zip(&black).map(|pair| (1.0 - passed(pair)).clamp(0.0, 1.0)).collect();
        self.tone.cover(&coverage)?;
        self.tone.set(exposure, true)?;
        let mut commands = self.device.create_command_buffer();
        self.tone.record(&mut commands);
        commands.end()?;
        self.device.queue().run(&commands)?;
        self.tone.read()
    }
}

impl Buffers {
    fn new(device: &Device) -> Result<Self> {
        use quadrille::BufferUsage as U;
        Ok(Buffers {
            views: Growing::new(device, U::UNIFORM)?,
            frame: Growing::new(device, U::UNIFORM)?,
            joints: Growing::new(device, U::STORAGE)?,
            weights: Growing::new(device, U::STORAGE)?,
            draws: Growing::new(device, U::UNIFORM)?,
            lights: Growing::new(device, U::STORAGE)?,
            shadow_views: Growing::new(device, U::STORAGE)?,
        })
    }
}
