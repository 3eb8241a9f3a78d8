//! `quadrille test`: runs tests of shaders in files.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use quadrille_suite::outcome::{Counts, Outcome, Report};
use quadrille_suite::report::text::Style;
use quadrille_suite::report::{github, html, json, junit, text};
use quadrille_suite::run::{self, MakeWatching};
use quadrille_suite::select::{Shard, select};
use quadrille_suite::{find, journal::Journal};

use crate::allow::{self, AllowArgs};
use crate::coverage::CoverageArgs;
use crate::foreign;
use crate::out;
use crate::report::{self, Failure, Result, USAGE};

/// The selection and execution of tests, in one form for every subcommand that runs tests.
#[derive(clap::Args)]
#[group(skip)]
pub struct TestArgs {
    /// Run tests whose name contains TEXT; repeatable
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,

    /// Run one of N parts of the tests, as in 2/4: every Nth by name
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// Print the names of the tests without running them
    #[arg(long, conflicts_with_all = ["jobs", "timeout", "fail_fast", "artifacts", "junit", "html"])]
    list: bool,

    /// Number of tests to run at a time (default: one per processor)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// CPU time limit of one command, in seconds; a whole test has six times that in wall-clock time
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds)]
    timeout: f64,

    /// Start no more tests after a failure
    #[arg(long)]
    fail_fast: bool,

    /// Folder for differing pictures, and for the journal
    #[arg(long, value_name = "FOLDER", default_value = "quadrille-test")]
    artifacts: PathBuf,

    /// Write a report in JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write a page with the failures, with pictures side by side
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Run tests of shaders: Amber scripts, VkScripts, and TOML files beside shaders.
///
/// The name of a file shows that it is a test: .amber, .vkscript and .shader_test are scripts, NAME.test.toml has tests
/// in TOML. Folders are searched. Results depend neither on the number of jobs nor on the machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille test tests/shaders
  quadrille test tests/shaders --junit report.xml --html report.html
  quadrille test tests/shaders --filter blur --fail-fast
  quadrille test tests/shaders --shard 2/4 --resume
  quadrille test tests/shaders --bless
  quadrille test tests/shaders --coverage shaders.lcov --coverage-html coverage.html

A test in TOML, blur.test.toml:
  shader = \"blur.comp\"
  [[test]]
  name = \"adds\"
  dispatch = [1, 1, 1]
  bind = { \"0.0\" = \"f32: 1, 2, 3\", \"0.1\" = \"zeros: 12\" }
  expect = { \"0.1\" = \"f32: 2, 4, 6\" }
  [[test]]
  name = \"picture\"
  shader = \"plasma.frag\"
  draw = \"64x64\"                        # or render = \"64x64\", as with `quadrille render`
  golden = \"plasma.png\"                 # or { picture = \"plasma.png\", flip = 0.01 }

Shaders can check themselves: in GLSL with #include \"quadrille/assert.glsl\" and ASSERT(condition), in WGSL with
quadrille_assert(invocation, condition). The output of debugPrintfEXT is shown for tests that fail.

Exit codes: 0 all tests passed or were skipped, 1 some failed, 2 wrong usage, 3 a report cannot be written,
4 no test was found.")]
pub struct Args {
    /// Files and folders
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    tests: TestArgs,

    /// Write goldens instead of comparing with them, as QUADRILLE_BLESS=1 does
    #[arg(long, conflicts_with = "list")]
    bless: bool,

    /// Reuse results from a journal for tests that have run before in this version and whose files are unchanged, and
    /// append to it
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "list")]
    resume: Option<Option<PathBuf>>,

    /// Format of the output
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    allow: AllowArgs,

    #[command(flatten)]
    coverage: CoverageArgs,
}

impl Args {
    /// The options of tests that another subcommand runs.
    pub fn new(paths: Vec<PathBuf>, tests: TestArgs, allow: AllowArgs, json: bool) -> Args {
        let coverage = CoverageArgs::default();
        Args { paths, tests, bless: false, resume: None, format: Format::Text, json, allow, coverage }
    }
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per test, and a summary
    Text,
    /// One line of JSON per test, and one with the counts
    Json,
    /// Text, with GitHub Actions annotations
    Github,
}

/// End of a run of tests.
pub struct Ended {
    /// Exit code.
    pub code: ExitCode,
    /// False if no test was started: none was found, or their names were printed.
    pub ran: bool,
}

const FAILED: u8 = 1;
const UNWRITTEN: u8 = 3;
const NOTHING: u8 = 4;

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds = text.trim().parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 1e6);
    seconds.ok_or_else(|| "give a number of seconds above 0".into())
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.tests.list && args.coverage.is_requested() {
        return Err(Failure::usage("--coverage has no effect with --list, which runs no tests"));
    }
    let done = args.coverage.counted(|watch| {
        let same = watch.map(|watch| MakeWatching(Arc::new(move || watch.clone())));
        run_watched(args, same).map(|ended| ended.code)
    });
    match done {
        // The exit code of other failures is that of tests that fail.
        Err(failure @ Failure::Report(_)) if !failure.is_usage() => {
            report::print(&failure);
            Ok(ExitCode::from(UNWRITTEN))
        }
        done => done,
    }
}

/// The failure of a run without a test, of so many that were found.
fn nothing(args: &Args, found: usize) -> Failure {
    let help = "tests are .amber, .vkscript, .shader_test and .test.toml; --list shows them";
    let of = if found > 0 {
        format!("none of the {found} tests is selected")
    } else {
        let paths: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
        match paths.is_empty() {
            true => "there are no tests".into(),
            false => format!("{}: there are no tests", paths.join(", ")),
        }
    };
    Failure::new(of).help(help)
}

