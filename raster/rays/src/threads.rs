//! Threads that build structures. Trees are the same for any number of threads.

/// Threads that build structures; they sleep while nothing is built.
#[derive(Debug)]
pub struct Threads(rayon::ThreadPool);

impl Threads {
    /// Starts `count` threads, at least one. `None` if the system refuses a thread.
    pub fn start(count: usize) -> Option<Threads> {
        let name = |number| format!("rays {number}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.max(1)).thread_name(name).build();
        pool.ok().map(Threads)
    }

    /// Calls a function in which builds and updates use these threads, and returns its result.
    pub fn run<T: Send>(&self, build: impl FnOnce() -> T + Send) -> T {
        self.0.install(build)
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_use_the_threads() {
        for count in [1, 3] {
            let threads = Threads::start(count).unwrap();
            assert_eq!((threads.count(), threads.run(rayon::current_num_threads)), (count, count));
        }
    }
}
