//! Finds, reads and runs the file tests.
//!
//! `QUADRILLE_FILETEST` selects the file tests whose path contains its value. `QUADRILLE_FILETEST_TEXT=1` prints the
//! modules that fail to compile.

use std::path::{Path, PathBuf};

use quadrille::frontend::{self, Stage};

use crate::program::{self, Effort, Program};
use crate::table::{self, Counts, Table};
use crate::tools::{self, Ask};

/// Contents of a file test.
pub enum Body {
    /// Table: an instruction and its values.
    Table(Table),
    /// Program: a module with directives.
    Program(Box<Program>),
}

/// A file test.
pub struct FileTest {
    /// Path below `filetests`.
    pub name: String,
    text: String,
    /// Parsed contents, or the line and the message of a parse error.
    pub body: Result<Body, (usize, String)>,
}

/// The folder of file tests.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests")
}

/// All file tests, sorted by name.
pub fn all() -> Vec<FileTest> {
    let mut list = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                match path.extension().and_then(|e| e.to_str()) {
                    Some("glsl" | "wgsl") => list.extend(shaders(&name, &text)),
                    _ => list.push(FileTest::new(name, text)),
                }
            }
        }
    }
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}

/// Splits a file with several shaders. Each shader begins with `//# NAME.STAGE` (`//# NAME.wgsl`), and becomes a test
/// named FILE/NAME.STAGE. Its text has empty lines in place of the lines before it, so that line numbers are those of
/// the file.
fn shaders(file: &str, text: &str) -> Vec<FileTest> {
    let mut list = Vec::new();
    let mut current: Option<(String, String)> = None;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if let Some(name) = line.strip_prefix("//# ") {
            list.extend(current.take().map(|(name, text)| FileTest::new(name, text)));
            current = Some((format!("{file}/{}", name.trim()), "\n".repeat(n)));
        }
        if let Some((_, text)) = &mut current {
            text.push_str(line);
        }
    }
    list.extend(current.map(|(name, text)| FileTest::new(name, text)));
    list
}

impl FileTest {
    fn new(name: String, text: String) -> FileTest {
        let body = match Path::new(&name).extension().and_then(|e| e.to_str()) {
            Some("test") => Table::parse(&text).map(Body::Table),
            Some(
                "spvasm" | "comp" | "frag" | "vert" | "tesc" | "tese" | "geom" | "task" | "mesh" | "wgsl",
            ) => Program::parse(&text).map(|p| Body::Program(Box::new(p))),
            _ => Err((1, "files are .test, .spvasm, .glsl, .wgsl, or a stage of GLSL".into())),
        };
        FileTest { name, text, body }
    }

    /// Language features that the file demonstrates, as `CATEGORY: FEATURE`.
    pub fn features(&self) -> &[String] {
        match &self.body {
            Ok(Body::Program(p)) => &p.features,
            _ => &[],
        }
    }

    /// Functions of GLSL that the file calls, by signature.
    pub fn functions(&self) -> &[String] {
        match &self.body {
            Ok(Body::Program(p)) => &p.functions,
            _ => &[],
        }
    }

    /// Rows of the WGSL inventory that the file demonstrates.
    pub fn rows(&self) -> &[String] {
        match &self.body {
            Ok(Body::Program(p)) => &p.rows,
            _ => &[],
        }
    }

    /// True if the file is WGSL.
    pub fn is_wgsl(&self) -> bool {
        self.name.ends_with(".wgsl")
    }

    /// Text of the file. For one shader of several, empty lines replace the text before it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Options for a WGSL file: strict conformance to the draft, unless the file is marked as lenient.
    fn wgsl_options(&self) -> frontend::Options {
        let strict = !matches!(&self.body, Ok(Body::Program(p)) if p.lenient());
        frontend::Options { debug: false, strict, ..frontend::Options::named(&self.name) }
    }

    /// Translates WGSL of the January 2021 draft into current WGSL, and compiles the translation to SPIR-V words.
    fn translated(&self) -> Result<Vec<u32>, String> {
        let options = self.wgsl_options();
        let text = frontend::translate_wgsl(&self.text, &options).map_err(|e| format!("translated: {e}"))?;
        // The translation is today's WGSL, which the draft does not allow.
        let options = frontend::Options { strict: false, ..options };
        frontend::compile_wgsl(&text, &options).map_err(|e| format!("the translation: {e}"))
    }

    /// Shader stage of a GLSL file.
    pub fn stage(&self) -> Option<Stage> {
        frontend::stage_of_path(Path::new(&self.name))
    }

    /// True if the file is GLSL, compares results, and uses this member of `gl_in` or `gl_out`.
    pub fn uses_member(&self, array: &str, member: &str) -> bool {
        self.has_name(array, |after| {
            let statement = after.split(';').next().unwrap_or_default();
            statement.starts_with('[')
                && statement.match_indices(member).any(|(at, _)| statement[..at].ends_with("]."))
        })
    }

