//! Parses commands: `RUN`, `CLEAR` and its colours, `COPY`, `EXPECT`.

use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{
    Action, Area, BufferId, Command, Comparator, Draw, Expect, Likeness, PipelineId, PipelineKind, Tolerance,
};
use crate::script::names::{TOPOLOGIES, find};
use crate::script::parser::Parser;

/// Parses the command of this name; `None` if it is not a command that `REPEAT` may contain.
pub fn command(p: &mut Parser<'_>, name: &str) -> Parse<Option<Command>> {
    let line = p.lexer.line();
    let action = match name {
        "RUN" => run(p)?,
        "CLEAR" => {
            let pipeline = graphics(p)?;
            p.end()?;
            Action::Clear(pipeline)
        }
        "CLEAR_COLOR" => {
            let pipeline = graphics(p)?;
            let mut color = [0.0; 4];
            for c in &mut color {
                *c = byte(p)? as f32 / 255.0;
            }
            p.end()?;
            Action::ClearColor(pipeline, color)
        }
        "CLEAR_DEPTH" => {
            let pipeline = graphics(p)?;
            let depth = p.float("a depth")? as f32;
            p.end()?;
            Action::ClearDepth(pipeline, depth)
        }
        "CLEAR_STENCIL" => {
            let pipeline = graphics(p)?;
            let value = byte(p)?;
            p.end()?;
            Action::ClearStencil(pipeline, value)
        }
        "COPY" => copy(p)?,
        "EXPECT" => Action::Expect(expect(p)?),
        _ => return Ok(None),
    };
    Ok(Some(Command { line, action }))
}

fn byte(p: &mut Parser<'_>) -> Parse<u32> {
    let token = p.lexer.next();
    token.as_u32().filter(|v| *v <= 255).ok_or_else(|| token.wanted("an integer from 0 to 255"))
}

fn graphics(p: &mut Parser<'_>) -> Parse<PipelineId> {
    let token = p.lexer.peek();
    let id = p.pipeline()?;
    if p.model.pipelines[id.0].kind != PipelineKind::Graphics {
        return Err(token.problem("only graphics pipelines are cleared"));
    }
    Ok(id)
}

fn copy(p: &mut Parser<'_>) -> Parse<Action> {
    let from = p.buffer()?;
    p.expect("TO")?;
    let token = p.lexer.peek();
    let to = p.buffer()?;
    if from == to {
        return Err(token.problem("a buffer cannot be copied to itself"));
    }
    p.end()?;
    Ok(Action::Copy(from, to))
}

fn run(p: &mut Parser<'_>) -> Parse<Action> {
    // Execution times are not reported, so the keyword has no effect.
    p.takes("TIMED_EXECUTION");
    let at = p.lexer.peek();
    let id = p.pipeline()?;
    let kind = p.model.pipelines[id.0].kind;
    match kind {
        PipelineKind::RayTracing => {
            // The script is skipped, so this command never runs.
            p.lexer.skip_line();
            Ok(Action::Compute(id, [0; 3]))
        }
        PipelineKind::Compute => {
            let groups = [p.uint("workgroups along x")?, p.uint("workgroups along y")?, p.uint("along z")?];
            p.end()?;
            Ok(Action::Compute(id, groups))
        }
        PipelineKind::Graphics => {
            let token = p.lexer.next();
            let draw = match token.text {
                "DRAW_RECT" => rect(p, id, &at)?,
                "DRAW_GRID" => grid(p, id, &at)?,
                "DRAW_ARRAY" => array(p, id, &at)?,
                _ => return Err(token.wanted("DRAW_RECT, DRAW_GRID or DRAW_ARRAY")),
            };
            Ok(Action::Draw(id, None, draw))
        }
    }
}

fn rectangle(p: &mut Parser<'_>) -> Parse<[f32; 4]> {
    p.expect("POS")?;
    let (x, y) = (p.uint("x in pixels")?, p.uint("y in pixels")?);
    p.expect("SIZE")?;
    Ok([x, y, p.uint("the width in pixels")?, p.uint("the height in pixels")?].map(|v| v as f32))
}

fn rect(p: &mut Parser<'_>, id: PipelineId, at: &Token<'_>) -> Parse<Draw> {
    if p.model.pipelines[id.0].vertices.len() > 1 {
        return Err(at.problem("DRAW_RECT requires a pipeline with at most one VERTEX_DATA"));
    }
    let rect = rectangle(p)?;
    p.end()?;
    Ok(Draw::Rect { rect, ortho: true, patch: false })
}

fn grid(p: &mut Parser<'_>, id: PipelineId, at: &Token<'_>) -> Parse<Draw> {
    if !p.model.pipelines[id.0].vertices.is_empty() {
        return Err(at.problem("DRAW_GRID requires a pipeline without VERTEX_DATA"));
    }
    let rect = rectangle(p)?;
    p.expect("CELLS")?;
    let token = p.lexer.peek();
    let cells = [p.uint("how many columns")?, p.uint("how many rows")?];
    if u64::from(cells[0]) * u64::from(cells[1]) > 1 << 22 {
        return Err(token.problem("there are too many cells"));
    }
    p.end()?;
    Ok(Draw::Grid { rect, cells })
}

