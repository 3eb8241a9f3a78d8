//! Type of a case, and names for frequent stages, accesses and operations.

use ash::vk;
use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

use crate::common::lab::Lab;

/// Expected report.
#[derive(Clone, Copy)]
pub enum Heard {
    Nothing,
    /// A report with these words.
    Race(&'static [&'static str]),
}

/// Name, expected report, and function that records the case.
pub type Case = (&'static str, Heard, fn(&Lab));

pub const NONE: S = S::TOP_OF_PIPE;
pub const INDIRECT: (S, A) = (S::DRAW_INDIRECT, A::INDIRECT_COMMAND_READ);
pub const INDEX: (S, A) = (S::VERTEX_INPUT, A::INDEX_READ);
pub const VERTEX: (S, A) = (S::VERTEX_INPUT, A::VERTEX_ATTRIBUTE_READ);
pub const LOAD: vk::AttachmentLoadOp = vk::AttachmentLoadOp::LOAD;
pub const CLEAR: vk::AttachmentLoadOp = vk::AttachmentLoadOp::CLEAR;
pub const STORE: vk::AttachmentStoreOp = vk::AttachmentStoreOp::STORE;
pub const CHANGE: [L; 2] = [L::TRANSFER_DST_OPTIMAL, L::GENERAL];
pub const DISCARD: vk::AttachmentStoreOp = vk::AttachmentStoreOp::DONT_CARE;
pub const FLAGS: vk::RenderingFlags = vk::RenderingFlags::empty();
