//! Names of memory in messages: buffers, members, variables.

use quadrille_jit::interp::watch::{MemoryAccess, Range, Space, Touch, View};
use quadrille_jit::ir::{
    ATTACHMENT_SET, COLOR_BINDING, Imm, Inst, Op, ResourceKind, Shader, Value, Var, debug, each_inst,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Origins of the buffer handles of a shader.
#[derive(Debug, Default)]
pub struct Names {
    bindings: FxHashMap<Value, (u32, u32, Value)>,
    /// Handles from descriptor heap records, where a zero record is null.
    of_heap: FxHashSet<Value>,
    /// Buffers that hold references of acceleration structures, by the reference.
    references: FxHashMap<Value, Value>,
}

impl Names {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Names {
        let (mut bindings, mut references) = (FxHashMap::default(), FxHashMap::default());
        each_inst(&shader.body, &mut |inst| {
            if let (Op::BufferDescriptor | Op::ImageDescriptor, &Imm::Binding { set, binding, .. }) =
                (inst.op, &inst.imm)
            {
                bindings.insert(inst.results[0], (set, binding, inst.args[0]));
            }
            if let (Op::LoadBuffer, [reference]) = (inst.op, &inst.results[..]) {
                references.insert(*reference, inst.args[0]);
            }
            // A combined image sampler is named after its image.
            if let (Op::SampledImage, Some(&of)) = (inst.op, inst.args.first().and_then(|a| bindings.get(a)))
            {
                bindings.insert(inst.results[0], of);
            }
        });
        let of_heap = if shader.has_heaps { of_heap(shader) } else { FxHashSet::default() };
        Names { bindings, of_heap, references }
    }

    /// True if a descriptor heap record gives the buffer.
    pub fn is_of_heap(&self, handle: Value) -> bool {
        self.of_heap.contains(&handle)
    }

    /// Returns the set, binding and array index that a handle comes from.
    pub fn binding(&self, handle: Value, at: &View<'_>, lane: usize) -> Option<(u32, u32, u32)> {
        let &(set, binding, index) = self.bindings.get(&handle)?;
        Some((set, binding, at.value(index, lane) as u32))
    }

    /// Returns the attachment of the pass that a handle stands for, colour (0), depth (1) or stencil (2); `None` for other
    /// images.
    pub fn attachment(&self, handle: Value, at: &View<'_>, lane: usize) -> Option<usize> {
        let (set, binding, index) = self.binding(handle, at, lane)?;
        let depth_stencil = || 1 + (index as usize).min(1);
        (set == ATTACHMENT_SET).then(|| if binding == COLOR_BINDING { 0 } else { depth_stencil() })
    }

    /// Returns the resource kind of an access if its handle determines it.
    pub fn sort(&self, at: &View<'_>, inst: &Inst) -> Option<ResourceKind> {
        let &(set, binding, _) = self.bindings.get(inst.args.first()?)?;
        Some(at.shader().bindings.iter().find(|b| (b.set, b.binding) == (set, binding))?.kind)
    }

    /// Names the acceleration structure of a reference: `acceleration structure \`scene\``.
    pub fn structure(&self, reference: Value, at: &View<'_>, lane: usize) -> String {
        let handle = self.references.get(&reference).copied().unwrap_or(reference);
        self.resource("acceleration structure", handle, at, lane)
    }

    /// Names a resource: `buffer \`data\``.
    pub fn resource(&self, what: &str, handle: Value, at: &View<'_>, lane: usize) -> String {
        let Some((set, binding, index)) = self.binding(handle, at, lane) else {
            return format!("{} {what}", if what.starts_with(['a', 'i']) { "an" } else { "a" });
        };
        match self.attachment(handle, at, lane) {
            Some(0) => return format!("the tile image at location {index}"),
            Some(1) => return "the depth attachment".into(),
            Some(_) => return "the stencil attachment".into(),
            None => {}
        }
        let known = at.shader().bindings.iter().find(|b| (b.set, b.binding) == (set, binding));
        let (name, count) = known.map_or(("", 1), |b| (&*b.name, b.count));
        let element = if count == 1 { String::new() } else { format!("[{index}]") };
        match name {
            "" => format!("the {what} at set {set}, binding {binding}{element}"),
            name => format!("{what} `{name}{element}`"),
        }
    }

    /// Names the memory that a lane accesses.
    pub fn memory(&self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>, touch: &Touch) -> String {
        match access.space {
            Space::Workgroup => "workgroup memory".into(),
            Space::Buffer if is_in(touch.range, at.push_constants()) => "push constants".into(),
            Space::Buffer if is_in(touch.range, at.payload()) => "the payload".into(),
            Space::Buffer => self.resource("buffer", inst.args[0], at, touch.lane),
        }
    }

    /// Names the member of a buffer or of workgroup memory that is accessed, as in the source.
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

/// Returns the buffers that handles in heaps refer to.
fn of_heap(shader: &Shader) -> FxHashSet<Value> {
    let (mut bases, mut found) = (FxHashSet::default(), FxHashSet::default());
    each_inst(&shader.body, &mut |inst| match inst.op {
        Op::HandleBuffer => drop(bases.insert(inst.results[0])),
        Op::BufferAt if bases.contains(&inst.args[0]) => drop(found.insert(inst.results[0])),
        _ => {}
    });
    found
}

/// Names an element of a variable.
pub fn variable(shader: &Shader, var: Var, elem: u32) -> String {
    let known = shader.debug.as_ref().and_then(|d| d.variable(var, elem));
    known.or_else(|| shader.vars.get(var.0 as usize).map(|v| v.name.clone())).unwrap_or_default()
}

pub(super) fn is_in(range: Range, whole: Range) -> bool {
    whole.size != 0 && range.base == whole.base
}
