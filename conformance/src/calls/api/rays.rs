//! Acceleration structures that are created, built, updated, copied and destroyed, and rays in them.
//!
//! Programs that share a device give addresses to each other: [`World::churn`] destroys and creates structures in a loop,
//! while other programs trace rays. A structure is destroyed only when no command names it any more, also by address.

use std::sync::Arc;

use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, HostMemory, Indices,
    StructureBuild, StructureGeometry,
};
use quadrille::*;

use super::super::model::{self, Effect, Range};
use super::super::structures::{Bottom, CORNERS, Change, Flat, Instance, MOST, QUERY, RAYS, Trace, floats};
use super::record::Recorder;
use super::{Buf, World, pipelines};
use crate::random::Random;

/// Maximum number of structures of a level.
const LEVELS: usize = 6;

/// Contents of the structures of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Triangles,
    Boxes,
    Top,
}

/// A structure and the buffer that its builds read.
#[derive(Clone)]
pub(super) struct Level {
    id: usize,
    kind: Kind,
    flags: BuildFlags,
    structure: AccelerationStructure,
    input: Buffer,
}

/// New contents of a structure: the input of the build, and the change.
struct Contents {
    bytes: Vec<u8>,
    /// Structures that instances refer to, by number in the list.
    references: Vec<AccelerationStructure>,
    change: Change,
}

/// Returns the pipeline that traces rays with queries.
pub(super) fn query(device: &Device) -> Result<ComputePipeline> {
    let module = device.create_shader_module(&pipelines::shader(Stage::Compute, QUERY))?;
    let layout = device.create_pipeline_layout(&[], 32)?;
    device.create_compute_pipeline(&ComputePipelineDesc { stage: ShaderStage::new(&module, "main"), layout })
}

/// Returns the geometry of a structure whose input begins at an address.
fn geometry(kind: Kind, at: u64, opaque: bool) -> StructureGeometry {
    let data = match kind {
        Kind::Triangles => GeometryData::Triangles {
            format: Format::R32G32B32_SFLOAT,
            vertices: at,
            stride: 12,
            max_vertex: 6 * (CORNERS + MOST) as u32 - 1,
            indices: Indices::None,
            transform: 0,
        },
        Kind::Boxes => GeometryData::Aabbs { data: at, stride: 24 },
        Kind::Top => GeometryData::Instances { data: at, pointers: false },
    };
    let flags = if opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
    StructureGeometry::new(data, flags)
}

/// Number of primitives of so many rectangles or instances.
fn primitives(kind: Kind, n: usize) -> u32 {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    match kind {
        Kind::Triangles => n.saturating_add(CORNERS as u32).saturating_mul(2),
        Kind::Boxes => n.saturating_add(CORNERS as u32),
        Kind::Top => n,
    }
}

/// Input of a build on the host, from this address on.
const HOST: u64 = 64;

impl HostMemory for Contents {
    fn bytes(&self, address: u64, size: u64) -> Result<Vec<u8>> {
        let rest = address.checked_sub(HOST).and_then(|at| self.bytes.get(at as usize..)).unwrap_or_default();
        Ok(rest[..rest.len().min(size as usize)].to_vec())
    }

    fn structure(&self, reference: u64) -> Option<AccelerationStructure> {
        self.references.get((reference as usize).checked_sub(1)?).cloned()
    }
}

/// Returns random contents of a bottom level, of so many rectangles.
fn bottom(r: &mut Random, kind: Kind, n: usize) -> (Vec<u8>, Bottom) {
    let boxes = kind == Kind::Boxes;
    let mut flat = || Flat {
        at: [r.below(8) as i32, r.below(4) as i32],
        size: [1 << r.below(4), 1 << r.below(3)],
        more: r.below(16) as u32,
    };
    let flats: Vec<Flat> = (0..MOST).map(|_| flat()).collect();
    let bytes = floats(&flats, boxes).into_iter().flat_map(f32::to_le_bytes).collect();
    (bytes, Bottom { boxes, flats: flats[..n.min(MOST)].to_vec() })
}

