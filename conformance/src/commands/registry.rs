//! `registry`: declarations that are newer than the driver's bindings, from Vulkan's registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::registry::{
    EXCERPT, EXTENSIONS, GENERATED, declarations, declared, excerpt, rows, table,
};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// The registry (xml/vk.xml of KhronosGroup/Vulkan-Docs), from which the excerpt is written anew
    #[arg(long)]
    xml: Option<PathBuf>,
    /// Types, commands and constants that the excerpt does not have yet
    names: Vec<String>,
}

/// Writes the excerpt and the table of extensions, if there is a registry, and the declarations of the driver.
pub fn run(options: &Options) -> ExitCode {
    match write(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let save =
        |path: &Path, text: &str| fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()));
    let mut text = read(&root.join(EXCERPT))?;
    if let Some(xml) = &options.xml {
        let names = options.names.iter().map(String::as_str);
        let names: Vec<&str> = declared(&text).into_iter().chain(names).collect();
        let xml = read(xml)?;
        text = excerpt(&xml, &names)?;
        save(&root.join(EXCERPT), &text)?;
        let known = read(&root.join(EXTENSIONS))?;
        save(&root.join(EXTENSIONS), &table(&xml, &rows(&known)?))?;
    } else if !options.names.is_empty() {
        return Err("new names need the registry: --xml".into());
    }
    save(&root.join(GENERATED), &declarations(&text)?)
}
