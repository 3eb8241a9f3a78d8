//! Numbers in options.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Command};

/// Parses a number that is finite, also as `f32`.
pub fn parse_finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if (number as f32).is_finite() => Ok(number),
        Ok(number) if number.is_finite() => Err("give a number from -3.4e38 to 3.4e38".into()),
        Ok(_) | Err(_) => Err("give a finite number".into()),
    }
}

/// Parses a number that is finite, also as `f32`, and not below 0.
pub fn parse_from_zero(text: &str) -> Result<f64, String> {
    parse_finite(text)
        .and_then(|n| if n < 0.0 { Err("give a number that is not below 0".into()) } else { Ok(n) })
}

/// Lets the values of all options that take numbers, alone or in lists, begin with a minus. The parser of the option then
/// says which numbers it takes. Otherwise, the error is about an unknown option `-1`.
pub fn with_minus(command: Command) -> Command {
    let command = command.mut_args(|arg| match takes_numbers(&arg) {
        true => arg.allow_hyphen_values(true),
        false => arg,
    });
    command.mut_subcommands(with_minus)
}

/// True for options that convert their values, except to one of a list of words.
fn takes_numbers(arg: &Arg) -> bool {
    let parser = arg.get_value_parser().type_id();
    let is_text = [TypeId::of::<String>(), TypeId::of::<PathBuf>(), TypeId::of::<OsString>()]
        .iter()
        .any(|text| parser == *text);
    let has_value = arg.get_action().takes_values() && !arg.is_require_equals_set();
    has_value && !arg.is_positional() && !is_text && arg.get_possible_values().is_empty()
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn numbers_are_finite_as_floats() {
        assert_eq!(parse_finite(" -1e38 "), Ok(-1e38));
        assert!(parse_finite("1e300").is_err_and(|message| message.contains("3.4e38")));
        for text in ["inf", "nan", "x", ""] {
            assert!(parse_finite(text).is_err_and(|message| message.contains("finite")), "{text}");
        }
    }

    /// A number below 0, also the first of a list, is an error of its option.
    #[test]
    fn numbers_may_begin_with_a_minus() {
        let mut tried = 0;
        for command in crate::command().get_subcommands() {
            for arg in command.get_arguments().filter(|arg| takes_numbers(arg)) {
                let option = format!("--{}", arg.get_long().unwrap_or_default());
                for value in ["-1", "-1,2", "-1x2"] {
                    let line = ["quadrille", command.get_name(), &option, value];
                    let kind = crate::command().try_get_matches_from(line).err().map(|e| e.kind());
                    assert!(kind != Some(ErrorKind::UnknownArgument), "{line:?}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 100, "{tried}");
    }
}
