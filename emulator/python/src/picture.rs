//! Renders fragment shaders and Shadertoys to pixel arrays; reads and writes picture files.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use image::{DynamicImage, RgbaImage};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pyo3::prelude::*;
use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{self, NamedTexture, RendererDesc};
use quadrille::apps::shadertoy::{self, ShadertoyError, ShadertoyProject, SoundRenderer};
use quadrille::frontend::{Includes, Options};
use quadrille::{AddressMode, Filter, Picture, SamplerDesc, Tolerance};

use crate::device::Device;
use crate::errors::{self, Source};
use crate::module::Module;
use crate::printf;

/// Filter (`linear`, `nearest`), address mode (`repeat`, `mirror`, `clamp`, `border`), and `true` for normalized coordinates.
pub type SamplerArg = (String, String, bool);

/// Converts a Python sampler to its description.
pub fn sampler_desc(py: Python<'_>, (filter, wrap, normalized): &SamplerArg) -> PyResult<SamplerDesc> {
    let filter = match filter.as_str() {
        "linear" => Filter::Linear,
        "nearest" => Filter::Nearest,
        _ => return Err(errors::invalid(py, &format!("the filter `{filter}` is not linear or nearest"))),
    };
    let address = match wrap.as_str() {
        "repeat" => AddressMode::Repeat,
        "mirror" => AddressMode::MirroredRepeat,
        "clamp" => AddressMode::ClampToEdge,
        "border" => AddressMode::ClampToBorder,
        _ => {
            return Err(errors::invalid(
                py,
                &format!("the wrap `{wrap}` is not repeat, mirror, clamp or border"),
            ));
        }
    };
    Ok(SamplerDesc {
        mag_filter: filter,
        min_filter: filter,
        mipmap_mode: filter,
        address: [address; 3],
        unnormalized: !normalized,
        ..SamplerDesc::default()
    })
}

/// Rows of pixels of four components.
type Pixels<'py> = PyReadonlyArray3<'py, u8>;

/// Converts an array of shape (height, width, 4) to a picture.
fn picture_of(py: Python<'_>, pixels: &Pixels<'_>) -> PyResult<DynamicImage> {
    let &[height, width, 4] = pixels.as_array().shape() else {
        return Err(errors::invalid(py, "a picture is an array of height, width and 4"));
    };
    let bytes = pixels.as_slice()?.to_vec();
    let picture = RgbaImage::from_raw(width as u32, height as u32, bytes);
    let picture = picture.map(DynamicImage::ImageRgba8);
    picture.ok_or_else(|| errors::invalid(py, "a picture is an array of height, width and 4"))
}

