//! `quadrille inspect`: shows a shader, and what it is compiled to.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::ValueEnum;
use quadrille::KernelInfo;
use quadrille::apps::inspect;
use quadrille::frontend::{Language, Stage, words_to_bytes};
use serde_json::json;

use crate::out;
use crate::report::{Failure, Result};
use crate::shader::{self, Shader, ShaderArgs};
use crate::trace::TraceArgs;

/// Show a shader and its forms on the way to the processor.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille inspect shader.wgsl                        entry points, inputs, uniforms, constants
  quadrille inspect shader.frag --json                 the same as JSON
  quadrille inspect shader.comp --emit spirv           SPIR-V text on a terminal
  quadrille inspect shader.comp --emit spvasm | less   SPIR-V text anywhere
  quadrille inspect shader.comp --emit spirv > a.spv   SPIR-V binary in a file
  quadrille inspect shader.comp --emit asm | less      the host's instructions
  quadrille inspect shader.frag --emit kernels         fixed-function kernels for a picture of it")]
pub struct Args {
    #[command(flatten)]
    shader: ShaderArgs,

    /// Form of the shader to show
    #[arg(long, value_enum, default_value = "reflect", value_name = "FORM")]
    emit: Emit,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Entry points, interfaces, bindings, constants
    Reflect,
    /// SPIR-V: text on a terminal, binary to a file or pipe
    Spirv,
    /// SPIR-V text, also to a pipe
    Spvasm,
    /// Quadrille's own intermediate representation, before its passes
    Ir,
    /// Cranelift's intermediate representation
    Clif,
    /// Host assembly, optimized
    Asm,
    /// Fixed-function kernels for a picture of a fragment shader: output merge, sampling
    Kernels,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let shader = load(args)?;
    let failed = |e: quadrille::Error| shader.error(&e);
    let device = || shader::device(None, &TraceArgs::default()).map_err(|e| Failure::device(&e, None));
    // Forms of the whole module do not depend on the entry point, which must still exist.
    if let Some(name) = &args.shader.entry
        && !inspect::entry_points(&shader.words).map_err(failed)?.iter().any(|(there, _)| there == name)
    {
        entry(args, &shader)?;
    }
    match args.emit {
        Emit::Reflect => {
            if args.json {
                out::json(&inspect::describe_json(&shader.words, &shader.initial()).map_err(failed)?)?;
            } else {
                let text = inspect::describe(&shader.words, &shader.initial()).map_err(failed)?;
                out::text(&format!("{}: {}{text}", shader.name, describe_agsl(&shader)))?;
            }
        }
        Emit::Spirv if args.json => {
            let text = inspect::disassemble(&shader.words).map_err(failed)?;
            out::json(&json!({ "words": shader.words, "text": text }))?;
        }
        Emit::Spvasm if args.json => {
            let text = inspect::disassemble(&shader.words).map_err(failed)?;
            out::json(&json!({ "text": text }))?;
        }
        Emit::Spvasm => out::exact(&inspect::disassemble(&shader.words).map_err(failed)?)?,
        Emit::Spirv if std::io::stdout().is_terminal() => {
            out::exact(&inspect::disassemble(&shader.words).map_err(failed)?)?;
        }
        Emit::Spirv => out::bytes(&words_to_bytes(&shader.words))?,
        Emit::Kernels => {
            let (name, stage) = entry(args, &shader)?;
            let spec = shader::spec(&args.shader, &shader)?;
            let device = device()?;
            let list = inspect::kernels(&device, &shader.words, &name, stage, &spec)
                .map_err(|e| refused(&shader, (name.as_str(), stage), &spec, &e))?;
            show_kernels(args, &name, &list)?;
        }
        emit => {
            let (name, stage) = entry(args, &shader)?;
            let spec = shader::spec(&args.shader, &shader)?;
            let failed = |e: quadrille::Error| refused(&shader, (name.as_str(), stage), &spec, &e);
            let text = if emit == Emit::Ir {
                inspect::ir_text(&shader.words, &name, stage, &spec).map_err(failed)?
            } else {
                let device = device()?;
                let listing =
                    inspect::listing(&device, &shader.words, &name, stage, &spec).map_err(failed)?;
                if emit == Emit::Clif { listing.clif } else { listing.asm }
            };
            if args.json {
                out::json(&json!({ "entry": name, "stage": stage.name(), "text": text }))?;
            } else {
                out::text(&text)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Compiles the shader. Fails if --spec is given for a form without values of constants; those of WGSL are in the module
/// already.
fn load(args: &Args) -> Result<Shader> {
    // `inspect` accepts what `render` accepts.
    let shader = shader::load(&args.shader, Stage::Fragment, true)?;
    let form = match args.emit {
        Emit::Reflect | Emit::Spirv | Emit::Spvasm => args.emit.to_possible_value(),
        Emit::Ir | Emit::Clif | Emit::Asm | Emit::Kernels => None,
    };
    let idle = shader.language != Language::Wgsl && !args.shader.spec.is_empty();
    match form.filter(|_| idle) {
        None => Ok(shader),
        Some(form) => {
            let message = format!("--spec has no effect on --emit {}", form.get_name());
            Err(Failure::usage(message)
                .help("constants have their values in --emit ir, clif, asm and kernels"))
        }
    }
}

/// The failure of a compilation: one of the command line if only the values of --spec are at fault.
fn refused(
    shader: &Shader,
    (name, stage): (&str, Stage),
    spec: &[(u32, &str)],
    error: &quadrille::Error,
) -> Failure {
    let without = || inspect::ir_text(&shader.words, name, stage, &[]).is_ok();
    let failure = shader.error(error);
    if shader::of_values(error, !spec.is_empty(), without) { failure.of_usage() } else { failure }
}

/// Describes a program in AGSL: its kind and children.
fn describe_agsl(shader: &Shader) -> String {
    let Some(program) = &shader.agsl else { return String::new() };
    let children: Vec<String> =
        program.children().map(|(name, kind)| format!("{name} ({})", kind.name())).collect();
    let children = if children.is_empty() { "none".into() } else { children.join(", ") };
    let colors: Vec<&str> = program.colors().collect();
    let colors = if colors.is_empty() { String::new() } else { format!("; colours: {}", colors.join(", ")) };
    format!("AGSL {}; children: {children}{colors}\n", program.kind().name())
}

/// Prints one line per kernel.
fn show_kernels(args: &Args, entry: &str, list: &[KernelInfo]) -> Result<()> {
    let made = |k: &KernelInfo| if k.by_hand { "by hand" } else { "generated" };
    let level = |k: &KernelInfo| format!("{:?}", k.cpu).to_lowercase();
    if args.json {
        let kernel =
            |k: &KernelInfo| json!({ "kind": k.kind, "made": made(k), "cpu": level(k), "key": k.key });
        return out::json(&json!({ "entry": entry, "kernels": list.iter().map(kernel).collect::<Vec<_>>() }));
    }
    let line = |k: &KernelInfo| format!("{}, {}, {}: {}\n", k.kind, made(k), level(k), k.key);
    out::text(&list.iter().map(line).collect::<String>())
}

/// The requested entry point, or the only one.
fn entry(args: &Args, shader: &Shader) -> Result<(String, Stage)> {
    let all = inspect::entry_points(&shader.words).map_err(|e| shader.error(&e))?;
    let mut fits: Vec<&(String, Stage)> = all.iter().collect();
    if let Some(name) = &args.shader.entry {
        fits.retain(|(n, _)| n == name);
    }
    if let Some(stage) = shader.stage {
        fits.retain(|(_, s)| *s == stage);
    }
    let names = || all.iter().map(|(n, s)| format!("{n} ({})", s.name())).collect::<Vec<_>>().join(", ");
    match fits[..] {
        [one] => Ok(one.clone()),
        [] => Err(Failure::usage(format!("{}: there is no such entry point", shader.name))
            .help(format!("entry points: {}", names()))),
        _ => Err(Failure::usage(format!("{}: which entry point?", shader.name))
            .help(format!("add --entry NAME, or --stage; there are: {}", names()))),
    }
}
