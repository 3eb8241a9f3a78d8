//! Runs tests in their native form.

use quadrille::apps::inputs::Inputs;
use quadrille::apps::kernel::Kernel;
use quadrille::apps::picture::{NamedTexture, Renderer, RendererDesc};
use quadrille::data::list::is_list;
use quadrille::data::pixels;
use quadrille::frontend::{self, Language, Options, Stage};
use quadrille::{Device, Error, Picture, Prints, ShaderTest, TestRun};
use toml::Spanned;

use super::expect::Place;
use super::form::{self, Expected};
use super::job::{Job, text};
use super::{Suite, bind, expect};
use crate::foreign::Compiler;
use crate::outcome::{Failure, Outcome};
use crate::picture::{self, Keep, Measure};

/// Result of a test.
pub struct Done {
    /// The outcome.
    pub outcome: Outcome,
    /// Lines that the shaders printed.
    pub printed: Vec<String>,
    /// Files that the test depends on.
    pub files: Vec<String>,
}

/// A run, before the results are checked.
enum Ran {
    Test(TestRun),
    Kernel(Box<Kernel>),
    Rendered(Picture),
}

/// Runs test number `i`.
pub fn run(suite: &Suite, i: usize, device: &Device, compiler: Option<&Compiler>, keep: &Keep<'_>) -> Done {
    let Some(at) = suite.form.test.get(i) else {
        let outcome = Outcome::failed(Failure::new("there is no such test", None));
        return Done { outcome, printed: Vec::new(), files: Vec::new() };
    };
    let test = at.get_ref();
    if let Some(reason) = &test.skip {
        let outcome = Outcome::Skipped { reason: reason.clone() };
        return Done { outcome, printed: Vec::new(), files: vec![suite.file.clone()] };
    }
    let mut job = Job { suite, test, at, device, compiler, files: vec![suite.file.clone()], kept: 0 };
    let mut printed = Vec::new();
    let failures = match job.start(&mut printed) {
        Ok(ran) => job.check(&ran, &printed, keep),
        Err(failure) => vec![failure],
    };
    let outcome = if failures.is_empty() { Outcome::Passed } else { Outcome::Failed { failures } };
    Done { outcome, printed, files: job.files }
}

/// CPU time limit of each command of a test in seconds, if the test or its file has one.
pub fn timeout(suite: &Suite, i: usize) -> Option<f64> {
    let own = suite.form.test.get(i).and_then(|t| t.get_ref().timeout);
    own.or(suite.form.timeout)
}

