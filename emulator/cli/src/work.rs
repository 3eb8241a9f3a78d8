//! The arguments of a picture or of a dispatch, for commands that watch either: they parse both forms at once.

use std::ffi::OsStr;

use crate::args;
use crate::coverage::CoverageArgs;
use crate::given::Given;
use crate::report::{Failure, Result};
use crate::run::{self, DataArgs, parse_dispatch};

/// The options of pictures and of dispatches.
#[derive(Clone, clap::Args)]
#[group(skip)]
pub struct WorkArgs {
    #[command(flatten)]
    given: Given,

    /// Dispatch a compute shader, with this number of workgroups: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_dispatch)]
    dispatch: Option<[u32; 3]>,

    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    pub picture: args::Args,
}

/// Work on a shader.
#[derive(Clone)]
pub enum Work {
    Picture(Box<args::Args>),
    Dispatch(Box<run::Args>),
}

impl WorkArgs {
    /// The work. Fails if an option of the other kind of work is given.
    pub fn work(self) -> Result<Work> {
        let WorkArgs { given, dispatch, data, picture } = self;
        let Some(dispatch) = dispatch else {
            if picture.shader.file.extension() == Some(OsStr::new("comp")) {
                return Err(Failure::new("--dispatch is missing")
                    .help("a compute shader runs with a number of workgroups, as in --dispatch 64,64,1"));
            }
            given.refuse::<DataArgs, args::Args>("needs --dispatch")?;
            return Ok(Work::Picture(Box::new(picture)));
        };
        if let Some(second) = &picture.second {
            return Err(Failure::new(format!("{}: --dispatch runs one shader", second.display())));
        }
        given.refuse::<args::Args, run::Args>("is an option of pictures, not of --dispatch")?;
        let args::Args { shader, threads, trace, .. } = picture;
        let coverage = CoverageArgs::default();
        let (json, again) = (false, None);
        Ok(Work::Dispatch(Box::new(run::Args {
            shader,
            dispatch,
            data,
            json,
            threads,
            trace,
            coverage,
            again,
        })))
    }
}
