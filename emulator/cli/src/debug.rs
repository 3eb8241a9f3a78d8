//! `quadrille debug`: debugs one invocation of a `render` or `run` command, at a prompt or in a browser.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgGroup, ArgMatches, Command, FromArgMatches};
use quadrille::Watching;
use quadrille::files;
use quadrille::frontend::{Language, Origin, Stage};
use quadrille::ir::{BuiltIn, Slot};
use quadrille_debug::commands::{Commands, HELP};
use quadrille_debug::dap::Launched;
use quadrille_debug::page::{Page, Remark, Shown};
use quadrille_debug::{Heat, MAX_BYTES, OPTIONS, Recorder, Recording, Session, Sources, Target};
use quadrille_suite::outcome::Outcome;
use quadrille_suite::run::MakeWatching;
use quadrille_suite::select::select;
use quadrille_suite::{find, run as suite};

use crate::allow::{self, AllowArgs};
use crate::given::{Given, Rows};
use crate::number::with_minus;
use crate::report::{self, Failure, Result};
use crate::shader::ShaderArgs;
use crate::temporary::Temporary;
use crate::trace::TraceArgs;
use crate::work::{Work, WorkArgs};
use crate::{args, foreign, render, run, scene, shader, toy};

const USAGE: &str = "\
Debug one invocation: record what it does, then step through it forwards and backwards.

Usage: quadrille debug FILE INVOCATION [OPTIONS of render, or of run]
       quadrille debug TESTS INVOCATION [--filter PART] [--allow-path FOLDER]

Invocation:
  --pixel X,Y                  of a fragment shader, from the top left
  --invocation X,Y,Z           of a compute shader, by GlobalInvocationId, or of an OpenCL kernel, by its global id without
                               --offset: the other options are those of `run`
  --vertex N[,INSTANCE]        of a vertex shader
  --patch N[,INVOCATION]       of a tessellation control shader, by the number of the patch in its draw
  --point N[,POINT]            of a tessellation evaluation shader: a point of patch N
  --primitive N[,INVOCATION]   of a geometry shader
  --mesh-invocation X,Y,Z[,x,y,z], --task-invocation ...   a workgroup, and an invocation in it
  --launch-id X,Y,Z            of a ray tracing pipeline: all its shaders that run for this launch id, one after another

Options:
  --serve            debug in a browser: prints the address of a page on the loopback interface
  --port N           with --serve: port of the page (default: any)
  --cost             with --serve: the page shows the cost of each pixel, in shader instructions
  --check            with --serve: the page also shows the shader's undefined behaviour
  --memory MIB       memory that the recording may take (default 512)
  --filter PART      in a test file (.test.toml, .amber, ...), the tests whose name contains PART

Examples:
  quadrille debug picture.frag --pixel 320,180
  quadrille debug look.vert look.frag --mesh model.obj --vertex 7
  quadrille debug assets/shaders/add.comp --invocation 3,0,0 --dispatch 1 \\
      --bind 0.0=f32:1,2,3,4 --bind 0.1=f32:10,20,30,40 --bind 0.2=zeros:16
  quadrille debug kernel.cl --entry vadd --invocation 5 --global 1024 --arg f32:1*1024 --arg zeros:4096 --arg 3.0
  quadrille debug toy.glsl --serve
  quadrille debug waves.test.toml --filter coarse --point 0,7
  quadrille debug scene.rgen hit.rchit sky.rmiss --launch-id 3,4 --launch 8x8 \\
      --bind 0.0=triangles:model.obj --bind 0.1=image:8x8
  printf 'break 12 if i == 3\\ncontinue\\nprint @lanes color\\n' | quadrille debug picture.frag --pixel 3,4

Commands:
";

/// The invocation, the options of the debugger, and those of `render` or `run`.
#[derive(clap::Args)]
#[command(override_help = format!("{USAGE}{HELP}"), arg_required_else_help = true)]
pub struct Args {
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    target: TargetArg,
    #[arg(long)]
    serve: bool,
    #[arg(long)]
    check: bool,
    #[arg(long)]
    cost: bool,
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Size of the recording, in MiB.
    #[arg(long, default_value_t = (MAX_BYTES >> 20) as u32, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    #[arg(long)]
    filter: Vec<String>,
    #[command(flatten)]
    work: WorkArgs,
}

/// Options of the page.
const NEEDS: Rows = &[("port", &["serve"]), ("cost", &["serve"]), ("check", &["serve"])];

/// The invocation, if there is one: an option for each kind.
struct TargetArg(Option<Target>);

