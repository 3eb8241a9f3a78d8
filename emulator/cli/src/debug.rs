//! `quadrille debug`: debugs one invocation of a `render` or `run` command, at a prompt or in a browser.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use quadrille::Watching;
use quadrille::files;
use quadrille::frontend::{Language, Origin, Stage};
use quadrille_debug::commands::{Commands, HELP};
use quadrille_debug::dap::Launched;
use quadrille_debug::page::{Page, Remark, Shown};
use quadrille_debug::{Heat, MAX_BYTES, OPTIONS, Recorder, Session, Sources, Target};
use quadrille_suite::outcome::Outcome;
use quadrille_suite::select::select;
use quadrille_suite::{find, run as suite};

use crate::allow;
use crate::report::{self, Failure, Result};
use crate::rest::Temporary;
use crate::shader::ShaderArgs;
use crate::trace::TraceArgs;
use crate::{args, foreign, render, run, scene, shader, toy};

/// Debug one invocation: record what it does, then step through it forwards and backwards.
///
/// Takes the file and the options of `render`, or those of `run` for an invocation of a compute shader, and in addition
/// the invocation.
#[derive(clap::Args)]
#[command(disable_help_flag = true, after_help = "")]
pub struct Args {
    /// The invocation, and the arguments of `render` or `run`; --help explains
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

const USAGE: &str = "\
Debug one invocation: record what it does, then step through it forwards and backwards.

Usage: quadrille debug FILE INVOCATION [OPTIONS of render, or of run]
       quadrille debug TESTS INVOCATION [--filter PART]

Invocation:
  --pixel X,Y                  of a fragment shader, from the top left
  --invocation X,Y,Z           of a compute shader, by GlobalInvocationId: the other options are those of `run`
  --vertex N[,INSTANCE]        of a vertex shader
  --patch N[,INVOCATION]       of a tessellation control shader, by the number of the patch in its draw
  --point N[,POINT]            of a tessellation evaluation shader: a point of patch N
  --primitive N[,INVOCATION]   of a geometry shader
  --mesh-invocation X,Y,Z[,x,y,z], --task-invocation ...   a workgroup, and an invocation in it

Options:
  --serve            debug in a browser: prints the address of a page on the loopback interface
  --port N           port of the page (default: any)
  --cost             the page shows the cost of each pixel, in shader instructions
  --check            the page also shows the shader's undefined behaviour
  --memory MIB       memory that the recording may take (default 512)
  --filter PART      in a test file (.test.toml, .amber, ...), the tests whose name contains PART

Examples:
  quadrille debug picture.frag --pixel 320,180
  quadrille debug look.vert look.frag --mesh model.obj --vertex 7
  quadrille debug assets/shaders/add.comp --invocation 3,0,0 --dispatch 1 \\
      --bind 0.0=f32:1,2,3,4 --bind 0.1=f32:10,20,30,40 --bind 0.2=zeros:16
  quadrille debug toy.glsl --serve
  quadrille debug waves.test.toml --filter coarse --point 0,7
  printf 'break 12 if i == 3\\ncontinue\\nprint @lanes color\\n' | quadrille debug picture.frag --pixel 3,4

Commands:
";

/// A parsed command line.
#[derive(Debug)]
pub struct Wanted {
    /// The invocation, if there is one.
    pub target: Option<Target>,
    serve: bool,
    check: bool,
    cost: bool,
    port: u16,
    max_bytes: usize,
    /// The arguments of `render` or `run`.
    rest: Vec<String>,
}

/// The arguments of `render`, parsed alone.
#[derive(Parser)]
#[command(name = "quadrille render", no_binary_name = true)]
struct RenderLine {
    #[command(flatten)]
    args: args::Args,
}

/// The arguments of `run`, parsed alone.
#[derive(Parser)]
#[command(name = "quadrille run", no_binary_name = true)]
struct RunLine {
    #[command(flatten)]
    args: run::Args,
}

impl Wanted {
    /// Parses a command line; the debugger's own options may stand anywhere.
    pub fn parse(arguments: &[String]) -> Result<Wanted> {
        let mut wanted = Wanted {
            target: None,
            serve: false,
            check: false,
            cost: false,
            port: 0,
            max_bytes: MAX_BYTES,
            rest: Vec::new(),
        };
        let mut list = arguments.iter();
        while let Some(argument) = list.next() {
            let (name, given) =
                match argument.strip_prefix("--").map(|a| a.split_once('=').unwrap_or((a, ""))) {
                    Some((name, value)) if argument.contains('=') => (name, Some(value.to_owned())),
                    Some((name, _)) => (name, None),
                    None => ("", None),
                };
            let mut value = || {
                let missing =
                    || Failure::new(format!("--{name} needs a value")).help("quadrille debug --help");
                given.clone().or_else(|| list.next().cloned()).ok_or_else(missing)
            };
            match name {
                "serve" => wanted.serve = true,
                "check" => wanted.check = true,
                "cost" => wanted.cost = true,
                "port" => wanted.port = number(name, &value()?)?,
                "memory" => wanted.max_bytes = number::<usize>(name, &value()?)?.saturating_mul(1 << 20),
                _ if OPTIONS.contains(&name) => {
                    wanted.target = Some(Target::parse(name, &value()?).map_err(Failure::new)?);
                }
                _ => wanted.rest.push(argument.clone()),
            }
        }
        Ok(wanted)
    }

