//! Checks the bounds of memory accesses.

use quadrille_jit::abi::{ImageArgs, ImageView, null_buffer, unwritten_buffer};
use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, Space, Touch, View, end_of_access, lanes};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, Inst, LodMode, Op, Ty};

use super::Memory;
use crate::kind::Kind;
use crate::pending::{Key, Where, of_variable};
use crate::place;
use crate::values::number::text;

/// Returns the verb for an access in a report.
pub fn does(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "written",
        AccessKind::Atomic(_) => "accessed atomically",
    }
}

/// Returns the key of a cause: an instruction, or a line if the cause is about a variable.
pub fn key(at: &View<'_>, inst: &Inst, variable: Option<&str>, kind: Kind) -> Key {
    let address = std::ptr::from_ref(inst).addr();
    match variable {
        Some(name) => (Where::line(at.shader(), inst.src, address), of_variable(name), kind),
        None => (Where::instruction(inst.src, address), 0, kind),
    }
}

/// Returns the bytes of an access. With 64-bit indexing, an offset may lie before the buffer.
fn span(offset: u64, bytes: u32) -> String {
    match offset.cast_signed() {
        before if before < 0 => format!("{before}..{}", before.saturating_add(bytes.into())),
        _ => format!("{offset}..{}", end_of_access(offset, bytes)),
    }
}

/// Returns the result id of the pointer of an access. Spec: SPIR-V, Memory Instructions, Atomic Instructions.
fn pointer(at: &View<'_>, inst: &Inst) -> Option<u32> {
    let debug = at.shader().debug.as_ref()?;
    let word = debug.place(inst.src)?.word as usize;
    // The opcodes of OpStore and OpAtomicStore, which have no result.
    let operand = if matches!(debug.words.get(word)? & 0xffff, 62 | 228) { 1 } else { 3 };
    debug.words.get(word + operand).copied()
}

/// True if an offset of 32 bits has saturated, so that the place is unknown: that of a negative index has.
fn is_saturated(at: &View<'_>, inst: &Inst, space: Space, lane: usize) -> bool {
    let offset = match space {
        Space::Buffer => inst.args.get(1),
        Space::Workgroup => inst.args.first(),
    };
    offset.is_some_and(|&v| at.shader().ty(v) == Ty::I32 && at.value(v, lane) == u64::from(u32::MAX))
}

impl Memory {
    /// Checks buffers, workgroup memory and push constants. `aligned` is the alignment that the access states, if that is
    /// less than the size of its scalars.
    pub(super) fn bounds(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        access: &MemoryAccess<'_>,
        aligned: Option<u32>,
    ) {
        let told = access.lanes & !at.helpers();
        for lane in lanes(told) {
            for scalar in 0..access.values.len() {
                let touch = access.touch(lane, scalar);
                let place = touch.range.base.wrapping_add(touch.offset);
                if !touch.inside {
                    self.outside(at, inst, access, &touch);
                    break;
                }
                let alignment = aligned.map_or(touch.bytes, |bytes| bytes.min(touch.bytes));
                if alignment > 1 && !place.is_multiple_of(u64::from(alignment)) {
                    let what = self.names.memory(at, inst, access, &touch);
                    let key = key(at, inst, Some(&what), Kind::Misaligned);
                    self.pending.add(at, lane, key, || {
                        let (bytes, offset) = (touch.bytes, touch.offset);
                        let of = match alignment == bytes {
                            true => "their size".to_owned(),
                            false => alignment.to_string(),
                        };
                        let message =
                            format!("{bytes} bytes at byte {offset} of {what}: not a multiple of {of}");
                        place::report_op(at, inst, Kind::Misaligned, message).about(what)
                    });
                    break;
                }
            }
        }
    }

