//! Execution of submitted work: the threads that run it, the objects that it keeps alive, and waits for its end.
//!
//! * `executor`: the thread that runs the jobs of a queue, in order.
//! * `running`: submissions in progress, and the objects that must stay alive until these are done.
//! * `signal`: announcement of changes to threads that wait.
//!
//! Left to others: `command` runs the commands of a job; `queue` orders submissions; `sync` has the objects that
//! applications wait for. The threads that share the work of one command are in `quadrille_raster::pool`.

pub(crate) mod executor;
pub(crate) mod running;
pub(crate) mod signal;
