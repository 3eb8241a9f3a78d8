//! Other Vulkan drivers as oracles: runs the same SPIR-V with the same inputs on them, and compares value by value.
//!
//! Cases are the compute modules of the file tests, including those made from tables, and the sweeps of [`crate::ulp`].
//! Each driver runs in a separate process ([`client`]), which restarts after a case that crashes it; [`wire`] is the
//! protocol between the processes. [`report`] counts by instruction.

pub mod cases;
pub mod client;
pub mod report;
pub mod wire;

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use wire::{Answer, Case};

/// Identity of a driver, and its answers.
pub struct Heard {
    /// Name of the device.
    pub device: String,
    /// Size of its subgroups.
    pub lanes: u32,
    /// One answer per case.
    pub answers: Vec<Answer>,
}

/// A driver to query.
#[derive(Clone, Copy, Debug)]
pub enum Driver<'a> {
    /// The driver of an ICD manifest, through the loader.
    Manifest(&'a Path),
    /// Our own driver, with environment variables.
    Own(&'a [(&'a str, &'a str)]),
}

/// Runs the cases on a driver, in processes of `program` (this program's `oracle-client`).
///
/// # Errors
/// The driver does not start at all.
pub fn ask(program: &Path, driver: Driver<'_>, cases: &[Case]) -> Result<Heard, String> {
    let file = std::env::temp_dir().join(format!("quadrille-oracle-{}.cases", std::process::id()));
    std::fs::write(&file, wire::encode(cases)).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut heard = Heard { device: String::new(), lanes: 0, answers: Vec::new() };
    while heard.answers.len() < cases.len() {
        let mut command = Command::new(program);
        command.arg("oracle-client").arg(&file).arg(heard.answers.len().to_string());
        match driver {
            Driver::Manifest(icd) => command.env("VK_ICD_FILENAMES", icd).env("VK_DRIVER_FILES", icd),
            Driver::Own(variables) => command.arg("--own").envs(variables.iter().copied()),
        };
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|e| e.to_string())?;
        let mut from = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let hello = wire::read_hello(&mut from);
        if let Some((device, lanes)) = &hello {
            (heard.device, heard.lanes) = (device.clone(), *lanes);
        }
        while heard.answers.len() < cases.len()
            && let Some(answer) = wire::read_answer(&mut from)
        {
            heard.answers.push(answer);
        }
        // Waits for more output, then ends a child that hangs.
        let _ = from.read(&mut [0; 64]);
        let _ = child.kill();
        let _ = child.wait();
        if hello.is_none() && heard.device.is_empty() {
            let _ = std::fs::remove_file(&file);
            return Err(format!("{driver:?}: the driver does not start"));
        }
        if heard.answers.len() < cases.len() {
            heard.answers.push(Answer::Crashed);
        }
    }
    let _ = std::fs::remove_file(&file);
    Ok(heard)
}
