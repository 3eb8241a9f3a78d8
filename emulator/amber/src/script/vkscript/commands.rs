//! Parses the section `test`: draws, dispatches, buffers and probes.

use std::sync::Arc;

use quadrille::{DescriptorKind, Stage};

use super::{FRAMEBUFFER, PIPELINE, Size, new_buffer, state};
use crate::layout::{DataType, Layout, Standard};
use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{
    Action, Area, Binding, Bound, BufferId, Command, Comparator, Draw, Expect, PipelineKind, State, Tolerance,
};
use crate::script::names::{TOPOLOGIES, find};
use crate::script::parser::Parser;

/// State that applies to the following commands.
struct Test<'s> {
    state: Arc<State>,
    tolerances: Vec<Tolerance>,
    sizes: &'s mut Vec<Size>,
}

/// Parses all commands of the section.
pub fn test(p: &mut Parser<'_>, sizes: &mut Vec<Size>) {
    let mut test = Test { state: Arc::default(), tolerances: Vec::new(), sizes };
    while !p.gives_up() {
        let token = p.lexer.next();
        match token.kind {
            Kind::End => return,
            Kind::EndOfLine => continue,
            _ => {}
        }
        let line = p.lexer.line();
        match command(p, &mut test, &token) {
            Ok(Some(action)) => p.model.commands.push(Command { line, action }),
            Ok(None) => {}
            Err(problem) => p.recover(Err(problem)),
        }
    }
}

fn command(p: &mut Parser<'_>, test: &mut Test<'_>, token: &Token<'_>) -> Parse<Option<Action>> {
    let needs = |kind: PipelineKind, p: &Parser<'_>, what: &str| {
        let found = p.model.pipelines[PIPELINE.0].kind;
        if found == kind { Ok(()) } else { Err(token.problem(format!("there is no {what}"))) }
    };
    let action = match token.text {
        "draw" => {
            needs(PipelineKind::Graphics, p, "shader that draws")?;
            let token = p.word("rect or arrays")?;
            let draw = match token.text {
                "rect" => rect(p)?,
                "arrays" => arrays(p)?,
                _ => return Err(token.wanted("rect or arrays")),
            };
            p.end()?;
            Action::Draw(PIPELINE, Some(test.state.clone()), draw)
        }
        "compute" if !p.lexer.peek().is("entrypoint") => {
            needs(PipelineKind::Compute, p, "compute shader")?;
            let groups = [p.uint("workgroups along x")?, p.uint("along y")?, p.uint("along z")?];
            p.end()?;
            Action::Compute(PIPELINE, groups)
        }
        "vertex" | "fragment" | "geometry" | "compute" | "tessellation" => entry_point(p, token.text)?,
        "clear" => {
            needs(PipelineKind::Graphics, p, "shader that draws")?;
            clear(p)?
        }
        "patch" => {
            p.expect("parameter")?;
            p.expect("vertices")?;
            let count = p.uint("how many")?;
            p.end()?;
            Action::PatchVertices(PIPELINE, count)
        }
        "tolerance" => {
            test.tolerances = tolerances(p)?;
            return Ok(None);
        }
        "ssbo" => return ssbo(p, test),
        "uniform" => return uniform(p, test).map(Some),
        "probe" => probe(p, test, false)?,
        "relative" => {
            p.expect("probe")?;
            probe(p, test, true)?
        }
        name => {
            return match state::set(p, Arc::make_mut(&mut test.state), name)? {
                true => Ok(None),
                false => Err(token.problem(format!("`{name}` is not a command"))),
            };
        }
    };
    Ok(Some(action))
}

fn rect(p: &mut Parser<'_>) -> Parse<Draw> {
    let (mut ortho, mut patch) = (false, false);
    loop {
        match () {
            () if p.takes("ortho") => ortho = true,
            () if p.takes("patch") => patch = true,
            () => break,
        }
    }
    let mut rect = [0.0; 4];
    for (v, what) in rect.iter_mut().zip(["x", "y", "the width", "the height"]) {
        *v = p.float(what)? as f32;
    }
    Ok(Draw::Rect { rect, ortho, patch })
}

fn arrays(p: &mut Parser<'_>) -> Parse<Draw> {
    let (mut indexed, mut instanced) = (false, false);
    loop {
        match () {
            () if p.takes("indexed") => indexed = true,
            () if p.takes("instanced") => instanced = true,
            () => break,
        }
    }
    let token = p.word("a topology")?;
    let topology = find(TOPOLOGIES, token.text);
    let topology = topology.ok_or_else(|| token.problem(format!("`{}` is not a topology", token.text)))?;
    let first = p.uint("the first vertex")?;
    let count = Some(p.uint("how many vertices")?);
    let instances = if instanced && !p.lexer.peek().is_end() { p.uint("how many instances")? } else { 1 };
    if indexed && p.model.pipelines[PIPELINE.0].indices.is_none() {
        return Err(token.problem("there are no indices"));
    }
    Ok(Draw::Array { topology, indexed, first, count, first_instance: 0, instances })
}

