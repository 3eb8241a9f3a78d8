//! Files that are whole or not there: what is broken off leaves the old one, or none.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::reserve;

/// Writes a file by another name, and gives it its own when it is whole; makes the folder.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    // What is there and no file stays what it is: a pipe, a device.
    if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return reserve::write_file(path, bytes);
    }
    let unfinished = unfinished(path);
    let written = reserve::write_file(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        // Why it failed is more than whether it can be cleared away.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

/// A name beside the file that nobody else writes to: `.NAME.PROCESS-NUMBER.part`.
fn unfinished(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("quadrille-files-{}", std::process::id()));
        let path = folder.join("a").join("x.bin");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let names: Vec<_> =
            std::fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["x.bin"]);
        // A folder is no file that can be replaced.
        assert!(replace(path.parent().unwrap(), b"").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
