//! `quadrille check`: the work of `render`, `run` and `test` on checked execution, with reports instead of results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use quadrille::check::{self, Kind, Level, Levels, Report, Session, Sources, allow, json, sarif, words};
use quadrille_suite::run::MakeWatching;

use crate::given::Given;
use crate::report::{self, Failure, Result};
use crate::sources::source_text;
use crate::test::TestArgs;
use crate::work::{Work, WorkArgs};
use crate::{out, render, run, test};

/// Find undefined behaviour in running shaders: races, accesses out of bounds, uninitialized variables, values that the
/// specifications leave undefined.
///
/// Takes a shader with the arguments of `quadrille render` or `quadrille run` (selected by --dispatch, --global or --launch), or tests with
/// the arguments by which `quadrille test` selects and runs them. Each report has the line of the source, the variable, the invocation, the value, and
/// the wording of the specification.
#[derive(clap::Args)]
#[command(
    mut_arg("file", file_or_kinds),
    after_help = "\
Examples:
  quadrille check picture.frag --size 64x64 --uniform glow=0.5
  quadrille check sum.comp --dispatch 4 --bind 0.0=f32:1*256 --bind 0.1=zeros:16
  quadrille check scene.rgen hit.rchit sky.rmiss --launch 64x64 --bind 0.0=triangles:model.obj --bind 0.1=image:64x64
  quadrille check tests/shaders --sarif report.sarif

Not detected: races of texels that samplers read, and concurrent writes by the host or another device.
Every reported race is real. Races may be missed if Quadrille records a coarser order than the specification defines.
For scenes, the shaders that prepare the light of the environment run for fewer texels than in `render`.

Exit codes: 0 nothing or only notes found, 1 something was found or a test failed, 2 the shader did not run, or --sarif cannot be
written: the command line, a file or the source is wrong. 3 results of tests cannot be written, 4 no test was found."
)]
pub struct Args {
    #[command(flatten)]
    given: Given,

    /// Write reports as lines of JSON
    #[arg(long)]
    json: bool,

    /// Also write reports in SARIF 2.1.0, for build servers and editors
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    sarif: Option<PathBuf>,

    /// Omit a kind of report: division-by-zero, race-buffer...; repeatable
    #[arg(long = "allow", value_name = "KIND", value_parser = parse_kind, conflicts_with = "list")]
    allowed: Vec<Kind>,

    /// Treat a kind as an error, even one that is off by default, like race-same-value; repeatable
    #[arg(long = "deny", value_name = "KIND", value_parser = parse_kind, conflicts_with = "list")]
    denied: Vec<Kind>,

    /// Print all kinds with the rules of the specifications, and exit
    #[arg(long, exclusive = true)]
    kinds: bool,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten, next_help_heading = "Tests")]
    tests: TestArgs,
}

/// Lets --kinds stand alone, without a file.
fn file_or_kinds(file: clap::Arg) -> clap::Arg {
    // An argument that is changed becomes the last one, unless it has an index.
    file.index(1).required(false).required_unless_present("kinds").default_value_if("kinds", "true", "-")
}

fn parse_kind(text: &str) -> std::result::Result<Kind, String> {
    text.parse().map_err(|e| format!("{e}; quadrille check --kinds lists them"))
}

/// Arguments of the work to check.
enum Checked {
    Work(Work),
    Tests(Box<test::Args>),
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.kinds {
        return kinds();
    }
    match checked(args) {
        Ok(found) => Ok(found),
        // Nobody reads the names of --list.
        Err(Failure::Quiet) => Ok(ExitCode::SUCCESS),
        Err(failure) => {
            report::print(&failure);
            Ok(ExitCode::from(2))
        }
    }
}

