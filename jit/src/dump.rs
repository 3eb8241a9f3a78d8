//! Output of dumped texts: files in `QUADRILLE_DUMP_DIR`, or standard error.

use std::io::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::env;
use crate::events;
use crate::reserve::write_file;

/// Writes a text under the given name.
pub fn write(name: &str, text: &dyn Fn() -> String) {
    match env::DUMP_DIR.get() {
        Some(folder) => {
            let written =
                std::fs::create_dir_all(&folder).and_then(|()| write_file(folder.join(name), text()));
            if let Err(e) = written {
                events::warn(format_args!("{}: {e}", folder.join(name).display()));
                failed(&folder, &e);
            }
        }
        None => crate::terminal::to_stderr(format_args!("; {name}\n{}", text())),
    }
}

/// Reports the first failure to write.
fn failed(folder: &Path, error: &Error) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        let folder = folder.display();
        crate::terminal::to_stderr(format_args!("quadrille: dumps cannot be written to {folder}: {reason}"));
    }
}
