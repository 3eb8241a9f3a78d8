//! The arguments of a picture, of a dispatch or of a launch, for commands that watch any of them: they parse all forms at
//! once.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::args;
use crate::coverage::CoverageArgs;
use crate::data::DataArgs;
use crate::given::Given;
use crate::kernel::KernelArgs;
use crate::launch::{LaunchArgs, need_launch, no_dispatch, parse_dispatch};
use crate::report::{Failure, Result};
use crate::run;

/// The options of pictures, of dispatches and of launches.
#[derive(Clone, clap::Args)]
#[group(skip)]
pub struct WorkArgs {
    #[command(flatten)]
    given: Given,

    /// Dispatch a compute shader, with this number of workgroups: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_dispatch)]
    dispatch: Option<[u32; 3]>,

    #[command(flatten)]
    rays: LaunchArgs,

    #[command(flatten)]
    kernel: KernelArgs,

    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    pub picture: args::Args,

    /// More files: shaders of a ray tracing pipeline, or tests
    #[arg(value_name = "MORE", index = 3)]
    pub more: Vec<PathBuf>,
}

/// Work on a shader.
#[derive(Clone)]
pub enum Work {
    Picture(Box<args::Args>),
    /// A dispatch or a launch.
    Dispatch(Box<run::Args>),
}

impl WorkArgs {
    /// The work. Fails if an option of the other kind of work is given.
    pub fn work(self) -> Result<Work> {
        let WorkArgs { given, dispatch, rays, kernel, data, picture, more } = self;
        need_launch(&rays, &picture.shader)?;
        given.check()?;
        if dispatch.is_none() && rays.launch.is_none() && kernel.global.is_none() {
            if let Some(more) = more.first() {
                return Err(Failure::usage(format!("{}: a picture has at most two shaders", more.display())));
            }
            if ["comp", "cl"].map(OsStr::new).map(Some).contains(&picture.shader.file.extension()) {
                return Err(no_dispatch(&picture.shader));
            }
            return Ok(Work::Picture(Box::new(picture)));
        }
        let how = match (&rays.launch, &kernel.global) {
            (Some(_), _) => "launch",
            (None, Some(_)) => "global",
            (None, None) => "dispatch",
        };
        given.refuse::<args::Args, run::Args>(&format!("is an option of pictures, not of --{how}"))?;
        let args::Args { shader, second, threads, trace, .. } = picture;
        let more = second.into_iter().chain(more).collect();
        let coverage = CoverageArgs::default();
        let (json, again) = (false, None);
        Ok(Work::Dispatch(Box::new(run::Args {
            given,
            shader,
            more,
            dispatch,
            rays,
            kernel,
            data,
            json,
            threads,
            trace,
            coverage,
            again,
        })))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Args, Command};

    use super::*;
    use crate::given::{NEEDS, spelled};

    /// Every row of the table names options that exist, under the names that messages show.
    #[test]
    fn the_table_of_options_has_their_names() {
        let command = WorkArgs::augment_args(Command::new("work"));
        let known = |id: &str| {
            let option = command.get_arguments().find(|option| option.get_id() == id);
            option.and_then(Arg::get_long).map(|long| format!("--{long}"))
        };
        for (option, others) in NEEDS {
            for id in std::iter::once(option).chain(*others) {
                assert_eq!(known(id), Some(spelled(id)));
            }
        }
    }
}
