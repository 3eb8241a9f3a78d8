//! Concise tests of shaders: from source to typed results.
//!
//! ```
//! use quadrille::ShaderTest;
//! # fn main() -> Result<(), quadrille::Error> {
//! let source = "
//!     @group(0) @binding(0) var<storage, read> a: array<f32>;
//!     @group(0) @binding(1) var<storage, read_write> b: array<f32>;
//!     @compute @workgroup_size(4)
//!     fn main(@builtin(global_invocation_id) id: vec3<u32>) { b[id.x] += 2.0 * a[id.x]; }";
//! let b: Vec<f32> = ShaderTest::wgsl(source)?
//!     .bind(0, 0, &[1.0f32, 2.0, 3.0, 4.0])
//!     .bind(0, 1, &[10.0f32; 4])
//!     .dispatch([1, 1, 1])?
//!     .read(0, 1)?;
//! assert_eq!(b, [12.0, 14.0, 16.0, 18.0]);
//! # Ok(())
//! # }
//! ```
//!
//! A fragment shader is drawn over a whole picture:
//!
//! ```
//! use quadrille::{Picture, ShaderTest, Tolerance};
//! # fn main() -> Result<(), quadrille::Error> {
//! let source = "@fragment fn main() -> @location(0) vec4<f32> { return vec4(0.0, 0.5, 1.0, 1.0); }";
//! let picture = ShaderTest::wgsl(source)?.draw(16, 16)?.picture()?;
//! let expected = Picture::filled(16, 16, [0, 128, 255, 255])?;
//! picture.compare(&expected, Tolerance::components(1), None).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! [`shader_test!`](crate::shader_test!) and [`ShaderTest::file`] test a shader in a file, in any language; errors show
//! its lines. Shaders check themselves with `ASSERT(condition)` after `#include "quadrille/assert.glsl"`, and in WGSL
//! with `quadrille_assert(invocation, condition)`:
//!
//! ```
//! use quadrille::ShaderTest;
//! let source = "
//!     @compute @workgroup_size(4)
//!     fn main(@builtin(global_invocation_id) id: vec3<u32>) { quadrille_assert(id, id.x != 2u); }";
//! let error = ShaderTest::wgsl(source)?.dispatch([1, 1, 1]).unwrap_err();
//! assert!(error.to_string().contains("assertion failed in 1 invocation: invocation (2, 0, 0)"));
//! # Ok::<(), quadrille::Error>(())
//! ```
//!
//! Each test has exclusive use of a device, so a shader that does not end fails only its own test. Bound resources must
//! match the shader's declarations, as for the command: see [`ShaderTest::loose`].

mod assertions;
mod devices;
mod dispatch;
mod draw;
mod drawing;
mod golden;
mod images;
mod launch;
mod layouts;
mod mismatch;
mod picture;
mod prints;
mod resources;
mod run;
mod source;

pub use drawing::TestVertices;
pub use mismatch::Mismatch;
pub use picture::{Picture, Tolerance};
pub use prints::Prints;
pub use run::TestRun;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::Pod;
use quadrille_jit::ir::Stage;
use quadrille_languages::{self as frontend, files};
use quadrille_raster::format::Format;
use quadrille_raster::sampling::ViewDim;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::launch::{Primitives, ScenePart};
use crate::observation::check::{Level, Session, Sources, words};
use crate::observation::coverage;
use crate::observation::coverage::name_of_text;
use crate::rays::AccelerationStructure;
use crate::resource::sampler::SamplerDesc;
use devices::Leased;
use drawing::Drawing;
use source::Code;

/// An image of any shape, or a texel buffer.
#[derive(Clone, Debug)]
pub struct TestImage {
    /// Format of the texels.
    pub format: Format,
    /// Dimensionality of the view, which covers the whole image.
    pub dim: ViewDim,
    /// Width, height and depth of level 0.
    pub extent: [u32; 3],
    /// Number of array layers (faces for cubes).
    pub layers: u32,
    /// Number of mip levels.
    pub levels: u32,
    /// Samples per texel.
    pub samples: u32,
    /// Texels row by row, ordered by level, then layer, then sample, then slice.
    pub texels: Vec<u8>,
}

impl TestImage {
    /// A 2D image with one level, layer and sample.
    pub fn new_2d(format: Format, (width, height): (u32, u32), texels: Vec<u8>) -> Self {
        let extent = [width, height, 1];
        TestImage { format, dim: ViewDim::D2, extent, layers: 1, levels: 1, samples: 1, texels }
    }
}