fn entry_point(p: &mut Parser<'_>, name: &str) -> Parse<Action> {
    let stage = match name {
        "vertex" => Stage::Vertex,
        "fragment" => Stage::Fragment,
        "geometry" => Stage::Geometry,
        "compute" => Stage::Compute,
        _ => p.choice(
            &[("control", Stage::TessellationControl), ("evaluation", Stage::TessellationEvaluation)],
            "control or evaluation",
        )?,
    };
    p.expect("entrypoint")?;
    let entry = p.word("the name of an entry point")?.text.to_string();
    p.end()?;
    Ok(Action::EntryPoint(PIPELINE, stage, entry))
}

fn clear(p: &mut Parser<'_>) -> Parse<Action> {
    let action = match () {
        () if p.takes("color") => {
            let mut color = [0.0; 4];
            for c in &mut color {
                *c = p.float("a component")? as f32;
            }
            Action::ClearColor(PIPELINE, color)
        }
        () if p.takes("depth") => Action::ClearDepth(PIPELINE, p.float("a depth")? as f32),
        () if p.takes("stencil") => Action::ClearStencil(PIPELINE, p.uint("a stencil value")?),
        () => Action::Clear(PIPELINE),
    };
    p.end()?;
    Ok(action)
}

/// Parses one tolerance or four.
fn tolerances(p: &mut Parser<'_>) -> Parse<Vec<Tolerance>> {
    let mut list = Vec::new();
    loop {
        let token = p.lexer.next();
        match token.kind {
            _ if token.is_end() => break,
            Kind::Word if token.text == "," => {}
            _ => {
                let value = token.as_float().ok_or_else(|| token.wanted("a tolerance"))?;
                list.push(Tolerance { value, percent: p.takes("%") });
            }
        }
    }
    match list.len() {
        1 | 4 => Ok(list),
        _ => Err(p.lexer.peek().problem("there must be one tolerance or four")),
    }
}

/// Parses a binding: `BINDING`, or `SET:BINDING`.
fn binding(p: &mut Parser<'_>) -> Parse<(u32, u32)> {
    let first = p.uint("the number of a binding")?;
    let token = p.lexer.peek();
    let Some(second) = token.text.strip_prefix(':') else { return Ok((0, first)) };
    p.lexer.next();
    let second = second.parse().map_err(|_| token.wanted("the number of a binding"))?;
    Ok((first, second))
}

/// Returns the buffer at a binding, creating it if necessary.
fn bound(
    p: &mut Parser<'_>,
    test: &mut Test<'_>,
    (set, number): (u32, u32),
    kind: DescriptorKind,
) -> BufferId {
    let known = p.model.pipelines[PIPELINE.0].binding(set, number);
    if let Some(id) = known.and_then(|b| b.bound[0].buffer) {
        return id;
    }
    let id = new_buffer(p, test.sizes, &format!("buffer {set}:{number}"));
    let bound =
        Bound { buffer: Some(id), sampler: None, level: 0, dynamic_offset: 0, offset: 0, range: None };
    p.model.pipelines[PIPELINE.0].bind(Binding { set, binding: number, kind, bound: vec![bound] });
    id
}

fn data_type(p: &mut Parser<'_>, standard: Standard) -> Parse<Arc<Layout>> {
    let token = p.word("a data type")?;
    let ty = DataType::of_vkscript(token.text);
    let ty = ty.ok_or_else(|| token.problem(format!("`{}` is not a data type", token.text)))?;
    Layout::new(ty, standard).map(Arc::new).map_err(|e| token.problem(e))
}

/// Parses an offset in bytes, which must be a multiple of the layout's stride.
fn offset(p: &mut Parser<'_>, layout: &Layout) -> Parse<u32> {
    let token = p.lexer.peek();
    let offset = p.uint("an offset in bytes")?;
    if !offset.is_multiple_of(layout.stride) {
        return Err(token.problem(format!("the offset is not a multiple of {} bytes", layout.stride)));
    }
    Ok(offset)
}

/// Parses values up to the end of the line, which must fill whole elements.
fn elements(p: &mut Parser<'_>, layout: &Layout) -> Parse<Arc<[u8]>> {
    let token = p.lexer.peek();
    let values = p.values(layout)?;
    if !values.len().is_multiple_of(layout.components.len()) {
        let message = format!("{} values do not fill elements of {}", values.len(), layout.components.len());
        return Err(token.problem(message));
    }
    Ok(layout.bytes(&values).into())
}

/// Sets the type of a buffer; all commands must agree on it.
fn set_type(
    p: &mut Parser<'_>,
    test: &mut Test<'_>,
    id: BufferId,
    layout: &Arc<Layout>,
    at: &Token<'_>,
) -> Parse<()> {
    let buffer = &mut p.model.buffers[id.0];
    let size = &mut test.sizes[id.0];
    if size.typed && !buffer.layout.is_like(layout) {
        return Err(at.problem("the buffer holds values of another type"));
    }
    size.typed = true;
    buffer.layout = layout.clone();
    Ok(())
}

