//! The files that a command line names for output. No command writes over its own sources, writes two outputs to one
//! file, or makes a file `-` where standard output is meant.
//!
//! The check knows the options by their names, and runs before any work. Outputs that a command derives from others, such
//! as the numbered files of frames, are left to the command.

use std::any::TypeId;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::report::{Failure, Result};

/// Options whose value is a file to write.
const OUTPUTS: &[&str] = &[
    "coverage",
    "coverage-html",
    "heat",
    "html",
    "junit",
    "listing",
    "output",
    "overlay",
    "resume",
    "sarif",
    "sound",
    "sums",
];

/// The option whose value may end in `=FILE`, a file to write.
const READ: &str = "read";

/// Fails if outputs of a command line would destroy each other or a source.
pub fn check(command: &Command, matches: &ArgMatches) -> Result<()> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = command.find_subcommand(name) else { return Ok(()) };
    let sources = command.get_arguments().filter(|arg| is_source(arg));
    let sources: Vec<PathBuf> =
        sources.flat_map(|arg| values(arg, matches)).filter_map(|file| place(&file)).collect();
    let mut outputs: Vec<(String, PathBuf)> = Vec::new();
    for arg in command.get_arguments() {
        for file in values(arg, matches).filter_map(|value| output(arg, value)) {
            let option = format!("--{}", arg.get_long().unwrap_or_default());
            if file == Path::new("-") {
                // Standard output of the others has their own results.
                if option == "--output" && ["render", "translate"].contains(&name) {
                    continue;
                }
                return Err(Failure::usage(format!("{option} does not write to standard output"))
                    .help("./- is a file of this name"));
            }
            // The other options refuse empty values themselves.
            if file.as_os_str().is_empty() {
                return Err(Failure::usage(format!("{option}: the name of the file is missing"))
                    .help("for example --read 0.1:f32=output.raw"));
            }
            let Some(place) = place(&file) else { continue };
            let shown = file.display();
            if sources.contains(&place) {
                return Err(Failure::usage(format!("{option} would overwrite the source {shown}"))
                    .help("name another file"));
            }
            if let Some((other, _)) = outputs.iter().find(|(_, used)| *used == place) {
                let both = if *other == option {
                    format!("{option}, twice")
                } else {
                    format!("{other} and {option}")
                };
                return Err(Failure::usage(format!("{both}: {shown} can be only one output"))
                    .help("name another file"));
            }
            outputs.push((option, place));
        }
    }
    Ok(())
}

/// The values of an argument on the command line.
fn values(arg: &Arg, matches: &ArgMatches) -> impl Iterator<Item = OsString> {
    let id = arg.get_id().as_str();
    let is_given = matches!(matches.try_contains_id(id), Ok(true))
        && matches.value_source(id) == Some(ValueSource::CommandLine);
    let values = if is_given { matches.get_raw(id) } else { None };
    values.into_iter().flatten().map(ToOwned::to_owned).collect::<Vec<_>>().into_iter()
}

/// True for arguments without a name that are files.
fn is_source(arg: &Arg) -> bool {
    arg.is_positional() && arg.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

/// The file that a value of an option names for output.
fn output(arg: &Arg, value: OsString) -> Option<PathBuf> {
    let long = arg.get_long()?;
    if long == READ {
        let text = value.to_str()?;
        return text.split_once('=').map(|(_, file)| file.into());
    }
    // An option without values has the same name in another subcommand.
    (OUTPUTS.contains(&long) && arg.get_action().takes_values()).then(|| value.into())
}

/// The place of a file, which may not exist yet. `None` for devices and pipes, which take several outputs, and for folders.
fn place(file: impl AsRef<Path>) -> Option<PathBuf> {
    let file = file.as_ref();
    if let Ok(meta) = fs::metadata(file) {
        return if meta.is_file() { fs::canonicalize(file).ok() } else { None };
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), file.file_name()) {
        (Ok(folder), Some(name)) => Some(folder.join(name)),
        _ => std::path::absolute(file).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options whose value is a file to read, and options of folders.
    const INPUTS: &[&str] = &["add", "buffer", "driver", "environment", "mesh", "shader", "texture"];

    /// Every option with a file is a row of one of the tables.
    #[test]
    fn every_option_with_a_file_is_known() {
        for command in crate::command().get_subcommands() {
            for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let names = arg.get_value_names().unwrap_or_default().join(" ");
                let long = arg.get_long().unwrap_or_default();
                let known = [OUTPUTS, INPUTS, &[READ]].iter().any(|table| table.contains(&long));
                let is_file = names.contains("FILE") || names == "OUT";
                assert!(known || !is_file, "{} --{long}", command.get_name());
            }
        }
    }
}
