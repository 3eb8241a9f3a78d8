//! `scenes`: small pictures, ours and those of other drivers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::scenes::{self, Difference, client::Client, list};

/// What to render.
#[derive(Args)]
pub struct Options {
    /// Scenes whose name contains this
    #[arg(default_value = "")]
    name: String,
    /// Manifest of a driver to compare with; again for more
    #[arg(long, value_name = "ICD.json")]
    icd: Vec<PathBuf>,
    /// Writes our pictures as the golden ones
    #[arg(long)]
    bless: bool,
    /// Renders with the loader's first device into this folder, and does nothing else
    #[arg(long, hide = true)]
    into: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(options: &Options) -> ExitCode {
    let done = match &options.into {
        Some(folder) => render_into(options, folder),
        None => compare(options),
    };
    match done {
        Ok(code) => code,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn chosen(options: &Options) -> impl Iterator<Item = list::Scene> {
    list::scenes().into_iter().filter(|s| s.name.contains(&options.name))
}

/// The part of another process: pictures as files of bytes, the first line of output the device's name.
fn render_into(options: &Options, folder: &Path) -> Result<ExitCode, String> {
    #[expect(unsafe_code, reason = "loads the Vulkan loader")]
    // SAFETY: the library is the Vulkan loader.
    let entry = unsafe { ash::Entry::load() }.map_err(|e| e.to_string())?;
    let client = Client::new(entry)?;
    println!("{}", client.name);
    for scene in chosen(options) {
        match client.draw(&scene)? {
            Ok(pixels) => std::fs::write(folder.join(scene.name), pixels).map_err(|e| e.to_string())?,
            Err(feature) => eprintln!("{}: no {feature}", scene.name),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn compare(options: &Options) -> Result<ExitCode, String> {
    let ours = Client::new(vk_quadrille::entry())?;
    let mut pictures = Vec::new();
    for scene in chosen(options) {
        let pixels = ours.draw(&scene)?.map_err(|feature| format!("{}: no {feature}", scene.name))?;
        if options.bless {
            scenes::bless(scene.name, &pixels)?;
        }
        pictures.push((scene.name, pixels));
    }
    let mut head = String::from("| scene |");
    let mut rule = String::from("|---|");
    let mut rows: Vec<String> = pictures.iter().map(|(name, _)| format!("| {name} |")).collect();
    let mut totals = Vec::new();
    for icd in &options.icd {
        let folder = std::env::temp_dir().join(format!("quadrille-scenes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let out = std::process::Command::new(program)
            .args(["scenes", "--into"])
            .arg(&folder)
            .arg(&options.name)
            .env("VK_ICD_FILENAMES", icd)
            .env("VK_DRIVER_FILES", icd)
            .output()
            .map_err(|e| e.to_string())?;
        let name = String::from_utf8_lossy(&out.stdout).lines().next().unwrap_or("no answer").to_owned();
        head += &format!(" {name}: exact | largest | mean | edges |");
        rule += "---:|---:|---:|---:|";
        let (mut exact, mut close) = (0, 0);
        for ((scene, pixels), row) in pictures.iter().zip(&mut rows) {
            let Ok(theirs) = std::fs::read(folder.join(scene)) else {
                *row += " not rendered | | | |";
                continue;
            };
            let d: Difference = scenes::compare(pixels, &theirs);
            exact += usize::from(d.exact == pixels.len() / 4);
            close += usize::from(d.largest <= 1);
            *row += &format!(" {} | {} | {:.3} | {} |", d.exact, d.largest, d.mean, d.at_edges);
        }
        totals.push(format!(
            "{name}: {exact} of {} scenes are the same, {close} within one step away from edges",
            rows.len()
        ));
        let _ = std::fs::remove_dir_all(&folder);
    }
    if options.icd.is_empty() {
        println!("{} scenes rendered", pictures.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("{head}\n{rule}");
    for line in rows.iter().chain([&String::new()]).chain(&totals) {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}
