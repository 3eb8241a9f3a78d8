//! Output of dumped texts: files in `QUADRILLE_DUMP_DIR`, or standard error.

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
            }
        }
        None => crate::terminal::to_stderr(format_args!("; {name}\n{}", text())),
    }
}
