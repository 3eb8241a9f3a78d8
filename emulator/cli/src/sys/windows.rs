//! Windows, where the registry names the manifests that the Vulkan loader reads.

#![expect(unsafe_code, reason = "calls of the registry")]

use std::io::{Error, Result};
use std::os::windows::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::ptr;

use windows_sys::Win32::Foundation::{ERROR_FILE_NOT_FOUND, ERROR_SUCCESS};
use windows_sys::Win32::System::Registry::{
    HKEY, HKEY_CURRENT_USER, KEY_SET_VALUE, REG_DWORD, REG_OPTION_NON_VOLATILE, RegCloseKey, RegCreateKeyExW,
    RegDeleteValueW, RegSetValueExW,
};

/// Key of the current user, each of whose values has the path of a manifest as its name, and the number 0.
const DRIVERS: &str = r"SOFTWARE\Khronos\Vulkan\Drivers";

/// Runs a program and ends this process with its exit status, of which an `ExitCode` has 8 of 32 bits: processes of this
/// system cannot be replaced. Returns only on an error.
pub fn replace_by(mut program: Command) -> Result<ExitCode> {
    std::process::exit(program.status()?.code().unwrap_or(1))
}

/// The user's folder for files that stay on this machine.
pub fn cache() -> Option<PathBuf> {
    std::env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|p| p.is_absolute())
}

/// A folder for files of this user: each user has a folder for temporary files.
pub fn temporary() -> PathBuf {
    std::env::temp_dir().join("quadrille")
}

/// Makes [`temporary`].
pub fn make_private(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
}

/// The folder of manifests that [`announce`] can tell to the loader.
pub fn manifests() -> Option<PathBuf> {
    cache().map(|data| data.join("quadrille"))
}

/// Tells the loader about a manifest. Programs that run as an administrator read the machine's list, not the user's.
pub fn announce(manifest: &Path) -> Result<()> {
    Key::open(DRIVERS)?.set(manifest)
}

/// Reverses [`announce`]; `true` if the loader knew the manifest, which may be gone.
pub fn withdraw(manifest: &Path) -> Result<bool> {
    Key::open(DRIVERS)?.delete(manifest)
}

/// The path under which a manifest names a library: without the prefix that `canonicalize` adds, which not every
/// program understands.
pub fn named(library: &Path) -> PathBuf {
    let plain = library.to_str().and_then(|path| path.strip_prefix(r"\\?\"));
    plain
        .filter(|path| path.as_bytes().get(1) == Some(&b':'))
        .map_or_else(|| library.to_owned(), PathBuf::from)
}

fn checked(code: u32) -> Result<()> {
    if code == ERROR_SUCCESS { Ok(()) } else { Err(Error::from_raw_os_error(code as i32)) }
}

fn wide(text: &std::ffi::OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// An open key of the current user, closed when dropped.
struct Key(HKEY);

impl Key {
    /// Opens a key, and creates it if it is missing.
    fn open(path: &str) -> Result<Key> {
        let (path, mut key) = (wide(path.as_ref()), ptr::null_mut());
        // SAFETY: `path` ends with a zero, `key` is a live variable, and the other pointers may be null.
        checked(unsafe {
            RegCreateKeyExW(
                HKEY_CURRENT_USER,
                path.as_ptr(),
                0,
                ptr::null(),
                REG_OPTION_NON_VOLATILE,
                KEY_SET_VALUE,
                ptr::null(),
                &raw mut key,
                ptr::null_mut(),
            )
        })?;
        Ok(Key(key))
    }

    /// Sets the value of this name to the number 0.
    fn set(&self, name: &Path) -> Result<()> {
        let (name, zero) = (wide(name.as_os_str()), [0u8; 4]);
        // SAFETY: this value keeps the key open, `name` ends with a zero, and `zero` has the four bytes of the type.
        checked(unsafe { RegSetValueExW(self.0, name.as_ptr(), 0, REG_DWORD, zero.as_ptr(), 4) })
    }

    /// Deletes the value of this name; `true` if there was one.
    fn delete(&self, name: &Path) -> Result<bool> {
        let name = wide(name.as_os_str());
        // SAFETY: this value keeps the key open, and `name` ends with a zero.
        match unsafe { RegDeleteValueW(self.0, name.as_ptr()) } {
            ERROR_FILE_NOT_FOUND => Ok(false),
            code => checked(code).map(|()| true),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: this value owns the key.
        unsafe { RegCloseKey(self.0) };
    }
}