/// Returns random contents of a structure, of so many rectangles or instances. On the host, references are numbers of a
/// list. The contents may be those of an update of `old`, which has as many.
fn contents(
    w: &World<'_>,
    r: &mut Random,
    level: &Level,
    (n, host): (usize, bool),
    old: Option<&Contents>,
) -> Contents {
    if level.kind != Kind::Top {
        let (bytes, bottom) = bottom(r, level.kind, n);
        let change = Change::Bottom(level.id, Arc::new(bottom));
        return Contents { bytes, references: Vec::new(), change };
    }
    let bottoms: Vec<&Level> = w.levels.iter().filter(|l| l.kind != Kind::Top).collect();
    // Updates make no instances active or inactive.
    let old = match old.map(|old| &old.change) {
        Some(Change::Top(_, instances)) => Some(instances),
        Some(Change::Bottom(..) | Change::Copy(..) | Change::End(_)) | None => None,
    };
    let (mut bytes, mut references, mut instances) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..MOST {
        let of = match old {
            Some(old) => {
                let of = old.get(number).and_then(|instance| instance.of);
                bottoms.iter().find(|level| Some(level.id) == of)
            }
            None => bottoms.get(r.below(bottoms.len() + 1)),
        };
        let of = of.copied();
        let instance = Instance {
            of: of.map(|of| of.id),
            by: [r.below(7) as i32 - 3, r.below(5) as i32 - 2],
            custom: r.below(1 << 24) as u32,
            mask: [0xff, 0xff, 0x0f, 0xf0][r.below(4)],
            flags: [0, 1, 4, 8][r.below(4)],
        };
        let reference = match of {
            Some(of) if host => {
                references.push(of.structure.clone());
                references.len() as u64
            }
            Some(of) => of.structure.device_address(),
            None => 0,
        };
        let boxes = of.is_some_and(|of| of.kind == Kind::Boxes);
        let words = instance.words(number, boxes, reference);
        bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        instances.push(instance);
    }
    instances.truncate(n);
    Contents { bytes, references, change: Change::Top(level.id, instances) }
}

/// Returns the push constants of rays in a top level, whose words go to an address.
fn push(top: u64, words: u64, count: u32, of: &Trace) -> [u32; 8] {
    let halves = |address: u64| [address as u32, (address >> 32) as u32];
    let ([a, b], [x, y]) = (halves(top), halves(words));
    [a, b, x, y, count, of.mask, of.add, 0]
}

/// Records rays with queries.
fn trace(c: &mut CommandBuffer, query: &ComputePipeline, push: &[u32; 8]) {
    c.bind_compute_pipeline(query).push_constants(0, push).dispatch(1, 1, 1);
}

