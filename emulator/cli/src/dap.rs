//! `quadrille dap`: the debugger for editors.

use std::io::{self, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::ExitCode;

use quadrille::files;
use quadrille_debug::Target;
use quadrille_debug::dap::{self, Launched};
use serde_json::Value;

use crate::debug;
use crate::input;
use crate::report::{self, Failure, Result};

/// Debug from an editor, by the Debug Adapter Protocol.
///
/// Uses standard input and output, or with --port a port of the loopback interface. A launch request names the shader
/// and the invocation: `program`, then `pixel`, `invocation`, `vertex`, ... as numbers in a list or text, and `args`,
/// the options of `quadrille render` or `quadrille run`.
#[derive(clap::Args)]
#[command(after_help = "\
Example of a launch request's arguments (.vscode/launch.json):
  { \"type\": \"quadrille\", \"request\": \"launch\", \"name\": \"a pixel\",
    \"program\": \"${file}\", \"pixel\": [320, 180], \"args\": [\"--size\", \"640x360\"] }")]
pub struct Args {
    /// Listen on this port of the loopback interface; serves one editor after another
    #[arg(long, value_name = "N")]
    port: Option<u16>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let failed = |e: io::Error| Failure::new(format!("the editor's connection: {}", files::reason(&e)));
    let start = std::env::current_dir().map_err(|e| Failure::file("use", Path::new("."), &e))?;
    let mut launch = |arguments: &Value| launch(&start, arguments);
    // Reading it would wait forever for the lock below, or for a person who does not know of it.
    input::refuse("the debug adapter reads no source from it");
    let Some(port) = args.port else {
        dap::serve(&mut io::stdin().lock(), &mut io::stdout().lock(), &mut launch).map_err(failed)?;
        return Ok(ExitCode::SUCCESS);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
    report::note(&format!("listening on {}", listener.local_addr().map_err(failed)?));
    for stream in listener.incoming() {
        let served = stream.and_then(|stream| {
            let mut input = BufReader::new(stream.try_clone()?);
            dap::serve(&mut input, &mut &stream, &mut launch)
        });
        if let Err(e) = served {
            report::warn(&format!("the editor's connection: {}", files::reason(&e)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the shader of a launch request. Its folder is relative to `start`, whatever folder an earlier request named.
fn launch(start: &Path, arguments: &Value) -> std::result::Result<Launched, String> {
    let line = command_line(arguments)?;
    let folder = start.join(arguments["cwd"].as_str().unwrap_or_default());
    std::env::set_current_dir(&folder)
        .map_err(|e| format!("cannot use {}: {}", folder.display(), files::reason(&e)))?;
    let record = || -> Result<Launched> {
        let args = debug::Args::parse(&line)?;
        let target: Target =
            args.target().ok_or_else(|| Failure::new("the launch request names no invocation"))?;
        args.record(target)
    };
    record().map_err(|failure| failure.to_string())
}

/// The arguments of `quadrille debug` that are equivalent to a launch request.
fn command_line(arguments: &Value) -> std::result::Result<Vec<String>, String> {
    let mut line = Vec::new();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    line.push(
        arguments["program"].as_str().ok_or("`program` is missing; it names the shader file")?.to_owned(),
    );
    for option in quadrille_debug::OPTIONS {
        let value = match &arguments[option] {
            Value::Null => continue,
            Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(","),
            other => text(other),
        };
        line.extend([format!("--{option}"), value]);
    }
    match &arguments["args"] {
        Value::Null => {}
        Value::Array(list) => line.extend(list.iter().map(text)),
        _ => return Err("`args` is a list, with each option and each value on its own".into()),
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn launch_requests_as_command_lines() {
        let arguments = json!({ "program": "a.frag", "pixel": [3, 4], "args": ["--size", "8x8"] });
        assert_eq!(command_line(&arguments).unwrap(), ["a.frag", "--pixel", "3,4", "--size", "8x8"]);
        let arguments = json!({ "program": "a.comp", "invocation": 5 });
        assert_eq!(command_line(&arguments).unwrap(), ["a.comp", "--invocation", "5"]);
        let kernel = ["--global", "8", "--arg", "zeros:32"];
        let arguments = json!({ "program": "a.cl", "invocation": [5, 0, 0], "args": kernel });
        let line = command_line(&arguments).unwrap();
        assert_eq!(line, [&["a.cl", "--invocation", "5,0,0"][..], &kernel].concat());
        assert!(debug::Args::parse(&line).unwrap().target().is_some());
        assert!(command_line(&json!({})).is_err());
        assert!(command_line(&json!({ "program": "a.frag", "args": "--size 8x8" })).is_err());
    }
}
