//! Text form of the IR, for dumps and tests.
//!
//! ```text
//! shader fragment "main"
//!   in  0: location 0.0 f32 perspective center
//!   var $0 color: f32 f32
//! {
//!   %4:f32 = f.add %2, %3  ; line 7
//!   if %5 {
//!     break L1
//!   }
//! }
//! ```

use std::fmt::{self, Display, Formatter};

use super::{End, Imm, Inst, Mem, Node, Region, Shader, Slot, StageKind, Ty, Value};

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ty::Bool => "bool",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::F16 => "f16",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::Buffer => "buffer",
            Ty::Image => "image",
        })
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for Slot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Location { location, component, index: 0 } => write!(f, "location {location}.{component}"),
            Slot::Location { location, component, index } => {
                write!(f, "location {location}.{component} index {index}")
            }
            Slot::BuiltIn(b, component) => write!(f, "{b:?}.{component}"),
            Slot::Ray(slot) => write!(f, "{slot:?}"),
        }
    }
}

struct Mems(Mem);

impl Display for Mems {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.0.offset)?;
        write!(f, " stride {}", self.0.stride)?;
        if self.0.ordered { f.write_str(" ordered") } else { Ok(()) }
    }
}

/// Writes a comma-separated list.
fn list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// Writes a constant in the notation of its type.
fn constant(f: &mut Formatter<'_>, ty: Ty, bits: u64) -> fmt::Result {
    match ty {
        Ty::Bool => write!(f, " {}", bits != 0),
        Ty::F32 => write!(f, " {:?}", f32::from_bits(bits as u32)),
        Ty::F64 => write!(f, " {:?}", f64::from_bits(bits)),
        Ty::F16 => write!(f, " {:?}", half::f16::from_bits(bits as u16).to_f32()),
        Ty::I32 => write!(f, " {}", bits as u32 as i32),
        Ty::I64 => write!(f, " {}", bits as i64),
        _ => write!(f, " {bits}"),
    }
}

impl Shader {
    fn write_inst(&self, f: &mut Formatter<'_>, inst: &Inst, depth: usize) -> fmt::Result {
        write!(f, "{:1$}", "", depth * 2)?;
        for (i, &r) in inst.results.iter().enumerate() {
            write!(f, "{}{r}:{}", if i == 0 { "" } else { ", " }, self.ty(r))?;
        }
        if !inst.results.is_empty() {
            f.write_str(" = ")?;
        }
        f.write_str(inst.op.name())?;
        match &inst.imm {
            Imm::None => {}
            Imm::Bits(bits) => constant(f, inst.results.first().map_or(Ty::I64, |&r| self.ty(r)), *bits)?,
            Imm::Binding { set, binding, .. } => write!(f, " set {set} binding {binding}")?,
            Imm::Handle(kind) => write!(f, " {kind:?}")?,
            Imm::Mem(mem) => write!(f, " {}", Mems(*mem))?,
            Imm::Var { var, elem } => write!(f, " ${}[{elem}]", var.0)?,
            Imm::Table { table, elem } => write!(f, " table {table}[{elem}]")?,
            Imm::Strides(strides) => write!(f, " {strides:?}")?,
            Imm::Slot(slot) => write!(f, " #{slot}")?,
            Imm::Stream(stream) => write!(f, " stream {stream}")?,
            Imm::BuiltIn(b, component) => write!(f, " {b:?}.{component}")?,
            Imm::Image(op) => {
                write!(f, " {:?} {:?}", op.kind, op.dim)?;
                for (name, on) in [
                    ("arrayed", op.arrayed),
                    ("ms", op.multisampled),
                    ("dref", op.dref),
                    ("minlod", op.min_lod),
                    ("offset", op.offset),
                    ("offsets4", op.offsets4),
                    ("signed", op.signed),
                ] {
                    if on {
                        write!(f, " {name}")?;
                    }
                }
                write!(f, " lod:{:?}", op.lod)?;
                op.gathered().try_for_each(|c| write!(f, " component:{c}"))?;
                write!(f, " {}", op.texel)?;
            }
            Imm::Ray(op) => write!(f, " {op:?}")?,
            Imm::Call(call) => write!(f, " {call:?}")?,
            Imm::Atomic(op, mem) => write!(f, " {op:?} {}", Mems(*mem))?,
            Imm::Group(op) => write!(f, " {op:?}")?,
            Imm::Matrix(op) => write!(f, " {op:?}")?,
            Imm::Abort(part) => write!(f, " {part:?}")?,
            Imm::Printf(format) => write!(f, " {:?}", format.text)?,
            Imm::Note(note) => write!(f, " {note:?}")?,
            Imm::Interp(slot, at) => write!(f, " #{slot} {at:?}")?,
        }
        if !inst.args.is_empty() {
            f.write_str(" ")?;
            list(f, &inst.args)?;
        }
        if inst.src.line != 0 {
            write!(f, "  ; line {}", inst.src.line)?;
        }
        f.write_str("\n")
    }

