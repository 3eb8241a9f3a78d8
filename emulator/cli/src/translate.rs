//! `quadrille translate`: translates WGSL of January 2021 to today's WGSL.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quadrille::files;
use quadrille::frontend::{self, Language, Options};

use crate::out;
use crate::report::{Failure, Result};
use crate::shader;

/// Arguments of the subcommand.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille translate old.wgsl > new.wgsl
  quadrille translate old.wgsl --strict -o new.wgsl")]
pub struct Args {
    /// WGSL as drafted in January 2021, or as shaders of that year were written; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write the text to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Accept exactly what the text of the draft allows
    #[arg(long)]
    strict: bool,
}

/// Prints the text.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (name, bytes) = shader::read(&args.file)?;
    let options = Options { strict: args.strict, ..Options::named(&name) };
    let text = frontend::text_of(&bytes, Language::Wgsl, &options)?;
    if !frontend::is_wgsl_2021(text) {
        // A text in another language is not today's WGSL.
        frontend::compile_wgsl(text, &options)?;
        return Err(Failure::new(format!("{name}: there is nothing to translate"))
            .help("the text is today's WGSL already"));
    }
    let translated = frontend::translate_wgsl(text, &options)?;
    match &args.output {
        Some(path) if path != Path::new("-") => {
            files::replace(path, translated.as_bytes()).map_err(|e| Failure::file("write", path, &e))?;
        }
        Some(_) | None => out::exact(&translated)?,
    }
    Ok(ExitCode::SUCCESS)
}