/// Contents of a binding.
#[derive(Clone)]
enum Bound {
    Bytes(Vec<u8>),
    Zeros(u64),
    Image(TestImage, SamplerDesc),
    Sampler(SamplerDesc),
    /// Parts of a scene, for an acceleration structure.
    Scene(Vec<ScenePart>),
    Structure(AccelerationStructure),
}

/// Value of a specialization constant.
#[derive(Clone)]
enum SpecValue {
    Bits(u64),
    Text(String),
}

/// A test of a shader. See the [module](self).
#[derive(Clone)]
pub struct ShaderTest {
    code: Code,
    entry: Option<String>,
    spec: Vec<(u32, SpecValue)>,
    lanes: Option<u32>,
    bound: BTreeMap<(u32, u32, u32), Bound>,
    loose: bool,
    quiet: bool,
    checked: bool,
    push: Vec<u8>,
    device: Option<Device>,
    drawing: Drawing,
    launching: launch::Launching,
}

impl std::fmt::Debug for ShaderTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ShaderTest({} words, {} bindings)", self.code.words.len(), self.bound.len())
    }
}

impl ShaderTest {
    /// Creates a test of a compute shader in GLSL.
    ///
    /// # Errors
    /// `Invalid` without the feature `glsl`, because the library then has no GLSL compiler. With it, `Invalid` with the
    /// lines of the source if it does not compile, `Limit` if it takes too long, `OutOfMemory` if the host lacks memory
    /// for the compiler.
    pub fn glsl(source: &str) -> Result<Self> {
        Ok(Self::of(Code::glsl(&name_of_text("test.glsl", source), source, Stage::Compute)?))
    }

    /// Creates a test of a fragment shader in GLSL.
    ///
    /// # Errors
    /// Those of [`glsl`](Self::glsl).
    pub fn glsl_fragment(source: &str) -> Result<Self> {
        Ok(Self::of(Code::glsl(&name_of_text("test.glsl", source), source, Stage::Fragment)?))
    }

    /// Creates a test of a module in WGSL.
    ///
    /// # Errors
    /// `Invalid`, with the lines of the source, if it does not compile; `OutOfMemory` if the host lacks memory for the
    /// compiler.
    pub fn wgsl(source: &str) -> Result<Self> {
        Self::wgsl_with(source, &[])
    }

    /// Creates a test of a module in WGSL with values of overridable constants, by id or name.
    ///
    /// # Errors
    /// Those of [`wgsl`](Self::wgsl); `Invalid` also for a constant that the module does not have.
    pub fn wgsl_with(source: &str, constants: &[(&str, f64)]) -> Result<Self> {
        Ok(Self::of(Code::wgsl(&name_of_text("test.wgsl", source), source, constants)?))
    }

    /// Creates a test of an AGSL program, which is a fragment shader with its children as pictures. The drawn colour is
    /// the premultiplied colour that its `main` returns.
    ///
    /// # Errors
    /// Those of [`wgsl`](Self::wgsl), for AGSL.
    pub fn agsl(source: &str) -> Result<Self> {
        Self::source(&name_of_text("test.agsl", source), source)
    }

    /// Creates a test of a module in SPIR-V text.
    ///
    /// # Errors
    /// `Invalid` if the text cannot be assembled. Mistakes in the module itself are errors of the run, such as
    /// [`dispatch`](Self::dispatch).
    pub fn spirv_text(source: &str) -> Result<Self> {
        Self::source("test.spvasm", source)
    }

    /// Creates a test of a source whose name gives the language and, for GLSL, the stage (`.comp`, `.frag`; compute by
    /// default). Included files are searched beside it.
    ///
    /// # Errors
    /// `Invalid` if the name does not give a language, and if the source does not compile: the error names the source
    /// and shows its lines. GLSL needs the feature `glsl`.
    pub fn source(name: &str, source: impl AsRef<[u8]>) -> Result<Self> {
        Self::source_with(name, source.as_ref(), &frontend::Options::default())
    }

    /// Like [`source`](Self::source), with compile options: definitions, include folders, constants.
    ///
    /// # Errors
    /// Those of [`source`](Self::source).
    pub fn source_with(name: &str, source: &[u8], options: &frontend::Options) -> Result<Self> {
        Ok(Self::of(Code::named(name, source, None, options)?))
    }