fn array(p: &mut Parser<'_>, id: PipelineId, at: &Token<'_>) -> Parse<Draw> {
    if p.model.pipelines[id.0].vertices.is_empty() {
        return Err(at.problem("DRAW_ARRAY requires a pipeline with VERTEX_DATA"));
    }
    p.expect("AS")?;
    let token = p.word("a topology")?;
    let topology = find(TOPOLOGIES, token.text);
    let topology = topology.ok_or_else(|| token.problem(format!("`{}` is not a topology", token.text)))?;
    let (mut indexed, mut first, mut count, mut first_instance, mut instances) = (false, 0, None, 0, 1);
    let positive = |p: &mut Parser<'_>| {
        let token = p.lexer.peek();
        p.uint("how many")?;
        token.as_u32().filter(|n| *n > 0).ok_or_else(|| token.wanted("a positive number"))
    };
    loop {
        let token = p.lexer.next();
        match token.text {
            _ if token.is_end() => break,
            "INDEXED" if p.model.pipelines[id.0].indices.is_none() => {
                return Err(token.problem("the pipeline has no INDEX_DATA"));
            }
            "INDEXED" => indexed = true,
            "START_IDX" => first = p.uint("a number of vertices")?,
            "COUNT" => count = Some(positive(p)?),
            "START_INSTANCE" => first_instance = p.uint("a number of instances")?,
            "INSTANCE_COUNT" => instances = positive(p)?,
            _ => return Err(token.wanted("INDEXED, START_IDX, COUNT, START_INSTANCE or INSTANCE_COUNT")),
        }
    }
    Ok(Draw::Array { topology, indexed, first, count, first_instance, instances })
}

fn expect(p: &mut Parser<'_>) -> Parse<Expect> {
    let buffer = p.buffer()?;
    let token = p.word("IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER")?;
    match token.text {
        "IDX" => at_index(p, buffer),
        "EQ_BUFFER" | "RMSE_BUFFER" | "EQ_HISTOGRAM_EMD_BUFFER" => {
            let other = p.buffer()?;
            let how = match token.text {
                "EQ_BUFFER" => Likeness::Equal,
                name => {
                    p.expect("TOLERANCE")?;
                    let tolerance = p.float("a tolerance")?;
                    if name == "RMSE_BUFFER" {
                        Likeness::Rmse(tolerance)
                    } else {
                        Likeness::HistogramEmd(tolerance)
                    }
                }
            };
            p.end()?;
            Ok(Expect::Buffers(buffer, other, how))
        }
        _ => Err(token.wanted("IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER")),
    }
}

const COMPARATORS: &[(&str, Comparator)] = &[
    ("EQ", Comparator::Eq),
    ("NE", Comparator::Ne),
    ("LT", Comparator::Lt),
    ("LE", Comparator::Le),
    ("GT", Comparator::Gt),
    ("GE", Comparator::Ge),
];

fn at_index(p: &mut Parser<'_>, buffer: BufferId) -> Parse<Expect> {
    let x = p.uint("an index")?;
    let token = p.lexer.peek();
    if matches!(token.kind, Kind::Int(_) | Kind::Hex(_)) {
        let y = p.uint("an index")?;
        p.expect("SIZE")?;
        return texels(p, buffer, [x, y]);
    }
    let tolerances = if p.takes("TOLERANCE") { tolerances(p)? } else { Vec::new() };
    let token = p.lexer.peek();
    let mut comparator = p.choice(COMPARATORS, "a comparator")?;
    if !tolerances.is_empty() {
        if comparator != Comparator::Eq {
            return Err(token.problem("a TOLERANCE requires EQ"));
        }
        comparator = Comparator::Near;
    }
    let layout = p.model.buffers[buffer.0].layout.clone();
    let values = p.values(&layout)?;
    Ok(Expect::Values { buffer, layout, offset: x.into(), comparator, values, tolerances })
}

fn texels(p: &mut Parser<'_>, buffer: BufferId, [x, y]: [u32; 2]) -> Parse<Expect> {
    let token = p.lexer.peek();
    let (width, height) = (p.uint("the width")?, p.uint("the height")?);
    if width == 0 || height == 0 {
        return Err(token.wanted("a positive size"));
    }
    let alpha = p.choice(&[("EQ_RGB", false), ("EQ_RGBA", true)], "a comparator of colours")?;
    let mut color = [0.0; 4];
    for c in color.iter_mut().take(if alpha { 4 } else { 3 }) {
        *c = f64::from(byte(p)? as f32 / 255.0);
    }
    let token = p.lexer.peek();
    let tolerances = if p.takes("TOLERANCE") { tolerances(p)? } else { Vec::new() };
    if tolerances.len() > 3 && !alpha {
        return Err(token.problem("EQ_RGB has three tolerances at most"));
    }
    p.end()?;
    let area = Area::Texels([x, y, width, height].map(|v| v as f32));
    Ok(Expect::Texels { buffer, area, color, alpha, tolerances })
}

/// Parses one to four tolerances, in percent if `%` follows.
fn tolerances(p: &mut Parser<'_>) -> Parse<Vec<Tolerance>> {
    let mut list = Vec::new();
    loop {
        let token = p.lexer.peek();
        let Some(value) = token.as_float() else { break };
        if list.len() == 4 {
            return Err(token.problem("there are four tolerances at most"));
        }
        p.lexer.next();
        list.push(Tolerance { value, percent: p.takes("%") });
    }
    if list.is_empty() { Err(p.lexer.peek().wanted("a tolerance")) } else { Ok(list) }
}
