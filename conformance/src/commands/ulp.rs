//! `ulp`: the largest error of every function of shader maths.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::ulp::{self, Effort, Measured, Promise};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Only functions whose name contains this text
    #[arg(default_value = "")]
    name: String,
    /// Operand tuples per function
    #[arg(long, default_value_t = 1 << 20)]
    tuples: u64,
    /// Test all 2^32 operands of unary functions of f32
    #[arg(long)]
    exhaustive: bool,
    /// Widths of the operands in bits
    #[arg(long, value_delimiter = ',', default_values_t = [16, 32, 64])]
    widths: Vec<u32>,
}

/// Measures and prints a table. Fails if any error exceeds its bound.
pub fn run(options: &Options) -> ExitCode {
    let effort = Effort { tuples: options.tuples, exhaustive: options.exhaustive, compare_every: 16 };
    let mut failures = 0;
    println!(
        "| function | width | operands | worst error, ulp | at | nearest | flushed | of what Vulkan permits | promised |"
    );
    println!("|---|---:|---:|---:|---|---:|---:|---:|---|");
    for f in ulp::all().iter().filter(|f| f.name.contains(&options.name)) {
        for &width in f.widths.iter().filter(|w| options.widths.contains(w)) {
            let m = ulp::measure(f, width, effort);
            println!("{}", row(&m));
            for failure in &m.failures {
                eprintln!("  {} f{}: {failure}", m.name, m.width);
            }
            failures += m.failed;
        }
    }
    if failures > 0 {
        eprintln!("{failures} results exceed their bounds");
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn row(m: &Measured) -> String {
    let at: Vec<String> = m.worst_at.iter().map(|x| format!("{x:.9e}")).collect();
    let promise = match m.promise {
        Some(Promise::Rounded) => "nearest".into(),
        Some(Promise::Ulp(n) | Promise::EachUlp(n)) => format!("{n} ulp"),
        Some(Promise::Absolute(n)) => format!("{n:e} absolute ({:.2e})", m.worst_absolute),
        Some(Promise::Vulkan) | None => "Vulkan's".into(),
    };
    format!(
        "| {} | {} | {} | {:.3} | {} | {:.2} % | {} | {:.1} % | {promise} |",
        m.name,
        m.width,
        m.tried,
        m.worst,
        at.join(", "),
        100.0 * m.nearest as f64 / m.compared.max(1) as f64,
        m.flushed,
        100.0 * m.share,
    )
}