fn checked(args: Args) -> Result<ExitCode> {
    if let Some(kind) = args.allowed.iter().find(|kind| args.denied.contains(kind)) {
        return Err(Failure::usage(format!("--allow {kind} and --deny {kind} contradict each other")));
    }
    let (sarif, json) = (args.sarif.clone(), args.json);
    let mut levels = Levels::default();
    args.allowed.iter().for_each(|&kind| levels.set(kind, Level::Off));
    args.denied.iter().for_each(|&kind| levels.set(kind, Level::Error));
    let session = Arc::new(Session::new(levels));
    let (work, file) = work(args)?;
    let done = match &work {
        Checked::Work(Work::Picture(args)) => render::run_watched(args, check::watching(&session)),
        Checked::Work(Work::Dispatch(args)) => run::run_watched(args, Some(check::watching(&session))),
        Checked::Tests(args) => {
            let of_devices = session.clone();
            let watch = MakeWatching(Arc::new(move || check::watching(&of_devices)));
            match test::run_watched(args, Some(watch)) {
                // No shader ran, so nothing is said about shaders.
                Ok(test::Ended { code, ran: false }) => return Ok(code),
                done => done.map(|ended| ended.code),
            }
        }
    };
    let failure = done.as_ref().err().filter(|failure| !unended(failure, &session));
    let mut found = session.reports.found();
    if failure.is_some() && found.is_empty() {
        return done;
    }
    let sources = sources(&found, file.as_deref());
    check::declared(&mut found, &sources);
    allow::retain(&mut found, &sources);
    match tell(&found, &sources, file.as_deref(), json, sarif.as_deref()) {
        // A reader that left early does not change what was found.
        Ok(()) | Err(Failure::Quiet) => {}
        Err(failure) => return Err(failure),
    }
    if session.reports.left_out() {
        report::warn("there are more mistakes than one check keeps: mend these, or omit kinds with --allow");
    }
    if let Some(failure) = failure {
        report::print(failure);
        return Ok(ExitCode::from(2));
    }
    let bad = found.iter().any(|r| r.level > Level::Note);
    Ok(if bad { ExitCode::from(1) } else { done.unwrap_or(ExitCode::SUCCESS) })
}

/// Returns true if the failure is a shader that did not end. Such a failure is reported like other mistakes, with or
/// without a line.
fn unended(failure: &Failure, session: &Session) -> bool {
    let told = || session.reports.found().iter().any(|r| r.kind == Kind::NoProgress);
    if failure.is_unended() && !told() {
        session.reports.add(Report::new(Kind::NoProgress, failure.to_string()));
    }
    failure.is_unended() && told()
}

/// Returns the work, and the file of reports whose place names none.
fn work(args: Args) -> Result<(Checked, Option<PathBuf>)> {
    let Args { given, json, work, tests, .. } = args;
    let file = work.picture.shader.file.clone();
    let name = file.to_string_lossy();
    let is_toy = |file: &Path| ["image.glsl", "shadertoy.toml"].iter().any(|f| file.join(f).is_file());
    let script = [".amber", ".vkscript", ".shader_test", ".test.toml"].iter().any(|e| name.ends_with(e));
    if script || (file.is_dir() && !is_toy(&file)) {
        given.refuse::<WorkArgs, test::Args>("is not an option of tests")?;
        let picture = work.picture;
        let paths = std::iter::once(file).chain(picture.second).chain(work.more).collect();
        let tests = test::Args::new(paths, tests, picture.shader.allow, json);
        return Ok((Checked::Tests(Box::new(tests)), None));
    }
    given.refuse::<TestArgs, WorkArgs>("is an option of tests")?;
    let mut work = work.work()?;
    match &mut work {
        Work::Picture(picture) => picture.draft = true,
        // Results are not needed.
        Work::Dispatch(dispatch) => dispatch.data.read.clear(),
    }
    Ok((Checked::Work(work), Some(file)))
}

/// The texts of the files in reports, as far as they can be read.
fn sources(found: &[Report], file: Option<&Path>) -> Sources {
    let name = file.map(|f| f.to_string_lossy().into_owned());
    let mut sources = Sources::default();
    let places = found.iter().flat_map(|r| std::iter::once(&r.at).chain(r.others.iter().map(|o| &o.at)));
    let named = places.filter_map(|at| at.file.clone());
    for name in name.into_iter().chain(named) {
        if sources.text(&name).is_none()
            && let Some(text) = source_text(&name)
        {
            sources.add(name, text);
        }
    }
    sources
}

/// Prints the reports, and writes them to the file of --sarif. They are printed even if the file cannot be written.
fn tell(
    found: &[Report],
    sources: &Sources,
    file: Option<&Path>,
    json: bool,
    sarif: Option<&Path>,
) -> Result<()> {
    let written: Result<()> = sarif.map_or(Ok(()), |path| {
        let name = file.map(|f| f.to_string_lossy().into_owned());
        out::make_folder(path)?;
        let log = sarif::log(found, name.as_deref());
        quadrille::files::replace(path, log.as_bytes()).map_err(|e| Failure::file("write", path, &e))
    });
    let printed = if json {
        let lines: String = found.iter().map(json::report).collect();
        out::bytes((lines + &json::summary(found)).as_bytes())
    } else {
        out::text(&words::all(found, sources))
    };
    written.and(printed)
}

/// Prints all kinds of reports, with the wording of the specifications.
fn kinds() -> Result<ExitCode> {
    for &kind in Kind::ALL {
        out::text(&format!("{kind} ({}): {}", kind.level(), kind.title()))?;
        out::text(&format!("    {}: {}", kind.clause(), kind.says()))?;
    }
    Ok(ExitCode::SUCCESS)
}
