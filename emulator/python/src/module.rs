//! Compiles sources to SPIR-V, and reflects modules.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use quadrille::apps::inspect;
use quadrille::frontend::{
    self, AgslShader, CompileError, FoundOrigin, Includes, InitialValue, Language, Options, Stage,
};

use crate::device::Device;
use crate::errors::{self, Source};

/// A compiled source.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Module {
    pub words: Vec<u32>,
    name: String,
    text: String,
    language: Language,
    stage: Option<Stage>,
    /// True for a Shadertoy picture.
    #[pyo3(get)]
    pub shadertoy: bool,
    /// Coordinate origin of the pictures it draws.
    pub found_origin: FoundOrigin,
    initial: Vec<InitialValue>,
}

impl Module {
    /// The source, for error messages.
    pub fn source(&self) -> Source<'_> {
        Source { name: &self.name, text: &self.text }
    }

    /// True if the shader works with premultiplied colours.
    pub fn is_premultiplied(&self) -> bool {
        self.language == Language::Agsl
    }

    /// Names and values of the uniforms with initial values in the text.
    pub fn initial(&self) -> Vec<(&str, &str)> {
        self.initial.iter().filter_map(|i| Some((i.name.as_str(), i.value.as_deref()?))).collect()
    }
}

fn stage_of(py: Python<'_>, name: &str) -> PyResult<Stage> {
    Ok(match name {
        "vertex" | "vert" => Stage::Vertex,
        "tessellation control" | "tesc" => Stage::TessellationControl,
        "tessellation evaluation" | "tese" => Stage::TessellationEvaluation,
        "geometry" | "geom" => Stage::Geometry,
        "task" => Stage::Task,
        "mesh" => Stage::Mesh,
        "fragment" | "frag" => Stage::Fragment,
        "compute" | "comp" => Stage::Compute,
        "ray generation" | "rgen" => Stage::RayGeneration,
        "intersection" | "rint" => Stage::Intersection,
        "any-hit" | "rahit" => Stage::AnyHit,
        "closest hit" | "rchit" => Stage::ClosestHit,
        "miss" | "rmiss" => Stage::Miss,
        "callable" | "rcall" => Stage::Callable,
        _ => return Err(errors::invalid(py, &format!("`{name}` is not a shader stage"))),
    })
}

fn language_named(py: Python<'_>, name: &str) -> PyResult<Language> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "glsl" | "shadertoy" => Language::Glsl,
        "wgsl" => Language::Wgsl,
        "agsl" => Language::Agsl,
        "spirv" | "spir-v" => Language::Spirv,
        _ => {
            let message =
                format!("`{name}` is not a language of shaders: glsl, wgsl, agsl, spirv, shadertoy");
            return Err(errors::invalid(py, &message));
        }
    })
}

/// Language and stage that a file name stands for.
#[pyfunction]
pub fn language_of(path: PathBuf) -> (Option<String>, Option<&'static str>) {
    let language = Language::of_path(&path).map(|l| l.to_string().to_lowercase());
    (language, frontend::stage_of_path(&path).map(Stage::name))
}

/// Compiles a source.
#[pyfunction]
#[pyo3(signature = (source, *, language, stage=None, name, includes=Vec::new(), defines=Vec::new(), constants=Vec::new(), children=Vec::new(), strict=false))]
pub fn compile(
    py: Python<'_>,
    source: Vec<u8>,
    language: &str,
    stage: Option<&str>,
    name: String,
    includes: Vec<PathBuf>,
    defines: Vec<(String, String)>,
    constants: Vec<(String, f64)>,
    children: Vec<(String, String, String)>,
    strict: bool,
) -> PyResult<Module> {
    // Bytes that are not text are an error of the compilation.
    let binary = language == "spirv" && source.contains(&0);
    let text = if binary { "" } else { quadrille::files::decoded(&source).unwrap_or("") };
    let text = frontend::with_line_feeds(text).into_owned();
    let shadertoy =
        language == "shadertoy" || (language == "glsl" && stage.is_none() && frontend::is_shadertoy(&text));
    let language = language_named(py, language)?;
    let stage = match (stage, language) {
        _ if shadertoy => Some(Stage::Fragment),
        (Some(stage), _) => Some(stage_of(py, stage)?),
        (None, Language::Agsl) => Some(Stage::Fragment),
        // Without a stage, GLSL with a workgroup size is a compute shader.
        (None, Language::Glsl) if text.contains("local_size_") => Some(Stage::Compute),
        (None, Language::Glsl) => Some(Stage::Fragment),
        (None, _) => None,
    };
    let options = Options {
        // Allow uniforms outside blocks, as `quadrille render` and `run` do.
        relaxed: stage != Some(Stage::Compute),
        includes: Includes::in_folders(includes),
        defines,
        constants,
        strict,
        // Exceptions show the line of the text.
        physical_lines: true,
        ..Options::named(&name)
    };
    let found_origin = frontend::origin_of(language, &[&text], &options);
    let options = Options { origin: found_origin.origin, ..options };
    let compiled = py.detach(|| -> Result<Vec<u32>, CompileError> {
        if shadertoy {
            return frontend::compile_shadertoy(&text, &options);
        }
        if language == Language::Agsl {
            let mut program = AgslShader::parse(frontend::text_of(&source, language, &options)?, &options)?;
            for (child, name, text) in &children {
                program.bind(
                    child,
                    AgslShader::parse(text, &Options { file: name.clone(), ..options.clone() })?,
                )?;
            }
            return program.compile(&options);
        }
        frontend::compile(&source, language, stage.unwrap_or(Stage::Fragment), &options)
    });
    let words = compiled.map_err(|e| errors::compile(py, e))?;
    if language == Language::Spirv {
        // The SPIR-V has not been validated yet.
        let checked = inspect::entry_points(&words);
        checked.map_err(|e| errors::device(py, &e, Some(Source { name: &name, text: &text })))?;
    }
    let initial = match language {
        Language::Glsl => frontend::initial_values(&text, &options),
        Language::Wgsl | Language::Agsl | Language::Spirv => Vec::new(),
    };
    Ok(Module { words, name, text, language, stage, shadertoy, found_origin, initial })
}

