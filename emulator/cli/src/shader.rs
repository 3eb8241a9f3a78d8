//! Compilation of a shader file to SPIR-V words: language and stage by extension, or by flag.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use quadrille::apps::inputs::Inputs;
use quadrille::files;
use quadrille::frontend::{
    self, AgslShader, FoundOrigin, Includes, InitialValue, Language, Options, Origin, Stage,
};

use crate::allow::{self, AllowArgs};
use crate::foreign;
use crate::input::{self, NoSource, STANDARD_INPUT};
use crate::report::{self, Failure, Result};
use crate::trace::TraceArgs;
use crate::watch;

/// `--lang`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LanguageArg {
    /// GLSL for Vulkan, or Shadertoy
    Glsl,
    /// WebGPU Shading Language
    Wgsl,
    /// Android Graphics Shading Language
    Agsl,
    /// SPIR-V, binary or text
    Spirv,
}

/// `--stage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum StageArg {
    #[value(alias = "vertex")]
    Vert,
    Tesc,
    Tese,
    #[value(alias = "geometry")]
    Geom,
    Task,
    Mesh,
    #[value(alias = "fragment")]
    Frag,
    #[value(alias = "compute")]
    Comp,
    Rgen,
    Rint,
    Rahit,
    Rchit,
    Rmiss,
    Rcall,
}

impl StageArg {
    fn stage(self) -> Stage {
        match self {
            StageArg::Vert => Stage::Vertex,
            StageArg::Tesc => Stage::TessellationControl,
            StageArg::Tese => Stage::TessellationEvaluation,
            StageArg::Geom => Stage::Geometry,
            StageArg::Task => Stage::Task,
            StageArg::Mesh => Stage::Mesh,
            StageArg::Frag => Stage::Fragment,
            StageArg::Comp => Stage::Compute,
            StageArg::Rgen => Stage::RayGeneration,
            StageArg::Rint => Stage::Intersection,
            StageArg::Rahit => Stage::AnyHit,
            StageArg::Rchit => Stage::ClosestHit,
            StageArg::Rmiss => Stage::Miss,
            StageArg::Rcall => Stage::Callable,
        }
    }
}

/// Arguments of every subcommand that reads a shader.
#[derive(Clone, clap::Args)]
pub struct ShaderArgs {
    /// Shader: .vert .tesc .tese .geom .task .mesh .frag .comp .rgen .rint .rahit .rchit .rmiss .rcall .glsl (GLSL), .wgsl, .agsl, .spv .spvasm (SPIR-V), .hlsl and .slang by dxc or slangc, .cl by clang; `-` reads standard input
    #[arg(value_name = "FILE", index = 1)]
    pub file: PathBuf,

    /// Language, if the extension does not determine it
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: Option<LanguageArg>,

    /// Stage of GLSL, if the extension does not determine it; otherwise the stage of the entry point to use
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: Option<StageArg>,

    /// Entry point, if the module has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Specialization constant by its id, as in --spec 0=64 --spec 3=1.5; in WGSL by id or name
    #[arg(long = "spec", value_name = "ID=VALUE")]
    pub spec: Vec<String>,

    /// GLSL: folder to search for included files, after that of the file; repeatable
    #[arg(short = 'I', long = "include", value_name = "FOLDER")]
    pub includes: Vec<PathBuf>,

    #[command(flatten)]
    pub allow: AllowArgs,

    /// GLSL: macro to define before the source, 1 without a value; repeatable
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,

    /// WGSL as drafted in January 2021: accept exactly what the text of the draft allows
    #[arg(long)]
    pub strict: bool,

    /// WGSL: keep the names of `let` declarations for the debugger
    #[arg(long, hide = true)]
    pub named_values: bool,
}