    fn write_region(&self, f: &mut Formatter<'_>, region: &Region, depth: usize) -> fmt::Result {
        for node in &region.nodes {
            let pad = |f: &mut Formatter<'_>| write!(f, "{:1$}", "", depth * 2);
            let results = |f: &mut Formatter<'_>, results: &[Value]| {
                pad(f)?;
                for (i, &r) in results.iter().enumerate() {
                    write!(f, "{}{r}:{}", if i == 0 { "" } else { ", " }, self.ty(r))?;
                }
                if results.is_empty() { Ok(()) } else { f.write_str(" = ") }
            };
            match node {
                Node::Inst(inst) => {
                    self.write_inst(f, inst, depth)?;
                    continue;
                }
                Node::If(node) => {
                    results(f, &node.results)?;
                    writeln!(f, "if {} {{", node.cond)?;
                    self.write_region(f, &node.then, depth + 1)?;
                    let empty = node.els.nodes.is_empty() && node.els.end == End::Yield(Vec::new());
                    if !empty {
                        pad(f)?;
                        f.write_str("} else {\n")?;
                        self.write_region(f, &node.els, depth + 1)?;
                    }
                }
                Node::Block(node) => {
                    results(f, &node.results)?;
                    writeln!(f, "block L{} {{", node.label.0)?;
                    self.write_region(f, &node.body, depth + 1)?;
                }
                Node::Loop(node) => {
                    results(f, &node.results)?;
                    write!(f, "loop L{}", node.label.0)?;
                    for (i, (param, init)) in node.params.iter().enumerate() {
                        let comma = if i == 0 { " " } else { ", " };
                        write!(f, "{comma}{param}:{} = {init}", self.ty(*param))?;
                    }
                    f.write_str(" {\n")?;
                    self.write_region(f, &node.body, depth + 1)?;
                }
            }
            pad(f)?;
            f.write_str("}\n")?;
        }
        let indent = depth * 2;
        match &region.end {
            End::Yield(values) if values.is_empty() => Ok(()),
            End::Yield(values) => {
                write!(f, "{:indent$}yield ", "")?;
                list(f, values)?;
                f.write_str("\n")
            }
            End::Break(label, values) => {
                write!(f, "{:indent$}break L{}{}", "", label.0, if values.is_empty() { "" } else { " " })?;
                list(f, values)?;
                f.write_str("\n")
            }
            End::Return => writeln!(f, "{:indent$}return", ""),
            End::Kill => writeln!(f, "{:indent$}kill", ""),
            End::Unreachable => writeln!(f, "{:indent$}unreachable", ""),
        }
    }
}