impl World<'_> {
    /// Creates structures until there are a few.
    pub(super) fn make_levels(&mut self) {
        for kind in [Kind::Triangles, Kind::Boxes, Kind::Triangles, Kind::Top] {
            self.make_level(kind);
        }
    }

    fn make_level(&mut self, kind: Kind) {
        let is_top = kind == Kind::Top;
        if self.levels.iter().filter(|l| (l.kind == Kind::Top) == is_top).count() >= LEVELS {
            return;
        }
        let count = primitives(kind, MOST);
        let sizes = self.device().acceleration_structure_sizes(&[(geometry(kind, 0, true), count)]);
        let (offset, size) = (256 * self.r.below(3) as u64, self.num(sizes.structure));
        let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
        let buffer = self.device().create_bound_buffer(BufferDesc { size: offset + sizes.structure, usage });
        let Some(buffer) = self.judge("create_bound_buffer", buffer) else { return };
        let desc = AccelerationStructureDesc { buffer: &buffer, offset: self.num(offset), size };
        let structure = self.device().create_acceleration_structure(&desc);
        let Some(structure) = self.judge("create_acceleration_structure", structure) else { return };
        // Updates that do not fit fail when they run.
        if structure.size() < sizes.structure {
            return;
        }
        let usage = BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT
            | BufferUsage::SHADER_DEVICE_ADDRESS
            | BufferUsage::TRANSFER_DST;
        let size = match kind {
            Kind::Triangles => 72 * (CORNERS + MOST),
            Kind::Boxes => 24 * (CORNERS + MOST),
            Kind::Top => 64 * MOST,
        } as u64;
        let input = self.device().create_bound_buffer(BufferDesc { size, usage });
        let Some(input) = self.judge("create_bound_buffer", input) else { return };
        let speeds = [BuildFlags::NONE, BuildFlags::PREFER_FAST_TRACE, BuildFlags::PREFER_FAST_BUILD];
        let flags = *self.r.pick(&speeds) | BuildFlags::ALLOW_UPDATE;
        self.levels.push(Level { id: self.structures.add(), kind, flags, structure, input });
    }

    /// Drops a structure.
    pub(super) fn forget_level(&mut self) {
        if let Some(i) = self.index(self.levels.len()) {
            self.drop_level(i);
        }
    }

    /// Drops a structure, after the commands that name it. Returns `false` if top levels must see it first.
    fn drop_level(&mut self, i: usize) -> bool {
        let id = self.levels[i].id;
        if !self.wild {
            if self.structures.is_unseen(id) {
                return false;
            }
            if self.busy {
                self.wait();
            }
            if self.busy {
                return false;
            }
            self.recorded.retain(|recorded| !recorded.levels.contains(&id));
        }
        self.levels.swap_remove(i);
        self.structures.apply(&Change::End(id));
        self.tally.count("drop", true, 1);
        true
    }

    /// Builds, copies, destroys and creates structures on the host, again and again, and now and then traces rays.
    pub(super) fn churn(&mut self) {
        if self.busy && !self.wild {
            self.wait();
        }
        let most = if self.shares { 300 } else { 24 };
        for _ in 0..1 + self.r.below(most) {
            let Some(i) = self.index(self.levels.len()) else { return };
            if self.failure.is_some() || self.lost || (self.busy && !self.wild) {
                return;
            }
            match self.r.below(7) {
                0..3 => self.host_build(i),
                3 => self.host_copy(i),
                4 => self.replace(i),
                _ => {
                    let kind = self.levels[i].kind;
                    if self.drop_level(i) {
                        self.make_level(kind);
                    }
                    if !self.levels.is_empty() {
                        self.host_build(self.levels.len() - 1);
                    }
                }
            }
            if self.r.one_in(6) {
                self.look();
            }
        }
    }

    /// Replaces a structure by another at its address, which has its contents.
    fn replace(&mut self, i: usize) {
        let of = self.levels[i].structure.clone();
        let (offset, size) = (self.num(of.offset()), of.size());
        let desc = AccelerationStructureDesc { buffer: of.buffer(), offset, size };
        let other = self.device().create_acceleration_structure(&desc);
        let Some(other) = self.judge("create_acceleration_structure", other) else { return };
        if offset == of.offset() {
            self.levels[i].structure = other;
        }
    }

    /// Builds a structure, and may update it.
    fn host_build(&mut self, i: usize) {
        let level = self.levels[i].clone();
        let n = self.r.below(MOST + 1);
        let n = self.num(n as u64) as usize;
        let mut r = self.r.fork(1);
        self.r.bits();
        let mut old = None;
        for _ in 0..1 + r.below(2) {
            let contents = contents(self, &mut r, &level, (n, true), old.as_ref());
            let build = level.build(&mut r, HOST, n, old.is_some());
            let done = self.device().build_acceleration_structures(&[build], &contents);
            if self.judge("build_acceleration_structures", done).is_none() {
                return;
            }
            self.structures.apply(&contents.change);
            old = Some(contents);
        }
    }

    fn host_copy(&mut self, i: usize) {
        let (src, kind) = (self.levels[i].clone(), self.levels[i].kind);
        let same: Vec<Level> = self.levels.iter().filter(|l| l.kind == kind).cloned().collect();
        let dst = self.r.pick(&same).clone();
        if self.r.one_in(2) || kind == Kind::Top {
            let done = dst.structure.copy_from(&src.structure);
            self.copied("copy_from", done, &dst, &src);
            return;
        }
        let version = [3; rays::VERSION_BYTES];
        let bytes = src.structure.to_bytes(&version);
        let Some(mut bytes) = self.judge("structure to_bytes", bytes) else { return };
        if self.spoil {
            let at = self.r.below(rays::VERSION_BYTES);
            bytes[at] ^= 1;
        }
        let done = dst.structure.set_bytes(&bytes, &version);
        self.copied("structure set_bytes", done, &dst, &src);
    }

    fn copied(&mut self, kind: &'static str, done: Result<()>, dst: &Level, src: &Level) {
        if self.judge(kind, done).is_some() {
            self.structures.apply(&Change::Copy(dst.id, src.id));
        }
    }

    /// Traces rays in a top level and waits for them.
    fn look(&mut self) {
        let tops: Vec<Level> = self.levels.iter().filter(|l| l.kind == Kind::Top).cloned().collect();
        let (Some(t), Some(b)) = (self.index(tops.len()), self.index(self.buffers.len())) else { return };
        let (top, buf) = (&tops[t], self.buffers[b].clone());
        let Ok(address) = buf.buffer.device_address() else { return };
        let count = (buf.range.size as u32 / 4).min(RAYS);
        let of = Trace { top: top.id, mask: 0xff, add: self.r.bits() as u32 };
        let mut c = self.device().create_command_buffer();
        trace(&mut c, &self.shared.query, &push(top.structure.device_address(), address, count, &of));
        let done = c.end().and_then(|()| self.device().queue().run(&c));
        if self.judge("trace with queries", done).is_some() && !self.wild {
            let range = Range { size: 4 * count as usize, ..buf.range };
            let traced = model::apply(&mut self.model, &mut self.structures, &[Effect::Trace(of, range)]);
            if let Err(e) = traced {
                self.fail(format!("model: {e}"));
            }
            let read = buf.buffer.read::<u8>(0, range.size);
            if let Some(found) = self.judge("read buffer bytes", read) {
                self.compare(range, &found);
            }
        }
    }
}