/// The failure of a path that cannot be read.
fn unread(args: &Args, message: String) -> Failure {
    match args.resume {
        // Without a `=`, the file of the journal is a path of tests.
        Some(None) => {
            Failure::new(message).help("the file of --resume follows a `=`, as in --resume=journal.jsonl")
        }
        Some(Some(_)) | None => Failure::new(message),
    }
}

/// Runs tests with watchers of their shaders.
pub fn run_watched(args: &Args, watch: Option<MakeWatching>) -> Result<Ended> {
    args.allow.apply()?;
    args.paths.iter().for_each(|path| allow::named(path));
    // Errors have their own exit codes here.
    let code = |code: u8, failure: Failure| {
        report::print(&failure);
        Ok(Ended { code: ExitCode::from(code), ran: false })
    };
    let format = if args.json { Format::Json } else { args.format };
    let all = match find::find(&args.paths) {
        Ok(tests) => tests,
        Err(e) => return code(USAGE, unread(args, e.to_string())),
    };
    let found = all.len();
    let tests = select(all, &args.tests.filter, None);
    if tests.is_empty() {
        return code(NOTHING, nothing(args, found));
    }
    let tests = select(tests, &[], args.tests.shard);
    if args.tests.list {
        list(&tests, format)?;
        return Ok(Ended { code: ExitCode::SUCCESS, ran: false });
    }
    let journal = match journal(args) {
        Ok(journal) => journal,
        Err(failure) => return code(UNWRITTEN, failure),
    };
    let options = run::Options {
        jobs: args.tests.jobs.map_or(0, usize::from),
        timeout: Duration::from_secs_f64(args.tests.timeout),
        patience: None,
        fail_fast: args.tests.fail_fast,
        bless: args.bless || quadrille::env::bless(),
        artifacts: args.tests.artifacts.clone(),
        journal,
        watch,
        compiler: Some(foreign::of_tests()),
    };
    let color = std::io::stdout().is_terminal() && report::colours();
    let mut printer =
        Printer { format, style: Style { color }, text: String::new(), last: Instant::now(), failed: None };
    if format != Format::Json {
        printer.add(&text::start(found, tests.len(), printer.style));
    }
    let (mut reports, keeps_all) = (Vec::new(), args.tests.junit.is_some() || args.tests.html.is_some());
    let counts = run::run(tests, options, |report| {
        printer.test(report);
        if keeps_all || matches!(report.outcome, Outcome::Failed { .. }) {
            reports.push(report.clone());
        }
    });
    printer.summary(&counts, &reports);
    let unwritten = [printer.failed, write_reports(args, &reports, &counts).err()];
    let mut code = if counts.failed > 0 { FAILED } else { 0 };
    // A reader that left early is not an error.
    for failure in unwritten.iter().flatten().filter(|failure| matches!(failure, Failure::Report(_))) {
        report::print(failure);
        code = UNWRITTEN;
    }
    Ok(Ended { code: ExitCode::from(code), ran: true })
}

/// Prints the names of tests.
fn list(tests: &[find::Test], format: Format) -> Result<()> {
    tests.iter().try_for_each(|test| match format {
        Format::Json => out::text(&serde_json::json!(test.name).to_string()),
        Format::Text | Format::Github => out::text(&test.name),
    })
}

/// The journal of `--resume`; each shard has its own.
fn journal(args: &Args) -> Result<Option<Journal>> {
    let Some(named) = &args.resume else { return Ok(None) };
    let path = named.clone().unwrap_or_else(|| {
        let shard = args.tests.shard.map_or(String::new(), |s| format!("-{}-of-{}", s.number, s.of));
        args.tests.artifacts.join(format!("journal{shard}.jsonl"))
    });
    out::make_folder(&path)?;
    Journal::open(&path).map(Some).map_err(|e| Failure::file("write", &path, &e))
}

fn write_reports(args: &Args, reports: &[Report], counts: &Counts) -> Result<()> {
    let write = |path: &Path, text: &str| {
        quadrille::files::replace(path, text.as_bytes()).map_err(|e| Failure::file("write", path, &e))
    };
    if let Some(path) = &args.tests.junit {
        let xml = junit::document(reports, counts).map_err(|e| Failure::new(e.to_string()))?;
        write(path, &xml)?;
    }
    match &args.tests.html {
        Some(path) => write(path, &html::document(reports, counts)),
        None => Ok(()),
    }
}

/// Standard output, written from time to time, because a small test takes less time than a write.
struct Printer {
    format: Format,
    style: Style,
    text: String,
    last: Instant,
    /// The failure to write the output; the tests continue without it.
    failed: Option<Failure>,
}

impl Printer {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        if self.last.elapsed() > Duration::from_millis(50) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() && !self.text.is_empty() {
            self.failed = out::bytes(self.text.as_bytes()).err();
        }
        self.text.clear();
        self.last = Instant::now();
    }

    fn test(&mut self, report: &Report) {
        let text = match self.format {
            Format::Json => json::test(report),
            Format::Text => text::test(report, self.style),
            Format::Github => text::test(report, self.style) + &github::test(report),
        };
        self.add(&text);
    }

    fn summary(&mut self, counts: &Counts, reports: &[Report]) {
        let failed = reports.iter().filter(|r| matches!(r.outcome, Outcome::Failed { .. })).cloned();
        let text = match self.format {
            Format::Json => json::summary(counts),
            _ => text::summary(counts, &failed.collect::<Vec<_>>(), self.style),
        };
        self.add(&text);
        self.flush();
    }
}
