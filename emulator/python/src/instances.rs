//! Instances of one program, compiled for a device: each thread that runs the program takes its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use quadrille::Result;

use crate::device::Device;
use crate::module::Module;

/// Number of instances that wait for the next run.
const MAX_FREE: usize = 4;

/// A program that a module contains, as instances of `T` are created from it.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    pub words: &'a [u32],
    pub entry: Option<&'a str>,
    pub specialization: &'a [(u32, &'a str)],
}

/// Creates an instance.
type Create<T> = fn(&quadrille::Device, Program<'_>) -> Result<T>;

/// Entry point of a module with its instances.
pub struct Instances<T> {
    pub device: quadrille::Device,
    module: Py<Module>,
    entry: Option<String>,
    spec: Vec<(u32, String)>,
    create: Create<T>,
    /// Instances that no thread is running.
    free: Mutex<Vec<T>>,
}

impl<T: Send> Instances<T> {
    /// Compiles the program, so that its errors are reported here.
    pub fn new(
        py: Python<'_>,
        device: &Device,
        module: Py<Module>,
        entry: Option<String>,
        spec: Vec<(u32, String)>,
        create: Create<T>,
    ) -> PyResult<Self> {
        let device = device.inner.clone();
        let all = Instances { device, module, entry, spec, create, free: Mutex::default() };
        let first = all.take(py)?;
        all.give(first);
        Ok(all)
    }

    /// The module that contains the program.
    pub fn module(&self) -> &Module {
        self.module.get()
    }

    fn free(&self) -> MutexGuard<'_, Vec<T>> {
        // While this lock is held, no code acquires the interpreter's lock.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an instance that no other thread is running, or creates one.
    pub fn take(&self, py: Python<'_>) -> PyResult<T> {
        if let Some(instance) = self.free().pop() {
            return Ok(instance);
        }
        let module = self.module();
        let specialization: Vec<(u32, &str)> =
            self.spec.iter().map(|(id, value)| (*id, value.as_str())).collect();
        let (words, entry) = (&module.words[..], self.entry.as_deref());
        let program = Program { words, entry, specialization: &specialization };
        py.detach(|| (self.create)(&self.device, program)).map_err(|e| module.error(py, &e))
    }

    /// Returns an instance that holds no resource of the run: the next one may set fewer.
    pub fn give(&self, instance: T) {
        let mut free = self.free();
        if free.len() < MAX_FREE {
            free.push(instance);
        }
    }

    /// Calls `f` with an instance.
    pub fn with<R>(&self, py: Python<'_>, f: impl FnOnce(&T) -> Result<R>) -> PyResult<R> {
        let instance = self.take(py)?;
        let result = f(&instance).map_err(|e| self.module().error(py, &e));
        self.give(instance);
        result
    }
}