impl FromArgMatches for TargetArg {
    fn from_arg_matches(matches: &ArgMatches) -> Result<TargetArg, clap::Error> {
        Ok(TargetArg(OPTIONS.iter().find_map(|option| matches.get_one(option).copied())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        TargetArg::from_arg_matches(matches).map(|target| *self = target)
    }
}

impl clap::Args for TargetArg {
    fn augment_args(command: Command) -> Command {
        let option = |option: &'static str| {
            let parse = move |text: &str| Target::parse(option, text);
            Arg::new(option).long(option).value_name("NUMBERS").value_parser(parse)
        };
        // A command line has at most one option of a group.
        command.args(OPTIONS.map(option)).group(ArgGroup::new("target of the debugger").args(OPTIONS))
    }

    fn augment_args_for_update(command: Command) -> Command {
        TargetArg::augment_args(command)
    }
}

impl Args {
    /// Parses the words of a command line that is not this process's own.
    pub fn parse(words: &[String]) -> Result<Args> {
        let command = with_minus(<Args as clap::Args>::augment_args(
            Command::new("quadrille debug").no_binary_name(true),
        ));
        let parsed = command.try_get_matches_from(words).and_then(|matches| Args::from_arg_matches(&matches));
        parsed.map_err(|e| Failure::new(message(&e)).help("quadrille debug --help"))
    }

    /// The invocation, if there is one.
    pub fn target(&self) -> Option<Target> {
        self.target.0
    }

    /// Size that the recording may have, in bytes.
    fn max_bytes(&self) -> usize {
        (self.memory as usize).saturating_mul(1 << 20)
    }

    /// The work, which discards its pictures and keeps the names of values.
    fn work(&self) -> Result<Work> {
        if !self.filter.is_empty() {
            return Err(Failure::usage("--filter is an option of tests"));
        }
        let mut work = self.work.clone().work()?;
        match (&work, self.target()) {
            (Work::Picture(_), Some(Target::Invocation(_))) => {
                return Err(Failure::usage("--invocation needs --dispatch or --global"));
            }
            (Work::Picture(_), Some(Target::Launch(_))) => {
                return Err(Failure::usage("--launch-id needs --launch"));
            }
            (Work::Dispatch(run), Some(target)) => match (run.rays.launch, target) {
                (None, Target::Invocation(_)) | (Some(_), Target::Launch(_)) => {}
                (None, _) => {
                    let how = if run.kernel.global.is_some() { "global" } else { "dispatch" };
                    return Err(Failure::usage(format!("{target}: --{how} has no such invocation")));
                }
                (Some(_), _) => {
                    return Err(Failure::usage(format!("{target}: --launch has no such invocation")));
                }
            },
            (Work::Picture(_) | Work::Dispatch(_), _) => {}
        }
        match &mut work {
            Work::Picture(picture) if picture.frames.output.is_some() => {
                return Err(Failure::usage("--output: the debugger does not write the picture"));
            }
            Work::Picture(picture) => {
                picture.quiet = true;
                picture.shader.named_values = true;
            }
            Work::Dispatch(dispatch) => dispatch.shader.named_values = true,
        }
        Ok(work)
    }

    /// Runs the shader and records an invocation. Fails if it does not run.
    pub fn record(&self, target: Target) -> Result<Launched> {
        let launched = self.record_there(target)?;
        if launched.recordings.is_empty() {
            return Err(self.absent(target));
        }
        Ok(launched)
    }

    /// The failure of an invocation that did not run, with the size of the work if it is outside.
    fn absent(&self, target: Target) -> Failure {
        let list = |[x, y, z]: [u32; 3]| format!("{x}, {y}, {z}");
        let work = if matches!(self.tests(), Ok(None)) { self.work().ok() } else { None };
        let size = match (work, target) {
            (Some(Work::Picture(picture)), Target::Pixel([x, y])) => {
                let (width, height) = picture.size;
                let outside = x as u32 >= width || y as u32 >= height;
                outside.then(|| format!("the picture has {width}x{height} pixels"))
            }
            (Some(Work::Dispatch(run)), Target::Launch(id)) => {
                let outside = |size: &[u32; 3]| id.iter().zip(size).any(|(id, size)| id >= size);
                run.rays.launch.filter(outside).map(|size| format!("--launch has the size {}", list(size)))
            }
            (Some(Work::Dispatch(run)), Target::Invocation(_)) => match (run.kernel.global, run.dispatch) {
                (Some(size), _) => Some(format!("--global has the size {}", list(size.numbers))),
                (None, workgroups) => workgroups.map(|n| format!("--dispatch has {} workgroups", list(n))),
            },
            _ => None,
        };
        let message = format!("{target}: the shader did not run there");
        match size {
            Some(size) => Failure::usage(format!("{message}: {size}")),
            None => Failure::new(message),
        }
    }