fn ssbo(p: &mut Parser<'_>, test: &mut Test<'_>) -> Parse<Option<Action>> {
    let place = binding(p)?;
    let id = bound(p, test, place, DescriptorKind::StorageBuffer);
    if !p.takes("subdata") {
        let elements = p.uint("how many elements")?;
        test.sizes[id.0].elements = elements;
        p.end()?;
        return Ok(None);
    }
    let at = p.lexer.peek();
    let layout = data_type(p, Standard::Std430)?;
    set_type(p, test, id, &layout, &at)?;
    let offset = offset(p, &layout)?;
    let bytes = elements(p, &layout)?;
    let size = &mut test.sizes[id.0];
    size.bytes = size.bytes.max(u64::from(offset) + bytes.len() as u64);
    Ok(Some(Action::Write(id, offset.into(), bytes)))
}

fn uniform(p: &mut Parser<'_>, test: &mut Test<'_>) -> Parse<Action> {
    if !p.takes("ubo") {
        let layout = data_type(p, Standard::Std430)?;
        let offset = offset(p, &layout)?;
        return Ok(Action::Push(PIPELINE, offset, elements(p, &layout)?));
    }
    let place = binding(p)?;
    let id = bound(p, test, place, DescriptorKind::UniformBuffer);
    let at = p.lexer.peek();
    let layout = data_type(p, Standard::Std140)?;
    set_type(p, test, id, &layout, &at)?;
    let offset = offset(p, &layout)?;
    let bytes = elements(p, &layout)?;
    let size = &mut test.sizes[id.0];
    size.bytes = size.bytes.max(u64::from(offset) + bytes.len() as u64);
    Ok(Action::Write(id, offset.into(), bytes))
}

const COMPARATORS: &[(&str, Comparator)] = &[
    ("==", Comparator::Eq),
    ("!=", Comparator::Ne),
    ("<", Comparator::Lt),
    (">", Comparator::Gt),
    ("<=", Comparator::Le),
    (">=", Comparator::Ge),
    ("~=", Comparator::Near),
];

fn probe(p: &mut Parser<'_>, test: &mut Test<'_>, relative: bool) -> Parse<Action> {
    if p.takes("ssbo") {
        return probe_ssbo(p, test);
    }
    let token = p.lexer.peek();
    if p.model.pipelines[PIPELINE.0].kind != PipelineKind::Graphics {
        return Err(token.problem("there is no framebuffer"));
    }
    let (rect, all) = (p.takes("rect"), p.takes("all"));
    let alpha = p.choice(&[("rgb", false), ("rgba", true)], "rgb or rgba")?;
    let area = match (all, rect, relative) {
        (true, ..) => Area::All,
        (false, true, false) => Area::Texels(numbers(p)?.map(|v| v as f32)),
        (false, true, true) => Area::Relative(numbers(p)?.map(|v| v as f32)),
        (false, false, _) => {
            let [x, y] = numbers(p)?.map(|v| v as f32);
            if relative { Area::RelativeTexel([x, y]) } else { Area::Texels([x, y, 1.0, 1.0]) }
        }
    };
    let color = if alpha { numbers::<4>(p)? } else { with_alpha(numbers::<3>(p)?) };
    p.end()?;
    let color = color.map(|v| f64::from(v as f32));
    let tolerances = test.tolerances.clone();
    Ok(Action::Expect(Expect::Texels { buffer: FRAMEBUFFER, area, color, alpha, tolerances }))
}

fn with_alpha([r, g, b]: [f64; 3]) -> [f64; 4] {
    [r, g, b, 0.0]
}

/// Parses `N` numbers, with optional parentheses around them and commas between them.
fn numbers<const N: usize>(p: &mut Parser<'_>) -> Parse<[f64; N]> {
    let open = p.takes("(");
    let mut list = [0.0; N];
    for (i, v) in list.iter_mut().enumerate() {
        if i > 0 {
            p.takes(",");
        }
        *v = p.float("a number")?;
    }
    if open {
        p.expect(")")?;
    }
    Ok(list)
}

fn probe_ssbo(p: &mut Parser<'_>, test: &mut Test<'_>) -> Parse<Action> {
    let at = p.lexer.peek();
    let layout = data_type(p, Standard::Std430)?;
    let (set, number) = binding(p)?;
    let known = p.model.pipelines[PIPELINE.0].binding(set, number).and_then(|b| b.bound[0].buffer);
    let buffer = known.ok_or_else(|| at.problem(format!("there is no buffer at {set}:{number}")))?;
    if !test.sizes[buffer.0].typed {
        set_type(p, test, buffer, &layout, &at)?;
    }
    let offset = offset(p, &layout)?;
    let token = p.lexer.peek();
    let comparator = p.choice(COMPARATORS, "a comparator")?;
    let values = p.values(&layout)?;
    if let DataType::Plain { rows, .. } = &layout.ty
        && !values.len().is_multiple_of(usize::from(*rows))
    {
        return Err(token.problem(format!("values come in groups of {rows}")));
    }
    let tolerances = test.tolerances.clone();
    Ok(Action::Expect(Expect::Values {
        buffer,
        layout,
        offset: offset.into(),
        comparator,
        values,
        tolerances,
    }))
}
