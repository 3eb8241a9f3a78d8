//! The options of ray tracing pipelines, and the shaders of a dispatch or a launch.

use std::path::PathBuf;

use quadrille::Device;
use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::apps::launch::{LaunchDesc, LaunchModule};
use quadrille::frontend::{self, Stage};

use crate::entry;
use crate::report::{Failure, Result};
use crate::shader::{self, Shader, ShaderArgs};

/// The options of ray tracing pipelines.
#[derive(Clone, Default, clap::Args)]
#[group(skip)]
pub struct LaunchArgs {
    /// Launch a ray tracing pipeline of all the files, with this size: WxH, or X,Y,Z
    #[arg(long, value_name = "WxH", value_parser = parse_launch, conflicts_with = "dispatch")]
    pub launch: Option<[u32; 3]>,

    /// Shader group: names of its shaders, and optionally data for its record, as in --group hit.rchit+leaf.rahit or
    /// --group sky.rmiss=f32:0,0,1; repeatable, in the order of the records. Shaders without --group come
    /// after these; all hit shaders among them form one group
    #[arg(long, value_name = "SHADER+...")]
    pub group: Vec<String>,

    /// Maximum nesting of traces (default: the limit of the device)
    #[arg(long, value_name = "N")]
    pub recursion: Option<u32>,
}

/// Parses the number of workgroups of a dispatch.
pub fn parse_dispatch(text: &str) -> std::result::Result<[u32; 3], String> {
    let mut size = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 || parts.iter().any(|part| part.trim().is_empty()) {
        return Err("give one to three numbers, as in 64,64,1".into());
    }
    for (to, part) in size.iter_mut().zip(parts) {
        *to = part.trim().parse().map_err(|_| format!("`{part}` is not a number below 2^32"))?;
    }
    Ok(size)
}

/// Parses a size: `64x64`, or numbers as of a dispatch.
fn parse_launch(text: &str) -> std::result::Result<[u32; 3], String> {
    parse_dispatch(&text.replace('x', ",")).map_err(|_| format!("`{text}` is not a size such as 64x64"))
}

/// The failure of a shader that runs without `--dispatch`.
pub fn no_dispatch(shader: &ShaderArgs) -> Failure {
    if let Some(stage) = frontend::stage_of_path(&shader.file).filter(|stage| *stage != Stage::Compute) {
        let message = format!("{} is a {} shader, not a compute shader", shader.file.display(), stage.name());
        return Failure::usage(message).help("`quadrille render` draws with shaders of a graphics pipeline");
    }
    Failure::usage("--dispatch is missing").help(
        "a compute shader runs with a number of workgroups, as in --dispatch 64,64,1; an OpenCL kernel runs with a \
         number of invocations, as in --global 1024",
    )
}

/// Fails for a ray tracing shader without `--launch`.
pub fn need_launch(rays: &LaunchArgs, shader: &ShaderArgs) -> Result<()> {
    let stage = frontend::stage_of_path(&shader.file);
    match stage.filter(|stage| stage.is_of_rays() && rays.launch.is_none()) {
        None => Ok(()),
        Some(stage) => {
            let what =
                format!("--launch is missing for the {} shader {}", stage.name(), shader.file.display());
            Err(Failure::usage(what)
                .help("a ray tracing pipeline runs with a size and all of its shaders, as in scene.rgen hit.rchit sky.rmiss --launch 64x64"))
        }
    }
}

/// The files of a dispatch or a launch.
pub struct Shaders(Vec<Shader>);

impl Shaders {
    /// Compiles the file of a dispatch, or that and more files of a launch, to SPIR-V.
    pub fn load(args: &ShaderArgs, more: &[PathBuf], rays: &LaunchArgs) -> Result<Shaders> {
        if rays.launch.is_none() {
            if let Some(second) = more.first() {
                return Err(Failure::usage(format!("{}: --dispatch runs one shader", second.display())));
            }
            args.need_stage(Stage::Compute, "--dispatch runs")?;
            return Ok(Shaders(vec![shader::load(args, Stage::Compute, false)?]));
        }
        if args.stage.is_some() {
            return Err(Failure::usage("--stage: the names of the files say the stages of a launch"));
        }
        let files = std::iter::once(&args.file).chain(more);
        let load = |file: &PathBuf| {
            let shader = ShaderArgs { file: file.clone(), ..args.clone() };
            shader::load(&shader, Stage::RayGeneration, false)
        };
        Ok(Shaders(files.map(load).collect::<Result<_>>()?))
    }

    /// Creates the pipeline.
    pub fn create(
        &self,
        args: &ShaderArgs,
        rays: &LaunchArgs,
        device: &Device,
        push: &[u8],
    ) -> Result<Compute> {
        let specialization = &shader::spec(args, &self.0[0])?[..];
        let entry = args.entry.as_deref();
        let make = |specialization: &[(u32, &str)], push: &[u8], rays: &LaunchArgs| match rays.launch {
            None => {
                let words = &self.0[0].words;
                Compute::new(device, &ComputeDesc { words, entry, specialization, push })
            }
            Some(_) => {
                let modules = self.0.iter().map(|s| LaunchModule { name: &s.name, words: &s.words });
                let modules: Vec<_> = modules.collect();
                let (groups, recursion) = (&rays.group[..], rays.recursion);
                let desc = LaunchDesc { modules: &modules, entry, groups, recursion, specialization, push };
                Compute::launching(device, &desc)
            }
        };
        let stage = if rays.launch.is_some() { Stage::RayGeneration } else { Stage::Compute };
        make(specialization, push, rays).map_err(|e| {
            let plain = LaunchArgs { launch: rays.launch, ..LaunchArgs::default() };
            let of_rays = !rays.group.is_empty() || rays.recursion.is_some();
            let given = of_rays || !specialization.is_empty() || !push.is_empty();
            let of_values = || shader::of_values(&e, given, || make(&[], &[], &plain).is_ok());
            let failure = entry::choosing(self.error(&e), ("--entry", entry), stage, &self.0);
            match entry::lack_entry(entry, stage, &self.0) || of_values() {
                true => failure.of_usage(),
                false => failure,
            }
        })
    }

    /// Name of the first file, for messages.
    pub fn name(&self) -> &str {
        &self.0[0].name
    }

    /// An error of the device, with the source line.
    pub fn error(&self, error: &quadrille::Error) -> Failure {
        if let [one] = &self.0[..] {
            return one.error(error);
        }
        let file = error.place().and_then(|place| place.file.as_deref());
        match self.0.iter().find(|shader| Some(shader.name.as_str()) == file) {
            Some(shader) => shader.error(error),
            None => Failure::device(error, None),
        }
    }
}