    /// True if the file expects an error.
    pub fn refuses(&self) -> bool {
        matches!(&self.body, Ok(Body::Program(p)) if p.error().is_some())
    }

    /// Instructions that the file tests.
    pub fn tests(&self) -> Vec<String> {
        match &self.body {
            Ok(Body::Table(t)) if t.extended == Some(crate::text::GLSL) => vec![format!("GLSL {}", t.name)],
            Ok(Body::Table(t)) if t.extended.is_some() => vec![format!("OpenCL {}", t.name)],
            Ok(Body::Table(t)) => vec![t.name.clone()],
            Ok(Body::Program(p)) => p.tests.clone(),
            Err(_) => Vec::new(),
        }
    }

    /// True if the file is GLSL, compares results, and calls a function of this name.
    pub fn calls(&self, function: &str) -> bool {
        self.has_name(function, |after| after.trim_start().starts_with('('))
    }

    /// True if the file is GLSL, compares results, and uses a variable of this name.
    pub fn uses(&self, variable: &str) -> bool {
        self.has_name(variable, |after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    }

    /// True if the file is GLSL, compares results, and contains this name with a following text that `follows` accepts.
    fn has_name(&self, name: &str, follows: impl Fn(&str) -> bool) -> bool {
        let glsl = self.stage().is_some();
        let compares = matches!(&self.body, Ok(Body::Program(p)) if p.error().is_none());
        let there = |at: usize| {
            let before = self.text[..at].chars().next_back();
            let begins = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            begins && follows(&self.text[at + name.len()..])
        };
        glsl && compares && self.text.match_indices(name).any(|(at, _)| there(at))
    }

    /// SPIR-V words of a program, and the stage if the file name states it.
    ///
    /// # Errors
    /// The error of the front end.
    pub fn words(&self, second_opinion: bool) -> Result<(Vec<u32>, Option<Stage>), String> {
        match self.stage() {
            Some(stage) => {
                let options = frontend::Options {
                    debug: false,
                    disk_cache: false,
                    ..frontend::Options::named(&self.name)
                };
                let words = frontend::compile_glsl(&self.text, stage, &options).map_err(|e| e.to_string())?;
                Ok((words, Some(stage)))
            }
            None if self.is_wgsl() => {
                let words = frontend::compile_wgsl(&self.text, &self.wgsl_options());
                Ok((words.map_err(|e| e.to_string())?, None))
            }
            None => Ok((tools::assemble(&self.text, second_opinion)?, None)),
        }
    }

    /// Runs the test in every variant and returns messages of the form `FILE:LINE: MESSAGE`.
    pub fn run(&self, second_opinion: Ask, counts: &mut Counts) -> Vec<String> {
        let mut failures = Vec::new();
        let mut fail = |line: usize, message: String| {
            failures.push(format!("filetests/{}:{line}: {message}", self.name))
        };
        match &self.body {
            Err((line, e)) => fail(*line, e.clone()),
            Ok(Body::Table(t)) => table::run(t, &[8, 4, 16, 32], second_opinion, counts, &mut fail),
            Ok(Body::Program(p)) => {
                let ask = second_opinion != Ask::Nothing && !p.newer();
                match self.words(ask) {
                    Ok((words, stage)) => {
                        program::run(p, &words, stage, ask, counts, &mut fail);
                        if self.is_wgsl() && p.error().is_none() {
                            self.run_translated(p, counts, &mut fail);
                        }
                    }
                    Err(e) if p.error().is_some_and(|want| e.contains(want)) => {}
                    Err(e) => fail(1, e),
                }
            }
        }
        failures
    }

    /// Runs a program that the front end accepts once, under the watcher of default devices. Returns false if the file
    /// is not such a program.
    ///
    /// # Errors
    /// The reason why the program does not run. Results are not compared.
    pub fn check(&self) -> Result<bool, String> {
        let Ok(Body::Program(p)) = &self.body else { return Ok(false) };
        if p.error().is_some() {
            return Ok(false);
        }
        let (words, stage) = self.words(false)?;
        program::try_run(p, &words, stage, Effort::Checked, &mut Counts::default(), &mut |_, _| {})?;
        Ok(true)
    }

    /// Runs the translation of a WGSL file into current WGSL, which must give the same results.
    fn run_translated(&self, p: &Program, counts: &mut Counts, fail: &mut dyn FnMut(usize, String)) {
        match self.translated() {
            // A reshaped translation has other bindings, so the test's bindings do not fit.
            Ok(_) if p.reshaped() => {}
            Ok(words) => {
                let mut translated = |line, message| fail(line, format!("translated: {message}"));
                let done = program::try_run(p, &words, None, Effort::Interpreter, counts, &mut translated);
                if let Err(e) = done {
                    translated(1, e);
                }
            }
            Err(e) => fail(1, e),
        }
    }
}
