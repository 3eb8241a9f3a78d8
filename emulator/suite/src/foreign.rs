//! Sources in languages that no front end of the library compiles: the caller of [`crate::run`] compiles them.
//!
//! The library starts no programs. `quadrille test` compiles OpenCL C with `clang`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A source file that a test names.
#[derive(Debug)]
pub struct Source<'a> {
    /// Path of the file, which the test is allowed to read.
    pub path: &'a Path,
    /// Name of the entry point, if the test has one.
    pub entry: Option<&'a str>,
    /// Folders of included files.
    pub includes: &'a [PathBuf],
    /// Macros, as `NAME=VALUE`.
    pub defines: &'a [String],
}

/// A compiled source.
#[derive(Debug)]
pub struct Compiled {
    /// SPIR-V, as bytes.
    pub spirv: Vec<u8>,
    /// Files that the compiler included.
    pub included: Vec<PathBuf>,
}

/// Compiles a source; returns `None` for a language that the compiler does not know, and an error as text.
type Compile = dyn Fn(&Source<'_>) -> Option<Result<Compiled, String>> + Send + Sync;

/// A compiler outside of the library.
#[derive(Clone)]
pub struct Compiler(pub Arc<Compile>);

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compiler")
    }
}
