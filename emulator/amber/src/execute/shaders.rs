//! Compiles shader sources to modules, each source once.

use std::collections::HashMap;

use quadrille::files::decoded;
use quadrille::frontend::{self, CompileError, IncludedFile, Includes};
use quadrille::{Device, ShaderModule};

use super::files::Files;
use super::{Step, Stop, fail};
use crate::script::Script;
use crate::script::model::{Shader, ShaderFormat, ShaderId, ShaderKind, Text};

/// SPIR-V text of a vertex shader that passes on the position at location 0.
const PASSTHROUGH: &str = r#"
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "main" %position %builtin
               OpDecorate %position Location 0
               OpMemberDecorate %block 0 BuiltIn Position
               OpDecorate %block Block
       %void = OpTypeVoid
   %function = OpTypeFunction %void
      %float = OpTypeFloat 32
       %vec4 = OpTypeVector %float 4
        %int = OpTypeInt 32 1
       %zero = OpConstant %int 0
    %in_vec4 = OpTypePointer Input %vec4
   %position = OpVariable %in_vec4 Input
      %block = OpTypeStruct %vec4
  %out_block = OpTypePointer Output %block
    %builtin = OpVariable %out_block Output
   %out_vec4 = OpTypePointer Output %vec4
       %main = OpFunction %void None %function
      %entry = OpLabel
      %value = OpLoad %vec4 %position
     %target = OpAccessChain %out_vec4 %builtin %zero
               OpStore %target %value
               OpReturn
               OpFunctionEnd
"#;

/// Modules that have been compiled so far.
pub struct Shaders<'r> {
    device: &'r Device,
    script: &'r Script,
    files: Files,
    modules: HashMap<ShaderId, ShaderModule>,
}

impl<'r> Shaders<'r> {
    /// Creates an empty collection.
    pub fn new(device: &'r Device, script: &'r Script, files: Files) -> Self {
        Shaders { device, script, files, modules: HashMap::new() }
    }

    /// Returns the module of a shader, compiling it if necessary.
    pub fn module(&mut self, id: ShaderId) -> Step<ShaderModule> {
        if let Some(module) = self.modules.get(&id) {
            return Ok(module.clone());
        }
        let shader = &self.script.model.shaders[id.0];
        let words = self.words(shader)?;
        let module = self.device.create_shader_module(&words).map_err(|e| match Stop::from(e) {
            Stop::Fail(message) => Stop::Fail(format!("shader `{}`: {message}", shader.name)),
            Stop::Skip(what) => Stop::Skip(format!("shader `{}`: {what}", shader.name)),
        })?;
        self.modules.insert(id, module.clone());
        Ok(module)
    }

    fn words(&self, shader: &Shader) -> Step<Vec<u32>> {
        let read;
        let (bytes, name, lines_before) = match &shader.source {
            Text::File(path) => {
                read = self.files.read(path).map_err(Stop::Fail)?;
                (&*read, self.files.path(path).display().to_string(), 0)
            }
            Text::Inline { text, lines_before } if shader.format == ShaderFormat::Glsl => {
                read = padded(text, *lines_before).into_bytes();
                (&*read, self.script.file.to_string(), 0)
            }
            Text::Inline { text, lines_before } => {
                (text.as_bytes(), self.script.file.to_string(), *lines_before)
            }
        };
        let mut options = frontend::Options::named(&name);
        options.spirv = shader.spirv.unwrap_or((1, 0));
        let broken = |e: CompileError| Stop::Fail(message(shader, &e, &name, lines_before));
        match (shader.format, shader.kind) {
            (ShaderFormat::Passthrough, _) => {
                Ok(frontend::load_spirv(PASSTHROUGH.as_bytes(), &options).map_err(broken)?)
            }
            (ShaderFormat::Glsl, ShaderKind::Stage(stage)) => {
                let text = text_of(bytes, &name)?;
                options.includes = self.includes();
                // Commands show the script beside the lines.
                options.physical_lines = true;
                frontend::compile_glsl(text, stage, &options).map_err(broken)
            }
            (ShaderFormat::SpirvText, _) => {
                let mut words = frontend::load_spirv(bytes, &options).map_err(broken)?;
                let (major, minor) = options.spirv;
                if let Some(version) = words.get_mut(1) {
                    *version = u32::from(major) << 16 | u32::from(minor) << 8;
                }
                Ok(words)
            }
            (ShaderFormat::SpirvHex, _) => hex_words(text_of(bytes, &name)?),
            (ShaderFormat::SpirvBinary, _) => Ok(frontend::load_spirv(bytes, &options).map_err(broken)?),
            _ => Err(Stop::Skip("needs a compiler that is not available".into())),
        }
    }

    /// Finds includes in virtual files first, then beside the script.
    fn includes(&self) -> Includes {
        let virtual_files = self.script.model.virtual_files.clone();
        let files = self.files.clone();
        Includes::by(move |request| {
            if let Some(file) = virtual_files.iter().find(|file| file.path == request.name) {
                return Ok(Some(IncludedFile { name: file.path.clone(), text: file.text.to_string() }));
            }
            let path = files.path(request.name);
            if !path.is_file() {
                return Ok(None);
            }
            let bytes = files.read(request.name)?;
            let text = decoded(&bytes).map_err(|why| format!("{}: {why}", path.display()))?;
            Ok(Some(IncludedFile { name: path.display().to_string(), text: text.to_owned() }))
        })
    }
}

/// A source with line breaks, so that messages have the line numbers of the script. A line `#version` stays the first, as
/// GLSL ES requires.
fn padded(text: &str, lines_before: u32) -> String {
    let is_version = text.trim_start_matches([' ', '\t']).starts_with("#version");
    let first = text.find('\n').filter(|_| is_version).map_or(0, |end| end + 1);
    let (version, rest) = text.split_at(first);
    format!("{version}{}{rest}", "\n".repeat(lines_before as usize))
}

fn text_of<'b>(bytes: &'b [u8], name: &str) -> Step<&'b str> {
    decoded(bytes).or_else(|why| fail(format!("{name}: {why}")))
}

/// Formats all messages of a compiler with their lines, numbered as in the file that contains them.
fn message(shader: &Shader, e: &CompileError, name: &str, lines_before: u32) -> String {
    let mut source = e.source();
    source.title = format!("shader `{}` does not compile", shader.name);
    if *e.file == *name {
        source.text.insert_str(0, &"\n".repeat(lines_before as usize));
        source.messages.iter_mut().filter(|m| m.line > 0).for_each(|m| m.line += lines_before);
    }
    source.to_string()
}

/// Parses words in hexadecimal digits.
fn hex_words(text: &str) -> Step<Vec<u32>> {
    let word = |text: &str| {
        let digits = text.trim_end_matches(',');
        let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits);
        u32::from_str_radix(digits, 16).or_else(|_| fail(format!("`{text}` is not a word of SPIR-V")))
    };
    text.split_whitespace().map(word).collect()
}
