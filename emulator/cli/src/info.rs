//! `quadrille info`: the device, the host, and every environment variable.

use std::fmt::Write;
use std::process::ExitCode;

use quadrille::trace::TraceFilter;
use quadrille::{CpuLevel, DeviceOptions, FEATURES, LIMITS, env};
use serde_json::json;

use crate::out;
use crate::report::Result;

/// Show the device: version, host, limits, features, environment variables.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let version = env!("CARGO_PKG_VERSION");
    let cpu = format!("{:?}", CpuLevel::current()).to_lowercase();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let options = DeviceOptions::default();
    let threads = options.threads_in_use();
    let limits = LIMITS.rows();
    let features = FEATURES.rows();

    if args.json {
        let variables: Vec<_> = env::VARIABLES
            .iter()
            .map(|v| json!({ "name": v.name(), "values": v.values(), "meaning": v.meaning(), "value": v.text() }))
            .collect();
        let limits: serde_json::Map<_, _> = limits
            .into_iter()
            .map(|(n, v)| (n.to_owned(), serde_json::from_str(&v).unwrap_or(json!(v))))
            .collect();
        let features: serde_json::Map<_, _> =
            features.into_iter().map(|(n, v)| (n.to_owned(), json!(v))).collect();
        out::json(&json!({
            "version": version,
            "cpu": cpu,
            "processors": processors,
            "threads": threads,
            "glsl": cfg!(feature = "glsl"),
            "limits": limits,
            "features": features,
            "environment": variables,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }

    let mut text = String::new();
    let glsl = if cfg!(feature = "glsl") { "GLSL, " } else { "" };
    let _ = writeln!(text, "quadrille {version}");
    let _ = writeln!(text, "  languages    {glsl}WGSL, AGSL, SPIR-V");
    let _ = writeln!(text, "  processors   {processors}, threads in use {threads}, instructions {cpu}");
    let _ = writeln!(text, "\nEnvironment variables");
    for v in env::VARIABLES {
        let value = v.text().map_or(String::new(), |value| format!(" (now {value})"));
        let _ = writeln!(text, "  {:<22} {}{value}", format!("{}=", v.name()), v.values());
        let _ = writeln!(text, "  {:<22}   {}", "", v.meaning());
    }
    for problem in problems() {
        let _ = writeln!(text, "  warning: {problem}");
    }
    if options.threads > threads {
        let _ = writeln!(text, "  warning: {} threads are too many, {threads} are used", options.threads);
    }
    let _ = writeln!(text, "\nFeatures");
    for (name, value) in features {
        let _ = writeln!(text, "  {name:<48} {value}");
    }
    let _ = writeln!(text, "\nLimits");
    for (name, value) in limits {
        let _ = writeln!(text, "  {name:<48} {value}");
    }
    out::text(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Describes what is wrong with environment variables.
fn problems() -> Vec<String> {
    // The table takes every text as directives.
    let trace = env::TRACE.get().and_then(|text| text.parse::<TraceFilter>().err());
    let trace = trace.map(|e| format!("{}: {e}", env::TRACE.name));
    env::problems().into_iter().chain(trace).chain(env::unknown()).collect()
}