    /// Records an invocation if it runs. For a picture, only the area around the pixel is drawn.
    fn record_there(&self, target: Target) -> Result<Launched> {
        if let Some(file) = self.tests()? {
            return self.record_tests(target, file);
        }
        let (picture, [x, y]) = match (self.work()?, target) {
            (Work::Picture(picture), Target::Pixel(pixel)) => (picture, pixel),
            (work, target) => return self.record_in(target, &work).map_err(|e| with_loop(&work, e)),
        };
        let y = if is_flipped(&picture) { picture.size.1 as i32 - 1 - y } else { y };
        let within = |[w, h]: [i32; 2]| {
            let mut part = picture.clone();
            let (x0, y0) = (x.max(0) / w * w, y.max(0) / h * h);
            part.only = Some(quadrille::Rect { x: x0, y: y0, width: w as u32, height: h as u32 });
            self.record_in(Target::Pixel([x, y]), &Work::Picture(part))
        };
        match within(AROUND) {
            // Another pixel of the area may be the one that did not end.
            Err(failure) if failure.is_unended() => within(GROUP),
            done => done,
        }
        .map_err(|failure| with_loop(&Work::Picture(picture.clone()), failure))
    }

    /// Does the work, and records an invocation.
    fn record_in(&self, target: Target, work: &Work) -> Result<Launched> {
        let recorder = Recorder::new(target, self.max_bytes());
        let done = run_with(work, Some(Watching::new(recorder.watch())));
        let language = shader::language_of(shader_of(work));
        let mut recordings = recorder.take();
        match work {
            Work::Picture(picture) if language == Language::Glsl && is_flipped(picture) => {
                recordings.iter_mut().for_each(turn_points);
            }
            Work::Picture(_) | Work::Dispatch(_) => {}
        }
        let ended = match done {
            Ok(()) => None,
            Err(failure) if recordings.is_empty() => return Err(failure),
            // Everything recorded before that is shown; a full recording reports itself.
            Err(failure) => (!recorder.is_full()).then(|| failure.to_string()),
        };
        Ok(Launched { recordings, language, sources: Sources::default(), ended })
    }

    /// The file of tests, if there is one; in tests all stages can be debugged.
    fn tests(&self) -> Result<Option<&Path>> {
        let picture = &self.work.picture;
        let file = picture.shader.file.as_path();
        let name = file.to_string_lossy();
        if ![".amber", ".vkscript", ".shader_test", ".test.toml"].iter().any(|e| name.ends_with(e)) {
            return Ok(None);
        }
        let help = "tests take only an invocation, --filter and --allow-path";
        if let Some(second) = picture.second.iter().chain(&self.work.more).next() {
            return Err(Failure::usage(format!("{} is one file too many", second.display())).help(help));
        }
        self.given
            .refuse::<WorkArgs, AllowArgs>("is not an option for tests")
            .map_err(|failure| failure.help(help))?;
        Ok(Some(file))
    }

    /// Runs tests and records an invocation in each test that has it.
    fn record_tests(&self, target: Target, file: &Path) -> Result<Launched> {
        allow::named(file);
        self.work.picture.shader.allow.apply()?;
        let found = find::find(&[file.into()]).map_err(|e| Failure::new(e.to_string()))?;
        let tests = select(found, &self.filter, None);
        if tests.is_empty() {
            let file = file.display();
            return Err(Failure::usage(format!("{file}: --filter selects no test"))
                .help(format!("quadrille test {file} --list shows their names")));
        }
        let recorder = Recorder::new(target, self.max_bytes());
        let watch = Watching::new(recorder.watch());
        let watch = Some(MakeWatching(Arc::new(move || watch.clone())));
        let patience = Some(FOR_EVER);
        let compiler = Some(foreign::of_tests());
        let options = suite::Options { watch, timeout: timeout(), patience, compiler, ..Default::default() };
        let mut failed = Vec::new();
        suite::run(tests, options, |report| {
            if let Outcome::Failed { failures } = &report.outcome {
                failed.extend(failures.first().map(|f| format!("{}: {}", report.name, f.message)));
            }
        });
        let recordings = recorder.take();
        if let (true, Some(failure)) = (recordings.is_empty(), failed.first()) {
            return Err(Failure::new(failure.clone()));
        }
        let files = recordings.iter().flat_map(|r| &r.debug.files);
        let of = |extension: &str| files.clone().any(|f| f.name.ends_with(extension));
        let language = match (of(".wgsl"), of(".agsl")) {
            (true, _) => Language::Wgsl,
            (_, true) => Language::Agsl,
            _ => Language::Glsl,
        };
        // A test that fails for another reason has run nevertheless.
        let ended = failed.into_iter().next();
        let ended = ended.filter(|_| !recorder.is_full() && recordings.iter().any(|r| r.cut.is_some()));
        Ok(Launched { recordings, language, sources: Sources::default(), ended })
    }

