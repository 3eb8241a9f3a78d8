//! Prints a module as text in today's WGSL.
//!
//! naga's writer prints the module but drops structure layouts: it places members by today's rules. This module
//! restores other offsets by inserting `@size` attributes into the text, then parses the text again and compares the
//! layouts.

use naga::valid::ModuleInfo;
use naga::{Module, StructMember, TypeInner};
use quadrille_jit::process::Elsewhere;

/// The sets of keywords of naga's writer.
static KEYWORDS: Elsewhere = {
    extern "C" fn complete() {
        let _ = (&*naga::keywords::wgsl::RESERVED_SET, &*naga::keywords::wgsl::BUILTIN_IDENTIFIER_SET);
        let _ = (naga::proc::KeywordSet::empty(), naga::proc::CaseInsensitiveKeywordSet::empty());
    }
    Elsewhere::new(complete)
};

/// Prints the module; an error describes why that is impossible.
pub(super) fn print(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    KEYWORDS.begin();
    // Do not write explicit types, because the result types of `modf` and `frexp` have no names.
    let flags = naga::back::wgsl::WriterFlags::empty();
    let text = naga::back::wgsl::write_string(module, info, flags).map_err(|e| e.to_string())?;
    let text = with_layouts(module, &text)?;
    // The draft allows sampling in non-uniform control flow.
    let text = format!("diagnostic(off, derivative_uniformity);\n\n{}", text.trim_start());
    let again = naga::front::wgsl::parse_str(&text)
        .map_err(|e| format!("it cannot be expressed in today's WGSL: {}", e.message()))?;
    if layouts(module) != layouts(&again) {
        return Err("the layouts of its structures are not those of the source".into());
    }
    Ok(text)
}

/// Yields the members and size of each structure that the text declares.
fn structures(module: &Module) -> impl Iterator<Item = (&[StructMember], u32)> {
    let made = |ty| module.special_types.predeclared_types.values().any(|made| *made == ty);
    module.types.iter().filter_map(move |(handle, ty)| match &ty.inner {
        TypeInner::Struct { members, span } if !made(handle) => Some((members.as_slice(), *span)),
        _ => None,
    })
}

fn layouts(module: &Module) -> Vec<(Vec<u32>, u32)> {
    structures(module).map(|(members, span)| (members.iter().map(|m| m.offset).collect(), span)).collect()
}

/// Adds a size to each member whose successor does not begin where today's rules place it.
fn with_layouts(module: &Module, text: &str) -> Result<String, String> {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| e.to_string())?;
    let mut sizes = Vec::new();
    for (members, span) in structures(module) {
        if members.first().is_some_and(|first| first.offset > 0) {
            return Err("its first member does not begin at byte 0, which today's WGSL cannot express".into());
        }
        for (i, member) in members.iter().enumerate() {
            let layout = layouter[member.ty];
            let end = member.offset + layout.size;
            let (natural, wanted) = match members.get(i + 1) {
                Some(next) => (layouter[next.ty].alignment.round_up(end), next.offset),
                None => {
                    let align = members.iter().map(|m| layouter[m.ty].alignment).max();
                    (align.map_or(end, |align| align.round_up(end)), span)
                }
            };
            sizes.push((natural != wanted).then(|| wanted - member.offset));
        }
    }
    let mut sizes = sizes.into_iter();
    let mut inside = false;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        match line.trim_end() {
            "}" => inside = false,
            _ if line.starts_with("struct ") => inside = true,
            _ if inside => {
                if let Some(Some(size)) = sizes.next() {
                    out.push_str(&format!("    @size({size}) {}\n", line.trim_start()));
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    Ok(out)
}