    /// Creates a test of a shader in a file; see [`source`](Self::source). The path is relative to the current folder
    /// of the process, which `cargo test` sets to the folder of the package. [`shader_test!`](crate::shader_test!)
    /// takes a path relative to the calling source file.
    ///
    /// # Errors
    /// Those of [`source`](Self::source); `Invalid` also if the file cannot be read or has more than 64 MiB.
    pub fn file(path: impl AsRef<std::path::Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes =
            files::given(path, files::MAX_TEXT_BYTES).map_err(|e| Error::invalid(format!("{name}: {e}")))?;
        Self::source(&name, bytes)
    }

    /// Implementation of [`shader_test!`](crate::shader_test!).
    #[doc(hidden)]
    pub fn beside(manifest: &str, caller: &str, path: &str, source: &[u8]) -> Result<Self> {
        Self::source(&source::beside(manifest, caller, path), source)
    }

    /// Creates a test of a module in SPIR-V words.
    pub fn spirv(words: &[u32]) -> Self {
        Self::of(Code { words: words.to_vec(), ..Code::default() })
    }

    fn of(code: Code) -> Self {
        ShaderTest {
            code,
            entry: None,
            spec: Vec::new(),
            lanes: None,
            bound: BTreeMap::new(),
            loose: false,
            quiet: false,
            checked: false,
            push: Vec::new(),
            device: None,
            drawing: Drawing::default(),
            launching: launch::Launching::default(),
        }
    }

    /// Allows resources that do not match the shader's declarations: short buffers, images of other types, and push
    /// constants and specialization constants that the shader does not have. For tests of such mismatches.
    pub fn loose(mut self) -> Self {
        self.loose = true;
        self
    }