#[pymethods]
impl Module {
    /// Restores a module that was compiled before, for unpickling.
    #[staticmethod]
    fn restore(
        py: Python<'_>,
        spirv: &[u8],
        name: String,
        text: String,
        language: &str,
        stage: Option<&str>,
        shadertoy: bool,
        origin: (String, String),
        initial: Vec<(String, Option<String>)>,
    ) -> PyResult<Module> {
        let (words, rest) = spirv.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(errors::invalid(py, "SPIR-V whose size is not a multiple of 4 bytes"));
        }
        let words = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let language = language_named(py, language)?;
        let stage = stage.map(|stage| stage_of(py, stage)).transpose()?;
        let initial = initial.into_iter().map(|(name, value)| InitialValue { name, value }).collect();
        let corner = origin.0.parse().map_err(|m: String| errors::invalid(py, &m))?;
        let found_origin = FoundOrigin { origin: corner, reason: origin.1 };
        Ok(Module { words, name, text, language, stage, shadertoy, found_origin, initial })
    }

    /// The text of the source; empty for binaries.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Name of the source in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Language of the source.
    #[getter]
    fn language(&self) -> String {
        self.language.to_string()
    }

    /// Requested stage, or the stage of the source.
    #[getter]
    fn stage(&self) -> Option<&'static str> {
        self.stage.map(Stage::name)
    }

    /// Coordinate origin of the pictures it draws, and the evidence for it.
    #[getter]
    fn origin(&self) -> (String, &str) {
        (self.found_origin.origin.to_string(), &self.found_origin.reason)
    }

    /// Names and initial values of uniforms; `None` for a value that is not known.
    #[getter]
    fn initial_values(&self) -> Vec<(String, Option<String>)> {
        self.initial.iter().map(|i| (i.name.clone(), i.value.clone())).collect()
    }

    /// The module as binary SPIR-V.
    #[getter]
    fn spirv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &frontend::words_to_bytes(&self.words))
    }

    /// Names and stages of the entry points, in module order.
    fn entry_points(&self, py: Python<'_>) -> PyResult<Vec<(String, &'static str)>> {
        let all = inspect::entry_points(&self.words).map_err(|e| self.error(py, &e))?;
        Ok(all.into_iter().map(|(name, stage)| (name, stage.name())).collect())
    }

    /// The interface as JSON.
    fn reflect_json(&self, py: Python<'_>) -> PyResult<String> {
        let value = inspect::describe_json(&self.words, &self.initial()).map_err(|e| self.error(py, &e))?;
        Ok(value.to_string())
    }

    /// The interface as text for people.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        inspect::describe(&self.words, &self.initial()).map_err(|e| self.error(py, &e))
    }

    /// The code of the shader at one stage of compilation: `spirv`, `ir`, `clif` or `asm`.
    fn emit(
        &self,
        py: Python<'_>,
        what: &str,
        device: &Device,
        entry: &str,
        stage: &str,
        spec: Vec<(u32, String)>,
    ) -> PyResult<String> {
        let stage = stage_of(py, stage)?;
        let spec: Vec<(u32, &str)> = spec.iter().map(|(id, value)| (*id, value.as_str())).collect();
        let text = py.detach(|| match what {
            "spirv" => inspect::disassemble(&self.words),
            "ir" => inspect::ir_text(&self.words, entry, stage, &spec),
            "clif" => Ok(inspect::listing(&device.inner, &self.words, entry, stage, &spec)?.clif),
            "asm" => Ok(inspect::listing(&device.inner, &self.words, entry, stage, &spec)?.asm),
            _ => Err(quadrille::Error::invalid(format!("`{what}` is not spirv, ir, clif or asm"))),
        });
        text.map_err(|e| self.error(py, &e))
    }

    fn __repr__(&self) -> String {
        let name = Path::new(&self.name).display();
        format!("<quadrille._quadrille.Module {name}: {}, {} words>", self.language, self.words.len())
    }
}

impl Module {
    /// Converts an error of the device about this module.
    pub fn error(&self, py: Python<'_>, error: &quadrille::Error) -> PyErr {
        errors::device(py, error, Some(self.source()))
    }
}
