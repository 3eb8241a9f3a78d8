//! Parses AmberScript, statement by statement.
//!
//! After an invalid statement, parsing continues on the next line. Execution checks facts that the text does not show,
//! such as sizes and contents of files.

mod bind;
mod buffers;
mod pipeline;
mod rays;
mod run;
mod shaders;
mod state;

pub use buffers::elements_of_text;

use std::sync::Arc;

use quadrille::ImageType;

use crate::layout::Layout;
use crate::offers;
use crate::script::lexer::{Kind, Parse, Problem, Token};
use crate::script::model::{
    Action, Buffer, BufferId, Color, Command, Initial, PipelineId, PipelineKind, VirtualFile,
};
use crate::script::parser::{Parser, declare};

/// Parses a script.
pub fn parse(p: &mut Parser<'_>) {
    while !p.gives_up() {
        let token = p.lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::EndOfLine => continue,
            _ => {}
        }
        let name = declared(p, &token);
        let result = statement(p, &token);
        if result.is_err() {
            p.broken.extend(name);
            skip_source(p, &token);
        }
        p.recover(result);
    }
    if p.problems.is_empty() {
        finish(p);
    }
}

/// Returns the name that a statement declares.
fn declared(p: &Parser<'_>, token: &Token<'_>) -> Option<String> {
    let mut lexer = p.lexer.clone();
    match token.text {
        "BUFFER" | "IMAGE" | "STRUCT" | "SAMPLER" | "DERIVE_PIPELINE" => {}
        "SHADER" | "PIPELINE" => {
            lexer.next();
        }
        _ => return None,
    }
    Some(lexer.next().text.to_string())
}

/// Skips the source after an invalid header line, so that it is not parsed as commands.
fn skip_source(p: &mut Parser<'_>, token: &Token<'_>) {
    let (start, length) = p.lexer.line_span_at(token.start);
    let header = p.lexer.slice(start, start + length);
    let has = |word: &str| header.split_whitespace().skip(1).any(|w| w == word);
    let elsewhere = ["FILE", "VIRTUAL_FILE", "PASSTHROUGH"].iter().any(|word| has(word));
    let follows = token.text == "VIRTUAL_FILE" || (token.text == "SHADER" && !elsewhere);
    // If the error is after the source, the source has already been read.
    if follows && p.lexer.peek().start <= start + length {
        p.lexer.block();
    }
}

fn statement(p: &mut Parser<'_>, token: &Token<'_>) -> Parse<()> {
    if token.kind != Kind::Word {
        return Err(token.wanted("a command"));
    }
    match token.text {
        "SHADER" => shaders::shader(p),
        "VIRTUAL_FILE" => virtual_file(p),
        "BUFFER" => buffers::buffer(p),
        "IMAGE" => buffers::image(p),
        "STRUCT" => buffers::structure(p),
        "SAMPLER" => shaders::sampler(p),
        "PIPELINE" => pipeline::pipeline(p),
        "DERIVE_PIPELINE" => pipeline::derived(p),
        "DEVICE_FEATURE" | "DEVICE_PROPERTY" => feature(p),
        "DEVICE_EXTENSION" | "INSTANCE_EXTENSION" => {
            let name = p.word("the name of an extension")?.text.to_string();
            p.model.needs.extensions.push(name);
            p.end()
        }
        "SET" => engine_data(p),
        "ACCELERATION_STRUCTURE" => rays::acceleration_structure(p),
        "DEBUG" => {
            p.model.needs.foreign.push("a debugger (DEBUG)".into());
            p.lexer.skip_line();
            rays::blocks(p, token)
        }
        "REPEAT" => repeat(p),
        name => match run::command(p, name)? {
            Some(command) => {
                p.model.commands.push(command);
                Ok(())
            }
            None => Err(token.problem(format!("`{name}` is not a command"))),
        },
    }
}

