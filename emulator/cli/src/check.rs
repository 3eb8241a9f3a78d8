//! `quadrille check`: the work of `render`, `run` and `test` on checked execution, with reports instead of results.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use quadrille::check::{self, Kind, Level, Levels, Report, Session, Sources, allow, json, sarif, words};

use crate::report::{self, Failure, Result};
use crate::rest::{Temporary, has, take, take_flag};
use crate::sources::source_text;
use crate::{args, out, render, run, test};

/// Find undefined behaviour in running shaders: races, accesses out of bounds, uninitialized variables, values that the
/// specifications leave undefined.
///
/// Takes a shader with the arguments of `quadrille render` or `quadrille run` (selected by --dispatch), or the
/// arguments of `quadrille test`. Each report has the line of the source, the variable, the invocation, the value, and
/// the wording of the specification.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille check picture.frag --size 64x64 --uniform glow=0.5
  quadrille check sum.comp --dispatch 4 --bind 0.0=f32:1*256 --bind 0.1=zeros:4
  quadrille check tests/shaders --sarif report.sarif

Options besides those of `render`, `run` and `test`:
  --json           Write reports as lines of JSON
  --sarif FILE     Also write reports in SARIF 2.1.0, for build servers and editors
  --allow KIND     Omit a kind of report: division-by-zero, race-buffer...; repeatable
  --deny KIND      Treat a kind as an error, even one that is off by default, like race-same-value; repeatable
  --kinds          Print all kinds with what the specifications say about each, and exit

Not detected: races of texels that samplers read, and concurrent writes by the host or another device.
Where the specified happens-before order is finer than the recorded one, races may be missed, but reported ones are real.
The light around scenes is prepared coarsely: its shaders run for fewer texels.

Exit codes: 0 nothing or only notes found, 1 something was found or a test failed, 2 wrong usage.")]
pub struct Args {
    /// The shader or the tests, with their options
    #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// The command line of another subcommand.
#[derive(Parser)]
#[command(name = "quadrille check")]
struct Of<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

impl<A: clap::Args> Of<A> {
    /// Parses the words; if they are wrong, prints a message and ends the process, as the command itself does.
    fn parse_all(words: &[OsString]) -> A {
        let name = OsString::from("quadrille check");
        Of::<A>::parse_from(std::iter::once(&name).chain(words)).args
    }
}

/// The work to check.
enum What {
    Picture(Box<args::Args>),
    Dispatch(Box<run::Args>),
    Tests(Box<test::Args>),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut rest = args.rest.clone();
    if take_flag(&mut rest, "--kinds") {
        return kinds();
    }
    match checked(&mut rest) {
        Ok(found) => Ok(found),
        Err(failure) => {
            report::print(&failure);
            Ok(ExitCode::from(2))
        }
    }
}

fn checked(rest: &mut Vec<OsString>) -> Result<ExitCode> {
    let sarif = take(rest, "--sarif")?.map(PathBuf::from);
    let json = take_flag(rest, "--json");
    let session = Arc::new(Session::new(levels(rest)?));
    let folder = Temporary::new()?;
    let (what, file) = what(rest, json, &folder)?;
    check::check_all(session.clone());
    let done = match &what {
        What::Picture(args) => render::run_watched(args, Some(check::watching(&session))),
        What::Dispatch(args) => run::run_watched(args, Some(check::watching(&session))),
        What::Tests(args) => test::run(args),
    };
    drop(folder);
    let failure = done.as_ref().err().filter(|failure| !unended(failure, &session));
    let mut found = session.reports.found();
    if failure.is_some() && found.is_empty() {
        return done;
    }
    let sources = sources(&found, file.as_deref());
    check::declared(&mut found, &sources);
    allow::retain(&mut found, &sources);
    tell(&found, &sources, file.as_deref(), json, sarif.as_deref())?;
    if let Some(failure) = failure {
        report::print(failure);
        return Ok(ExitCode::from(2));
    }
    let bad = found.iter().any(|r| r.level > Level::Note);
    Ok(if bad { ExitCode::from(1) } else { done.unwrap_or(ExitCode::SUCCESS) })
}

/// Returns true if the failure is a shader that did not end. That is reported like other mistakes, with or without a
/// line.
fn unended(failure: &Failure, session: &Session) -> bool {
    let told = || session.reports.found().iter().any(|r| r.kind == Kind::NoProgress);
    if failure.is_lost() && !told() {
        session.reports.add(Report::new(Kind::NoProgress, failure.to_string()));
    }
    failure.is_lost() && told()
}

/// The levels that --allow and --deny set.
fn levels(rest: &mut Vec<OsString>) -> Result<Levels> {
    let mut levels = Levels::default();
    for (option, level) in [("--allow", Level::Off), ("--deny", Level::Error)] {
        while let Some(kind) = take(rest, option)? {
            let help = "quadrille check --kinds lists them";
            let kind = kind.to_string_lossy().parse::<Kind>();
            levels.set(kind.map_err(|e| Failure::new(format!("{option}: {e}")).help(help))?, level);
        }
    }
    Ok(levels)
}

/// Determines the subcommand that the words are for, and the file of reports whose place names none.
fn what(rest: &mut Vec<OsString>, json: bool, folder: &Temporary) -> Result<(What, Option<PathBuf>)> {
    let file = rest.iter().find(|w| !w.to_string_lossy().starts_with("--")).map(PathBuf::from);
    let name = file.as_deref().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
    let is_toy = |file: &Path| ["image.glsl", "shadertoy.toml"].iter().any(|f| file.join(f).is_file());
    let script = [".amber", ".vkscript", ".shader_test", ".test.toml"].iter().any(|e| name.ends_with(e));
    if script || file.as_deref().is_some_and(|f| f.is_dir() && !is_toy(f)) {
        if json {
            rest.push("--json".into());
        }
        return Ok((What::Tests(Of::parse_all(rest)), None));
    }
    if has(rest, "--dispatch") || file.as_deref().and_then(Path::extension) == Some(OsStr::new("comp")) {
        // Results are not needed.
        while take(rest, "--read")?.is_some() {}
        return Ok((What::Dispatch(Box::new(Of::parse_all(rest))), file));
    }
    folder.give(rest);
    let args = args::Args { draft: true, ..Of::parse_all(rest) };
    Ok((What::Picture(Box::new(args)), file))
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

/// Prints the reports.
fn tell(
    found: &[Report],
    sources: &Sources,
    file: Option<&Path>,
    json: bool,
    sarif: Option<&Path>,
) -> Result<()> {
    let name = file.map(|f| f.to_string_lossy().into_owned());
    if let Some(path) = sarif {
        out::make_folder(path)?;
        let log = sarif::log(found, name.as_deref());
        quadrille::files::replace(path, log.as_bytes()).map_err(|e| Failure::file("write", path, &e))?;
    }
    if json {
        for report in found {
            out::bytes(json::report(report).as_bytes())?;
        }
        return out::bytes(json::summary(found).as_bytes());
    }
    out::text(&words::all(found, sources))
}

/// Prints all kinds of reports, with the wording of the specifications.
fn kinds() -> Result<ExitCode> {
    for &kind in Kind::ALL {
        out::text(&format!("{kind} ({}): {}", kind.level(), kind.title()))?;
        out::text(&format!("    {}: {}", kind.clause(), kind.says()))?;
    }
    Ok(ExitCode::SUCCESS)
}