    /// Contents of the page: the picture, and the findings of a check.
    fn shown(&self) -> Result<Shown> {
        if let Some(file) = self.tests()? {
            return Ok(Shown { title: file.display().to_string(), ..Shown::default() });
        }
        let mut work = self.work()?;
        let file = shader_of(&work).file.clone();
        let out = Temporary::new()?;
        let (mut size, mut flipped) = ((0, 0), false);
        if let Work::Picture(picture) = &mut work {
            picture.frames.output = Some(out.picture());
            (size, flipped) = (picture.size, is_flipped(picture));
        }
        match run_with(&work, None) {
            Ok(()) => {}
            // Without a picture, the page still has the recording.
            Err(failure) if failure.is_unended() => {
                report::print(&with_loop(&work, failure));
                (size, flipped) = ((0, 0), false);
            }
            Err(failure) => return Err(failure),
        }
        let picture = files::given(out.picture(), files::MAX_DATA_BYTES).unwrap_or_default();
        let remarks = if self.check { remarks(&work)? } else { Vec::new() };
        let mut heat = Vec::new();
        if self.cost && !picture.is_empty() {
            report::note("the picture is interpreted to count the cost of each pixel; this may take a while");
            let counts = Heat::new(size);
            run_with(&work, Some(Watching::new(counts.watch())))?;
            heat = counts.png(flipped);
        }
        Ok(Shown { title: file.display().to_string(), picture, size, flipped, heat, remarks })
    }
}

/// The findings of a check, per source line.
fn remarks(work: &Work) -> Result<Vec<Remark>> {
    let session = Arc::new(quadrille_check::Session::new(quadrille_check::Levels::default()));
    let checker = quadrille_check::Checker::new(session.clone());
    if let Err(failure) = run_with(work, Some(Watching::listening(Arc::new(checker))))
        && !failure.is_unended()
    {
        return Err(failure);
    }
    let remark = |r: quadrille_check::Report| Remark {
        file: r.at.file.unwrap_or_default(),
        line: r.at.line,
        level: format!("{:?}", r.level).to_lowercase(),
        text: if r.count > 1 { format!("{} ({} times)", r.message, r.count) } else { r.message },
    };
    Ok(session.reports.found().into_iter().map(remark).collect())
}

/// Size of the area drawn for a pixel: a multiple of the area of any lane group.
const AROUND: [i32; 2] = [16, 16];
/// Area of a lane group of the usual size.
const GROUP: [i32; 2] = [4, 2];

/// Does the work, with a watcher of the shaders.
fn run_with(work: &Work, watch: Option<Watching>) -> Result<()> {
    // Watched work runs on one thread, so that recordings are in the order of the work.
    let threads = watch.as_ref().map(|_| 1);
    let make = |_: Option<usize>| shader::device_with(threads, &TraceArgs::default(), watch.clone());
    match work {
        Work::Dispatch(args) => run::run_on(args, &make),
        Work::Picture(args) => {
            let device = make(None).map_err(|e| Failure::device(&e, None))?;
            render::draw(args, &device).map(drop)
        }
    }
}

fn shader_of(work: &Work) -> &ShaderArgs {
    match work {
        Work::Dispatch(args) => &args.shader,
        Work::Picture(args) => &args.shader,
    }
}

/// Adds the endless loop to a failure, if there was one.
fn with_loop(work: &Work, failure: Failure) -> Failure {
    match work {
        Work::Dispatch(args) => run::with_loop(args, failure),
        Work::Picture(args) => render::with_loop(args, failure),
    }
}

/// Time limit of a command in a test: the same as on any device.
fn timeout() -> Duration {
    let budget = quadrille::DeviceOptions::default().budget;
    if budget.is_zero() { FOR_EVER } else { budget }
}

/// A time limit that is never reached: almost a year.
const FOR_EVER: Duration = Duration::from_secs(30_000_000);

/// Returns true if the picture's rows are in the opposite order of the framebuffer's, as in Shadertoys.
fn is_flipped(args: &args::Args) -> bool {
    let files = [Some(&args.shader.file), args.second.as_ref()];
    // Files of other compilers become SPIR-V, whose text does not show an origin.
    let files = files.into_iter().flatten().filter(|f| foreign::language(f).is_none());
    let files: Vec<_> = files.flat_map(|f| shader::open(&args.shader, f, Stage::Fragment)).collect();
    let origin = shader::origin(&files.iter().collect::<Vec<_>>(), args.origin).origin;
    toy::is_toy(args) || (!scene::is_scene(&args.shader.file) && origin == Origin::LowerLeft)
}

/// Gives `gl_PointCoord` the value that the source of OpenGL sees: its translation turns the built-in's upside down, as the
/// rows of the picture.
fn turn_points(recording: &mut Recording) {
    let y = recording.inputs.get_mut(&Slot::BuiltIn(BuiltIn::PointCoord, 1));
    for bits in y.into_iter().flatten() {
        *bits = (1.0 - f32::from_bits(*bits as u32)).to_bits().into();
    }
}

/// The message of a wrong command line, without the parts for terminals: heading, usage and colours.
fn message(error: &clap::Error) -> String {
    let about = [ContextKind::InvalidArg, ContextKind::PriorArg, ContextKind::InvalidValue];
    let about = about.into_iter().filter_map(|kind| error.get(kind)).map(ContextValue::to_string);
    let parts = std::iter::once(error.kind().to_string()).chain(about);
    parts.chain(error.source().map(|source| source.to_string())).collect::<Vec<_>>().join(": ")
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.given.check_rows(NEEDS)?;
    if args.serve {
        return serve(args);
    }
    let target = args.target().ok_or_else(|| {
        Failure::usage("the invocation is missing")
            .help("for example --pixel 320,180 of a picture, --invocation 3,0,0 of a dispatch; quadrille debug --help lists all")
    })?;
    let Launched { recordings, language, sources, ended } = args.record(target)?;
    if let Some(text) = ended {
        report::warn(&text);
    }
    let make = |r| Session::new(Arc::new(r), language);
    let sessions = recordings.into_iter().map(make).collect();
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut commands = Commands::new(sessions, &sources);
    commands.run(&mut stdin.lock(), &mut io::stdout().lock(), echo).map_err(|e| match e.kind() {
        // Nobody reads the output.
        io::ErrorKind::BrokenPipe => Failure::Quiet,
        _ => Failure::new(format!("the terminal: {}", files::reason(&e))),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the page.
fn serve(args: &Args) -> Result<ExitCode> {
    let socket = |e: io::Error| Failure::new(format!("the page cannot be served: {}", files::reason(&e)));
    let shown = args.shown()?;
    // Another invocation can be requested on the page.
    let told = |failure: &_| {
        let _ = report::print(failure);
    };
    let record = |target| args.record(target).inspect_err(told);
    let first = args.target().and_then(|target| record(target).ok());
    let page = Page::listen(args.port).map_err(socket)?;
    crate::out::text(&page.url())?;
    report::note("anyone with this address can see the page; Ctrl-C stops it");
    let mut record = |target: Target| args.record(target).map_err(|failure| failure.to_string());
    page.serve(&shown, first, &mut record).map_err(socket)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debuggers_options_stand_anywhere() {
        let line = |text: &str| Args::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let args = line("a.frag --pixel 3,4 --size 8x8 --memory=2").unwrap();
        assert_eq!(args.target(), Some(Target::Pixel([3, 4])));
        assert_eq!(args.max_bytes(), 2 << 20);
        assert!(matches!(args.work().unwrap(), Work::Picture(picture) if picture.size == (8, 8)));
        let args = line("--invocation=1 a.comp --dispatch 2,1,1").unwrap();
        assert_eq!(args.target(), Some(Target::Invocation([1, 0, 0])));
        assert!(matches!(args.work().unwrap(), Work::Dispatch(run) if run.dispatch == Some([2, 1, 1])));
        for (bad, message) in [
            ("a.frag --pixel", "--pixel <NUMBERS>"),
            ("a.frag --pixel 3", "pixel"),
            ("a.frag --pixel x,y", "pixel"),
            ("a.frag --pixel 1,1 --vertex 2", "--vertex <NUMBERS>"),
            ("a.frag --memory x", "invalid digit"),
            ("a.frag --sise 8x8", "--sise"),
        ] {
            let failure = line(bad).err().expect(bad).to_string();
            assert!(failure.contains(message) && !failure.starts_with("error"), "{bad}: {failure}");
        }
        for bad in ["a.comp --invocation 1", "a.frag --pixel 1,1 --dispatch 1", "a.frag -o a.png"] {
            assert!(line(bad).unwrap().work().is_err(), "{bad}");
        }
    }
}