impl Level {
    /// Returns a build, or an update, from input at an address. Bottom levels, whose primitives are all active, may always
    /// be updated.
    fn build(&self, r: &mut Random, at: u64, n: usize, again: bool) -> StructureBuild {
        let count = primitives(self.kind, n);
        let range = BuildRange { primitive_count: count, ..BuildRange::default() };
        let may = again || self.kind != Kind::Top;
        StructureBuild {
            flags: self.flags,
            update: (n <= MOST && may && r.one_in(2)).then(|| self.structure.clone()),
            dst: self.structure.clone(),
            geometries: vec![(geometry(self.kind, at, r.one_in(2)), range)],
        }
    }
}

impl Recorder<'_, '_> {
    fn level(&mut self, fits: impl Fn(&Level) -> bool) -> Option<Level> {
        let list: Vec<&Level> = self.w.levels.iter().filter(|l| fits(l)).collect();
        let level = list.get(self.r.below(list.len().max(1))).map(|l| (*l).clone())?;
        self.levels.push(level.id);
        Some(level)
    }

    /// Records builds and copies of some structures, and rays.
    pub(super) fn rays(&mut self) {
        for _ in 0..self.r.below(3) {
            self.build_level(false);
        }
        if self.r.one_in(3) {
            self.copy_level();
        }
        if self.r.one_in(2) {
            self.build_level(true);
        }
        self.trace();
    }

    fn build_level(&mut self, top: bool) {
        let Some(level) = self.level(|l| (l.kind == Kind::Top) == top) else { return };
        let n = self.r.below(MOST + 1) as u64;
        let n = self.num(n) as usize;
        let Ok(at) = level.input.device_address() else { return };
        let mut old = None;
        for _ in 0..1 + self.r.below(2) {
            let contents = contents(self.w, &mut self.r, &level, (n, false), old.as_ref());
            if let Change::Top(_, instances) = &contents.change {
                self.levels.extend(instances.iter().filter_map(|i| i.of));
            }
            self.c.update_buffer(&level.input, 0, &contents.bytes);
            self.did("update_buffer");
            let build = level.build(&mut self.r, at, n, old.is_some());
            self.c.build_acceleration_structures(&[build]);
            self.did("build_acceleration_structures");
            self.effect(Effect::Structure(contents.change.clone()));
            old = Some(contents);
        }
    }

    /// Copies a structure that is built.
    fn copy_level(&mut self) {
        let (w, wild) = (self.w, self.w.wild);
        let Some(src) = self.level(|l| !wild && w.structures.is_built(l.id)) else { return };
        let Some(dst) = self.level(|l| l.kind == src.kind) else { return };
        self.c.copy_acceleration_structure(&src.structure, &dst.structure);
        self.did("copy_acceleration_structure");
        self.effect(Effect::Structure(Change::Copy(dst.id, src.id)));
    }

    fn trace(&mut self) {
        let (Some(top), Some(buf)) = (self.level(|l| l.kind == Kind::Top), self.buffer()) else { return };
        let Ok(address) = buf.buffer.device_address() else { return };
        let count = 1 + self.r.below((buf.range.size / 4).clamp(1, RAYS as usize)) as u32;
        let Some(range) = self.words(&buf, count) else { return };
        let of = Trace { top: top.id, mask: [0xff, 0x0f, 0x10][self.r.below(3)], add: self.r.bits() as u32 };
        let mut structure = top.structure.device_address();
        if self.w.wild && self.r.one_in(4) {
            structure = [0, self.r.bits(), structure + 256][self.r.below(3)];
        }
        let push = push(structure, address, count, &of);
        let tracer = self.w.tracers.get(self.r.below(2 * self.w.tracers.len().max(1)));
        match tracer {
            Some(tracer) => {
                if tracer.trace(&mut self.c, &push).is_err() {
                    return;
                }
                self.did("trace_rays");
                self.reaches.push(tracer.tables.clone());
            }
            None => {
                trace(&mut self.c, &self.w.shared.query, &push);
                self.did("trace with queries");
            }
        }
        self.reaches.push(buf.buffer);
        self.effect(Effect::Trace(of, range));
    }

    /// Returns the first words of a buffer, if there are so many.
    fn words(&self, buf: &Buf, count: u32) -> Option<Range> {
        let size = 4 * count as usize;
        (size <= buf.range.size).then_some(Range { size, ..buf.range })
    }
}