    /// Runs the shader and records an invocation. For a picture, only the area around the pixel is drawn.
    pub fn record(&self, target: Target) -> Result<Launched> {
        if let Some(file) = self.tests() {
            return self.record_tests(target, file);
        }
        let Target::Pixel([x, y]) = target else {
            let of_compute = matches!(target, Target::Invocation(_));
            return self.record_in(target, &self.rest).map_err(|e| with_loop(&self.rest, of_compute, e));
        };
        // `render` requires an output file.
        let out = ["-o", "picture.png"].map(str::to_owned);
        let line = parse::<RenderLine>(&[&self.rest[..], &out].concat())?;
        let y = if is_flipped(&line.args) { line.args.size.1 as i32 - 1 - y } else { y };
        let within = |[w, h]: [i32; 2]| {
            let only = format!("--only={},{},{w},{h}", x.max(0) / w * w, y.max(0) / h * h);
            self.record_in(Target::Pixel([x, y]), &[&self.rest[..], &[only]].concat())
        };
        match within(AROUND) {
            // Another pixel of the area may be the one that did not end.
            Err(failure) if failure.is_lost() => within(GROUP),
            done => done,
        }
        .map_err(|failure| with_loop(&self.rest, false, failure))
    }

    /// Runs the command of the arguments, and records an invocation.
    fn record_in(&self, target: Target, arguments: &[String]) -> Result<Launched> {
        let recorder = Recorder::new(target, self.max_bytes);
        let watch = Watching::new(recorder.watch());
        let of_compute = matches!(target, Target::Invocation(_));
        let done = run_with(arguments, of_compute, Some(watch));
        let recordings = recorder.take();
        let ended = match done {
            Ok(_) => None,
            Err(failure) if recordings.is_empty() => return Err(failure),
            // Everything recorded before that is shown; a full recording reports itself.
            Err(failure) => (!recorder.is_full()).then(|| failure.to_string()),
        };
        let language = shader::language_of(&shader_of(arguments, of_compute)?);
        Ok(Launched { recordings, language, sources: Sources::default(), ended })
    }

    /// The file of tests, if there is one; in tests all stages can be debugged.
    fn tests(&self) -> Option<&str> {
        let file = self.rest.iter().find(|word| !word.starts_with("--"))?;
        let is = [".amber", ".vkscript", ".shader_test", ".test.toml"].iter().any(|e| file.ends_with(e));
        is.then_some(file)
    }

