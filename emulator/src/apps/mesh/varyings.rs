//! Matches outputs of a vertex shader with inputs of a fragment shader by name, as OpenGL does. Vulkan matches
//! locations.

use quadrille_jit::ir::Stage;
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::reflect::{Variable, reflect};
use rustc_hash::FxHashMap;
use spirv::{Decoration, Op, StorageClass};

use crate::Result;
use crate::data::shape::{dimensions, shape};

/// First location for inputs without an output of the same name.
const UNFED: u32 = 24;

/// Assigns locations to the variables of a vertex shader and to the fragment shader's inputs of the same names, as
/// OpenGL does. Variables without a location in the source get free ones.
///
/// `vertex_has` and `fragment_has` return true if the source gives a name a location. Blocks keep their locations.
pub fn match_varyings(
    vertex: &mut [u32],
    fragment: &mut [u32],
    vertex_has: impl Fn(&str) -> bool,
    fragment_has: impl Fn(&str) -> bool,
) -> Result<()> {
    let info = reflect(&Module::parse(vertex)?)?;
    let info = info.entry_points.into_iter().find(|e| e.stage == Stage::Vertex);
    let (inputs, outputs) = info.map(|e| (e.inputs, e.outputs)).unwrap_or_default();
    let inputs = free_locations(&inputs, &vertex_has);
    let outputs = free_locations(&outputs, &vertex_has);
    relocate(vertex, StorageClass::Input, |name| inputs.get(name).copied());
    relocate(vertex, StorageClass::Output, |name| outputs.get(name).copied());
    let mut unfed = UNFED;
    relocate(fragment, StorageClass::Input, |name| {
        if fragment_has(name) {
            return None;
        }
        outputs.get(name).copied().or_else(|| {
            unfed += 1;
            Some(unfed - 1)
        })
    });
    Ok(())
}

/// Returns locations by name: those in the source, and free ones for the other variables.
fn free_locations(variables: &[Variable], has_location: &impl Fn(&str) -> bool) -> FxHashMap<String, u32> {
    let mut found = FxHashMap::default();
    let mut taken = [false; 64];
    let (fixed, free): (Vec<&Variable>, Vec<&Variable>) = variables
        .iter()
        .filter(|v| v.location.is_some() && !v.name.is_empty())
        .partition(|v| has_location(&v.name));
    for v in fixed {
        let at = v.location.unwrap_or(0) as usize;
        taken.iter_mut().skip(at).take(slots(&v.ty)).for_each(|t| *t = true);
        found.insert(v.name.clone(), at as u32);
    }
    for v in free {
        let n = slots(&v.ty);
        let Some(at) = taken.windows(n).position(|w| w.iter().all(|t| !t)) else { continue };
        taken[at..at + n].fill(true);
        found.insert(v.name.clone(), at as u32);
    }
    found
}

/// Number of locations that a type takes: one for each column of each element.
fn slots(ty: &str) -> usize {
    let (element, lengths) = dimensions(ty);
    let columns = shape(element).map_or(1, |(_, columns, _)| columns);
    let elements = lengths.iter().fold(columns, |n, length| n.saturating_mul(length.unwrap_or(1)));
    elements.clamp(1, 32)
}

/// Changes the locations of variables of a storage class.
fn relocate(words: &mut [u32], class: StorageClass, mut location_of: impl FnMut(&str) -> Option<u32>) {
    let (mut names, mut ids) = (FxHashMap::default(), Vec::new());
    for_each(words, |op, operands| match operands {
        [id, text @ ..] if op == Op::Name as u32 => {
            let bytes: Vec<u8> = text.iter().flat_map(|w| w.to_le_bytes()).take_while(|b| *b != 0).collect();
            names.insert(*id, String::from_utf8_lossy(&bytes).into_owned());
        }
        [_, id, of, ..] if op == Op::Variable as u32 && *of == class as u32 => ids.push(*id),
        _ => {}
    });
    names.retain(|id, name| ids.contains(id) && !name.is_empty());
    for_each(words, |op, operands| {
        let [id, decoration, location] = operands else { return };
        if op == Op::Decorate as u32 && *decoration == Decoration::Location as u32 {
            let new = names.get(id).and_then(|name| location_of(name));
            *location = new.unwrap_or(*location);
        }
    });
}

/// Calls `show` with the opcode and operands of each instruction.
fn for_each(words: &mut [u32], mut show: impl FnMut(u32, &mut [u32])) {
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        let Some(instruction) = words.get_mut(at..at + length.max(1)) else { return };
        show(first & 0xffff, &mut instruction[1..]);
        at += length.max(1);
    }
}

#[cfg(all(test, feature = "glsl"))]
mod tests {
    use super::*;
    use crate::frontend::{Options, compile_glsl};

    #[test]
    fn names_meet_and_nothing_shares_a_place() {
        let options = Options { relaxed: true, disk_cache: false, ..Options::default() };
        let vertex_text = "in vec2 uv; layout(location = 0) in vec3 place; in mat2 m; layout(location = 2) in vec3 more;\n\
                      out vec2 a; out vec3 b; layout(location = 0) out float c;\n\
                      void main() { gl_Position = vec4(place + more, m[0][0]); a = uv; b = vec3(1); c = 1.0; }";
        let fragment = "in vec3 b; in float gone; layout(location = 0) in float other; in vec2 a; out vec4 color;\n\
                        void main() { color = vec4(a.x, b.x, other, gone); }";
        let mut vertex = compile_glsl(vertex_text, Stage::Vertex, &options).unwrap();
        let mut pixels = compile_glsl(fragment, Stage::Fragment, &options).unwrap();
        let has = |text: &'static str| move |name: &str| crate::frontend::has_location(text, name);
        match_varyings(&mut vertex, &mut pixels, has(vertex_text), has(fragment)).unwrap();
        let of = |words: &[u32], input: bool| -> Vec<(String, u32)> {
            let entry = reflect(&Module::parse(words).unwrap()).unwrap().entry_points.remove(0);
            let list = if input { entry.inputs } else { entry.outputs };
            let mut list: Vec<_> = list.into_iter().filter_map(|v| Some((v.name, v.location?))).collect();
            list.sort();
            list
        };
        let named =
            |list: &[(&str, u32)]| list.iter().map(|(n, l)| ((*n).to_owned(), *l)).collect::<Vec<_>>();
        // `uv` and `m`, of two columns, avoid locations 0 and 2; outputs avoid 0.
        let inputs = of(&vertex, true);
        let at = |name: &str| inputs.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!(
            (at("place"), at("more"), at("uv").min(at("m")), at("m").max(3)),
            (0, 2, 1, 3),
            "{inputs:?}"
        );
        let outputs = of(&vertex, false);
        let at = |name: &str| outputs.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!((at("c"), at("a").min(at("b")), at("a").max(at("b"))), (0, 1, 2));
        let expected = [("a", at("a")), ("b", at("b")), ("gone", UNFED), ("other", 0)];
        assert_eq!(of(&pixels, true), named(&expected));
    }
}