/// Converts a picture to an array of shape (height, width, 4) without copying the pixels.
fn array_of(py: Python<'_>, picture: RgbaImage) -> PyResult<Bound<'_, PyArray3<u8>>> {
    let (width, height) = picture.dimensions();
    PyArray1::from_vec(py, picture.into_raw()).reshape([height as usize, width as usize, 4])
}

/// Inputs of a frame: time, frame number, seconds between frames, mouse, date.
type Told = (f32, i32, f32, [f32; 4], [f32; 4]);

fn inputs(size: [u32; 2], (time, frame, time_delta, mouse, date): Told) -> Inputs {
    Inputs {
        time_delta,
        frame_rate: 1.0 / time_delta,
        mouse,
        date,
        ..Inputs::new(size[0], size[1], time, frame)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A picture for a named texture: name, pixels, sampler, and a flag that is true for data that is not colours.
type NamedArg<'py> = (String, Pixels<'py>, Option<SamplerArg>, bool);

/// A fragment shader that renders frames.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Renderer {
    inner: Mutex<picture::Renderer>,
    module: Py<Module>,
    size: [u32; 2],
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl Renderer {
    #[new]
    fn new(
        py: Python<'_>,
        device: &Device,
        module: Py<Module>,
        size: [u32; 2],
        samples: u32,
        entry: Option<String>,
        spec: Vec<(u32, String)>,
        textures: Vec<Pixels<'_>>,
        named: Vec<NamedArg<'_>>,
        uniforms: Vec<(String, String)>,
        origin: Option<String>,
    ) -> PyResult<Self> {
        let origin = origin.map(|corner| corner.parse()).transpose();
        let origin = origin.map_err(|m: String| errors::invalid(py, &m))?;
        let textures = textures.iter().map(|t| picture_of(py, t)).collect::<PyResult<Vec<_>>>()?;
        let named = named
            .iter()
            .map(|(name, pixels, by, raw)| {
                let by = by.as_ref().map(|by| sampler_desc(py, by)).transpose()?;
                Ok((name.as_str(), picture_of(py, pixels)?, by, *raw))
            })
            .collect::<PyResult<Vec<_>>>()?;
        let named: Vec<NamedTexture<'_>> = named
            .iter()
            .map(|(name, picture, sampler, raw)| NamedTexture { name, picture, sampler: *sampler, raw: *raw })
            .collect();
        let spec: Vec<(u32, &str)> = spec.iter().map(|(id, value)| (*id, value.as_str())).collect();
        let uniforms: Vec<(&str, &str)> =
            uniforms.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let of = module.get();
        let desc = RendererDesc {
            words: &of.words,
            entry: entry.as_deref(),
            specialization: &spec,
            shadertoy: of.shadertoy,
            origin: Some(origin.unwrap_or(of.found_origin.origin)),
            width: size[0],
            height: size[1],
            samples,
            textures: &textures,
            named: &named,
            uniforms: &uniforms,
            initial: &of.initial(),
            premultiplied: of.is_premultiplied(),
            geometry: None,
        };
        let inner = py.detach(|| picture::Renderer::new(&device.inner, &desc));
        let inner = inner.map_err(|e| of.error(py, &e))?;
        let warnings = inner.warnings().to_vec();
        Ok(Renderer { inner: Mutex::new(inner), module, size, warnings })
    }

    /// Renders a frame.
    fn render<'py>(&self, py: Python<'py>, told: Told) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let inputs = inputs(self.size, told);
        let pixels = py.detach(|| lock(&self.inner).render(&inputs));
        printf::deliver(py)?;
        array_of(py, pixels.map_err(|e| self.module.get().error(py, &e))?)
    }

    /// Names, types and values of the uniforms in a frame.
    fn uniforms(&self, py: Python<'_>, told: Told) -> PyResult<Vec<(String, String, String)>> {
        let inputs = inputs(self.size, told);
        let values = py.detach(|| lock(&self.inner).uniform_values(&inputs));
        let values = values.map_err(|e| self.module.get().error(py, &e))?;
        Ok(values.into_iter().map(|v| (v.name, v.ty, v.value)).collect())
    }
}

/// A Shadertoy with all passes, which renders consecutive frames.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Shadertoy {
    project: ShadertoyProject,
    options: Options,
    device: quadrille::Device,
    inner: Mutex<shadertoy::Renderer>,
    sound: Mutex<Option<SoundRenderer>>,
    size: [u32; 2],
    /// True if a frame depends on earlier frames.
    #[pyo3(get)]
    feeds_back: bool,
}

impl Shadertoy {
    fn error(py: Python<'_>, project: &ShadertoyProject, error: ShadertoyError) -> PyErr {
        let error = match error {
            ShadertoyError::Compile(error) => return errors::compile(py, *error),
            ShadertoyError::Device(error) => error,
        };
        let texts = project.passes.iter().map(|p| &p.source).chain(&project.common);
        let text = match &error {
            quadrille::Error::Invalid { place, .. } | quadrille::Error::Unsupported { place, .. } => {
                texts.into_iter().find(|t| Some(&t.name) == place.file.as_ref())
            }
            _ => None,
        };
        errors::device(py, &error, text.map(|t| Source { name: &t.name, text: &t.text }))
    }
}

#[pymethods]
impl Shadertoy {
    #[new]
    fn new(
        py: Python<'_>,
        device: &Device,
        path: PathBuf,
        size: [u32; 2],
        samples: u32,
        includes: Vec<PathBuf>,
        defines: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let project =
            py.detach(|| ShadertoyProject::load(&path)).map_err(|e| errors::device(py, &e, None))?;
        let options = Options {
            includes: Includes::in_folders(includes),
            defines,
            physical_lines: true,
            ..Options::default()
        };
        let [width, height] = size;
        let desc = shadertoy::RendererDesc {
            samples,
            options: options.clone(),
            ..shadertoy::RendererDesc::new(width, height)
        };
        let inner = py.detach(|| shadertoy::Renderer::new(&device.inner, &project, &desc));
        let inner = inner.map_err(|e| Shadertoy::error(py, &project, e))?;
        let (feeds_back, device) = (inner.feeds_back(), device.inner.clone());
        let sound = Mutex::new(None);
        Ok(Shadertoy { project, options, device, inner: Mutex::new(inner), sound, size, feeds_back })
    }

