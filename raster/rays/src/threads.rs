//! Threads that build structures. Trees are the same for any number of threads.
//!
//! The builders use the parallel iterators of `prelude`. They are those of rayon, or, without the feature `parallel`, methods of
//! the same names that return ordinary iterators.

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

/// Number of threads that builds and updates use here.
pub(crate) fn current() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs two functions, on two threads if there are several.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    {
        a();
        b();
    }
}

#[cfg(feature = "parallel")]
pub(crate) use rayon::prelude;

/// The methods of rayon's parallel iterators that the builders call, on one thread.
#[cfg(not(feature = "parallel"))]
pub(crate) mod prelude {
    /// Slices.
    pub trait Slices<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
    }

    impl<T> Slices<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.iter_mut()
        }
        fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
            Chunks(self.chunks(size))
        }
    }

    /// Chunks of a slice. `map` returns an iterator whose `reduce` has the identity that rayon asks for.
    pub struct Chunks<'a, T>(std::slice::Chunks<'a, T>);

    impl<'a, T> Chunks<'a, T> {
        pub fn map<R, F: FnMut(&'a [T]) -> R>(
            self,
            f: F,
        ) -> Mapped<std::iter::Map<std::slice::Chunks<'a, T>, F>> {
            Mapped(self.0.map(f))
        }
    }

    /// Values of chunks.
    pub struct Mapped<I>(I);

    impl<I: Iterator> Mapped<I> {
        pub fn reduce(
            self,
            identity: impl Fn() -> I::Item,
            f: impl Fn(I::Item, I::Item) -> I::Item,
        ) -> I::Item {
            self.0.fold(identity(), f)
        }
    }

    /// Ranges and vectors.
    pub trait IntoOne: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<T: IntoIterator> IntoOne for T {}

    /// Vectors that grow.
    pub trait Grow<T> {
        fn par_extend(&mut self, more: impl IntoIterator<Item = T>);
    }

    impl<T> Grow<T> for Vec<T> {
        fn par_extend(&mut self, more: impl IntoIterator<Item = T>) {
            self.extend(more);
        }
    }

    /// Iterators.
    pub trait One: Iterator + Sized {
        fn with_min_len(self, _: usize) -> Self {
            self
        }
        fn collect_into_vec(self, to: &mut Vec<Self::Item>) {
            to.clear();
            to.extend(self);
        }
    }

    impl<I: Iterator> One for I {}
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
    }
}