impl Job<'_> {
    /// Runs the test, and appends the lines that shaders printed. An expected error counts as success, with nothing to
    /// check.
    fn start(&mut self, printed: &mut Vec<String>) -> Result<Ran, Failure> {
        let test = self.test;
        if let Some(corner) = test.origin.as_ref().filter(|_| test.render.is_none()) {
            return Err(self.suite.wrong(corner, "`origin` is only for tests with `render`"));
        }
        let launches = test.launch.is_some();
        let ways = [
            test.dispatch.is_some(),
            test.global.is_some(),
            launches,
            test.draw.is_some(),
            test.render.is_some(),
        ];
        if ways.iter().filter(|way| **way).count() != 1 {
            return Err(
                self.wrong("exactly one of `dispatch`, `global`, `launch`, `draw` and `render` is required")
            );
        }
        self.check_kernel_keys()?;
        let of_launch = test.shaders.first().or(test.group.first()).map(Spanned::span);
        let of_launch = of_launch.or(test.recursion.as_ref().map(Spanned::span));
        if let Some(span) = of_launch.filter(|_| !launches) {
            let why = "`shaders`, `group` and `recursion` are only for tests with `launch`";
            return Err(Failure::new(why, Some(self.suite.place(span.start))));
        }
        self.check_keys()?;
        let ran = match (&test.render, &test.global) {
            (_, Some(global)) => self.run_kernel(global, printed).map(|kernel| Ran::Kernel(Box::new(kernel))),
            (size, None) => {
                // Collected here and not by the run, which has no lines if it fails.
                let prints = Prints::collect(self.device, false);
                let done = match size {
                    Some(size) => self.render(size).map(Ran::Rendered),
                    None => self.run_test().map(Ran::Test),
                };
                printed.extend(prints.map_or_else(Vec::new, |p| p.lines()));
                done
            }
        };
        match (&test.error, ran) {
            (None, ran) => ran,
            (Some(wanted), Ok(_)) => {
                Err(self.suite.wrong(wanted, format!("no error, expected one with `{}`", wanted.get_ref())))
            }
            (Some(wanted), Err(e)) if e.message.contains(wanted.get_ref()) => {
                Ok(Ran::Test(TestRun::default()))
            }
            (Some(wanted), Err(mut e)) => {
                e.message = format!("{}\nexpected an error with `{}`", e.message, wanted.get_ref());
                Err(e)
            }
        }
    }

    fn run_test(&mut self) -> Result<TestRun, Failure> {
        let test = self.test;
        let name = self.shader()?.clone();
        let (path, bytes) = self.read(&name)?;
        let at = Some(self.suite.place(name.span().start));
        let failed = |e: Error| Failure::of_error(&e, at.clone());
        let options = self.options();
        let compiled = ShaderTest::source_with(&path, &bytes, &options);
        self.files.extend(options.includes.found());
        let mut run = compiled.map_err(failed)?;
        run = run.on(self.device).quiet();
        if let Some(entry) = self.entry() {
            run = run.entry(entry);
        }
        for (id, value) in self.spec()? {
            run = run.spec_text(id, &value);
        }
        if let Some(lanes) = test.lanes {
            run = run.lanes(lanes);
        }
        run = self.bind(run)?;
        if let Some(groups) = &test.dispatch {
            return run.dispatch(self.three(groups)?).map_err(failed);
        }
        if let Some(size) = &test.launch {
            let size = self.three(size)?;
            return self.launching(run, &options)?.trace(size).map_err(failed);
        }
        let Some(size) = &test.draw else { return Err(self.wrong("there is nothing to run")) };
        let (width, height) = pixels::parse_size(size.get_ref()).map_err(|m| self.suite.wrong(size, m))?;
        self.drawing(run, &options)?.draw(width, height).map_err(failed)
    }

    /// Adds the other shaders and the groups of a ray tracing pipeline.
    fn launching(&mut self, mut run: ShaderTest, options: &Options) -> Result<ShaderTest, Failure> {
        let test = self.test;
        for name in &test.shaders {
            let (path, bytes) = self.read(name)?;
            let at = Some(self.suite.place(name.span().start));
            let added = run.module(&path, &bytes, options);
            self.files.extend(options.includes.found());
            run = added.map_err(|e| Failure::of_error(&e, at))?;
        }
        for group in &test.group {
            run = run.group(group.get_ref());
        }
        Ok(match &test.recursion {
            Some(depth) => run.recursion(*depth.get_ref()),
            None => run,
        })
    }

    /// Binds buffers, images, samplers, scenes and push constants.
    fn bind(&mut self, mut run: ShaderTest) -> Result<ShaderTest, Failure> {
        let (suite, test) = (self.suite, self.test);
        for (place, bound) in &test.bind {
            let slot = bind::slot(place.get_ref()).map_err(|m| suite.wrong(place, m))?;
            run = bind::bind(run, slot, bound.get_ref(), self).map_err(|m| suite.wrong(bound, m))?;
        }
        for (place, words) in &test.sampler {
            let (set, binding, _) = bind::slot(place.get_ref()).map_err(|m| suite.wrong(place, m))?;
            let desc = quadrille::data::names::sampler(words.get_ref()).map_err(|m| suite.wrong(words, m))?;
            run = run.bind_sampler(set, binding, desc);
        }
        let mut push = Vec::new();
        for values in &test.push {
            let bytes = quadrille::data::list::encode(values.get_ref());
            let bytes = bytes.and_then(|bytes| self.keep(&bytes).map(|()| bytes));
            push.extend(bytes.map_err(|m| suite.wrong(values, m))?);
        }
        Ok(run.push(&push))
    }

    /// Renders as `quadrille render` does.
    fn render(&mut self, size: &Spanned<String>) -> Result<Picture, Failure> {
        let test = self.test;
        let (width, height) = pixels::parse_size(size.get_ref()).map_err(|m| self.suite.wrong(size, m))?;
        let name = self.shader()?.clone();
        let (path, bytes) = self.read(&name)?;
        let at = Some(self.suite.place(name.span().start));
        let source = &*frontend::with_line_feeds(quadrille::files::decoded(&bytes).unwrap_or_default());
        let failed = |e: Error| Failure::of_error(&e.with_source(&path, source), at.clone());
        let language = Language::of_path(std::path::Path::new(&path))
            .ok_or_else(|| self.suite.wrong(&name, "the name does not say the language"))?;
        let mut options = Options { relaxed: true, file: path.clone(), ..self.options() };
        options.origin = match &test.origin {
            Some(corner) => corner.get_ref().parse().map_err(|m: String| self.suite.wrong(corner, m))?,
            None => frontend::origin_of(language, &[source], &options).origin,
        };
        let shadertoy = language == Language::Glsl && frontend::is_shadertoy(source);
        let words = match shadertoy {
            true => frontend::compile_shadertoy(source, &options),
            false => frontend::compile(&bytes, language, Stage::Fragment, &options),
        };
        self.files.extend(options.includes.found());
        let words = words.map_err(|e| failed(e.into()))?;
        let textures = self.textures()?;
        let named: Vec<NamedTexture<'_>> = textures
            .iter()
            .map(|(name, picture)| NamedTexture { name, picture, sampler: None, raw: false })
            .collect();
        let uniforms: Vec<(String, String)> =
            test.uniform.iter().map(|(n, v)| (n.clone(), text(v))).collect();
        let uniforms: Vec<(&str, &str)> = uniforms.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let spec = self.spec()?;
        let spec: Vec<(u32, &str)> = spec.iter().map(|(id, value)| (*id, value.as_str())).collect();
        let initial = match language {
            Language::Glsl => frontend::initial_values(source, &options),
            Language::Wgsl | Language::Agsl | Language::Spirv => Vec::new(),
        };
        let initial = initial.iter().filter_map(|i| Some((i.name.as_str(), i.value.as_deref()?)));
        let initial: Vec<(&str, &str)> = initial.collect();
        let desc = RendererDesc {
            words: &words,
            entry: self.entry(),
            specialization: &spec,
            shadertoy,
            origin: Some(options.origin),
            width,
            height,
            samples: test.samples.unwrap_or(1),
            named: &named,
            uniforms: &uniforms,
            initial: &initial,
            premultiplied: language == Language::Agsl,
            ..RendererDesc::default()
        };
        let mut renderer = Renderer::new(self.device, &desc).map_err(failed)?;
        if let Some(warning) = renderer.warnings().first() {
            // An argument without effect is a mistake in the test.
            return Err(self.suite.wrong(&name, format!("{path}: {warning}")));
        }
        let mut inputs = Inputs::new(width, height, test.time.unwrap_or(0.0) as f32, test.frame.unwrap_or(0));
        for (to, value) in inputs.mouse.iter_mut().zip(test.mouse.iter().flatten()) {
            *to = *value;
        }
        let pixels = renderer.render(&inputs).map_err(failed)?;
        Picture::from_bytes(width, height, pixels.as_raw()).map_err(failed)
    }

    fn textures(&mut self) -> Result<Vec<(String, image::DynamicImage)>, Failure> {
        let test = self.test;
        let mut all = Vec::new();
        for (name, file) in &test.texture {
            let (path, bytes) = self.read(file)?;
            let picture = pixels::decode(&path, &bytes);
            all.push((name.clone(), picture.map_err(|e| self.suite.wrong(file, e.to_string()))?));
        }
        Ok(all)
    }

    /// Compares the results with the expectations; returns the differences.
    fn check(&mut self, ran: &Ran, printed: &[String], keep: &Keep<'_>) -> Vec<Failure> {
        let (suite, test) = (self.suite, self.test);
        let mut failures = Vec::new();
        if test.error.is_some() {
            return failures;
        }
        for (place, expected) in &test.expect {
            let done = match ran {
                Ran::Test(run) => self.check_one(run, place, expected, keep),
                Ran::Kernel(kernel) => self.check_argument(kernel, place, expected),
                Ran::Rendered(_) => Err(suite.wrong(place, "`render` has no bindings to compare")),
            };
            failures.extend(done.err());
        }
        if let Some(golden) = &test.golden {
            let at = suite.place(golden.span().start);
            let done = match ran {
                Ran::Test(run) => {
                    let drawn = (run.attachment_floats(0), run.picture());
                    self.check_golden(golden.get_ref(), drawn, keep, at)
                }
                Ran::Kernel(_) => Err(Failure::new("a kernel draws no picture", Some(at))),
                Ran::Rendered(picture) => {
                    let why = "`render` draws 8 bits: its golden is a .png; `draw` has targets of floats";
                    self.check_golden(
                        golden.get_ref(),
                        (Err(Error::invalid(why)), Ok(picture.clone())),
                        keep,
                        at,
                    )
                }
            };
            failures.extend(done.err());
        }
        if let Some(wanted) = &test.printed
            && wanted.get_ref() != printed
        {
            let message =
                format!("printed is\n{}\nexpected\n{}", printed.join("\n"), wanted.get_ref().join("\n"));
            failures.push(suite.wrong(wanted, message));
        }
        failures
    }

    fn check_one(
        &mut self,
        run: &TestRun,
        place: &Spanned<String>,
        expected: &Spanned<Expected>,
        keep: &Keep<'_>,
    ) -> Result<(), Failure> {
        let suite = self.suite;
        let at = Place::parse(place.get_ref()).map_err(|m| suite.wrong(place, m))?;
        let done = match expected.get_ref() {
            Expected::Text(text) if is_list(text) => expect::values(run, at, &expect::all(text)),
            Expected::Values(values) => expect::values(run, at, values),
            Expected::Block(block) => expect::members(run, at, &block.members),
            Expected::Text(text) => {
                return self.check_image(run, at, &form::Golden::File(text.clone()), expected, keep);
            }
            Expected::Picture(golden) => return self.check_image(run, at, golden, expected, keep),
        };
        done.map_err(|m| suite.wrong(place, format!("{at}: {m}")))
    }

    /// Compares a bound or drawn image with a golden.
    fn check_image(
        &mut self,
        run: &TestRun,
        place: Place,
        golden: &form::Golden,
        at: &Spanned<Expected>,
        keep: &Keep<'_>,
    ) -> Result<(), Failure> {
        let drawn = expect::picture(run, place).map_err(|m| self.suite.wrong(at, m))?;
        self.check_golden(golden, drawn, keep, self.suite.place(at.span().start))
    }

    /// Compares a picture, available as floats and in 8 bits, with a golden, whose extension selects one of them.
    fn check_golden(
        &mut self,
        golden: &form::Golden,
        drawn: expect::Drawn,
        keep: &Keep<'_>,
        at: crate::outcome::Place,
    ) -> Result<(), Failure> {
        let fail = |message: String| Failure::new(message, Some(at.clone()));
        let of_error = |e: Error| Failure::of_error(&e, Some(at.clone()));
        let (file, measure) = expect::golden(golden).map_err(fail)?;
        let path = self.path(file);
        let (floats, bytes) = drawn;
        if let Measure::Floats { tolerance, pixels } = measure {
            return picture::check_floats(
                &floats.map_err(of_error)?,
                path.as_ref(),
                &self.suite.folders(),
                (tolerance, pixels),
                keep,
                at,
            );
        }
        let beyond = floats.map_or(0, |floats| floats.beyond_8_bits());
        if beyond > 0 {
            let why = format!(
                "{beyond} components are outside 0 to 1, which {path} cannot hold: compare with an .exr"
            );
            return Err(fail(why));
        }
        picture::check(&bytes.map_err(of_error)?, path.as_ref(), &self.suite.folders(), measure, keep, at)
    }
}
