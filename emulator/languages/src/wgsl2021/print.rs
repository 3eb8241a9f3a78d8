//! Prints a module as text in today's WGSL.
//!
//! naga's writer prints the module but drops structure layouts: it places members by today's rules. This module
//! restores other offsets by inserting `@size` attributes into the text, then parses the text again and compares the
//! layouts. It also gives names back that the writer changed (`x0` to `x0_`), because programs find entry points, members
//! and resources by their names.

use std::collections::{HashMap, HashSet};

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
    let text = with_entry_points(module, &with_names(module, &text));
    let again = naga::front::wgsl::parse_str(&text)
        .map_err(|e| format!("it cannot be expressed in today's WGSL: {}", e.message()))?;
    if layouts(module) != layouts(&again) {
        return Err("the layouts of its structures are not those of the source".into());
    }
    Ok(text)
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn words(text: &str) -> HashSet<&str> {
    text.split(|c| !is_of_word(c)).collect()
}

/// Returns all names of a module.
fn names(module: &Module) -> HashSet<&str> {
    let mut names: HashSet<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    for (_, ty) in module.types.iter() {
        names.extend(ty.name.as_deref());
        if let TypeInner::Struct { members, .. } = &ty.inner {
            names.extend(members.iter().filter_map(|member| member.name.as_deref()));
        }
    }
    names.extend(module.global_variables.iter().filter_map(|(_, variable)| variable.name.as_deref()));
    names.extend(module.constants.iter().filter_map(|(_, constant)| constant.name.as_deref()));
    names.extend(module.overrides.iter().filter_map(|(_, constant)| constant.name.as_deref()));
    let functions = module.functions.iter().map(|(_, function)| function);
    for function in functions.chain(module.entry_points.iter().map(|entry| &entry.function)) {
        names.extend(function.name.as_deref());
        names.extend(function.arguments.iter().filter_map(|argument| argument.name.as_deref()));
        names.extend(function.local_variables.iter().filter_map(|(_, variable)| variable.name.as_deref()));
        names.extend(function.named_expressions.values().map(String::as_str));
    }
    names
}

/// A name as the writer makes it before it adds a number: without doubled underscores, and without those at the end.
fn collapsed(name: &str) -> String {
    let (mut out, mut before) = (name.to_owned(), None);
    out.retain(|c| before.replace(c) != Some('_') || c != '_');
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// Gives names that end in a digit back: the writer adds a `_`, which would separate a number, to each of them. A name that
/// the writer makes of another name, too, may be either.
fn with_names(module: &Module, text: &str) -> String {
    let (names, printed) = (names(module), words(text));
    let changed = names.iter().map(|name| (*name, collapsed(name))).filter(|(name, new)| new != name);
    let either: HashSet<String> = changed.map(|(_, new)| new).collect();
    let taken = |name: &str| {
        printed.contains(name)
            || naga::keywords::wgsl::RESERVED_SET.contains(name)
            || naga::keywords::wgsl::BUILTIN_IDENTIFIER_SET.contains(name)
    };
    let given = |word: &str| {
        let name = word.strip_suffix('_').filter(|name| name.ends_with(|c: char| c.is_ascii_digit()))?;
        let is_its = names.contains(name) && !names.contains(word) && !either.contains(name);
        (is_its && !taken(name)).then_some(name.len())
    };
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|c| !is_of_word(c)) {
        let word = part.trim_end_matches(|c| !is_of_word(c));
        out.push_str(&word[..given(word).unwrap_or(word.len())]);
        out.push_str(&part[word.len()..]);
    }
    out
}

/// Gives the entry points their names in the module. A comment at the top names those whose names today's WGSL reserves,
/// or another declaration has.
fn with_entry_points(module: &Module, text: &str) -> String {
    const STAGES: [&str; 3] = ["@vertex", "@fragment", "@compute"];
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for word in text.split(|c| !is_of_word(c)) {
        *uses.entry(word).or_default() += 1;
    }
    // The writer prints the entry points in their order.
    let (mut entries, mut attribute) = (module.entry_points.iter(), None);
    let (mut notes, mut out) = (String::new(), String::with_capacity(text.len()));
    for line in text.split_inclusive('\n') {
        let before =
            std::mem::replace(&mut attribute, STAGES.into_iter().find(|stage| line.starts_with(stage)));
        let function = line.strip_prefix("fn ").and_then(|function| function.split_once('('));
        let found = before.zip(function).and_then(|found| Some((found, entries.next()?)));
        let Some(((stage, (printed, rest)), entry)) = found else {
            out.push_str(line);
            continue;
        };
        let name = entry.name.as_str();
        let is_free = name == printed || uses.get(name).is_none_or(|n| *n == 0) && is_name(name);
        if is_free {
            *uses.entry(printed).or_insert(1) -= 1;
            *uses.entry(name).or_default() += 1;
            out.push_str(&format!("fn {name}({rest}"));
        } else {
            notes.push_str(&format!(
                "// `{stage} fn {name}` of the source is `{printed}`: `{name}` is reserved or taken.\n"
            ));
            out.push_str(line);
        }
    }
    notes + &out
}

