//! A test with the settings of its file: paths, sources, compiler options.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quadrille::Device;
use quadrille::data::list::{self, is_list};
use quadrille::files::MAX_DATA_BYTES;
use quadrille::frontend::{Includes, Options};
use toml::{Spanned, Value};

use super::{Suite, form};
use crate::foreign::{Compiled, Compiler, Source};
use crate::outcome::Failure;

/// A test with the settings of its file.
pub struct Job<'a> {
    pub suite: &'a Suite,
    pub test: &'a form::Test,
    pub at: &'a Spanned<form::Test>,
    pub device: &'a Device,
    pub compiler: Option<&'a Compiler>,
    pub files: Vec<String>,
    /// Bytes of data that the test keeps.
    pub kept: u64,
}

impl Job<'_> {
    pub fn wrong(&self, message: impl Into<String>) -> Failure {
        self.suite.wrong(self.at, message)
    }

    /// A path in the test, relative to its file; records it as a dependency.
    pub fn path(&mut self, path: &str) -> String {
        let path = self.suite.beside(path);
        self.files.push(path.clone());
        path
    }

    pub fn read(&mut self, name: &Spanned<String>) -> Result<(String, Vec<u8>), Failure> {
        let path = self.path(name.get_ref());
        let bytes = self.suite.folders().read(&path, MAX_DATA_BYTES);
        bytes.map_err(|e| self.suite.wrong(name, format!("cannot read {path}: {e}"))).map(|b| (path, b))
    }

    /// Reads a file that a value names; returns its path and contents. The error also explains the other forms of a
    /// value.
    pub fn read_named(&mut self, name: &str) -> Result<(String, Vec<u8>), String> {
        let path = self.path(name);
        let bytes = self.suite.folders().read(&path, MAX_DATA_BYTES).map_err(|e| {
            format!(
                "{path}: {e}; data are TYPE:VALUES as in f32:1,2,3, zeros:BYTES, or a file beside this one"
            )
        })?;
        Ok((path, bytes))
    }

    /// The bytes of a text, which the test keeps: a list of values, or the contents of the file that it names.
    pub fn bytes_of(&mut self, text: &str) -> Result<Vec<u8>, String> {
        let bytes = match is_list(text) {
            true => list::encode(text)?,
            false => self.read_named(text)?.1,
        };
        self.keep(&bytes)?;
        Ok(bytes)
    }

    /// Counts data that the test keeps until it runs. They become device memory, which limits them.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.kept = self.kept.saturating_add(bytes.len() as u64);
        let most = self.device.heap_size();
        match self.kept > most {
            true => Err(format!("the data of this test do not fit the {most} bytes of device memory")),
            false => Ok(()),
        }
    }

    pub fn shader(&self) -> Result<&Spanned<String>, Failure> {
        let shader = self.test.shader.as_ref().or(self.suite.form.shader.as_ref());
        shader
            .ok_or_else(|| self.wrong("`shader` is missing from both the test and the beginning of the file"))
    }

    pub fn entry(&self) -> Option<&str> {
        self.test.entry.as_deref().or(self.suite.form.entry.as_deref())
    }

    /// The settings of the file, overridden by those of the test.
    pub fn merged<T: Clone>(file: &BTreeMap<String, T>, test: &BTreeMap<String, T>) -> Vec<(String, T)> {
        let mut all = file.clone();
        all.extend(test.clone());
        all.into_iter().collect()
    }

    pub fn options(&self) -> Options {
        let (file, test) = (&self.suite.form, self.test);
        let defines = Self::merged(&file.define, &test.define);
        let folders = file.include.iter().map(|folder| self.suite.beside(folder));
        Options {
            defines: defines.into_iter().map(|(name, value)| (name, text(&value))).collect(),
            includes: Includes::in_folders_within(folders, &self.suite.folders()),
            constants: Self::merged(&file.constants, &test.constants),
            physical_lines: true,
            ..Options::default()
        }
    }

    /// The SPIR-V of a source that the caller compiles; `None` if it compiles no such language.
    pub fn foreign(&mut self, name: &Spanned<String>, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let Some(compiler) = self.compiler else { return Ok(None) };
        let file = &self.suite.form;
        let includes: Vec<PathBuf> =
            file.include.iter().map(|folder| self.suite.beside(folder).into()).collect();
        let defines = Self::merged(&file.define, &self.test.define);
        let defines: Vec<String> =
            defines.iter().map(|(name, value)| format!("{name}={}", text(value))).collect();
        let path = Path::new(path);
        let source = Source { path, entry: self.entry(), includes: &includes, defines: &defines };
        let Some(done) = (compiler.0)(&source) else { return Ok(None) };
        let Compiled { spirv, included } = done.map_err(|message| self.suite.wrong(name, message))?;
        self.files.extend(included.iter().map(|path| path.display().to_string()));
        Ok(Some(spirv))
    }

    /// Specialization constants, by id.
    pub fn spec(&self) -> Result<Vec<(u32, String)>, Failure> {
        let mut all = self.suite.form.spec.clone();
        for (id, value) in &self.test.spec {
            all.retain(|known, _| known.get_ref() != id.get_ref());
            all.insert(id.clone(), value.clone());
        }
        let one = |(id, value): (Spanned<String>, Value)| {
            let number = id.get_ref().parse();
            let number =
                number.map_err(|_| self.suite.wrong(&id, format!("`{}` is not an id", id.get_ref())))?;
            Ok((number, text(&value)))
        };
        all.into_iter().map(one).collect()
    }
}

/// A TOML value as text; the numbers of a list are separated by commas.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(","),
        Value::Integer(n) => n.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Boolean(b) => b.to_string(),
        // Dates and tables are not valid for shaders; the compiler reports that.
        other => format!("{other:?}"),
    }
}
