//! Names of buffer handles.

use quadrille_jit::ir::{Imm, Op, Shader, Value, each_inst};
use rustc_hash::FxHashMap;

/// Names of the buffer handles of a shader.
#[derive(Debug, Default)]
pub struct Names(FxHashMap<Value, String>);

impl Names {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Names {
        let mut names = FxHashMap::default();
        each_inst(&shader.body, &mut |inst| {
            if let (Op::BufferDescriptor, &Imm::Binding { set, binding, .. }) = (inst.op, &inst.imm) {
                let known = shader.bindings.iter().find(|b| (b.set, b.binding) == (set, binding));
                let name = match known.filter(|b| !b.name.is_empty()) {
                    Some(b) => format!("buffer `{}`", b.name),
                    None => format!("the buffer at set {set}, binding {binding}"),
                };
                names.insert(inst.results[0], name);
            }
        });
        Names(names)
    }

    /// Returns the name of a handle.
    pub fn get(&self, v: Value) -> String {
        self.0.get(&v).cloned().unwrap_or_else(|| "a buffer".into())
    }
}
