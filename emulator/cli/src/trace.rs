//! `quadrille trace`: prints what the command buffers of a Vulkan program do, as reported by the driver. Also the
//! option with which other subcommands trace their own work.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use quadrille::env;
use quadrille::trace::{TARGETS, Trace, TraceFilter, TraceLines, TraceOptions, TracePictures};

use crate::out;
use crate::report::{Failure, Result};
use crate::vulkan;

/// Times at which pictures are taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Every {
    /// After each draw, and at the end of each render pass
    Draw,
    /// At the end of each render pass
    Pass,
}

/// Show what the command buffers of a Vulkan program do while it runs on Quadrille.
///
/// Prints one line each for submissions, command buffers, labels, render passes, draws and dispatches with their
/// pipelines, barriers and copies, to standard error or to a file. Objects have the names that the program gives them
/// (VK_EXT_debug_utils).
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// Events to report, as in RUST_LOG: LEVEL or TARGET=LEVEL, separated by commas
    #[arg(long, value_name = "DIRECTIVES", default_value = "info", value_parser = parse_filter)]
    filter: String,

    /// Print lines as JSON objects
    #[arg(long)]
    json: bool,

    /// File for the lines
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// New folder for pictures of attachments (PNG), a page to browse (index.html) and the trace as JSON (trace.jsonl)
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,

    /// Times at which pictures are taken
    #[arg(long, value_enum, default_value = "draw", requires = "pictures")]
    every: Every,

    /// Frames to report, from 0, excluding the last; a frame ends where it is presented
    #[arg(long, value_name = "FIRST..LAST", value_parser = parse_frames)]
    frames: Option<String>,

    /// Library of the driver (default: beside this command, or built from the source tree)
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,

    /// Program and its arguments, after `--`
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,
}

fn after_help() -> String {
    let targets = TARGETS.iter().map(|(name, what)| format!("  {name:<9} {what}\n"));
    format!(
        "\
Examples:
  quadrille trace -- vkcube --c 1
  quadrille trace --filter draw=debug,barrier -- ./my_program
  quadrille trace --pictures frames --frames 10..12 -- ./my_program     then open frames/index.html
  quadrille trace --json -o trace.jsonl -- ./my_program

Targets:
{}
Levels: off, error, warn, info, debug (with state, descriptors, buffers, push constants), trace.
Colours are shown as stored, floats as sRGB; depth, stencil and integers stretched over their values.
Attachments with several samples show their first sample, arrays their first layer.
For the environment variables that do the same without this command, see QUADRILLE_TRACE in `quadrille info`.",
        targets.collect::<String>()
    )
}

fn parse_filter(text: &str) -> std::result::Result<String, String> {
    if text.split(',').all(|directive| directive.trim().is_empty()) {
        return Err("a directive is missing: give info, debug, trace or TARGET=LEVEL".into());
    }
    text.parse::<TraceFilter>().map(|_| text.to_owned()).map_err(|e| e.to_string())
}

fn parse_frames(text: &str) -> std::result::Result<String, String> {
    let numbers = text.split_once("..").map(|(a, b)| (a.parse::<u64>(), b.parse::<u64>()));
    match numbers {
        Some((Ok(first), Ok(last))) if first < last => Ok(text.to_owned()),
        _ => Err(format!("`{text}` is not a range of frames like 0..3")),
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let Some((program, arguments)) = args.program.split_first() else {
        return Err(Failure::usage("a program to trace is missing"));
    };
    let manifest = vulkan::manifest_of(args.driver.as_deref())?;
    let mut variables: Vec<(&str, OsString)> = vec![(env::TRACE.name, (&args.filter).into())];
    if args.json {
        variables.push((env::TRACE_FORMAT.name, "json".into()));
    }
    // The program may change its working directory.
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Failure::file("write", path, &e));
    if let Some(file) = &args.output {
        // A program cannot say why it gets no device.
        out::make_folder(file)?;
        if file.is_dir() {
            return Err(Failure::usage(format!("--output {}: this is a folder", file.display())));
        }
        variables.push((env::TRACE_FILE.name, absolute(file)?.into()));
    }
    if let Some(folder) = &args.pictures {
        if is_used(folder) {
            return Err(Failure::usage(used(folder)).help("name a new folder for the trace"));
        }
        variables.push((env::TRACE_DIR.name, absolute(folder)?.into()));
        let every = if matches!(args.every, Every::Draw) { "draw" } else { "pass" };
        variables.push((env::TRACE_EVERY.name, every.into()));
    }
    if let Some(frames) = &args.frames {
        variables.push((env::TRACE_FRAMES.name, frames.into()));
    }
    vulkan::start(&manifest, OsStr::new(program), arguments, &variables)
}

/// True for a folder that is not empty, and for a file.
fn is_used(folder: &Path) -> bool {
    let used = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    used || folder.is_file()
}

/// Message about a folder that [`is_used`].
fn used(folder: &Path) -> String {
    format!("{} already exists and is not empty", folder.display())
}

/// The trace option of subcommands that run shaders.
#[derive(Clone, clap::Args, Default)]
pub struct TraceArgs {
    /// New folder for a trace of the work: index.html, trace.jsonl, pictures after each draw
    #[arg(long = "trace", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// `true` after the trace has begun. Further devices of the command add to it.
static BEGUN: AtomicBool = AtomicBool::new(false);

impl TraceArgs {
    /// Fails if the trace has to begin in a folder that is not new.
    pub fn check(&self) -> Result<()> {
        match self.folder.as_deref().filter(|folder| !BEGUN.load(Ordering::Relaxed) && is_used(folder)) {
            Some(folder) => Err(Failure::usage(format!("{}: --trace needs a new folder", used(folder)))),
            None => Ok(()),
        }
    }

    /// Opens the trace, if requested, after [`TraceArgs::check`].
    pub fn open(&self) -> quadrille::Result<Option<Trace>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        BEGUN.store(true, Ordering::Relaxed);
        let options = TraceOptions {
            filter: "debug".parse()?,
            lines: TraceLines::Nowhere,
            folder: Some(folder.clone()),
            pictures: TracePictures::Draw,
            ..TraceOptions::default()
        };
        Trace::new(options).map(Some)
    }
}
