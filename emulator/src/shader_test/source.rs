//! Compiles the sources of shader tests and keeps them for error messages.

use std::path::{Path, PathBuf};

use quadrille_jit::ir::Stage;
use quadrille_languages::{self as frontend, Includes, Language, Options};

use super::assertions;
use crate::error::{Error, Result};

/// A module with its source.
#[derive(Clone, Default)]
pub(super) struct Code {
    pub words: Vec<u32>,
    /// Name of the source; empty without one.
    pub file: String,
    /// Text of the source; empty for binaries.
    pub text: String,
}

/// A stage besides the one under test.
#[derive(Clone)]
pub(super) struct Other {
    pub stage: Stage,
    pub code: Code,
    /// Entry point, if the module has several of the stage.
    pub entry: Option<String>,
}

impl Code {
    pub fn glsl(name: &str, source: &str, stage: Stage) -> Result<Code> {
        Code::named(name, source.as_bytes(), Some(stage), &Options::default())
    }

    pub fn wgsl(name: &str, source: &str, constants: &[(&str, f64)]) -> Result<Code> {
        let constants = constants.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        Code::named(name, source.as_bytes(), None, &Options { constants, ..Options::default() })
    }

    pub fn spirv_text(name: &str, source: &str) -> Result<Code> {
        Code::named(name, source.as_bytes(), None, &Options::default())
    }

    /// Compiles a source in the language that its name gives; GLSL uses `stage`, or else the stage in the name.
    pub fn named(name: &str, source: &[u8], stage: Option<Stage>, options: &Options) -> Result<Code> {
        let path = Path::new(name);
        let language = Language::of_path(path)
            .ok_or_else(|| Error::invalid(format!("{name}: the name does not say the language")))?;
        let stage = stage.or_else(|| frontend::stage_of_path(path)).unwrap_or(Stage::Compute);
        let text = frontend::files::decoded(source).unwrap_or_default();
        let text = frontend::with_line_feeds(text).into_owned();
        // Errors and reports show lines of the source.
        let options = Options { file: name.to_owned(), physical_lines: true, ..options.clone() };
        let words = match language {
            Language::Wgsl if !text.is_empty() => {
                let shown = |mut e: frontend::CompileError| {
                    // Show the user's text without the appended declarations.
                    e.source_text = text.as_str().into();
                    e
                };
                frontend::compile_wgsl(&assertions::wgsl(&text), &options).map_err(shown)?
            }
            Language::Glsl => {
                let others = match options.includes.is_somewhere() {
                    true => options.includes.clone(),
                    false => Includes::in_folders::<PathBuf>([]),
                };
                let options = Options { includes: assertions::includes(stage, others), ..options };
                frontend::compile(source, language, stage, &options)?
            }
            _ => frontend::compile(source, language, stage, &options)?,
        };
        Ok(Code { words, file: name.to_owned(), text })
    }

    /// Adds the lines of this source to an error, if the error refers to it.
    pub fn explain(&self, error: Error) -> Error {
        if self.file.is_empty() {
            return error;
        }
        match error {
            Error::DeviceLost(text) if !text.contains(&self.file) && !self.text.is_empty() => {
                Error::DeviceLost(format!("{text} (in {})", self.file))
            }
            error => error.with_source(&self.file, &self.text),
        }
    }
}

/// Returns the path of a file beside the source file `caller`, which the compiler names relative to its workspace. The
/// path is relative to the current folder if it lies inside.
pub(super) fn beside(manifest: &str, caller: &str, path: &str) -> String {
    let roots = Path::new(manifest).ancestors();
    let found = roots.map(|root| root.join(caller)).find(|file| file.is_file());
    let caller = found.unwrap_or_else(|| PathBuf::from(caller));
    let whole = caller.parent().unwrap_or(Path::new("")).join(path);
    let here = std::env::current_dir().ok();
    let shown = here.as_deref().and_then(|here| whole.strip_prefix(here).ok()).unwrap_or(&whole);
    shown.display().to_string()
}
