//! Parses the fixed-function state of pipelines: `DEPTH`, `STENCIL`, `BLEND`, `VIEWPORT`, `POLYGON_MODE`.

use quadrille::{PolygonMode, StencilDynamic, StencilFace, Viewport};

use super::shaders::switch;
use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::State;
use crate::script::names::{BLEND_FACTORS, BLEND_OPS, COMPARE_OPS, STENCIL_OPS};
use crate::script::parser::Parser;

/// Parses the settings of a block up to its `END`.
fn block(
    p: &mut Parser<'_>,
    what: &str,
    mut setting: impl FnMut(&mut Parser<'_>, &Token<'_>) -> Parse<()>,
) -> Parse<()> {
    let at = p.lexer.peek();
    loop {
        let token = p.lexer.next();
        match token.kind {
            Kind::EndOfLine => {}
            Kind::End => return Err(at.problem(format!("{what} has no END"))),
            Kind::Word if token.text == "END" => return p.end(),
            _ => {
                let result = setting(p, &token);
                p.recover(result);
            }
        }
        if p.gives_up() {
            return Ok(());
        }
    }
}

fn unknown(token: &Token<'_>, what: &str) -> Parse<()> {
    Err(token.problem(format!("{what} has no setting `{}`", token.text)))
}

/// Parses `DEPTH` after the keyword.
pub fn depth(p: &mut Parser<'_>, state: &mut State) -> Parse<()> {
    block(p, "DEPTH", |p, token| {
        match token.text {
            "TEST" => state.desc.depth.test = switch(p)?,
            "WRITE" => state.desc.depth.write = switch(p)?,
            "CLAMP" => state.desc.depth_clamp = switch(p)?,
            "COMPARE_OP" => state.desc.depth.compare = p.choice(COMPARE_OPS, "a comparison")?,
            "BOUNDS" => {
                state.has_bounds = true;
                p.expect("min")?;
                state.dynamic.depth_bounds[0] = p.float("a depth")? as f32;
                p.expect("max")?;
                state.dynamic.depth_bounds[1] = p.float("a depth")? as f32;
            }
            "BIAS" => {
                state.desc.depth_bias = true;
                p.expect("constant")?;
                state.dynamic.depth_bias.constant = p.float("a factor")? as f32;
                p.expect("clamp")?;
                state.dynamic.depth_bias.clamp = p.float("a depth")? as f32;
                p.expect("slope")?;
                state.dynamic.depth_bias.slope = p.float("a factor")? as f32;
            }
            _ => return unknown(token, "DEPTH"),
        }
        Ok(())
    })
}

/// Parses `STENCIL` after the keyword.
pub fn stencil(p: &mut Parser<'_>, state: &mut State) -> Parse<()> {
    let faces: &[(&str, [bool; 2])] =
        &[("front", [true, false]), ("back", [false, true]), ("front_and_back", [true, true])];
    let faces = p.choice(faces, "a face")?;
    block(p, "STENCIL", |p, token| {
        if token.text == "TEST" {
            state.desc.stencil_test = switch(p)?;
            return Ok(());
        }
        let op = |p: &mut Parser<'_>| p.choice(STENCIL_OPS, "a stencil operation");
        let mut face = StencilFace::default();
        let mut masks = StencilDynamic::default();
        match token.text {
            "FAIL_OP" => face.fail = op(p)?,
            "PASS_OP" => face.pass = op(p)?,
            "DEPTH_FAIL_OP" => face.depth_fail = op(p)?,
            "COMPARE_OP" => face.compare = p.choice(COMPARE_OPS, "a comparison")?,
            "COMPARE_MASK" => masks.compare_mask = p.uint("a mask")?,
            "WRITE_MASK" => masks.write_mask = p.uint("a mask")?,
            "REFERENCE" => masks.reference = p.uint("a reference")?,
            _ => return unknown(token, "STENCIL"),
        }
        for (i, _) in faces.iter().enumerate().filter(|(_, on)| **on) {
            let (to, to_masks) = (&mut state.desc.stencil[i], &mut state.dynamic.stencil[i]);
            match token.text {
                "FAIL_OP" => to.fail = face.fail,
                "PASS_OP" => to.pass = face.pass,
                "DEPTH_FAIL_OP" => to.depth_fail = face.depth_fail,
                "COMPARE_OP" => to.compare = face.compare,
                "COMPARE_MASK" => to_masks.compare_mask = masks.compare_mask,
                "WRITE_MASK" => to_masks.write_mask = masks.write_mask,
                _ => to_masks.reference = masks.reference,
            }
        }
        Ok(())
    })
}

/// Parses `BLEND` after the keyword.
pub fn blend(p: &mut Parser<'_>, state: &mut State) -> Parse<()> {
    state.blend.enable = true;
    block(p, "BLEND", |p, token| {
        let [color, alpha] = &mut state.blend.equations;
        let factor = |p: &mut Parser<'_>| p.choice(BLEND_FACTORS, "a blend factor");
        let op = |p: &mut Parser<'_>| p.choice(BLEND_OPS, "a blend operation");
        match token.text {
            "SRC_COLOR_FACTOR" => color.src = factor(p)?,
            "DST_COLOR_FACTOR" => color.dst = factor(p)?,
            "COLOR_OP" => color.op = op(p)?,
            "SRC_ALPHA_FACTOR" => alpha.src = factor(p)?,
            "DST_ALPHA_FACTOR" => alpha.dst = factor(p)?,
            "ALPHA_OP" => alpha.op = op(p)?,
            _ => return unknown(token, "BLEND"),
        }
        Ok(())
    })
}

/// Parses `VIEWPORT` after the keyword.
pub fn viewport(p: &mut Parser<'_>, state: &mut State) -> Parse<()> {
    let number = |p: &mut Parser<'_>| Ok(p.float("a number")? as f32);
    let (x, y) = (number(p)?, number(p)?);
    p.expect("SIZE")?;
    let (width, height) = (number(p)?, number(p)?);
    let mut viewport = Viewport { x, y, width, height, min_depth: 0.0, max_depth: 1.0 };
    loop {
        match () {
            () if p.takes("MIN_DEPTH") => viewport.min_depth = number(p)?,
            () if p.takes("MAX_DEPTH") => viewport.max_depth = number(p)?,
            () => break,
        }
    }
    state.viewport = Some(viewport);
    p.end()
}

/// Parses `POLYGON_MODE` after the keyword.
pub fn polygon_mode(p: &mut Parser<'_>, state: &mut State) -> Parse<()> {
    let modes = &[("fill", PolygonMode::Fill), ("line", PolygonMode::Line), ("point", PolygonMode::Point)];
    state.desc.polygon_mode = p.choice(modes, "a polygon mode")?;
    p.end()
}
