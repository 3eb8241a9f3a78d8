//! Parses ray tracing statements only to find the statements after them; scripts with ray tracing never run.

use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{Pipeline, PipelineKind};
use crate::script::parser::Parser;

/// Parses `ACCELERATION_STRUCTURE` after the keyword.
pub fn acceleration_structure(p: &mut Parser<'_>) -> Parse<()> {
    p.model.needs.foreign.push("ray tracing".into());
    let levels = &[("BOTTOM_LEVEL", ()), ("TOP_LEVEL", ())];
    p.choice(levels, "BOTTOM_LEVEL or TOP_LEVEL")?;
    let name = p.word("the name of the acceleration structure")?;
    p.end()?;
    blocks(p, &name)
}

/// Skips words up to the `END` of the block, including nested blocks.
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
            // A flag list on separate lines, which has its own `END`.
            "FLAGS" if p.lexer.peek().is_end() => depth += 1,
            _ => {}
        }
    }
}

/// Parses a statement that only ray tracing pipelines have.
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