impl Display for Shader {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "shader {:?} {:?}", self.stage, self.name)?;
        match self.kind {
            StageKind::TessellationControl(modes) | StageKind::TessellationEvaluation(modes) => {
                writeln!(f, "  {modes:?}")?
            }
            StageKind::Geometry(modes) => writeln!(f, "  {modes:?}")?,
            StageKind::Mesh(modes) => writeln!(f, "  {modes:?}")?,
            StageKind::Vertex
            | StageKind::Task
            | StageKind::Fragment
            | StageKind::Compute
            | StageKind::RayGeneration
            | StageKind::Intersection
            | StageKind::AnyHit
            | StageKind::ClosestHit
            | StageKind::Miss
            | StageKind::Callable => {}
        }
        if self.local_size != [1; 3] {
            let [x, y, z] = self.local_size;
            writeln!(f, "  local size {x} {y} {z}")?;
        }
        self.write_facts(f)?;
        self.write_interface(f)?;
        self.write_memory(f)?;
        f.write_str("{\n")?;
        self.write_region(f, &self.body, 1)?;
        f.write_str("}\n")
    }
}

impl Shader {
    fn write_facts(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, on) in [
            ("early_fragment_tests", self.early_fragment_tests),
            ("post_depth_coverage", self.post_depth_coverage),
            ("needs_quads", self.needs_quads),
            ("discards", self.discards),
            ("writes_memory", self.writes_memory),
            ("reads_depth_stencil", self.reads_attachments[0]),
            ("reads_colors", self.reads_attachments[1]),
            ("unordered_colors", self.unordered_reads[0]),
            ("unordered_depth", self.unordered_reads[1]),
            ("unordered_stencil", self.unordered_reads[2]),
            ("packed", self.packed),
            ("has_barrier", self.has_barrier),
            ("observes_subgroup", self.observes_subgroup),
            ("sample_shading", self.sample_shading),
            ("centroid", self.centroid),
        ] {
            if on {
                writeln!(f, "  {name}")?;
            }
        }
        if let Some(size) = self.subgroup_size {
            writeln!(f, "  subgroup_size {size}")?;
        }
        if self.push_size > 0 {
            writeln!(f, "  push {} bytes", self.push_size)?;
        }
        if self.shared_size > 0 {
            writeln!(f, "  shared {} bytes", self.shared_size)?;
        }
        if self.payload_size > 0 {
            writeln!(f, "  payload {} bytes", self.payload_size)?;
        }
        Ok(())
    }

    fn write_interface(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, v) in self.inputs.iter().enumerate() {
            write!(f, "  in  #{i} {} {} {:?} {:?}", v.slot, v.ty, v.interpolation, v.sampling)?;
            if let Some(vertex) = v.vertex {
                write!(f, " of vertex {vertex}")?;
            }
            writeln!(f, "{}", if v.per_primitive { " per primitive" } else { "" })?;
        }
        for (i, v) in self.outputs.iter().enumerate() {
            write!(f, "  out #{i} {} {}", v.slot, v.ty)?;
            if v.stream != 0 {
                write!(f, " stream {}", v.stream)?;
            }
            f.write_str("\n")?;
        }
        for (name, list) in [
            ("patch in ", &self.patch_inputs),
            ("patch out", &self.patch_outputs),
            ("primitive out", &self.primitive_outputs),
        ] {
            for (i, v) in list.iter().enumerate() {
                writeln!(f, "  {name} #{i} {} {}", v.slot, v.ty)?;
            }
        }
        for o in &self.xfb.outputs {
            writeln!(f, "  xfb word {} buffer {} offset {}", o.word, o.buffer, o.offset)?;
        }
        Ok(())
    }

    fn write_memory(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for b in &self.bindings {
            let written = if b.written { " written" } else { "" };
            writeln!(
                f,
                "  set {} binding {} {:?} x{} {} bytes{written} {:?}",
                b.set, b.binding, b.kind, b.count, b.size, b.name
            )?;
        }
        for (i, v) in self.vars.iter().enumerate() {
            write!(f, "  var ${i} {:?}:", v.name)?;
            let mut at = 0;
            while at < v.elems.len() {
                let n = v.elems[at..].iter().take_while(|&&t| t == v.elems[at]).count();
                write!(f, " {}x{n}", v.elems[at])?;
                at += n;
            }
            f.write_str("\n")?;
        }
        for (i, t) in self.tables.iter().enumerate() {
            write!(f, "  table {i}:")?;
            for (&ty, &bits) in t.elems.iter().zip(&t.bits) {
                constant(f, ty, bits)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