    /// Runs tests and records an invocation in each test that has it.
    fn record_tests(&self, target: Target, file: &str) -> Result<Launched> {
        let mut filters = Vec::new();
        let mut words = self.rest.iter().filter(|word| *word != file);
        while let Some(word) = words.next() {
            match (word.strip_prefix("--filter="), word == "--filter") {
                (Some(filter), _) => filters.push(filter.to_owned()),
                (None, true) => filters.extend(words.next().cloned()),
                _ => {
                    let help = "tests take only an invocation and --filter";
                    return Err(Failure::new(format!("{word} is not an option for tests")).help(help));
                }
            }
        }
        allow::named(file.as_ref());
        let found = find::find(&[file.into()]).map_err(|e| Failure::new(e.to_string()))?;
        let recorder = Recorder::new(target, self.max_bytes);
        let watch = Some(Watching::new(recorder.watch()));
        let patience = Some(FOR_EVER);
        let options = suite::Options { watch, timeout: timeout(), patience, ..Default::default() };
        let mut failed = Vec::new();
        suite::run(select(found, &filters, None), options, |report| {
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
        if let Some(file) = self.tests() {
            return Ok(Shown { title: file.to_owned(), ..Shown::default() });
        }
        let of_compute = matches!(self.target, Some(Target::Invocation(_)));
        let done = match run_with(&self.rest, of_compute, None) {
            Ok(done) => done,
            // Without a picture, the page still has the recording.
            Err(failure) if failure.is_lost() => {
                let failure = with_loop(&self.rest, of_compute, failure);
                report::print(&failure);
                let shader = shader_of(&self.rest, of_compute)?;
                Done { picture: None, shader, flipped: false }
            }
            Err(failure) => return Err(failure),
        };
        let remarks = if self.check { self.remarks(of_compute)? } else { Vec::new() };
        let (picture, size) = done.picture.unwrap_or_default();
        let mut heat = Vec::new();
        if self.cost && !picture.is_empty() {
            report::note("the picture is interpreted to count the cost of each pixel; this may take a while");
            let counts = Heat::new(size);
            run_with(&self.rest, of_compute, Some(Watching::new(counts.watch())))?;
            heat = counts.png(done.flipped);
        }
        let title = done.shader.file.display().to_string();
        Ok(Shown { title, picture, size, flipped: done.flipped, heat, remarks })
    }

    /// The findings of a check, per source line.
    fn remarks(&self, of_compute: bool) -> Result<Vec<Remark>> {
        let session = Arc::new(quadrille_check::Session::new(quadrille_check::Levels::default()));
        let checker = quadrille_check::Checker::new(session.clone());
        match run_with(&self.rest, of_compute, Some(Watching::listening(Arc::new(checker)))) {
            Err(failure) if !failure.is_lost() => return Err(failure),
            _ => {}
        }
        let remark = |r: quadrille_check::Report| Remark {
            file: r.at.file.unwrap_or_default(),
            line: r.at.line,
            level: format!("{:?}", r.level).to_lowercase(),
            text: if r.count > 1 { format!("{} ({} times)", r.message, r.count) } else { r.message },
        };
        Ok(session.reports.found().into_iter().map(remark).collect())
    }
}

/// Size of the area drawn for a pixel: a multiple of the area of any lane group.
const AROUND: [i32; 2] = [16, 16];
/// Area of a lane group of the usual size.
const GROUP: [i32; 2] = [4, 2];

/// Result of running the shader.
struct Done {
    picture: Option<(Vec<u8>, (u32, u32))>,
    shader: ShaderArgs,
    flipped: bool,
}

/// Runs the command of the arguments of `run` or `render`.
fn run_with(arguments: &[String], of_compute: bool, watch: Option<Watching>) -> Result<Done> {
    // Watched work runs on one thread, so that recordings are in the order of the work.
    let threads = watch.as_ref().map(|_| 1);
    let make = |_: Option<usize>| shader::device_with(threads, &TraceArgs::default(), watch.clone());
    if of_compute {
        let line = line_of::<RunLine>(arguments)?;
        run::run_on(&line.args, &make)?;
        return Ok(Done { picture: None, shader: line.args.shader, flipped: false });
    }
    let out = Temporary::new()?;
    let args = render_line(arguments, &out.picture())?;
    let device = make(None).map_err(|e| Failure::device(&e, None))?;
    render::draw(&args, &device)?;
    let picture = files::given(out.picture(), files::MAX_DATA_BYTES).ok().map(|bytes| (bytes, args.size));
    let flipped = is_flipped(&args);
    Ok(Done { picture, flipped, shader: args.shader })
}

/// Parses the arguments of `run` or `render`, plus the compiler options that the debugger needs.
fn line_of<P: Parser>(arguments: &[String]) -> Result<P> {
    parse(&[arguments, &["--named-values".to_owned()]].concat())
}

/// The arguments of `render`, with a file for the picture.
fn render_line(arguments: &[String], picture: &Path) -> Result<args::Args> {
    let out = ["-o".to_owned(), picture.display().to_string(), "--quiet".to_owned()];
    line_of::<RenderLine>(&[arguments, &out].concat()).map(|line| line.args)
}

/// The shader options among the arguments.
fn shader_of(arguments: &[String], of_compute: bool) -> Result<ShaderArgs> {
    match of_compute {
        true => line_of::<RunLine>(arguments).map(|line| line.args.shader),
        false => render_line(arguments, Path::new("picture.png")).map(|args| args.shader),
    }
}

/// Adds the endless loop to a failure, if there was one.
fn with_loop(arguments: &[String], of_compute: bool, failure: Failure) -> Failure {
    match of_compute {
        true => match line_of::<RunLine>(arguments) {
            Ok(line) => run::with_loop(&line.args, failure),
            Err(_) => failure,
        },
        false => match render_line(arguments, Path::new("picture.png")) {
            Ok(args) => render::with_loop(&args, failure),
            Err(_) => failure,
        },
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

fn parse<P: Parser>(arguments: &[String]) -> Result<P> {
    P::try_parse_from(arguments).map_err(|e| {
        let text = e.to_string();
        // Only the first paragraph: clap lists missing arguments below the first line.
        let said: Vec<&str> = text.lines().take_while(|l| !l.is_empty()).map(str::trim).collect();
        Failure::new(said.join(" ").trim_start_matches("error: ")).help("quadrille debug --help")
    })
}

fn number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N> {
    text.parse().map_err(|_| Failure::new(format!("--{name} {text}: give a number")))
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let arguments = &args.arguments;
    if arguments.is_empty() || arguments.iter().any(|a| a == "--help" || a == "-h") {
        crate::out::text(&format!("{USAGE}{HELP}"))?;
        return Ok(if arguments.is_empty() { ExitCode::from(2) } else { ExitCode::SUCCESS });
    }
    let wanted = Wanted::parse(arguments)?;
    if wanted.serve {
        return serve(&wanted);
    }
    let target = wanted.target.ok_or_else(|| {
        Failure::new("which invocation?")
            .help("for example --pixel 320,180; quadrille debug --help lists all")
    })?;
    let Launched { recordings, language, sources, ended } = wanted.record(target)?;
    if let Some(text) = ended {
        report::warn(&text);
    }
    if recordings.is_empty() {
        return Err(Failure::new(format!("{target}: the shader did not run there")));
    }
    let make = |r| Session::new(Arc::new(r), language);
    let sessions = recordings.into_iter().map(make).collect();
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut commands = Commands::new(sessions, &sources);
    commands
        .run(&mut stdin.lock(), &mut io::stdout().lock(), echo)
        .map_err(|e| Failure::new(format!("the terminal: {e}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the page.
fn serve(wanted: &Wanted) -> Result<ExitCode> {
    let socket = |e: io::Error| Failure::new(format!("the page cannot be served: {e}"));
    let shown = wanted.shown()?;
    // Another invocation can be requested on the page.
    let told = |failure: &_| {
        let _ = report::print(failure);
    };
    let record = |target| wanted.record(target).inspect_err(told);
    let first = wanted.target.and_then(|target| record(target).ok());
    let first = first.filter(|launched| !launched.recordings.is_empty());
    let page = Page::listen(wanted.port).map_err(socket)?;
    crate::out::text(&page.url())?;
    report::note("anyone with this address can see the page; Ctrl-C stops it");
    let mut record = |target: Target| wanted.record(target).map_err(|failure| failure.to_string());
    page.serve(&shown, first, &mut record).map_err(socket)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debuggers_options_stand_anywhere() {
        let line = |text: &str| Wanted::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let wanted = line("a.frag --pixel 3,4 --size 8x8 --memory=2").unwrap();
        assert_eq!(wanted.target, Some(Target::Pixel([3, 4])));
        assert_eq!(wanted.rest, ["a.frag", "--size", "8x8"]);
        assert_eq!(wanted.max_bytes, 2 << 20);
        assert_eq!(line("--invocation=1 a.comp").unwrap().target, Some(Target::Invocation([1, 0, 0])));
        for bad in ["a.frag --pixel", "a.frag --pixel 3", "a.frag --pixel x,y", "a.frag --memory x"] {
            assert!(line(bad).is_err(), "{bad}");
        }
    }
}
