//! `oracle`: compares our results with those of other Vulkan drivers.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::oracle::{self, Driver, cases, client, report};

/// Manifests of the drivers that are used if no option names one.
const DRIVERS: [&str; 2] =
    ["/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "/usr/share/vulkan/icd.d/vk_swiftshader_icd.json"];

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Manifest of a driver (repeatable)
    #[arg(long)]
    icd: Vec<PathBuf>,
    /// Only file tests and functions whose name contains this text
    #[arg(long, default_value = "")]
    filter: String,
    /// Operand tuples of each function of shader maths
    #[arg(long, default_value_t = 16384)]
    tuples: u64,
    /// Print the first value of each instruction for which all drivers agree against us
    #[arg(long)]
    verbose: bool,
}

/// Prints the tables. Fails if no driver could be used.
pub fn run(options: &Options) -> ExitCode {
    let mut icds = options.icd.clone();
    if icds.is_empty() {
        icds = DRIVERS.iter().map(PathBuf::from).filter(|p| p.exists()).collect();
    }
    let mut skipped = Vec::new();
    let mut asked = cases::filetests(&options.filter, &mut skipped);
    asked.extend(cases::sweeps(&options.filter, options.tuples, &mut skipped));
    skipped.iter().for_each(|s| eprintln!("not asked: {s}"));
    let list: Vec<_> = asked.iter().map(|a| a.case.clone()).collect();
    let Ok(program) = std::env::current_exe() else { return ExitCode::FAILURE };
    let mut heard = Vec::new();
    for icd in &icds {
        match oracle::ask(&program, Driver::Manifest(icd), &list) {
            Ok(h) => {
                for (a, answer) in asked.iter().zip(&h.answers) {
                    match answer {
                        oracle::wire::Answer::Crashed => eprintln!("{}: crashed by {}", h.device, a.form),
                        oracle::wire::Answer::Refused(why) if options.verbose => {
                            eprintln!("{}: {} refused: {why}", h.device, a.form);
                        }
                        _ => {}
                    }
                }
                heard.push(h);
            }
            Err(e) => eprintln!("{e}"),
        }
    }
    if heard.is_empty() {
        eprintln!("no driver is available");
        return ExitCode::FAILURE;
    }
    let rows = report::count(&asked, &heard);
    print!("{}", report::markdown(&asked, &heard, &rows));
    if options.verbose {
        for ((name, ty), row) in &rows {
            for (h, first) in heard.iter().zip(&row.first).filter(|(_, f)| !f.is_empty()) {
                eprintln!("{name} {ty}, {}: {first}", h.device);
            }
            if row.alone > 0 {
                eprintln!("{name} {ty}: {} against both, e.g. {}", row.alone, row.example);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Options of the client process.
#[derive(Args)]
pub struct Client {
    /// File of the cases
    file: PathBuf,
    /// First case to run
    first: usize,
    /// Use our own driver, without the loader
    #[arg(long)]
    own: bool,
}

/// Runs the client.
pub fn run_client(options: &Client) -> ExitCode {
    match client::run(&options.file, options.first, options.own) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
