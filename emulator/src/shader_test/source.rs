//! Sources of shader tests: compiled, and kept for errors to show.

use std::path::{Path, PathBuf};

use quadrille_jit::ir::Stage;

use super::assertions;
use crate::error::{Error, Result};
use crate::frontend::{self, Includes, Language, Options};

/// A module with the source that it was made of.
#[derive(Clone, Default)]
pub(super) struct Code {
    pub words: Vec<u32>,
    /// Name of the source; empty if there is none.
    pub file: String,
    /// Its text; empty for binaries.
    pub text: String,
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

    /// A source in the language that its name says; GLSL of `stage`, or of the stage that the name says.
    pub fn named(name: &str, source: &[u8], stage: Option<Stage>, options: &Options) -> Result<Code> {
        let path = Path::new(name);
        let language = Language::of_path(path)
            .ok_or_else(|| Error::invalid(format!("{name}: the name does not say the language")))?;
        let stage = stage.or_else(|| frontend::stage_of_path(path)).unwrap_or(Stage::Compute);
        let text = String::from_utf8(source.to_vec()).unwrap_or_default();
        let options = Options { file: name.to_owned(), ..options.clone() };
        let words = match language {
            Language::Wgsl if !text.is_empty() => {
                let shown = |mut e: frontend::CompileError| {
                    // Not the text that was put behind it.
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

    /// The error with the lines of this source, if it is about them.
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

/// The path of a file that stands beside the source file `caller`, which the compiler names from the root of its
/// workspace: from the current folder if it is inside.
pub(super) fn beside(manifest: &str, caller: &str, path: &str) -> String {
    let roots = Path::new(manifest).ancestors();
    let found = roots.map(|root| root.join(caller)).find(|file| file.is_file());
    let caller = found.unwrap_or_else(|| PathBuf::from(caller));
    let whole = caller.parent().unwrap_or(Path::new("")).join(path);
    let here = std::env::current_dir().ok();
    let shown = here.as_deref().and_then(|here| whole.strip_prefix(here).ok()).unwrap_or(&whole);
    shown.display().to_string()
}
