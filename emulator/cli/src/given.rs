//! The options that a command line gives, as opposed to options with their defaults.

use std::collections::BTreeSet;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::report::{Failure, Result};

/// Options that have an effect only together with one of others, by their ids in structures of options.
pub type Rows = &'static [(&'static str, &'static [&'static str])];

/// Options of work. Options of files of one kind, such as scenes, are refused where the kind of the file is known.
pub const NEEDS: Rows = &[
    // Kernels, and pipelines of ray tracing.
    ("local", &["global"]),
    ("offset", &["global"]),
    ("arg", &["global"]),
    ("group", &["launch"]),
    ("recursion", &["launch"]),
    // Data of dispatches and of launches. Kernels have arguments.
    ("bind", &["dispatch", "launch"]),
    ("push", &["dispatch", "launch"]),
    ("read", &["dispatch", "launch", "global"]),
    // Path tracing.
    ("noise", &["path_trace"]),
    ("time_limit", &["path_trace"]),
    ("max_bounces", &["path_trace"]),
    ("aperture", &["path_trace"]),
    ("focus", &["path_trace"]),
    ("sums", &["path_trace"]),
    ("add", &["path_trace"]),
    // Geometry of vertex shaders.
    ("topology", &["vertices"]),
    ("cull", &["mesh", "vertices"]),
    ("eye", &["mesh", "vertices"]),
    ("target", &["mesh", "vertices"]),
    ("vertex_entry", &["mesh", "vertices"]),
];

/// Ids of the given options. This has no arguments of its own, and must come before the other fields of a structure,
/// which take their values out of the matches.
#[derive(Clone)]
pub struct Given(BTreeSet<String>);

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        let is_given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Ok(Given(matches.ids().filter(is_given).map(clap::Id::to_string).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Given::from_arg_matches(matches).map(|given| *self = given)
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl Given {
    /// Fails if an option is given that has no effect because the option that it belongs to is missing.
    pub fn check(&self) -> Result<()> {
        self.check_rows(NEEDS)
    }

    /// The same for other options than those of work.
    pub fn check_rows(&self, rows: Rows) -> Result<()> {
        let has = |id: &&str| self.0.contains(*id);
        match rows.iter().find(|(option, others)| has(option) && !others.iter().any(has)) {
            None => Ok(()),
            Some((option, others)) => {
                let others: Vec<String> = others.iter().map(|other| spelled(other)).collect();
                Err(Failure::usage(format!("{} needs {}", spelled(option), others.join(" or "))))
            }
        }
    }

    /// Fails if an option is given that `A` has and `B` lacks; `why` ends the message.
    pub fn refuse<A: Args, B: Args>(&self, why: &str) -> Result<()> {
        let others = B::augment_args(Command::new("others"));
        let is_other = |id: &clap::Id| others.get_arguments().any(|other| other.get_id() == id);
        let own = A::augment_args(Command::new("own"));
        let mut options = own.get_arguments().filter(|option| !option.is_positional());
        match options.find(|option| self.0.contains(option.get_id().as_str()) && !is_other(option.get_id())) {
            Some(option) => Err(Failure::usage(format!("--{} {why}", option.get_long().unwrap_or_default()))),
            None => Ok(()),
        }
    }
}

/// The option with an id, as on a command line.
pub fn spelled(id: &str) -> String {
    format!("--{}", id.replace('_', "-"))
}
