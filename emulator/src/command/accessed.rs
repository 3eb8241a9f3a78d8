//! What commands access besides what shaders do, for those who look at what orders commands.
//!
//! Here are copies, clears and what else accesses buffers and images by itself; what draws fetch is in `fetched`, what
//! they do to attachments in `attached`, what orders all of it in `ordered`. Not told: what is copied by addresses in
//! buffers.

use quadrille_jit::interp::events::Access;

use super::areas::{Areas, INDIRECT, READ_COUNTER, Tell};
use super::list::{BufferSlice, Command, Counters};
use super::{attached, fetched};
use crate::render_pass::RenderingInfo;

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2. Transfers are named both as all of them are and as their sort.
const fn transfer(sort: u64, writes: bool) -> Access {
    Access { stages: 1 << 12 | sort, access: if writes { 1 << 12 } else { 1 << 11 }, writes }
}
const COPY: u64 = 1 << 32;
const RESOLVE: u64 = 1 << 33;
const BLIT: u64 = 1 << 34;
const CLEAR: u64 = 1 << 35;
const CONDITION: Access = Access { stages: 1 << 18, access: 1 << 20, writes: false };
const CAPTURE: Access = Access { stages: 1 << 24, access: 1 << 25, writes: true };
const WRITE_COUNTER: Access = Access { stages: 1 << 24, access: 1 << 27, writes: true };

impl Areas<'_> {
    fn transfer(&mut self, command: &Command) {
        let list = self.tell.list;
        let corners = |c: &[[i32; 3]; 2]| {
            let first: [i32; 3] = std::array::from_fn(|i| c[0][i].min(c[1][i]));
            (first, std::array::from_fn(|i| c[0][i].max(c[1][i]).saturating_sub(first[i]).max(1) as u32))
        };
        match command {
            Command::CopyBuffer { src, dst, regions } => {
                for r in list.regions(*regions) {
                    self.buffer(*src, r.src_offset, r.size, transfer(COPY, false));
                    self.buffer(*dst, r.dst_offset, r.size, transfer(COPY, true));
                }
            }
            Command::CopyImage { src, dst, regions } => {
                for r in list.regions(*regions) {
                    self.image(*src, &r.src, (r.src_offset, r.extent), transfer(COPY, false));
                    self.image(*dst, &r.dst, (r.dst_offset, r.extent), transfer(COPY, true));
                }
            }
            Command::CopyBufferToImage { src, dst, regions } => {
                for r in list.regions(*regions) {
                    let size = list.images[*dst].region_bytes(r).unwrap_or(0);
                    self.buffer(*src, r.buffer_offset, size, transfer(COPY, false));
                    self.image(*dst, &r.subresource, (r.offset, r.extent), transfer(COPY, true));
                }
            }
            Command::CopyImageToBuffer { src, dst, regions } => {
                for r in list.regions(*regions) {
                    let size = list.images[*src].region_bytes(r).unwrap_or(0);
                    self.image(*src, &r.subresource, (r.offset, r.extent), transfer(COPY, false));
                    self.buffer(*dst, r.buffer_offset, size, transfer(COPY, true));
                }
            }
            Command::Blit { src, dst, regions, .. } => {
                for r in list.regions(*regions) {
                    self.image(*src, &r.src, corners(&r.src_offsets), transfer(BLIT, false));
                    self.image(*dst, &r.dst, corners(&r.dst_offsets), transfer(BLIT, true));
                }
            }
            Command::Resolve { src, dst, regions, .. } => {
                for r in list.regions(*regions) {
                    self.image(*src, &r.src, (r.src_offset, r.extent), transfer(RESOLVE, false));
                    self.image(*dst, &r.dst, (r.dst_offset, r.extent), transfer(RESOLVE, true));
                }
            }
            Command::FillBuffer { dst, offset, size, .. } => {
                self.buffer(*dst, *offset, *size, transfer(COPY | CLEAR, true));
            }
            Command::UpdateBuffer { dst, offset, data } => {
                self.buffer(*dst, *offset, data.len as u64, transfer(COPY | CLEAR, true));
            }
            Command::ClearImage { image, ranges, .. } => {
                list.regions(*ranges).iter().for_each(|r| self.range(*image, r, transfer(CLEAR, true)));
            }
            _ => {}
        }
    }

    /// What other commands do to buffers.
    fn others(&mut self, command: &Command) {
        match command {
            Command::DispatchIndirect { buffer, offset, .. } => self.buffer(*buffer, *offset, 12, INDIRECT),
            Command::BeginConditional { buffer, offset, .. } => self.buffer(*buffer, *offset, 4, CONDITION),
            Command::BeginFeedback(of) => {
                self.tell.list[*of]
                    .counters
                    .iter()
                    .flatten()
                    .for_each(|(buffer, at)| self.buffer(*buffer, *at, 4, READ_COUNTER));
            }
            Command::CopyQueryResults(copy) => {
                let copy = &self.tell.list[*copy];
                let kind = self.tell.list.queries[copy.pool].kind();
                let width = if copy.wide { 8 } else { 4 };
                let size = (kind.values() as u64 + u64::from(copy.availability)) * width;
                for i in 0..u64::from(copy.count) {
                    self.buffer(copy.dst, copy.offset + i * copy.stride, size, transfer(COPY, true));
                }
            }
            Command::CopyIndirect(copy) => {
                let copy = &self.tell.list[*copy];
                let size = u64::from(copy.count.saturating_sub(1)) * copy.stride + 4;
                let size = if copy.count == 0 { 0 } else { size };
                self.buffer(copy.parameters, copy.offset, size, INDIRECT);
            }
            _ => {}
        }
    }
}

/// Tells what transform feedback has captured into buffers, from one byte to another, and the counters that it has written.
pub(super) fn captured(to: &Tell<'_>, ranges: &[(BufferSlice, [u64; 2])], counters: &Counters) {
    let mut areas = Areas::new(to);
    for (slice, [first, end]) in ranges {
        areas.buffer(slice.buffer, slice.offset + first, end.saturating_sub(*first), CAPTURE);
    }
    for (buffer, at) in counters.iter().flatten() {
        areas.buffer(*buffer, *at, 4, WRITE_COUNTER);
    }
    to.accessed(areas.found);
}

/// Tells what a command of a list accesses, in a scope or outside of one.
pub(super) fn tell(to: &Tell<'_>, command: &Command, scope: Option<&RenderingInfo>) {
    let mut areas = Areas::new(to);
    areas.transfer(command);
    areas.others(command);
    fetched::add(&mut areas, command);
    if let Some(info) = scope {
        attached::add(&mut areas, command, info);
    }
    to.accessed(areas.found);
}