fn virtual_file(p: &mut Parser<'_>) -> Parse<()> {
    let at = p.lexer.peek();
    let path = p.path("the path of the virtual file")?;
    p.end()?;
    let Some((text, first)) = p.lexer.block() else { return Err(at.problem("the virtual file has no END")) };
    if p.model.virtual_files.iter().any(|file| file.path == path) {
        return Err(at.problem(format!("the virtual file `{path}` is declared twice")));
    }
    p.model.virtual_files.push(VirtualFile { path, text: text.into(), lines_before: first - 1 });
    p.end()
}

fn feature(p: &mut Parser<'_>) -> Parse<()> {
    let token = p.word("the name of a feature or property")?;
    if offers::feature(token.text).or(offers::property(token.text)).is_none() {
        return Err(token.problem(format!("there is no feature or property `{}`", token.text)));
    }
    p.model.needs.features.push(token.text.into());
    p.end()
}

fn engine_data(p: &mut Parser<'_>) -> Parse<()> {
    p.expect("ENGINE_DATA")?;
    let token = p.word("what is set")?;
    if token.text != "fence_timeout_ms" {
        return Err(token.problem(format!("there is no engine data `{}`", token.text)));
    }
    p.model.fence_timeout_ms = Some(p.uint("milliseconds")?);
    p.end()
}

fn repeat(p: &mut Parser<'_>) -> Parse<()> {
    let line = p.lexer.line();
    let at = p.lexer.peek();
    let count = p.uint("how often")?;
    if count == 0 {
        return Err(at.problem("commands must be repeated at least once"));
    }
    p.end()?;
    let mut commands = Vec::new();
    while !p.gives_up() {
        let token = p.lexer.next();
        match token.kind {
            Kind::End => return Err(at.problem("REPEAT has no END")),
            Kind::EndOfLine => continue,
            Kind::Word if token.text == "END" => break,
            _ => {}
        }
        match run::command(p, token.text) {
            Ok(Some(command)) => commands.push(command),
            Ok(None) => p.recover(Err(token.problem(format!("`{}` cannot be repeated", token.text)))),
            Err(problem) => p.recover(Err(problem)),
        }
    }
    p.model.commands.push(Command { line, action: Action::Repeat(count, commands) });
    p.end()
}

/// Declares a buffer or image.
fn declare_buffer(p: &mut Parser<'_>, name: &Token<'_>, buffer: Buffer) -> Parse<()> {
    let id = BufferId(p.model.buffers.len());
    declare(&mut p.buffers, name.text.to_string(), id, name)?;
    p.model.buffers.push(buffer);
    Ok(())
}

/// Completes the model from the whole script: default attachments, attachment sizes, depth bounds.
fn finish(p: &mut Parser<'_>) {
    default_colors(p);
    default_depth_stencils(p);
    let bounds = p.model.needs.features.iter().any(|f| f == "depthBounds");
    let lexer = p.lexer.clone();
    let problem = |line: u32, message: String| {
        let (start, length) = lexer.line_span(line);
        Problem { start, length, message }
    };
    let mut sized: Vec<Option<[u32; 2]>> = vec![None; p.model.buffers.len()];
    let mut problems = Vec::new();
    for pipeline in &mut p.model.pipelines {
        match pipeline.kind {
            PipelineKind::Compute if pipeline.stages.is_empty() => {
                problems.push(problem(pipeline.line, format!("pipeline `{}` has no shader", pipeline.name)));
            }
            PipelineKind::Graphics
                if !pipeline.stages.iter().any(|s| s.stage == quadrille::Stage::Vertex) =>
            {
                let message = format!("pipeline `{}` has no vertex shader", pipeline.name);
                problems.push(problem(pipeline.line, message));
            }
            _ => {}
        }
        if bounds && pipeline.state.has_bounds {
            Arc::make_mut(&mut pipeline.state).desc.depth.bounds = true;
        }
        let colors = pipeline.colors.iter().map(|c| (c.buffer, c.level));
        let others = pipeline.depth_stencil.iter().chain(&pipeline.resolves).map(|&b| (b, 0));
        for (id, level) in colors.chain(others) {
            let size = pipeline.size.map(|s| u32::try_from(u64::from(s) << level.min(31)).unwrap_or(0));
            let buffer = &mut p.model.buffers[id.0];
            let same = sized[id.0].is_none_or(|other| other == size);
            let elements = u64::from(size[0]) * u64::from(size[1]);
            if !same || elements == 0 || elements > 1 << 28 {
                let message = format!(
                    "attachment `{}` would be {} by {} texels in pipeline `{}`{}",
                    buffer.name,
                    size[0],
                    size[1],
                    pipeline.name,
                    if same { "" } else { ", of another size elsewhere" }
                );
                problems.push(problem(pipeline.line, message));
                continue;
            }
            sized[id.0] = Some(size);
            buffer.extent = [size[0], size[1], 1];
            buffer.elements = elements as u32;
        }
    }
    p.problems.extend(problems);
    copied_sizes(&p.model.commands, &mut p.model.buffers);
}

