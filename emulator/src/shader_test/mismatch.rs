//! Describes pictures that differ too much.

use std::fmt;
use std::path::PathBuf;

use quadrille_jit::env;

/// Two pictures that differ too much.
#[derive(Clone, Default)]
pub struct Mismatch {
    /// Pixels that differ by more than the tolerance.
    pub pixels: usize,
    /// Largest difference of a component.
    pub largest: u8,
    /// First pixel that differs by more than the tolerance.
    pub first: Option<[u32; 2]>,
    /// File with the expected, difference and actual pictures side by side, if it could be written.
    pub diff: Option<PathBuf>,
    /// Reason why the pictures cannot be compared, if they cannot.
    pub reason: Option<String>,
    /// File with the expected picture, if it comes from a file.
    pub golden: Option<PathBuf>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.reason {
            f.write_str(reason)?;
        } else {
            write!(f, "{} pixels differ, by up to {}", self.pixels, self.largest)?;
            if let Some([x, y]) = self.first {
                write!(f, ", the first at ({x}, {y})")?;
            }
        }
        if let Some(diff) = &self.diff {
            write!(f, "; see {}", diff.display())?;
        }
        if let Some(golden) = &self.golden {
            let name = env::BLESS.name;
            write!(f, "; {name}=1 writes {} anew: look at it before you keep it", golden.display())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Mismatch {
    /// Formats like `Display`, because failing tests print the `Debug` form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Mismatch {}
