//! The `quadrille` command; the library of this crate has its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_cli::main(std::env::args_os())
}