/// Gives the target of a copy the shape of its source.
fn copied_sizes(commands: &[Command], buffers: &mut [Buffer]) {
    for command in commands {
        match &command.action {
            Action::Copy(from, to) => {
                let (elements, extent) = (buffers[from.0].elements, buffers[from.0].extent);
                (buffers[to.0].elements, buffers[to.0].extent) = (elements, extent);
            }
            Action::Repeat(_, commands) => copied_sizes(commands, buffers),
            _ => {}
        }
    }
}

/// Adds a colour attachment to graphics pipelines without one; pipelines of equal size share it.
fn default_colors(p: &mut Parser<'_>) {
    const NAME: &str = "framebuffer";
    let mut made: Vec<([u32; 2], BufferId)> = Vec::new();
    let declared = p.buffers.get(NAME).copied();
    for at in 0..p.model.pipelines.len() {
        let pipeline = &p.model.pipelines[at];
        if pipeline.kind != PipelineKind::Graphics || !pipeline.colors.is_empty() {
            continue;
        }
        let size = pipeline.size;
        let known = declared.or(made.iter().find(|(s, _)| *s == size).map(|(_, id)| *id));
        let buffer = known.unwrap_or_else(|| {
            let id = BufferId(p.model.buffers.len());
            p.model.buffers.push(color_buffer(NAME, quadrille::Format::B8G8R8A8_UNORM));
            made.push((size, id));
            id
        });
        p.model.pipelines[at].colors.push(Color { buffer, location: 0, level: 0 });
    }
    // Expectations parsed earlier could name this buffer only if the script declares it.
}

/// Adds an attachment to each graphics pipeline that tests or clears depth or stencil but has none.
fn default_depth_stencils(p: &mut Parser<'_>) {
    fn clears(commands: &[Command], id: PipelineId) -> bool {
        commands.iter().any(|c| match &c.action {
            Action::ClearDepth(of, _) | Action::ClearStencil(of, _) => *of == id,
            Action::Repeat(_, commands) => clears(commands, id),
            _ => false,
        })
    }
    for at in 0..p.model.pipelines.len() {
        let pipeline = &p.model.pipelines[at];
        let desc = &pipeline.state.desc;
        let used = desc.depth.test || desc.stencil_test || clears(&p.model.commands, PipelineId(at));
        if pipeline.kind == PipelineKind::Graphics && pipeline.depth_stencil.is_none() && used {
            let id = BufferId(p.model.buffers.len());
            let format = quadrille::Format::D32_SFLOAT_S8_UINT;
            p.model.buffers.push(Buffer {
                samples: p.model.buffers[pipeline.colors[0].buffer.0].samples,
                ..color_buffer("depth_stencil", format)
            });
            p.model.pipelines[at].depth_stencil = Some(id);
        }
    }
}

/// Describes an image to render to.
pub fn color_buffer(name: &str, format: quadrille::Format) -> Buffer {
    Buffer {
        name: name.into(),
        layout: Arc::new(Layout::of_format(format)),
        initial: Initial::Zero,
        elements: 0,
        extent: [1; 3],
        dim: ImageType::D2,
        levels: 1,
        samples: 1,
        line: 0,
    }
}