    /// Collects the shader's output only for [`TestRun::printed`], instead of printing it too.
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// Runs with checked execution, and fails with the findings if the shader's behaviour is undefined: for a race, an
    /// access out of bounds, an uninitialized variable or a value that the specifications leave undefined. Notes do not
    /// fail the test. See [`quadrille::check`](crate::check). Cannot be combined with [`on`](Self::on).
    ///
    /// ```
    /// use quadrille::ShaderTest;
    /// let source = "
    ///     @group(0) @binding(0) var<storage, read_write> sums: array<u32>;
    ///     @compute @workgroup_size(8)
    ///     fn main(@builtin(local_invocation_index) i: u32) { sums[i / 2u] += i; }";
    /// let test = ShaderTest::wgsl(source)?.check().bind_zeros::<u32>(0, 0, 4);
    /// let error = test.dispatch([1, 1, 1]).unwrap_err().to_string();
    /// assert!(error.contains("error[race-buffer]"), "{error}");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn check(mut self) -> Self {
        self.checked = true;
        self
    }

    /// Runs on this device instead of one that the tests share.
    pub fn on(mut self, device: &Device) -> Self {
        self.device = Some(device.clone());
        self
    }

    /// Sets the entry point, if the module has several of the stage.
    pub fn entry(mut self, name: &str) -> Self {
        self.entry = Some(name.into());
        self
    }

    /// Sets a specialization constant of all stages that have it: its SpecId and the bits of its value.
    pub fn spec(mut self, id: u32, bits: u64) -> Self {
        self.spec.push((id, SpecValue::Bits(bits)));
        self
    }

    /// Sets a specialization constant from text, in the type that the module declares: `64`, `0xff`, `-1.5`, `true`.
    pub fn spec_text(mut self, id: u32, value: &str) -> Self {
        self.spec.push((id, SpecValue::Text(value.into())));
        self
    }

    /// Sets the subgroup size: 4, 8, 16 or 32.
    pub fn lanes(mut self, lanes: u32) -> Self {
        self.lanes = Some(lanes);
        self
    }

    /// Binds a buffer with these contents, as the uniform or storage buffer that the shader declares.
    pub fn bind<T: Pod>(self, set: u32, binding: u32, data: &[T]) -> Self {
        self.bind_at(set, binding, 0, data)
    }

    /// Binds a buffer to an element of an array of buffers. Unbound elements read as zero.
    pub fn bind_at<T: Pod>(mut self, set: u32, binding: u32, element: u32, data: &[T]) -> Self {
        self.bound.insert((set, binding, element), Bound::Bytes(bytemuck::cast_slice(data).to_vec()));
        self
    }

    /// Binds a buffer of `count` zero values.
    pub fn bind_zeros<T: Pod>(mut self, set: u32, binding: u32, count: usize) -> Self {
        self.bound.insert((set, binding, 0), Bound::Zeros(count.saturating_mul(size_of::<T>()) as u64));
        self
    }

    /// Binds a picture as a sampled or storage image; a combined image sampler gets a sampler with nearest filter.
    pub fn bind_picture(self, set: u32, binding: u32, picture: &Picture) -> Self {
        let size = (picture.width, picture.height);
        self.bind_image(set, binding, Format::R8G8B8A8_UNORM, size, picture.bytes())
    }

    /// Binds an image of any format as a sampled or storage image; texels are row by row.
    pub fn bind_image<T: Pod>(
        self,
        set: u32,
        binding: u32,
        format: Format,
        size: (u32, u32),
        texels: &[T],
    ) -> Self {
        self.bind_image_at(set, binding, 0, format, size, texels)
    }

    /// Like [`bind_image`](Self::bind_image), for an element of an array of images.
    pub fn bind_image_at<T: Pod>(
        self,
        set: u32,
        binding: u32,
        element: u32,
        format: Format,
        (width, height): (u32, u32),
        texels: &[T],
    ) -> Self {
        let texels = bytemuck::cast_slice(texels).to_vec();
        self.bind_shape(set, binding, element, TestImage::new_2d(format, (width, height), texels))
    }

    /// Binds an image of any shape, or a texel buffer, to an element of an array.
    pub fn bind_shape(mut self, set: u32, binding: u32, element: u32, image: TestImage) -> Self {
        self.bound.insert((set, binding, element), Bound::Image(image, SamplerDesc::default()));
        self
    }

    /// Binds a sampler. If images are already bound there, this becomes their sampler.
    pub fn bind_sampler(mut self, set: u32, binding: u32, desc: SamplerDesc) -> Self {
        let mut any = false;
        for (_, bound) in self.bound.range_mut((set, binding, 0)..=(set, binding, u32::MAX)) {
            if let Bound::Image(_, sampler) = bound {
                (*sampler, any) = (desc, true);
            }
        }
        if !any {
            self.bound.insert((set, binding, 0), Bound::Sampler(desc));
        }
        self
    }

    /// Binds an acceleration structure: one instance, with custom index 0 and mask 255, of these triangles. Those that
    /// are not `opaque` are candidates of ray queries, which the shader must confirm.
    pub fn triangles(self, set: u32, binding: u32, triangles: &[[[f32; 3]; 3]], opaque: bool) -> Self {
        let primitives = Primitives::Triangles(triangles.to_vec());
        self.scene(set, binding, &[ScenePart { primitives, opaque, record_offset: 0 }])
    }

    /// Binds an acceleration structure with an instance of each part: triangles or boxes.
    pub fn scene(self, set: u32, binding: u32, parts: &[ScenePart]) -> Self {
        self.scene_at(set, binding, 0, parts)
    }

    /// Like [`scene`](Self::scene), for an element of an array of acceleration structures.
    pub fn scene_at(mut self, set: u32, binding: u32, element: u32, parts: &[ScenePart]) -> Self {
        self.bound.insert((set, binding, element), Bound::Scene(parts.to_vec()));
        self
    }

    /// Binds an acceleration structure of the device that the test runs on; see [`ShaderTest::on`].
    pub fn structure(mut self, set: u32, binding: u32, structure: &AccelerationStructure) -> Self {
        self.bound.insert((set, binding, 0), Bound::Structure(structure.clone()));
        self
    }

    /// Sets push constants.
    pub fn push<T: Pod>(mut self, data: &[T]) -> Self {
        self.push = bytemuck::cast_slice(data).to_vec();
        self
    }

    /// Runs the compute shader with this number of workgroups.
    ///
    /// # Errors
    /// `Invalid` for a mistake in the module, for resources, constants or push constants that do not fit its
    /// declarations, for failed assertions of the shader, and for findings of [`check`](Self::check). `Unsupported` or
    /// `Limit` for a module that the device cannot run. `OutOfMemory` if the resources do not fit the memory of the
    /// device or of the host.
    ///
    /// `Aborted` if the shader aborts, `DeviceLost` if it exceeds its budget of CPU time. The budget is that of the
    /// device of [`on`](Self::on), or else `QUADRILLE_BUDGET`: by default 10 seconds, with [`check`](Self::check) 60.
    /// Later tests get another device, except with [`on`](Self::on).
    pub fn dispatch(self, groups: [u32; 3]) -> Result<TestRun> {
        self.run(|device| dispatch::dispatch(device, &self, groups))
    }

    /// Draws the fragment shader over a picture of this width and height, in pixels.
    ///
    /// Without a vertex or mesh stage, one triangle with depth 0 covers the whole picture. Its output at location 0 is
    /// a `vec2` from (0, 0) in the upper left corner of the picture to (1, 1) in the lower right one.
    ///
    /// The picture has the format R8G8B8A8_UNORM and is transparent black before the draw: see [`target`](Self::target)
    /// and [`clear`](Self::clear). Its origin is the upper left corner, so the centre of the first pixel has the
    /// fragment coordinates (0.5, 0.5).
    ///
    /// # Errors
    /// Those of [`dispatch`](Self::dispatch); `Invalid` also for a size of 0, and if the stages do not form a pipeline.
    /// `Limit` for a picture larger than the images of the device.
    pub fn draw(self, width: u32, height: u32) -> Result<TestRun> {
        self.run(|device| draw::draw(device, &self, width, height))
    }

    /// Launches the ray tracing pipeline of the ray generation shader under test and the shaders that
    /// [`stage_glsl`](Self::stage_glsl) and [`module`](Self::module) added; see [`group`](Self::group).
    ///
    /// # Errors
    /// Those of [`dispatch`](Self::dispatch) and of [`groups`](crate::launch::groups()).
    pub fn trace(self, size: [u32; 3]) -> Result<TestRun> {
        self.run(|device| launch::launch(device, &self, size))
    }

    /// Runs on the test's device; errors show the sources that they refer to.
    fn run(&self, run: impl FnOnce(&Device) -> Result<TestRun>) -> Result<TestRun> {
        let run = |device: &Device| {
            let prints = Prints::collect(device, !self.quiet);
            let mut done = run(device)?;
            done.printed = prints.map_or_else(Vec::new, |p| p.lines());
            done.check_assertions(&self.codes())?;
            Ok(done)
        };
        let done = match &self.device {
            Some(_) if self.checked => Err(Error::invalid("a checked test cannot run on a given device")),
            Some(device) => run(device),
            None if self.checked => self.run_checked(run),
            None => run(&*Leased::new()?),
        };
        coverage::flush();
        done.map_err(|e| self.codes().iter().fold(e, |e, code| code.explain(e)))
    }

    /// Runs with checked execution, and fails if there are findings. If the run fails too, its error follows them.
    fn run_checked(&self, run: impl FnOnce(&Device) -> Result<TestRun>) -> Result<TestRun> {
        let session = Arc::new(Session::default());
        let done = run(&devices::checked(&session)?);
        let found = session.reports.found();
        if found.iter().all(|r| r.level <= Level::Note) {
            return done;
        }
        let mut sources = Sources::default();
        self.codes().iter().for_each(|code| sources.add(&*code.file, &*code.text));
        let mut text = words::all(&found, &sources);
        if let Err(e) = done {
            text = format!("{text}\n{e}");
        }
        Err(Error::invalid(text))
    }

    /// Sources of all stages.
    fn codes(&self) -> Vec<&Code> {
        let others = self.drawing.others.iter().map(|other| &other.code);
        let launched = self.launching.modules.iter().map(|module| &module.code);
        std::iter::once(&self.code).chain(others).chain(launched).collect()
    }
}

/// Creates a [`ShaderTest`] of a file beside the calling source file. The file becomes part of the program; its name
/// gives the language and the stage.
///
/// ```
/// # fn main() -> quadrille::Result<()> {
/// let test = quadrille::shader_test!("../../../assets/shaders/add.comp")?;
/// # let _ = test;
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! shader_test {
    ($path:literal) => {
        $crate::ShaderTest::beside(env!("CARGO_MANIFEST_DIR"), file!(), $path, include_bytes!($path))
    };
}

/// Returns the `Invalid` error for a binding without a resource.
fn unbound(set: u32, binding: u32) -> Error {
    Error::invalid(format!("nothing is bound at set {set}, binding {binding}"))
}