    /// Name of the Shadertoy.
    #[getter]
    fn name(&self) -> &str {
        &self.project.name
    }

    /// Differences from the site.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.project.warnings.clone()
    }

    /// Names of the passes in drawing order.
    #[getter]
    fn passes(&self) -> Vec<&'static str> {
        self.project.passes.iter().map(|p| p.id.name()).collect()
    }

    /// Draws the buffers of the next frame and, if requested, its picture.
    fn next<'py>(
        &self,
        py: Python<'py>,
        told: Told,
        picture: bool,
    ) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        let inputs = inputs(self.size, told);
        let pixels = py.detach(|| {
            let mut renderer = lock(&self.inner);
            if picture {
                renderer.render(&inputs).map(Some)
            } else {
                renderer.advance(&inputs).map(|()| None)
            }
        });
        printf::deliver(py)?;
        let pixels = pixels.map_err(|e| Shadertoy::error(py, &self.project, e.into()))?;
        pixels.map(|pixels| array_of(py, pixels)).transpose()
    }

    /// Returns samples of the sound, left and right, from -1 to 1.
    fn sound<'py>(&self, py: Python<'py>, first: u32, count: u32) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let samples = py.detach(|| -> Result<Option<Vec<[f32; 2]>>, ShadertoyError> {
            let mut sound = lock(&self.sound);
            if sound.is_none() {
                *sound = SoundRenderer::new(&self.device, &self.project, &self.options)?;
            }
            Ok(sound.as_mut().map(|s| s.samples(first, count)).transpose()?)
        });
        let samples = samples.map_err(|e| Shadertoy::error(py, &self.project, e))?;
        let samples =
            samples.ok_or_else(|| errors::invalid(py, "there is no sound: no pass with `mainSound`"))?;
        let n = samples.len();
        PyArray1::from_vec(py, samples.into_flattened()).reshape([n, 2])
    }
}

/// Reads a PNG or JPEG file.
#[pyfunction]
pub fn read_picture<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let picture = py.detach(|| Picture::load(&path)).map_err(|e| errors::device(py, &e, None))?;
    let (width, height) = (picture.width as usize, picture.height as usize);
    PyArray1::from_vec(py, picture.pixels.into_flattened()).reshape([height, width, 4])
}

fn picture(py: Python<'_>, pixels: &Pixels<'_>) -> PyResult<Picture> {
    let &[height, width, 4] = pixels.as_array().shape() else {
        return Err(errors::invalid(py, "a picture is an array of height, width and 4"));
    };
    let made = Picture::from_bytes(width as u32, height as u32, pixels.as_slice()?);
    made.map_err(|e| errors::device(py, &e, None))
}

/// Writes a PNG file and creates its folder.
#[pyfunction]
pub fn write_picture(py: Python<'_>, path: PathBuf, pixels: Pixels<'_>) -> PyResult<()> {
    let picture = picture(py, &pixels)?;
    py.detach(|| picture.save(&path)).map_err(|e| errors::device(py, &e, None))
}

/// Compares two pictures. Returns None if they differ by no more than the tolerance, else a description of the
/// difference; then the expected, difference and actual pictures are written side by side to `diff`.
#[pyfunction]
pub fn compare_pictures(
    py: Python<'_>,
    actual: Pixels<'_>,
    expected: Pixels<'_>,
    component: u8,
    pixels: usize,
    diff: Option<PathBuf>,
) -> PyResult<Option<String>> {
    let (actual, expected) = (picture(py, &actual)?, picture(py, &expected)?);
    let tolerance = Tolerance { component, pixels };
    let compared = py.detach(|| actual.compare(&expected, tolerance, diff.as_deref()));
    Ok(compared.err().map(|mismatch| mismatch.to_string()))
}
