//! `scenes`: small pictures by our driver and by others.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::scenes::witness::{self, Figure};
use quadrille_conformance::scenes::{self, Named, SIZE, client::Client};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Only scenes whose name contains this text
    #[arg(default_value = "")]
    name: String,
    /// Manifest of a driver to compare with (repeatable)
    #[arg(long, value_name = "ICD.json")]
    icd: Vec<PathBuf>,
    /// Write our pictures as the goldens
    #[arg(long)]
    bless: bool,
    /// Only compare our pictures with the goldens
    #[arg(long)]
    check: bool,
    /// Write the differences of the drivers as the figures of the goldens' witnesses
    #[arg(long)]
    record: bool,
    /// Write the pictures of every driver into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Only render with the loader's first device into this folder
    #[arg(long, hide = true)]
    into: Option<PathBuf>,
    /// Start after this scene
    #[arg(long, hide = true)]
    after: Option<String>,
}

/// Runs the subcommand.
pub fn run(options: &Options) -> ExitCode {
    let done = match &options.into {
        Some(folder) => render_into(options, folder),
        None if options.check => check(options),
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

fn chosen(options: &Options) -> impl Iterator<Item = Named> {
    let mut all = scenes::all();
    if let Some(at) = options.after.as_ref().and_then(|a| all.iter().position(|s| s.name == a)) {
        all.drain(..=at);
    }
    all.into_iter().filter(|s| s.name.contains(&options.name))
}

/// Compares our pictures with the goldens, on a device with the options of the environment.
fn check(options: &Options) -> Result<ExitCode, String> {
    let ours = Client::new(vk_quadrille::entry())?;
    let mut wrong = 0;
    for scene in chosen(options) {
        let pixels = scene.make(&ours)?.map_err(|feature| format!("{}: no {feature}", scene.name))?;
        let golden = scenes::golden(scene.name)?;
        if pixels != golden {
            wrong += 1;
            println!("{}: {:?}", scene.name, scenes::compare(&pixels, &golden));
        }
    }
    println!("{wrong} differ");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Work of the client process: writes pictures as files of bytes; the first line of its output is the device's name.
fn render_into(options: &Options, folder: &Path) -> Result<ExitCode, String> {
    #[expect(unsafe_code, reason = "loads the Vulkan loader")]
    // SAFETY: loading runs the initializers of the system's `libvulkan`, which the parent process chose and trusts.
    let entry = unsafe { ash::Entry::load() }.map_err(|e| e.to_string())?;
    let client = Client::new(entry)?;
    println!("{}", client.name);
    for scene in chosen(options) {
        // The name comes first, so that the parent process knows the scene in which a driver crashed.
        println!("{}", scene.name);
        match scene.make(&client) {
            Ok(Ok(pixels)) => std::fs::write(folder.join(scene.name), pixels).map_err(|e| e.to_string())?,
            Ok(Err(feature)) => eprintln!("{}: no {feature}", scene.name),
            Err(e) => eprintln!("{e}"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Renders on another driver into a folder, restarting after each scene that crashes the driver. Returns the device's
/// name.
fn elsewhere(options: &Options, icd: &Path, folder: &Path) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut after = Vec::new();
    loop {
        let out = std::process::Command::new(&program)
            .args(["scenes", "--into"])
            .arg(folder)
            .arg(&options.name)
            .args(&after)
            .env("VK_ICD_FILENAMES", icd)
            .env("VK_DRIVER_FILES", icd)
            .output()
            .map_err(|e| e.to_string())?;
        eprint!("{}", String::from_utf8_lossy(&out.stderr));
        let text = String::from_utf8_lossy(&out.stdout);
        let name = text.lines().next().unwrap_or("no answer").to_owned();
        match text.lines().nth(1).and(text.lines().last()) {
            Some(last) if !out.status.success() => {
                eprintln!("{last}: crashes");
                after = vec!["--after".to_owned(), last.to_owned()];
            }
            _ => return Ok(name),
        }
    }
}

fn save(options: &Options, driver: &str, scene: &str, pixels: &[u8]) -> Result<(), String> {
    let Some(out) = &options.out else { return Ok(()) };
    let folder = out.join(driver);
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (path, size) = (folder.join(format!("{scene}.png")), SIZE);
    image::save_buffer(&path, pixels, size, size, image::ColorType::Rgba8).map_err(|e| e.to_string())
}

/// Our picture of a scene, with its name.
type Picture = (&'static str, Vec<u8>);

fn compare(options: &Options) -> Result<ExitCode, String> {
    let ours = Client::new(vk_quadrille::entry())?;
    let mut pictures: Vec<Picture> = Vec::new();
    for scene in chosen(options) {
        let pixels = scene.make(&ours)?.map_err(|feature| format!("{}: no {feature}", scene.name))?;
        if options.bless {
            scenes::bless(scene.name, &pixels)?;
        }
        save(options, "ours", scene.name, &pixels)?;
        pictures.push((scene.name, pixels));
    }
    if options.icd.is_empty() {
        println!("{} scenes rendered", pictures.len());
    }
    for icd in &options.icd {
        let figures = measure(options, icd, &pictures)?;
        print!("{}", report(&figures, pictures.len()));
        if options.record {
            witness::record(figures)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Renders on another driver, and compares its pictures with ours.
fn measure(options: &Options, icd: &Path, pictures: &[Picture]) -> Result<Vec<Figure>, String> {
    let folder = std::env::temp_dir().join(format!("quadrille-scenes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let driver = elsewhere(options, icd, &folder)?;
    let short = driver.split_whitespace().next().unwrap_or("none");
    let mut figures = Vec::new();
    for (scene, pixels) in pictures {
        let Ok(theirs) = std::fs::read(folder.join(scene)) else { continue };
        save(options, short, scene, &theirs)?;
        figures.push(Figure::new(scene, pixels, &driver, &theirs));
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(figures)
}

/// The figures of one driver as text, with their sums.
fn report(figures: &[Figure], scenes: usize) -> String {
    let all = (SIZE * SIZE) as usize;
    let mut text: String = figures.iter().map(Figure::line).collect();
    let count = |of: &dyn Fn(&Figure) -> bool| figures.iter().filter(|f| of(f)).count();
    let mean = figures.iter().filter_map(|f| f.mean).sum::<f64>() / figures.len().max(1) as f64;
    text += &format!(
        "{}: renders {} of {scenes}; {} are equal, {} differ by at most one step away from edges, {} everywhere; \
         largest {}, mean {mean:.3}\n",
        figures.first().map_or("no driver", |f| &f.driver),
        figures.len(),
        count(&|f| f.exact == Some(all)),
        count(&|f| f.largest <= 1),
        count(&|f| f.largest <= 1 && f.at_edges == 0),
        figures.iter().map(|f| f.largest).max().unwrap_or(0),
    );
    text
}
