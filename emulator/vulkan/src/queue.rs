//! Chapter "Devices and Queues", the part about queues.

use ash::vk;

use crate::guard::{code, commands};
use crate::handle::{get, objects};

/// A VkQueue.
pub struct Queue {
    /// The queue itself.
    pub queue: quadrille::Queue,
}

objects!(Queue => Queue);

commands! {
    fn queue_wait_idle(queue: vk::Queue) -> vk::Result {
        get::<Queue>(queue).queue.wait_idle().map_err(|e| code(&e))
    }
}
