//! AGSL, the shading language of Android's `RuntimeShader`.
//!
//! ```text
//!   text -> lexer -> parser -> syntax tree -> check -> tree -> emit -> naga::Module -> SPIR-V
//!                                                       children: pictures, other programs
//! ```
//!
//! A program is compiled to a fragment shader with the entry point `main`. Output location 0 is the result of the
//! program's `main`, a premultiplied colour. `emit` assigns the bindings of uniforms and images.

mod check;
mod emit;
mod functions;
mod lexer;
mod parser;
mod syntax;
mod tree;
mod types;

use std::sync::Arc;

use super::parts::report::Report;
use super::{CompileError, Language, Options};
use tree::Program;
pub use types::AgslKind;

/// Longest accepted source, in bytes.
const MAX_BYTES: usize = 256 << 10;

/// A checked AGSL program with the bindings of its children.
///
/// ```
/// use quadrille_languages::{AgslShader, Options};
/// let source = "uniform shader image; uniform float2 size;
///     half4 main(float2 coord) { return image.eval(size - coord); }";
/// let shader = AgslShader::parse(source, &Options::named("turned.agsl"))?;
/// assert_eq!(shader.children().count(), 1);
/// let words = shader.compile(&Options::default())?;
/// assert_eq!(words[0], 0x0723_0203);
/// # Ok::<(), quadrille_languages::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AgslShader {
    file: Box<str>,
    source: Box<str>,
    program: Arc<Program>,
    children: Vec<Option<AgslShader>>,
}

impl AgslShader {
    /// Parses and checks a program; an error contains all messages.
    pub fn parse(source: &str, options: &Options) -> Result<Self, CompileError> {
        if source.len() > MAX_BYTES {
            let message = format!("the source has more than {MAX_BYTES} bytes");
            return Err(CompileError::new(Language::Agsl, &options.file, "", message));
        }
        let source = &*crate::with_line_feeds(source);
        let program = super::stack::on_large_stack(source.len(), || parse(source, options))
            .unwrap_or_else(|e| Err(CompileError::because(Language::Agsl, &options.file, e)))?;
        let children = vec![None; program.children.len()];
        Ok(AgslShader {
            file: options.file.as_str().into(),
            source: source.into(),
            program: Arc::new(program),
            children,
        })
    }

    /// Kind of the program: a shader, a colour filter or a blender.
    pub fn kind(&self) -> AgslKind {
        self.program.kind
    }

    /// Names and kinds of the children, in source order.
    pub fn children(&self) -> impl Iterator<Item = (&str, AgslKind)> {
        self.program.children.iter().map(|child| (child.name.as_str(), child.kind))
    }

    /// Names of the uniforms declared with `layout(color)`, in source order.
    pub fn colors(&self) -> impl Iterator<Item = &str> {
        self.program.uniforms.iter().filter(|u| u.color).map(|u| u.name.as_str())
    }

    /// Names of the images that the fragment shader samples: children without a bound program, nested ones as
    /// `child.name`, and, for a colour filter or blender, the parameters of `main`.
    pub fn pictures(&self) -> Vec<String> {
        let mut list = Vec::new();
        self.add_pictures("", &mut list);
        if self.kind() != AgslKind::Shader {
            list.extend(main_inputs(&self.program));
        }
        list
    }

    fn add_pictures(&self, prefix: &str, list: &mut Vec<String>) {
        for (child, bound) in self.program.children.iter().zip(&self.children) {
            match bound {
                Some(bound) => bound.add_pictures(&format!("{prefix}{}.", child.name), list),
                None if child.kind == AgslKind::Shader => list.push(format!("{prefix}{}", child.name)),
                None => {}
            }
        }
    }

    /// Binds another program to a child. `blur.image` names the child `image` of the program bound to the child `blur`.
    ///
    /// # Errors
    /// If there is no such child, or if the program is of another kind.
    pub fn bind(&mut self, name: &str, child: AgslShader) -> Result<(), CompileError> {
        let error = |message| Err(CompileError::new(Language::Agsl, &self.file, "", message));
        if let Some((first, rest)) = name.split_once('.') {
            let at = self.program.children.iter().position(|c| c.name == first);
            return match at.and_then(|at| self.children[at].as_mut()) {
                Some(inner) => inner.bind(rest, child),
                None => error(format!("no program is bound to a child `{first}`")),
            };
        }
        let Some(at) = self.program.children.iter().position(|c| c.name == name) else {
            let names: Vec<&str> = self.children().map(|(name, _)| name).collect();
            let there = if names.is_empty() { "none".into() } else { names.join(", ") };
            return error(format!("there is no child `{name}`; there are: {there}"));
        };
        let wanted = self.program.children[at].kind;
        if child.kind() != wanted {
            let (wanted, given) = (wanted.name(), child.kind().name());
            return error(format!("the child `{name}` is a {wanted}, but {} is a {given}", child.file));
        }
        self.children[at] = Some(child);
        Ok(())
    }

    /// Compiles the program, with its children, to a fragment shader.
    ///
    /// If there are uniforms, set 0 has a uniform block in std140 layout at binding 0. Its members are the program's
    /// uniforms in source order, then those of its children. Image number `n` of [`AgslShader::pictures`] has its
    /// texture at binding `1 + 2n` and its sampler at the next binding. Output location 0 is the result of `main`.
    pub fn compile(&self, options: &Options) -> Result<Vec<u32>, CompileError> {
        let options = Options { file: self.file.to_string(), ..options.clone() };
        let compile = || {
            let module = emit::module(self);
            let module =
                module.map_err(|e| CompileError::new(Language::Agsl, &self.file, &self.source, e))?;
            super::parts::finish::spirv(&module, Language::Agsl, &self.source, &options)
        };
        super::stack::on_large_stack(self.source.len(), compile)
            .unwrap_or_else(|e| Err(CompileError::because(Language::Agsl, &self.file, e)))
    }
}

/// Compiles AGSL to a fragment shader whose children are images.
///
/// ```
/// use quadrille_languages::{Options, compile_agsl};
/// let words = compile_agsl("half4 main(float2 p) { return half4(1, 0, 0, 1); }", &Options::default())?;
/// assert_eq!(words[0], 0x0723_0203);
/// # Ok::<(), quadrille_languages::CompileError>(())
/// ```
pub fn compile_agsl(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    AgslShader::parse(source, options)?.compile(options)
}

fn parse(source: &str, options: &Options) -> Result<Program, CompileError> {
    let mut report = Report::default();
    let tokens = lexer::lex(source, &mut report);
    let tree = parser::parse(source, &tokens, &mut report);
    match check::check(source, &tree, &mut report) {
        Some(program) => Ok(program),
        None => Err(report.into_error(Language::Agsl, &options.file, source)),
    }
}

/// Names of the parameters of `main` in a colour filter or blender; they name images.
fn main_inputs(program: &Program) -> Vec<String> {
    let main = &program.functions[program.main as usize];
    let fallback: &[&str] = match program.kind {
        AgslKind::Shader => &["coord"],
        AgslKind::ColorFilter => &["color"],
        AgslKind::Blender => &["src", "dst"],
    };
    let name = |(local, fallback): (&tree::Local, &&str)| match local.name.as_str() {
        "" => (*fallback).to_owned(),
        name => name.to_owned(),
    };
    main.locals.iter().zip(fallback).map(name).collect()
}
