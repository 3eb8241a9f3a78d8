//! Ray tracing: statements that are read, so that what follows is, too, and never done.

use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{Pipeline, PipelineKind};
use crate::script::parser::Parser;

/// `ACCELERATION_STRUCTURE`, after the word.
pub fn acceleration_structure(p: &mut Parser<'_>) -> Parse<()> {
    p.model.needs.foreign.push("ray tracing".into());
    let levels = &[("BOTTOM_LEVEL", ()), ("TOP_LEVEL", ())];
    p.choice(levels, "BOTTOM_LEVEL or TOP_LEVEL")?;
    let name = p.word("the name of the acceleration structure")?;
    p.end()?;
    blocks(p, &name)
}

/// Words up to the `END` of the block, whose own blocks have one too.
pub fn blocks(p: &mut Parser<'_>, at: &Token<'_>) -> Parse<()> {
    let mut depth = 1;
    loop {
        let token = p.lexer.next();
        match token.kind {
            Kind::End => return Err(at.problem("the block has no END")),
            Kind::EndOfLine => continue,
            _ => {}
        }
        match token.text {
            "END" => {
                depth -= 1;
                if depth == 0 {
                    return p.end();
                }
            }
            "GEOMETRY" | "BOTTOM_LEVEL_INSTANCE" | "TRANSFORM" | "THREAD" => depth += 1,
            // A list on lines of its own.
            "FLAGS" if p.lexer.peek().is_end() => depth += 1,
            _ => {}
        }
    }
}

/// A statement in a pipeline that only ray tracing has.
pub fn pipeline_statement(p: &mut Parser<'_>, pipeline: &Pipeline, token: &Token<'_>) -> Parse<()> {
    if pipeline.kind != PipelineKind::RayTracing {
        return Err(token.problem(format!("a pipeline has no `{}`", token.text)));
    }
    match token.text {
        "SHADER_GROUP" | "USE_LIBRARY" => {
            p.word("a name")?;
            p.lexer.skip_line();
            Ok(())
        }
        "MAX_RAY_PAYLOAD_SIZE" | "MAX_RAY_HIT_ATTRIBUTE_SIZE" | "MAX_RAY_RECURSION_DEPTH" => {
            p.uint("a number")?;
            p.end()
        }
        "SHADER_BINDING_TABLE" => {
            let name = p.word("the name of the table")?;
            p.end()?;
            blocks(p, &name)
        }
        "FLAGS" if p.lexer.peek().is_end() => blocks(p, token),
        "FLAGS" => {
            p.lexer.skip_line();
            Ok(())
        }
        _ => Err(token.problem(format!("a pipeline has no `{}`", token.text))),
    }
}
