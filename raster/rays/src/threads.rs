//! Threads that build structures. Trees are the same for any number of threads.
//!
//! The builders call `fill`, `map` and `join`, which use the pool that the calling thread belongs to. Other threads, and
//! all threads without the feature `parallel`, do everything themselves.

/// Threads that build structures; they sleep while nothing is built.
#[derive(Debug)]
pub struct Threads(#[cfg(feature = "parallel")] rayon::ThreadPool);

#[cfg(feature = "parallel")]
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

#[cfg(not(feature = "parallel"))]
impl Threads {
    /// Returns the calling thread, for any count.
    pub fn start(_: usize) -> Option<Threads> {
        Some(Threads())
    }

    /// Calls a function and returns its result.
    pub fn run<T: Send>(&self, build: impl FnOnce() -> T + Send) -> T {
        build()
    }

    /// Number of threads: one.
    pub fn count(&self) -> usize {
        1
    }
}

/// Number of primitives up to which one thread builds a structure sooner than others wake.
pub const FEW_PRIMITIVES: usize = 1 << 12;

/// Number of threads that builds and updates use here.
pub(crate) fn current() -> usize {
    #[cfg(feature = "parallel")]
    return if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { 1 };
    #[cfg(not(feature = "parallel"))]
    1
}

/// Appends `count` items, which `item` makes of their numbers. A thread makes at least `least` of them.
pub(crate) fn fill<T: Send>(
    list: &mut Vec<T>,
    count: usize,
    least: usize,
    item: impl Fn(usize) -> T + Send + Sync,
) {
    #[cfg(feature = "parallel")]
    if count > least && current() > 1 {
        use rayon::prelude::*;
        list.par_extend((0..count).into_par_iter().with_min_len(least).map(item));
        return;
    }
    let _ = least;
    list.extend((0..count).map(item));
}

/// Calls a function for each item; returns the results in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, each: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 && current() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().map(each).collect();
    }
    items.into_iter().map(each).collect()
}

/// Calls two functions, side by side if there are several threads.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    if current() > 1 {
        rayon::join(a, b);
        return;
    }
    a();
    b();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_use_the_threads() {
        for count in [1, 3] {
            let threads = Threads::start(count).unwrap();
            let used = if cfg!(feature = "parallel") { count } else { 1 };
            assert_eq!((threads.count(), threads.run(current)), (used, used));
        }
        assert_eq!(current(), 1, "outside of a pool");
    }

    #[test]
    fn results_are_in_order() {
        for count in [1, 3] {
            Threads::start(count).unwrap().run(|| {
                let mut list = vec![7];
                fill(&mut list, 1000, 10, |i| i);
                assert!(list[0] == 7 && list[1..].iter().copied().eq(0..1000));
                assert!(map(list, |i| i + 1)[1..].iter().copied().eq(1..1001));
                let (mut a, mut b) = (0, 0);
                join(|| a = 1, || b = 2);
                assert_eq!((a, b), (1, 2));
            });
        }
    }
}