impl ShaderArgs {
    /// Fails if --stage asks for another stage than the one that runs.
    pub fn need_stage(&self, stage: Stage, what: &str) -> Result<()> {
        match self.stage.map(StageArg::stage) {
            Some(asked) if asked != stage => {
                let (asked, stage) = (asked.name(), stage.name());
                Err(Failure::usage(format!("--stage: {what} a {stage} shader, not a {asked} shader")))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Fails if an option for another language is given. `None` stands for the languages of other compilers, which have a
    /// preprocessor.
    fn refuse_options_of_others(&self, file: &Path, language: Option<Language>) -> Result<()> {
        let has_macros = matches!(language, None | Some(Language::Glsl));
        let name = language.map_or_else(|| file.display().to_string(), |language| language.to_string());
        let no_macros: &str = &format!("{name} has no preprocessor, only GLSL has one");
        let given = [
            (self.defines.first().map(|define| format!("-D {define}")), has_macros, no_macros),
            (self.includes.first().map(|f| format!("-I {}", f.display())), has_macros, no_macros),
            (
                self.strict.then(|| "--strict".to_owned()),
                language == Some(Language::Wgsl),
                "only WGSL has a draft of January 2021",
            ),
        ];
        let idle =
            given.into_iter().find_map(|(option, applies, why)| Some((option?, why)).filter(|_| !applies));
        let Some((option, why)) = idle else { return Ok(()) };
        let failure = Failure::usage(format!("{option}: {why}"));
        Err(match language {
            _ if option == "--strict" => failure,
            Some(Language::Wgsl) => {
                failure.help("only constants with `override` can be set: --spec NAME=VALUE")
            }
            Some(Language::Agsl) => failure.help("set uniforms instead: --uniform NAME=VALUES"),
            _ => failure.help("constants are set by their ids: --spec ID=VALUE"),
        })
    }
}

/// A compiled file.
pub struct Shader {
    /// Name for messages.
    pub name: String,
    /// Source text; empty for binaries.
    pub text: String,
    /// SPIR-V words.
    pub words: Vec<u32>,
    /// True if it is a Shadertoy image, whose rows start at the bottom.
    pub shadertoy: bool,
    /// The program, if the language is AGSL.
    pub agsl: Option<AgslShader>,
    /// Requested stage, or the stage in the file name.
    pub stage: Option<Stage>,
    /// Language of the file.
    pub language: Language,
    /// Origin of the coordinates in its pictures.
    pub origin: FoundOrigin,
    /// Initial values of uniforms in its text.
    initial: Vec<InitialValue>,
}

impl Shader {
    /// Names and initial values of uniforms in its text.
    pub fn initial(&self) -> Vec<(&str, &str)> {
        self.initial.iter().filter_map(|i| Some((i.name.as_str(), i.value.as_deref()?))).collect()
    }

    /// Warns about uniforms with an initial value that cannot be evaluated, except for uniforms in `given`.
    pub fn warn_of_initial(&self, given: &[(&str, &str)]) {
        let known = |name: &str| given.iter().any(|(given, _)| *given == name) || Inputs::knows(name);
        for i in self.initial.iter().filter(|i| i.value.is_none() && !known(&i.name)) {
            let message = format!(
                "{}: the initial value of `{}` is neither a number nor a constructor of numbers",
                self.name, i.name
            );
            report::warn(&(message + ": it is 0"));
        }
    }

    /// An error of the device, with the source line.
    pub fn error(&self, error: &quadrille::Error) -> Failure {
        let source = (!self.text.is_empty()).then_some((self.name.as_str(), self.text.as_str()));
        let failure = Failure::device(error, source);
        if failure.shows_source() { failure } else { failure.in_file(&self.name) }
    }
}

/// A file before compilation.
pub struct SourceFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Empty for binaries.
    text: String,
    language: Language,
    options: Options,
}

/// Reads a file; `default` is the stage for languages that require one.
pub fn open(args: &ShaderArgs, file: &Path, default: Stage) -> Result<SourceFile> {
    let (name, bytes) = read(file)?;
    if bytes.trim_ascii().is_empty() {
        return Err(Failure::new(format!("{name} is empty")));
    }
    args.allow.apply()?;
    allow::included(&args.includes)?;
    if let Some(language) = foreign::language(file).filter(|_| args.lang.is_none()) {
        args.refuse_options_of_others(file, None)?;
        let stage = args.stage.map(StageArg::stage).or_else(|| frontend::stage_of_path(file));
        let (includes, defines) = (&args.includes, &args.defines);
        let options = foreign::Options { entry: args.entry.as_deref(), includes, defines };
        let bytes = foreign::spirv(&options, file, language, stage.unwrap_or(default))?;
        let options = Options { named_values: args.named_values, ..Options::named(&name) };
        let (path, language) = (file.to_owned(), Language::Spirv);
        return Ok(SourceFile { path, bytes, text: String::new(), language, options });
    }
    let language = language(args, file, &bytes)?;
    args.refuse_options_of_others(file, Some(language))?;
    let options = Options {
        constants: if language == Language::Wgsl { constants(args)? } else { Vec::new() },
        strict: args.strict,
        named_values: args.named_values,
        includes: Includes::in_folders(&args.includes),
        defines: defines(args)?,
        physical_lines: true,
        ..Options::named(&name)
    };
    // Bytes that are not text are an error of the compilation.
    let binary = language == Language::Spirv && bytes.contains(&0);
    let text = if binary { "" } else { files::decoded(&bytes).unwrap_or("") };
    let text = frontend::with_line_feeds(text).into_owned();
    Ok(SourceFile { path: file.to_owned(), bytes, text, language, options })
}

/// Origin of the coordinates for files that draw together: the requested one, or the one that their texts show.
pub fn origin(files: &[&SourceFile], asked: Option<Origin>) -> FoundOrigin {
    if let Some(origin) = asked {
        return FoundOrigin { origin, reason: "as --origin says".into() };
    }
    // If SPIR-V and GLSL draw together, the GLSL is for Vulkan.
    let Some(first) = files.iter().find(|f| f.language != Language::Glsl).or(files.first()) else {
        return frontend::origin_of(Language::Glsl, &[], &Options::default());
    };
    let texts: Vec<&str> = files.iter().map(|f| f.text.as_str()).collect();
    frontend::origin_of(first.language, &texts, &first.options)
}

/// Reads and compiles the file; `default` is the stage of GLSL without one in its name.
pub fn load(args: &ShaderArgs, default: Stage, relaxed: bool) -> Result<Shader> {
    let file = open(args, &args.file, default)?;
    let origin = origin(&[&file], None);
    file.compile(args, default, Options { relaxed, ..file.options.clone() }, origin, &[])
}

impl SourceFile {
    /// Compiles a stage of a picture, with AGSL programs for the children of one. Uniforms outside blocks are in set
    /// `loose_set`.
    pub fn load(
        &self,
        args: &ShaderArgs,
        default: Stage,
        loose_set: u32,
        origin: &FoundOrigin,
        children: &[(&str, &Path)],
    ) -> Result<Shader> {
        let options = Options { relaxed: true, loose_set, ..self.options.clone() };
        self.compile(args, default, options, origin.clone(), children)
    }

    fn compile(
        &self,
        args: &ShaderArgs,
        default: Stage,
        options: Options,
        origin: FoundOrigin,
        children: &[(&str, &Path)],
    ) -> Result<Shader> {
        let options = Options { origin: origin.origin, ..options };
        let asked = args.stage.map(StageArg::stage).or_else(|| frontend::stage_of_path(&self.path));
        let compiled =
            compile(args, asked, &self.bytes, &self.text, self.language, default, &options, children);
        options.includes.found().iter().for_each(|file| watch::note(Path::new(file)));
        let Compiled { words, shadertoy, agsl, stage } = compiled?;
        if let Some(asked) = args.stage.map(StageArg::stage) {
            has_stage(&options.file, &words, asked)?;
        }
        let (text, language) = (self.text.clone(), self.language);
        let initial = match language {
            Language::Glsl => frontend::initial_values(&text, &options),
            Language::Wgsl | Language::Agsl | Language::Spirv => Vec::new(),
        };
        Ok(Shader { name: options.file, text, words, shadertoy, agsl, stage, language, origin, initial })
    }
}

/// Fails if a module has no entry point of a stage. An invalid module is left to the device.
fn has_stage(name: &str, words: &[u32], asked: Stage) -> Result<()> {
    let entries = quadrille::apps::inspect::entry_points(words).unwrap_or_default();
    if entries.is_empty() || entries.iter().any(|(_, stage)| *stage == asked) {
        return Ok(());
    }
    let all: Vec<String> =
        entries.iter().map(|(entry, stage)| format!("{entry} ({})", stage.name())).collect();
    Err(Failure::usage(format!("--stage: {name} has no {} shader", asked.name()))
        .help(format!("entry points: {}", all.join(", "))))
}

/// `true` if an error is about values of options that the shader does not take, for it is none `without` them.
pub fn of_values(error: &quadrille::Error, given: bool, without: impl FnOnce() -> bool) -> bool {
    use quadrille::Error::{Invalid, Limit};
    given && matches!(error, Invalid { .. } | Limit(_)) && without()
}

struct Compiled {
    words: Vec<u32>,
    shadertoy: bool,
    agsl: Option<AgslShader>,
    stage: Option<Stage>,
}

fn compile(
    args: &ShaderArgs,
    stage: Option<Stage>,
    bytes: &[u8],
    text: &str,
    language: Language,
    default: Stage,
    options: &Options,
    children: &[(&str, &Path)],
) -> Result<Compiled> {
    let fragment = Some(Stage::Fragment);
    if language == Language::Glsl && args.stage.is_none() && frontend::is_shadertoy(text) {
        let words = frontend::compile_shadertoy(text, options)?;
        return Ok(Compiled { words, shadertoy: true, agsl: None, stage: fragment });
    }
    if language == Language::Agsl {
        let program = agsl(bytes, options, children)?;
        let words = program.compile(options)?;
        return Ok(Compiled { words, shadertoy: false, agsl: Some(program), stage: fragment });
    }
    if let Some((child, _)) = children.first() {
        return Err(Failure::usage(format!("--shader {child}: only AGSL has programs as children")));
    }
    let words = |options: &Options| frontend::compile(bytes, language, stage.unwrap_or(default), options);
    let words = words(options).map_err(|error| {
        let plain = Options { constants: Vec::new(), ..options.clone() };
        // Values of --spec are at fault, or missing, or the source compiles without them.
        match error.of_constants || !options.constants.is_empty() && words(&plain).is_ok() {
            true if error.line == 0 => Failure::usage(format!("{}: {}", error.file, error.message)),
            true => Failure::from(error).of_usage(),
            false => error.into(),
        }
    })?;
    Ok(Compiled { words, shadertoy: false, agsl: None, stage })
}

/// An AGSL program with its children; grandchildren come after the children.
fn agsl(bytes: &[u8], options: &Options, children: &[(&str, &Path)]) -> Result<AgslShader> {
    let parse = |bytes: &[u8], options: &Options| {
        AgslShader::parse(frontend::text_of(bytes, Language::Agsl, options)?, options)
    };
    let mut program = parse(bytes, options)?;
    let mut children = children.to_vec();
    children.sort_by_key(|(name, _)| name.matches('.').count());
    for (child, path) in children {
        let (name, bytes) = read(path)?;
        let bound = parse(&bytes, &Options { file: name, ..options.clone() })?;
        program.bind(child, bound).map_err(|e| Failure::usage(e.message))?;
    }
    Ok(program)
}

/// Reads a file; returns its name for messages, and its contents.
pub fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    if path == Path::new("-") {
        let bytes = input::source().map_err(|e| match e {
            NoSource::Refused(why) => Failure::usage(format!("{STANDARD_INPUT}: {why}")),
            NoSource::Unreadable(e) => Failure::file("read", Path::new(STANDARD_INPUT), &e),
        })?;
        return Ok((STANDARD_INPUT.into(), bytes));
    }
    let bytes = watch::read(path).map_err(|e| Failure::file("read", path, &e))?;
    allow::named(path);
    Ok((path.display().to_string(), bytes))
}

fn language(args: &ShaderArgs, file: &Path, bytes: &[u8]) -> Result<Language> {
    let by_flag = args.lang.map(|lang| match lang {
        LanguageArg::Glsl => Language::Glsl,
        LanguageArg::Wgsl => Language::Wgsl,
        LanguageArg::Agsl => Language::Agsl,
        LanguageArg::Spirv => Language::Spirv,
    });
    let binary = || {
        let text = || files::decoded(bytes).is_ok_and(is_spirv_text);
        let binary = matches!(bytes, [3, 2, 0x23, 7, ..] | [7, 0x23, 2, 3, ..]);
        (binary || text()).then_some(Language::Spirv)
    };
    by_flag.or_else(|| Language::of_path(file)).or_else(binary).ok_or_else(|| no_language(file))
}

/// Advice about a test instead of a shader.
const TESTS: &str = "`quadrille test` runs tests; `quadrille check` and `quadrille debug` take them, too";

/// The failure for a file whose name does not say a language.
fn no_language(file: &Path) -> Failure {
    let shown = file.display();
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let other =
        |kind: &str, help: &str| Failure::usage(format!("{shown} is a {kind}, not a shader")).help(help);
    let message = match extension.as_str() {
        "gltf" | "glb" => return other("scene", "`quadrille render` draws scenes"),
        "obj" => return other("mesh", "--mesh draws it with a vertex and a fragment shader"),
        "amber" | "vkscript" | "shader_test" => return other("test", TESTS),
        "toml" if shown.to_string().ends_with(".test.toml") => return other("test", TESTS),
        "png" | "jpg" | "jpeg" | "hdr" | "exr" => {
            return other("picture", "a shader reads it as a texture: --texture, or --bind of a dispatch");
        }
        _ if file == Path::new("-") => "standard input has no name that says the language".to_owned(),
        _ => format!("{shown}: the name does not say the language"),
    };
    Failure::usage(message).help("add --lang glsl, --lang wgsl, --lang agsl or --lang spirv")
}

/// True if the first line other than comments is an instruction: `OpCapability`, `%1 = ...`.
fn is_spirv_text(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with(';'));
    first.is_some_and(|l| l.starts_with("OpCapability") || (l.starts_with('%') && l.contains("= Op")))
}