    fn outside(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>, touch: &Touch) {
        if self.has_bad_index(at, inst, touch.lane) {
            return;
        }
        let names = self.names.clone();
        let bound = access.space == Space::Buffer && touch.range.size == 0;
        let from_binding = inst.args.first().is_some_and(|&a| names.binding(a, at, touch.lane).is_some());
        let base = touch.range.base;
        // The descriptor is null on purpose.
        let of_heap = inst.args.first().is_some_and(|&a| names.is_of_heap(a));
        if bound && (of_heap || from_binding && base == null_buffer().ptr) {
            return;
        }
        let unwritten = base == 0 || base == unwritten_buffer().ptr;
        let kind = match access.space {
            Space::Workgroup => Kind::WorkgroupOutOfBounds,
            Space::Buffer if bound && from_binding && unwritten => Kind::MissingDescriptor,
            Space::Buffer if bound && !from_binding => Kind::BadAddress,
            Space::Buffer => Kind::BufferOutOfBounds,
        };
        let what = names.memory(at, inst, access, touch);
        let cause = match kind {
            Kind::MissingDescriptor => (Where::Shader, of_variable(&what), kind),
            _ => key(at, inst, Some(&what), kind),
        };
        self.pending.add(at, touch.lane, cause, || {
            let (does, offset, bytes, size) =
                (does(access.kind), touch.offset, touch.bytes, touch.range.size);
            let message = match kind {
                Kind::MissingDescriptor => format!("{what} is {does}, but no buffer is bound there"),
                Kind::BadAddress => format!("memory is {does} at an address outside of all buffers"),
                _ if is_saturated(at, inst, access.space, touch.lane) => {
                    format!("{what} is {does} before its start or past 4 GiB, but its size is {size}")
                }
                _ => format!("bytes {} of {what} are {does}, but its size is {size}", span(offset, bytes)),
            };
            let report = place::report_op(at, inst, kind, message).about(what);
            let value = access.values[touch.scalar];
            match access.kind {
                AccessKind::Write => {
                    report.value("value", text(at.shader().ty(value), at.value(value, touch.lane), false))
                }
                _ => report,
            }
        });
    }

    /// Checks an index into an array of `len` elements.
    pub(super) fn index(&mut self, at: &View<'_>, inst: &Inst, len: u32) {
        let row = at.row(inst.args[0]);
        for lane in lanes(at.active() & !at.helpers()) {
            let index = row[lane] as u32;
            if index < len {
                continue;
            }
            self.bad_index(at, inst, lane);
            self.pending.add(at, lane, key(at, inst, None, Kind::IndexOutOfRange), || {
                let plural = if len == 1 { "" } else { "s" };
                let message = format!("index {} of {len} element{plural}", index as i32);
                place::report_op(at, inst, Kind::IndexOutOfRange, message)
                    .value("index", (index as i32).to_string())
            });
        }
    }

    /// Records that the index of a lane is out of bounds.
    fn bad_index(&mut self, at: &View<'_>, inst: &Inst, lane: usize) {
        match Where::line(at.shader(), inst.src, 0) {
            line @ Where::Line { .. } => {
                self.bad_indices.insert((at.group(), lane, line));
            }
            Where::Address(_) | Where::Instruction(_) | Where::Shader => {
                self.bad_pointers.insert((at.group(), lane, inst.src.id));
            }
        }
    }

    /// True if the access of a lane uses an index out of bounds, which has been reported: an index on its line or, without
    /// lines, in its pointer.
    pub(super) fn has_bad_index(&self, at: &View<'_>, inst: &Inst, lane: usize) -> bool {
        if self.bad_indices.is_empty() && self.bad_pointers.is_empty() {
            return false;
        }
        match Where::line(at.shader(), inst.src, 0) {
            line @ Where::Line { .. } => self.bad_indices.contains(&(at.group(), lane, line)),
            Where::Address(_) | Where::Instruction(_) | Where::Shader => {
                pointer(at, inst).is_some_and(|id| self.bad_pointers.contains(&(at.group(), lane, id)))
            }
        }
    }

    /// Checks indices into arrays of images whose length the shader does not declare.
    fn elements_of_image(&mut self, at: &View<'_>, inst: &Inst, told: u32) {
        let names = self.names.clone();
        for lane in lanes(told) {
            let Some((set, binding, index)) = names.binding(inst.args[0], at, lane) else { continue };
            let count = at.binding(set, binding).map_or(0, |b| b.count);
            if index < count || self.has_bad_index(at, inst, lane) {
                continue;
            }
            let what = names.resource("image", inst.args[0], at, lane);
            let key = (Where::Shader, of_variable(&what), Kind::MissingDescriptor);
            self.pending.add(at, lane, key, || {
                let message = format!("{what} is accessed, but the binding has {count}");
                place::report_op(at, inst, Kind::MissingDescriptor, message).about(what)
            });
        }
    }

