//! Calls of shaders by shaders that run on a thread. A shader that another one calls runs on the same thread, so the
//! frame of its caller is the last one of the thread. LaunchIds identify the lanes of a caller.

use std::cell::RefCell;

use quadrille_jit::abi::MAX_LANES;
use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, RayCall};
use rustc_hash::FxHashSet;

use crate::events::BadRecord;
use crate::kind::Kind;
use crate::place;
use crate::report::{Invocation, Other, Report};

/// A call while it runs.
pub struct Frame {
    call: RayCall,
    /// LaunchId of each lane that makes the call.
    pub launch: [[u32; 3]; MAX_LANES],
    active: u32,
    /// For each word that the call passes: lanes in which nobody has written it.
    pub unwritten: Vec<u32>,
    /// For each lane of a trace: words of the attribute of the accepted hit that the intersection shader did not write.
    accepted: [u32; MAX_LANES],
    /// A report without kind and message, at the call.
    template: Report,
    who: Invocation,
    /// Records that were reported for a lane.
    told: FxHashSet<(usize, BadRecord)>,
}

impl Frame {
    /// The frame of a call that the active lanes make. Its LaunchIds follow.
    pub fn new(at: &View<'_>, inst: &Inst, call: RayCall, step: u64, unwritten: Vec<u32>) -> Frame {
        let name = name(call);
        Frame {
            call,
            launch: [[0; 3]; MAX_LANES],
            active: at.active(),
            unwritten,
            accepted: [0; MAX_LANES],
            template: place::report(at, inst, name, Kind::BadShaderRecord, name.to_owned()),
            who: Invocation { step, ..Invocation::new(at.shader().stage, &at.shader().name) },
            told: FxHashSet::default(),
        }
    }

    fn lane(&self, launch: [u32; 3]) -> Option<usize> {
        lanes(self.active).find(|&lane| self.launch[lane] == launch)
    }

    /// Mask of the first 32 words, with those that a lane has not written.
    pub fn words_of(&self, lane: usize) -> u32 {
        let words = self.unwritten.iter().take(32).enumerate();
        // The shader does not have the words after those that it passes.
        let rest = u32::MAX.checked_shl(self.unwritten.len() as u32).unwrap_or(0);
        words.fold(rest, |mask, (word, lanes)| mask | (lanes >> lane & 1) << word)
    }
}

/// Name of a call in SPIR-V.
pub fn name(call: RayCall) -> &'static str {
    match call {
        RayCall::Trace => "OpTraceRayKHR",
        RayCall::Execute => "OpExecuteCallableKHR",
        RayCall::HitTrace => "OpHitObjectTraceRayEXT",
        RayCall::HitExecute => "OpHitObjectExecuteShaderEXT",
        RayCall::HitGet => "OpHitObjectGet",
        RayCall::Report => "OpReportIntersectionKHR",
    }
}

thread_local! {
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Begins a call.
pub fn enter(frame: Frame) {
    FRAMES.with_borrow_mut(|frames| frames.push(frame));
}

/// Ends the last call.
pub fn leave() -> Option<Frame> {
    FRAMES.with_borrow_mut(Vec::pop)
}

/// Number of traces that the shader which runs is nested in. Shaders of a hit object that is executed are nested as deep as
/// those of a trace.
pub fn depth() -> u32 {
    let nests = |frame: &&Frame| matches!(frame.call, RayCall::Trace | RayCall::HitExecute);
    FRAMES.with_borrow(|frames| frames.iter().filter(nests).count() as u32)
}

/// Forgets calls that ended with a panic, before a shader begins that no other one calls.
pub fn clear() {
    FRAMES.with_borrow_mut(Vec::clear);
}

/// Calls a function with the last call that passes a payload or callable data, and the lane with this LaunchId.
fn with_payload<R>(launch: [u32; 3], with: impl FnOnce(&mut Frame, usize) -> R) -> Option<R> {
    FRAMES.with_borrow_mut(|frames| {
        let frame = frames.iter_mut().rev().find(|frame| frame.call != RayCall::Report)?;
        let lane = frame.lane(launch)?;
        Some(with(frame, lane))
    })
}

/// True if nobody has written a word of the payload or the callable data that a shader takes. Nobody has written words
/// that the caller does not pass.
pub fn payload_is_unwritten(launch: [u32; 3], word: u32) -> bool {
    let unwritten = |frame: &mut Frame, lane: usize| {
        frame.unwritten.get(word as usize).is_none_or(|lanes| lanes >> lane & 1 == 1)
    };
    with_payload(launch, unwritten).unwrap_or(false)
}

/// Notes at the end of a shader if a word of its payload is unwritten.
pub fn set_payload(launch: [u32; 3], word: u32, unwritten: bool) {
    with_payload(launch, |frame, lane| {
        if let Some(lanes) = frame.unwritten.get_mut(word as usize) {
            *lanes = *lanes & !(1 << lane) | u32::from(unwritten) << lane;
        }
    });
}

/// Notes that a trace has accepted a hit that was reported without these words of its attribute.
pub fn accepted(launch: [u32; 3], words: u32) {
    with_payload(launch, |frame, lane| frame.accepted[lane] = words);
}

/// True if the intersection shader did not write a word of the attribute of the hit that a shader runs for: the one that
/// is being reported, or the accepted one.
pub fn attribute_is_unwritten(launch: [u32; 3], word: u32) -> bool {
    FRAMES.with_borrow(|frames| {
        let Some(frame) = frames.last() else { return false };
        let Some(lane) = frame.lane(launch) else { return false };
        match frame.call {
            RayCall::Report => frame.unwritten.get(word as usize).is_none_or(|lanes| lanes >> lane & 1 == 1),
            RayCall::Trace | RayCall::Execute | RayCall::HitTrace | RayCall::HitExecute | RayCall::HitGet => {
                frame.accepted[lane] >> word.min(31) & 1 == 1
            }
        }
    })
}

/// The place of the last call, as a related place of a report.
pub fn caller() -> Option<Other> {
    FRAMES.with_borrow(|frames| {
        let frame = frames.iter().rev().find(|frame| frame.call != RayCall::Report)?;
        let what = format!("{} of the {} shader", name(frame.call), frame.who.stage);
        Some(Other { what, at: frame.template.at.clone(), invocation: None })
    })
}

/// A report about a record that a lane of the last call selects, without kind and message; `None` if it was reported
/// for this lane, and without a call.
pub fn record(bad: &BadRecord) -> Option<Report> {
    FRAMES.with_borrow_mut(|frames| {
        // An intersection shader that reports a hit runs for the rays of a trace.
        let frame = frames.iter_mut().rev().find(|frame| frame.call != RayCall::Report)?;
        let lane = bad.lane.filter(|&lane| lane < MAX_LANES)?;
        let who = frame.who.clone().id("launch", &frame.launch[lane]);
        frame.told.insert((lane, *bad)).then(|| frame.template.clone().by(who))
    })
}

/// True if no shader makes a call on this thread.
pub fn is_empty() -> bool {
    FRAMES.with_borrow(Vec::is_empty)
}
