//! What memory is called: buffers, members, variables.

use quadrille_jit::interp::watch::{MemoryAccess, Range, Space, Touch, View};
use quadrille_jit::ir::{Imm, Inst, Op, ResourceKind, Shader, Value, Var, debug, each_inst};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where handles of buffers of a shader come from.
#[derive(Debug, Default)]
pub struct Names {
    bindings: FxHashMap<Value, (u32, u32, Value)>,
    /// Those that records in a heap say, of which one of zeros is null.
    of_heap: FxHashSet<Value>,
}

impl Names {
    /// Of a shader.
    pub fn of(shader: &Shader) -> Names {
        let mut bindings = FxHashMap::default();
        each_inst(&shader.body, &mut |inst| {
            if let (Op::BufferDescriptor | Op::ImageDescriptor, &Imm::Binding { set, binding }) =
                (inst.op, &inst.imm)
            {
                bindings.insert(inst.results[0], (set, binding, inst.args[0]));
            }
            // An image with a sampler is called as the image is.
            if let (Op::SampledImage, Some(&of)) = (inst.op, inst.args.first().and_then(|a| bindings.get(a)))
            {
                bindings.insert(inst.results[0], of);
            }
        });
        let of_heap = if shader.has_heaps { of_heap(shader) } else { FxHashSet::default() };
        Names { bindings, of_heap }
    }

    /// Whether a record in a heap says which buffer it is.
    pub fn is_of_heap(&self, handle: Value) -> bool {
        self.of_heap.contains(&handle)
    }

    /// The binding that a handle is from, and its index there.
    pub fn binding(&self, handle: Value, at: &View<'_>, lane: usize) -> Option<(u32, u32, u32)> {
        let &(set, binding, index) = self.bindings.get(&handle)?;
        Some((set, binding, at.value(index, lane) as u32))
    }

    /// Which sort of resource an access is to, if its handle says it.
    pub fn sort(&self, at: &View<'_>, inst: &Inst) -> Option<ResourceKind> {
        let &(set, binding, _) = self.bindings.get(inst.args.first()?)?;
        Some(at.shader().bindings.iter().find(|b| (b.set, b.binding) == (set, binding))?.kind)
    }

    /// What a resource is called: `buffer \`data\``.
    pub fn resource(&self, what: &str, handle: Value, at: &View<'_>, lane: usize) -> String {
        let Some((set, binding, index)) = self.binding(handle, at, lane) else {
            return format!("{} {what}", if what.starts_with('i') { "an" } else { "a" });
        };
        let known = at.shader().bindings.iter().find(|b| (b.set, b.binding) == (set, binding));
        let (name, count) = known.map_or(("", 1), |b| (&*b.name, b.count));
        let element = if count == 1 { String::new() } else { format!("[{index}]") };
        match name {
            "" => format!("the {what} at set {set}, binding {binding}{element}"),
            name => format!("{what} `{name}{element}`"),
        }
    }

    /// What an access of a lane is to.
    pub fn memory(&self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>, touch: &Touch) -> String {
        match access.space {
            Space::Workgroup => "workgroup memory".into(),
            Space::Buffer if is_in(touch.range, at.push_constants()) => "push constants".into(),
            Space::Buffer if is_in(touch.range, at.payload()) => "the payload".into(),
            Space::Buffer => self.resource("buffer", inst.args[0], at, touch.lane),
        }
    }

    /// The member of a buffer or of workgroup memory that an access is to, as the source names it.
    pub fn member(
        &self,
        at: &View<'_>,
        inst: &Inst,
        access: &MemoryAccess<'_>,
        touch: &Touch,
    ) -> Option<String> {
        let (space, index) = match access.space {
            Space::Workgroup => (debug::Space::Shared, 0),
            Space::Buffer if is_in(touch.range, at.push_constants()) => (debug::Space::Push, 0),
            Space::Buffer if is_in(touch.range, at.payload()) => (debug::Space::Payload, 0),
            Space::Buffer => {
                let (set, binding, index) = self.binding(inst.args[0], at, touch.lane)?;
                (debug::Space::Binding { set, binding }, index)
            }
        };
        at.shader().debug.as_ref()?.member(space, index, u32::try_from(touch.offset).ok()?)
    }
}

/// Buffers to which handles in heaps lead.
fn of_heap(shader: &Shader) -> FxHashSet<Value> {
    let (mut bases, mut found) = (FxHashSet::default(), FxHashSet::default());
    each_inst(&shader.body, &mut |inst| match inst.op {
        Op::HandleBuffer => drop(bases.insert(inst.results[0])),
        Op::BufferAt if bases.contains(&inst.args[0]) => drop(found.insert(inst.results[0])),
        _ => {}
    });
    found
}

/// What an element of a variable is called.
pub fn variable(shader: &Shader, var: Var, elem: u32) -> String {
    let known = shader.debug.as_ref().and_then(|d| d.variable(var, elem));
    known.or_else(|| shader.vars.get(var.0 as usize).map(|v| v.name.clone())).unwrap_or_default()
}

pub(super) fn is_in(range: Range, whole: Range) -> bool {
    whole.size != 0 && range.base == whole.base
}
