//! Cache of compiled GLSL, looked up by content. Starting glslang takes 160 ms; reading a cached file takes almost no
//! time.
//!
//! A hash finds an entry. The entry is used only if its whole key (compiler, options, source) is equal and its checksum
//! matches; otherwise it counts as missing. Files live in `$XDG_CACHE_HOME/quadrille/glsl` or
//! `~/.cache/quadrille/glsl`. Each file is written under a temporary name and then renamed. Above [`MAX_FILES`] files,
//! the oldest are removed. A failed read or write is not an error.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use once_cell::race::OnceBool;
use quadrille_jit::process::PerProcess;
use quadrille_jit::reserve::write_file;

use crate::files::{Folders, MAX_DATA_BYTES};

/// Largest number of files kept on disk.
const MAX_FILES: usize = 2048;
/// Largest size of the keys and words kept in memory, in bytes.
const MAX_MEMORY: usize = 64 << 20;
const MAGIC: &[u8; 8] = b"QDRGLSL1";

#[derive(Default)]
struct Memory {
    entries: HashMap<Vec<u8>, Arc<[u32]>>,
    bytes: usize,
}

static MEMORY: PerProcess<Mutex<Memory>> = PerProcess::new();

fn memory() -> MutexGuard<'static, Memory> {
    MEMORY.get().lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the words stored for `key` in memory or, if `disk` is true, on disk.
pub(super) fn get(key: &[u8], disk: bool) -> Option<Arc<[u32]>> {
    if let Some(words) = memory().entries.get(key) {
        return Some(words.clone());
    }
    if !disk {
        return None;
    }
    let words: Arc<[u32]> = read(&directory()?, key)?.into();
    remember(key, &words);
    Some(words)
}

/// Stores `words` for `key` in memory and, if `disk` is true, on disk.
pub(super) fn put(key: &[u8], words: &[u32], disk: bool) {
    remember(key, &words.into());
    if disk && let Some(directory) = directory() {
        write(&directory, key, words);
    }
}

fn remember(key: &[u8], words: &Arc<[u32]>) {
    let mut memory = memory();
    let bytes = key.len() + 4 * words.len();
    if memory.bytes + bytes > MAX_MEMORY {
        memory.entries.clear();
        memory.bytes = 0;
    }
    if memory.entries.insert(key.to_vec(), words.clone()).is_none() {
        memory.bytes += bytes;
    }
}

fn directory() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME") {
        Some(dir) if Path::new(&dir).is_absolute() => PathBuf::from(dir),
        _ => PathBuf::from(std::env::var_os("HOME").filter(|home| !home.is_empty())?).join(".cache"),
    };
    Some(base.join("quadrille").join("glsl"))
}

/// 64-bit FNV-1a hash of `bytes`.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn file_of(directory: &Path, key: &[u8]) -> PathBuf {
    directory.join(format!("{:016x}.spv", hash(key)))
}

/// Encodes an entry: magic, length of the key, number of words, checksum of the rest, key, words.
fn encode(key: &[u8], words: &[u32]) -> Vec<u8> {
    let body: Vec<u8> = key.iter().copied().chain(words.iter().flat_map(|w| w.to_le_bytes())).collect();
    let mut file = MAGIC.to_vec();
    file.extend((key.len() as u64).to_le_bytes());
    file.extend((words.len() as u64).to_le_bytes());
    file.extend(hash(&body).to_le_bytes());
    file.extend(body);
    file
}

fn decode(file: &[u8], key: &[u8]) -> Option<Vec<u32>> {
    let (magic, rest) = file.split_first_chunk::<8>()?;
    let (key_len, rest) = rest.split_first_chunk::<8>()?;
    let (n_words, rest) = rest.split_first_chunk::<8>()?;
    let (sum, body) = rest.split_first_chunk::<8>()?;
    if magic != MAGIC || hash(body) != u64::from_le_bytes(*sum) {
        return None;
    }
    let key_len = usize::try_from(u64::from_le_bytes(*key_len)).ok()?;
    let (stored, words) = body.split_at_checked(key_len)?;
    let (words, rest) = words.as_chunks::<4>();
    if stored != key || !rest.is_empty() || words.len() as u64 != u64::from_le_bytes(*n_words) {
        return None;
    }
    Some(words.iter().map(|&w| u32::from_le_bytes(w)).collect())
}

fn read(directory: &Path, key: &[u8]) -> Option<Vec<u32>> {
    decode(&Folders::new([directory]).read(file_of(directory, key), MAX_DATA_BYTES).ok()?, key)
}

fn write(directory: &Path, key: &[u8], words: &[u32]) {
    let path = file_of(directory, key);
    let beside = directory.join(format!("{:016x}.{}.tmp", hash(key), std::process::id()));
    let written = fs::create_dir_all(directory)
        .and_then(|()| write_file(&beside, encode(key, words)))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The cache is optional, so the error is dropped; only the partial file must be removed.
        let _ = fs::remove_file(&beside);
        return;
    }
    static PRUNED: OnceBool = OnceBool::new();
    if PRUNED.set(true).is_ok() {
        prune(directory, MAX_FILES);
    }
}

/// If there are more than `max` files, removes the oldest until half of `max` are left.
fn prune(directory: &Path, max: usize) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "spv" || x == "tmp"))
        .map(|e| {
            let time = e.metadata().and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            (time, e.path())
        })
        .collect();
    if files.len() > max {
        files.sort();
        for (_, path) in &files[..files.len() - max / 2] {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_corruption() {
        let directory = std::env::temp_dir().join(format!("quadrille-cache-{}", std::process::id()));
        let words = [1u32, 2, 0xffff_ffff];
        write(&directory, b"key", &words);
        assert_eq!(read(&directory, b"key"), Some(words.to_vec()));
        assert_eq!(read(&directory, b"other"), None);

        let file = encode(b"key", &words);
        for n in 0..file.len() {
            assert_eq!(decode(&file[..n], b"key"), None, "cut at {n}");
            let mut broken = file.clone();
            broken[n] ^= 0x40;
            assert_eq!(decode(&broken, b"key"), None, "broken at {n}");
        }
        assert_eq!(decode(&encode(b"another", &words), b"key"), None);

        for n in 0..6u32 {
            write(&directory, &n.to_le_bytes(), &words);
        }
        prune(&directory, 4);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 2);
        fs::remove_dir_all(&directory).unwrap();
    }
}