/// True if today's WGSL lets a function have this name.
fn is_name(name: &str) -> bool {
    !naga::keywords::wgsl::RESERVED_SET.contains(name)
        && naga::front::wgsl::parse_str(&format!("fn {name}() {{}}")).is_ok()
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

#[cfg(test)]
mod tests {
    use crate::{Options, translate_wgsl};

    #[test]
    fn names_of_the_source_stay() {
        let source = "struct B2 { [[offset(0)]] a1 : f32; [[offset(4)]] b_ : f32; };
            [[block]] struct U { [[offset(0)]] x0 : B2; };
            [[group(0), binding(0)]] var<uniform> u3 : U;
            [[location(0)]] var<out> c0 : vec4<f32>;
            fn f1(a2 : f32) -> f32 { return a2 + u3.x0.b_; }
            [[stage(fragment)]] fn frag2() -> void {
                var v4 : f32 = f1(u3.x0.a1);
                c0 = vec4<f32>(v4);
                return;
            }
            [[stage(compute), workgroup_size(1)]] fn cs_1() -> void { return; }
            [[stage(compute), workgroup_size(1)]] fn end_() -> void { return; }
            [[stage(compute), workgroup_size(1)]] fn a__b() -> void { return; }
            [[stage(compute), workgroup_size(1)]] fn static() -> void { return; }";
        let text = translate_wgsl(source, &Options::default()).unwrap();
        for part in [
            "struct B2 {",
            "    a1: f32,",
            "    x0: B2,",
            "u3: U;",
            "fn f1(a2: f32) -> f32 {",
            "@fragment \nfn frag2() ->",
            "fn cs_1()",
            "fn end_()",
            "fn a__b()",
            "fn static_()",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let note = "// `@compute fn static` of the source is `static_`: `static` is reserved or taken.\n";
        assert!(text.starts_with(note), "{text}");
        assert_eq!(text.matches("//").count(), 1, "{text}");
    }

    /// `u__1` is printed like `u_1`, whose name it must not get.
    #[test]
    fn no_variable_has_the_name_of_another() {
        let source = "[[block]] struct U { [[offset(0)]] a : f32; };
            [[group(0), binding(0)]] var<uniform> u__1 : U;
            [[group(0), binding(1)]] var<uniform> u_1 : U;
            [[location(0)]] var<out> c : vec4<f32>;
            [[stage(fragment)]] fn main() -> void { c = vec4<f32>(u__1.a, u_1.a, 0.0, 1.0); return; }";
        let text = translate_wgsl(source, &Options::default()).unwrap();
        assert!(!text.contains("@binding(0) \nvar<uniform> u_1:"), "{text}");
    }

    /// The text is read once for all names, not once for each.
    #[test]
    fn many_entry_points_take_no_time() {
        let entry =
            |i: u32| format!("[[stage(compute), workgroup_size(1)]] fn a__{i}() -> void {{ return; }}\n");
        let source: String = (0..500).map(entry).collect();
        let text = translate_wgsl(&source, &Options::default()).unwrap();
        assert!((0..500).all(|i| text.contains(&format!("fn a__{i}()"))), "{text}");
        // The name of a function that has its own name again is free.
        let source = entry(1) + "[[stage(compute), workgroup_size(1)]] fn a_1() -> void { return; }";
        let text = translate_wgsl(&source, &Options::default()).unwrap();
        assert!(text.contains("fn a__1()") && text.contains("fn a_1()") && !text.contains("//"), "{text}");
    }

    /// In the draft, entry points of different stages may have one name.
    #[test]
    fn a_name_of_two_entry_points_is_not_lost_silently() {
        let source = "[[builtin(position)]] var<out> p : vec4<f32>;
            [[stage(vertex)]] fn main() -> void { p = vec4<f32>(); return; }
            [[stage(fragment)]] fn main() -> void { return; }";
        let text = translate_wgsl(source, &Options::default()).unwrap();
        assert!(text.starts_with("// `@fragment fn main` of the source is `main_1`: "), "{text}");
        assert!(text.contains("@vertex \nfn main()"), "{text}");
    }
}