/// The specialization constants of `--spec`, as text values by id. For WGSL they are in the module already.
pub fn spec<'a>(args: &'a ShaderArgs, shader: &Shader) -> Result<Vec<(u32, &'a str)>> {
    if shader.language == Language::Wgsl {
        return Ok(Vec::new());
    }
    pairs(args)?
        .into_iter()
        .map(|(id, value)| Ok((id.parse().map_err(|_| bad_spec(&format!("{id}={value}")))?, value)))
        .collect()
}

/// The overridable WGSL constants that `--spec` sets, by id or name.
fn constants(args: &ShaderArgs) -> Result<Vec<(String, f64)>> {
    let number = |text: &str| match (text, text.strip_prefix("0x")) {
        ("true", _) => Some(1.0),
        ("false", _) => Some(0.0),
        (_, Some(hex)) => u32::from_str_radix(hex, 16).ok().map(f64::from),
        _ => text.parse().ok(),
    };
    pairs(args)?
        .into_iter()
        .map(|(key, value)| {
            Ok((key.to_owned(), number(value).ok_or_else(|| bad_spec(&format!("{key}={value}")))?))
        })
        .collect()
}

/// The macros of `-D`.
pub fn defines(args: &ShaderArgs) -> Result<Vec<(String, String)>> {
    args.defines
        .iter()
        .map(|text| {
            let (name, value) = text.split_once('=').unwrap_or((text, "1"));
            let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
            let is_name = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
            let taken = name == "defined" || name.starts_with("GL_") || name.contains("__");
            if !is_name || taken || value.contains(['\n', '\r', '\0']) {
                let why =
                    if is_name && taken { "the name is reserved" } else { "it is not NAME or NAME=VALUE" };
                return Err(Failure::usage(format!("-D {text}: {why}")).help("for example -D STEPS=64"));
            }
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

/// The parts of each `--spec` before and after the equals sign.
fn pairs(args: &ShaderArgs) -> Result<Vec<(&str, &str)>> {
    args.spec
        .iter()
        .map(|text| {
            let (key, value) = text.split_once('=').ok_or_else(|| bad_spec(text))?;
            Ok((key.trim(), value.trim()))
        })
        .collect()
}

fn bad_spec(text: &str) -> Failure {
    Failure::usage(format!("--spec {text} is not ID=VALUE"))
        .help("for example --spec 0=64; in WGSL also --spec NAME=64")
}

/// Language of a file, by flag or name; GLSL if neither determines it.
pub fn language_of(args: &ShaderArgs) -> Language {
    let bytes = || files::given(&args.file, files::MAX_TEXT_BYTES).unwrap_or_default();
    language(args, &args.file, &[])
        .or_else(|_| language(args, &args.file, &bytes()))
        .unwrap_or(Language::Glsl)
}

/// The device, with this number of threads. Its time limit is that of any device: `QUADRILLE_BUDGET`, or the default.
pub fn device(threads: Option<usize>, trace: &TraceArgs) -> quadrille::Result<quadrille::Device> {
    device_with(threads, trace, None)
}

/// As [`device`], with a watcher of its shaders.
pub fn device_with(
    threads: Option<usize>,
    trace: &TraceArgs,
    watch: Option<quadrille::Watching>,
) -> quadrille::Result<quadrille::Device> {
    let mut options = options(threads);
    options.trace = trace.open()?;
    if watch.is_some() {
        options.watch = watch;
    }
    quadrille::Device::new(options)
}

/// A device with compiled shaders that are sampled for a profile.
pub fn sampled_device(
    threads: Option<usize>,
    sampling: quadrille::Sampling,
) -> quadrille::Result<quadrille::Device> {
    quadrille::Device::new(quadrille::DeviceOptions { sampling: Some(sampling), ..options(threads) })
}

fn options(threads: Option<usize>) -> quadrille::DeviceOptions {
    let mut options = quadrille::DeviceOptions::default();
    if let Some(threads) = threads {
        options.threads = threads;
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_the_budget_of_any_device() {
        let device = device(Some(1), &TraceArgs::default()).unwrap();
        assert_eq!(device.options().budget, quadrille::DeviceOptions::default().budget);
        let said = format!("(default: {})", device.options().budget.as_secs());
        assert!(quadrille::env::budget().is_some() || quadrille::env::BUDGET.meaning.ends_with(&said));
    }

    #[test]
    fn spirv_text_is_known() {
        assert!(is_spirv_text("; a comment\n\n               OpCapability Shader\n"));
        assert!(is_spirv_text("%1 = OpTypeVoid"));
        assert!(!is_spirv_text("void main() {}") && !is_spirv_text(""));
    }
}
