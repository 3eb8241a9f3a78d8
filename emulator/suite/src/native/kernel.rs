//! Runs kernels of OpenCL, and compares their buffers.

use std::path::Path;

use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
use quadrille::frontend::{self, Language, Stage};
use quadrille::{Error, Prints};
use toml::Spanned;

use super::expect;
use super::form::{Argument, Expected};
use super::job::{Job, text};
use crate::outcome::Failure;

impl Job<'_> {
    /// Refuses keys that the other kind of test has.
    pub(super) fn check_kernel_keys(&self) -> Result<(), Failure> {
        let (suite, test) = (self.suite, self.test);
        let sizes = test.local.as_ref().or(test.offset.as_ref()).map(Spanned::span);
        let of_kernel = test.args.first().map(Spanned::span).or(sizes);
        let bound = test.bind.keys().chain(test.sampler.keys()).next().map(Spanned::span);
        let of_shader = bound.or(test.push.first().map(Spanned::span));
        let (span, why) = match (&test.global, of_kernel, of_shader) {
            (None, Some(span), _) => (span, "`args`, `local` and `offset` are only for tests with `global`"),
            (Some(_), _, Some(span)) => (span, "a kernel has `args` instead of `bind`, `sampler` and `push`"),
            (Some(global), ..) if test.lanes.is_some() => (global.span(), "`lanes` is not for kernels"),
            _ => return Ok(()),
        };
        Err(Failure::new(why, Some(suite.place(span.start))))
    }

    /// Runs a kernel, and appends the lines that it printed.
    pub(super) fn run_kernel(
        &mut self,
        global: &Spanned<Vec<u32>>,
        printed: &mut Vec<String>,
    ) -> Result<Kernel, Failure> {
        let (suite, test) = (self.suite, self.test);
        let name = self.shader()?.clone();
        let (path, bytes) = self.read(&name)?;
        let at = Some(suite.place(name.span().start));
        let failed = |e: Error| Failure::of_error(&e, at.clone());
        let (bytes, language) = match self.foreign(&name, &path)? {
            Some(bytes) => (bytes, Language::Spirv),
            None => {
                let language = Language::of_path(Path::new(&path));
                (bytes, language.ok_or_else(|| suite.wrong(&name, "the name does not say the language"))?)
            }
        };
        let options = frontend::Options { file: path, ..self.options() };
        let words = frontend::compile(&bytes, language, Stage::Compute, &options);
        let words = words.map_err(|e| failed(e.into()))?;
        let spec = self.spec()?;
        let spec: Vec<(u32, &str)> = spec.iter().map(|(id, value)| (*id, value.as_str())).collect();
        let desc = KernelDesc { words: &words, entry: self.entry(), specialization: &spec };
        let mut kernel = Kernel::new(self.device, &desc).map_err(failed)?;
        for (index, argument) in test.args.iter().enumerate() {
            let text = match argument.get_ref() {
                Argument::Text(text) => text.clone(),
                Argument::Int(n) => n.to_string(),
                Argument::Float(x) => x.to_string(),
                Argument::Numbers(list) => list.iter().map(text).collect::<Vec<_>>().join(","),
            };
            let mut read = |file: &str| self.read_named(file).map(|(_, bytes)| bytes);
            let done = kernel.set_text(index, &text, &mut read);
            done.map_err(|m| suite.wrong(argument, format!("argument {index}: {m}")))?;
        }
        let three = |numbers: &Option<Spanned<Vec<u32>>>| {
            numbers.as_ref().map(|numbers| self.three(numbers)).transpose()
        };
        let offset = test.offset.as_ref().map_or(&[][..], |offset| offset.get_ref());
        three(&test.offset)?;
        let range = Range {
            global: self.three(global)?,
            local: three(&test.local)?,
            offset: std::array::from_fn(|c| offset.get(c).copied().unwrap_or(0)),
            dimensions: global.get_ref().len() as u32,
        };
        let prints = Prints::collect(self.device, false);
        let done = kernel.launch(&range).map_err(failed);
        printed.extend(prints.map_or_else(Vec::new, |p| p.lines()));
        done.map(|()| kernel)
    }

    /// Compares a buffer of a kernel with its expected contents.
    pub(super) fn check_argument(
        &self,
        kernel: &Kernel,
        place: &Spanned<String>,
        expected: &Spanned<Expected>,
    ) -> Result<(), Failure> {
        let wrong = |message: String| self.suite.wrong(place, message);
        let text = place.get_ref();
        let index = text.trim().parse::<usize>();
        let index =
            index.map_err(|_| wrong(format!("`{text}` is not the number of an argument, as in \"1\"")))?;
        let values = match expected.get_ref() {
            Expected::Text(text) => &expect::all(text),
            Expected::Values(values) => values,
            Expected::Block(_) | Expected::Picture(_) => {
                return Err(wrong("buffers of a kernel are compared with values".into()));
            }
        };
        let got = kernel.read::<u8>(index).map_err(|e| wrong(e.to_string()))?;
        expect::compare(&got, values).map_err(|m| wrong(format!("argument {index}: {m}")))
    }
}