    /// Checks coordinates, layers, levels and samples of single texels.
    pub(super) fn bounds_of_image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
        let told = args.mask & !at.helpers();
        if told == 0 || op.dim == ImageDim::SubpassData {
            return;
        }
        let names = self.names.clone();
        self.elements_of_image(at, inst, told);
        let written = view.filter(|_| !self.lookup.is_unwritten(args.view.addr() as u64));
        let Some(view) = written else { return self.missing_image(at, inst, told) };
        // The descriptor is null on purpose: all other views have levels.
        if view.levels == 0 {
            return;
        }
        let single = matches!(
            op.kind,
            ImageOpKind::Fetch | ImageOpKind::Read | ImageOpKind::Write | ImageOpKind::Atomic(_)
        );
        if !single {
            return;
        }
        let texels = self.lookup.view(args.view.addr() as u64);
        for lane in lanes(told) {
            let level = if op.lod == LodMode::Explicit { args.lod[lane] } else { 0 };
            if level >= view.levels.max(1) {
                let what = names.resource("image", inst.args[0], at, lane);
                self.pending.add(at, lane, key(at, inst, Some(&what), Kind::LevelOutOfRange), || {
                    let message = format!("level {} of {what}, which has {}", level as i32, view.levels);
                    place::report_op(at, inst, Kind::LevelOutOfRange, message).about(what)
                });
                continue;
            }
            let (mut extent, n) = extent(op, view, level);
            if let (true, Some(texels)) = (op.arrayed, &texels) {
                // The view counts cubes, but the coordinates count faces.
                extent[n - 1] = extent[n - 1].max(texels.layers);
            }
            let texel: [i64; 4] = std::array::from_fn(|c| {
                let offset =
                    if op.offset && c < op.dim.coords() as usize { args.offset[c][lane] as i32 } else { 0 };
                i64::from(args.coord[c][lane] as i32) + i64::from(offset)
            });
            let sample = if op.multisampled { args.sample[lane] } else { 0 };
            let inside = (0..n).all(|c| (0..i64::from(extent[c])).contains(&texel[c]));
            if inside && sample < view.samples.max(1) {
                continue;
            }
            let what = names.resource("image", inst.args[0], at, lane);
            self.pending.add(at, lane, key(at, inst, Some(&what), Kind::TexelOutOfBounds), || {
                let does = match (inst.op, op.kind) {
                    (Op::ImageWrite, ImageOpKind::Write) => "written",
                    (Op::ImageWrite, _) => "accessed atomically",
                    _ => "read",
                };
                let message = if inside {
                    format!("sample {sample} of {what} is {does}, but its sample count is {}", view.samples)
                } else {
                    let (texel, size) = (list(&texel[..n]), size(&extent[..n]));
                    format!("texel {texel} of {what} is {does}, but its size is {size}")
                };
                place::report_op(at, inst, Kind::TexelOutOfBounds, message).about(what)
            });
        }
    }

    /// Reports accesses to images that are not bound.
    fn missing_image(&mut self, at: &View<'_>, inst: &Inst, told: u32) {
        let names = self.names.clone();
        for lane in lanes(told) {
            let what = names.resource("image", inst.args[0], at, lane);
            let key = (Where::Shader, of_variable(&what), Kind::MissingDescriptor);
            self.pending.add(at, lane, key, || {
                let message = format!("{what} is accessed, but none is bound there");
                place::report_op(at, inst, Kind::MissingDescriptor, message).about(what)
            });
        }
    }
}

/// Returns the extent in each coordinate, the layer count last, and the number of coordinates.
fn extent(op: &ImageOp, view: &ImageView, level: u32) -> ([u32; 4], usize) {
    let at = |size: u32| (size >> level.min(31)).max(1);
    let n = op.dim.coords() as usize;
    let mut extent = match op.dim {
        ImageDim::Buffer => [view.width, 1, 1, 1],
        ImageDim::Cube => [at(view.width), at(view.height), view.layers.saturating_mul(6), 1],
        _ => [at(view.width), at(view.height), at(view.depth), 1],
    };
    if op.arrayed && op.dim != ImageDim::Cube {
        extent[n] = view.layers;
        return (extent, n + 1);
    }
    (extent, n)
}

fn list(of: &[i64]) -> String {
    let list: Vec<String> = of.iter().map(i64::to_string).collect();
    if list.len() == 1 { list[0].clone() } else { format!("({})", list.join(", ")) }
}

fn size(of: &[u32]) -> String {
    let list: Vec<String> = of.iter().map(u32::to_string).collect();
    list.join(" x ")
}

#[cfg(test)]
mod tests {
    use super::span;

    /// Offsets of 64-bit indexing may be any number.
    #[test]
    fn bytes_of_accesses_at_any_offset() {
        assert_eq!(span(4, 4), "4..8");
        assert_eq!(span(1 << 40, 8), "1099511627776..1099511627784");
        assert_eq!(span(4u64.wrapping_neg(), 4), "-4..0");
        assert_eq!(span(1 << 63, 4), "-9223372036854775808..-9223372036854775804");
        assert_eq!(span((1 << 63) - 1, 4), "9223372036854775807..9223372036854775811");
    }
}
