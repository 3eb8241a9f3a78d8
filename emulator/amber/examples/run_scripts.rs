//! Runs Amber scripts and VkScripts, given as files or folders, and prints their outcomes and the reasons for skips.
//!
//! Scripts with `.expect_fail.` in their name must fail to parse or fail to run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use quadrille::{Device, DeviceOptions};
use quadrille_amber::{Options, Outcome, Script};

fn find(path: &Path, found: &mut Vec<PathBuf>) {
    if let Ok(folder) = std::fs::read_dir(path) {
        folder.flatten().for_each(|entry| find(&entry.path(), found));
        return;
    }
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    if [".amber", ".vkscript", ".shader_test"].iter().any(|end| name.ends_with(end)) {
        found.push(path.to_path_buf());
    }
}

fn outcome(path: &Path) -> Result<Outcome, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let script = Script::parse(&path.display().to_string(), &text).map_err(|e| e.to_string())?;
    let device = Device::new(DeviceOptions { budget: Duration::from_secs(20), ..Default::default() });
    let device = device.map_err(|e| e.to_string())?;
    let options = Options { timeout: Some(Duration::from_secs(120)), ..Options::default() };
    Ok(script.run(&device, &options))
}

fn main() -> ExitCode {
    let mut paths = Vec::new();
    std::env::args().skip(1).for_each(|path| find(Path::new(&path), &mut paths));
    paths.sort();
    let (mut passed, mut failed, mut skipped) = (0, 0, BTreeMap::<String, u32>::new());
    for path in &paths {
        let wanted = !path.to_string_lossy().contains(".expect_fail.");
        let (verdict, message) = match outcome(path) {
            Ok(Outcome::Passed) => (true, String::new()),
            Ok(Outcome::Failed(list)) => {
                let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
                (false, lines.join("\n    "))
            }
            Ok(Outcome::Skipped(why)) => {
                println!("skip {}: {why}", path.display());
                *skipped.entry(why).or_default() += 1;
                continue;
            }
            Err(e) => (false, e),
        };
        if verdict == wanted {
            passed += 1;
        } else {
            failed += 1;
            println!("FAIL {}: {message}", path.display());
        }
    }
    println!(
        "\n{} scripts: {passed} passed, {failed} failed, {} skipped",
        paths.len(),
        skipped.values().sum::<u32>()
    );
    for (why, n) in skipped {
        println!("{n:6} {why}");
    }
    ExitCode::from(u8::from(failed > 0))
}
