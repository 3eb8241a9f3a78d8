//! Memory of calls, and the top levels that a thread found: both stay from call to call.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use quadrille_jit::abi::Ctx;
use quadrille_rays::TopLevel;

use super::path::Path;
use crate::invoke::Lines;
use crate::rays::Scenes;

/// Number of records of hit groups that a thread remembers.
const KNOWN_RECORDS: usize = 32;

/// Largest number of addresses whose top levels a thread remembers.
const MOST_KNOWN: usize = 8;

/// A top level that rays of a thread walk through. Copies of it count on this thread alone.
pub(super) type Scene = Rc<Arc<TopLevel>>;

/// A record of a hit group: its number in the table, the number of the group, and the address of its data.
type KnownRecord = (u64, u32, u64);

/// Memory of a call of a shader.
#[derive(Default)]
pub(super) struct CallMemory {
    pub inputs: Lines,
    pub outputs: Lines,
    pub scratch: Lines,
    /// Context of calls of the command that runs; `None` until the first one.
    pub ctx: Option<Ctx>,
}

/// Memory of a trace of some rays.
#[derive(Default)]
pub(super) struct WalkMemory {
    /// Rays of this trace, and after them those of earlier ones.
    pub paths: Vec<Path>,
    /// The top levels that the rays walk through, by address. Empty between traces.
    pub scenes: Vec<(u64, Option<Scene>)>,
}

/// Memory that is in no use: at most one of a kind for each level of nesting.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "a context is large, and its memory moves to a call and back")]
struct Unused {
    calls: Vec<Box<CallMemory>>,
    walks: Vec<Box<WalkMemory>>,
}

thread_local! {
    /// Memory that commands leave to later commands.
    static UNUSED: Cell<Unused> = Cell::default();
}

/// A thread while it runs invocations of a command.
pub(super) struct Worker<'a> {
    scenes: &'a Scenes,
    unused: RefCell<Unused>,
    /// Top levels by address, as they were when the number of changes was the first field.
    known: RefCell<(u64, Vec<(u64, Option<Scene>)>)>,
    /// Records of hit groups that name a group, each at its number modulo the length.
    records: [Cell<Option<KnownRecord>>; KNOWN_RECORDS],
}

impl<'a> Worker<'a> {
    /// This thread, before it runs anything of a command.
    pub fn new(scenes: &'a Scenes) -> Worker<'a> {
        let mut unused = UNUSED.take();
        unused.calls.iter_mut().for_each(|memory| memory.ctx = None);
        let records = [const { Cell::new(None) }; KNOWN_RECORDS];
        Worker { scenes, unused: RefCell::new(unused), known: RefCell::default(), records }
    }

    /// The group and the address of the data of a record of the command's hit groups, which `read` reads if the thread does
    /// not remember it. No barrier orders writes of the command's shaders before these reads, so one read of a record
    /// is equivalent to a read each time. Spec: Vulkan, VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR.
    pub fn hit_record(&self, index: u64, read: impl FnOnce() -> Option<(u32, u64)>) -> Option<(u32, u64)> {
        let known = &self.records[index as usize % KNOWN_RECORDS];
        if let Some((_, group, data)) = known.get().filter(|(number, ..)| *number == index) {
            return Some((group, data));
        }
        let (group, data) = read()?;
        known.set(Some((index, group, data)));
        Some((group, data))
    }

    /// The top level at an address.
    pub fn scene(&self, address: u64) -> Option<Scene> {
        let changes = self.scenes.changes();
        let mut known = self.known.borrow_mut();
        if known.0 != changes || known.1.len() > MOST_KNOWN {
            *known = (changes, Vec::new());
        }
        if let Some((_, scene)) = known.1.iter().find(|(a, _)| *a == address) {
            return scene.clone();
        }
        let scene = self.scenes.find(address).map(Rc::new);
        known.1.push((address, scene.clone()));
        scene
    }

    /// Memory for a call, with the context of the command.
    pub fn call_memory(&self) -> Box<CallMemory> {
        self.unused.borrow_mut().calls.pop().unwrap_or_default()
    }

    /// Takes memory back.
    pub fn keep_call(&self, memory: Box<CallMemory>) {
        self.unused.borrow_mut().calls.push(memory);
    }

    /// Memory for a trace.
    pub fn walk_memory(&self) -> Box<WalkMemory> {
        self.unused.borrow_mut().walks.pop().unwrap_or_default()
    }

    /// Takes memory back.
    pub fn keep_walk(&self, mut memory: Box<WalkMemory>) {
        memory.scenes.clear();
        self.unused.borrow_mut().walks.push(memory);
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        // A thread that ends keeps nothing.
        let _ = UNUSED.try_with(|unused| unused.set(self.unused.take()));
    }
}
