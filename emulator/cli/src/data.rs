//! The data that dispatches bind, as options and files. Their meaning is left to `run` and `kernel`.

use std::collections::BTreeSet;
use std::path::Path;

use quadrille::files;

use crate::report::{Failure, Result};

/// Maximum size of a file to bind, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// The data of a dispatch, in one form for every subcommand that dispatches.
#[derive(Clone, clap::Args)]
#[group(skip)]
pub struct DataArgs {
    /// Data to bind: SET.BINDING=FILE (SET.BINDING[ELEMENT]= in an array), =TYPE:VALUES, =zeros:BYTES, =image:WxH or
    /// =triangles:NUMBERS; repeatable
    #[arg(long, value_name = "SET.BINDING=DATA", allow_hyphen_values = true)]
    pub bind: Vec<String>,

    /// Print a buffer as TYPE when done, or save its bytes with =FILE; repeatable
    #[arg(long, value_name = "SET.BINDING:TYPE[=FILE]", allow_hyphen_values = true)]
    pub read: Vec<String>,

    /// Push constants: TYPE:VALUES, in order; repeatable
    #[arg(long, value_name = "TYPE:VALUES")]
    pub push: Vec<String>,
}

/// Fails if two results would have one name in an object of JSON, of which most readers keep the last alone.
pub fn check_names(mut names: impl Iterator<Item = String>) -> Result<()> {
    let mut all = BTreeSet::new();
    match names.find(|name| !all.insert(name.clone())) {
        None => Ok(()),
        Some(name) => {
            Err(Failure::usage(format!("--read {name}, twice: --json has one result of this name"))
                .help("save one of them with =FILE"))
        }
    }
}

/// Reads a file, which may be an endless device.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    files::given(path, MAX_FILE_BYTES).map_err(|e| {
        let failure = Failure::file("read", path, &e);
        match e.kind() {
            std::io::ErrorKind::FileTooLarge => failure,
            _ => failure.help("data is a file, TYPE:VALUES as in f32:1,2,3, zeros:BYTES, or image:WxH"),
        }
    })
}
