//! Devices, and device memory for numpy arrays.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::{DeviceOptions, Order};

use crate::errors;

/// A software GPU.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Device {
    pub inner: quadrille::Device,
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (*, threads=None, lanes=None, heap_bytes=None, budget=None, compile_budget=None, relaxed_order=None, interp=None))]
    fn new(
        py: Python<'_>,
        threads: Option<usize>,
        lanes: Option<u32>,
        heap_bytes: Option<u64>,
        budget: Option<f64>,
        compile_budget: Option<f64>,
        relaxed_order: Option<bool>,
        interp: Option<bool>,
    ) -> PyResult<Self> {
        let seconds = |given: Option<f64>, default: Duration| match given {
            None => Ok(default),
            Some(s) => Duration::try_from_secs_f64(s)
                .map_err(|e| errors::invalid(py, &format!("a budget of {s} seconds: {e}"))),
        };
        let default = DeviceOptions::default();
        let options = DeviceOptions {
            threads: threads.unwrap_or(default.threads),
            lanes: lanes.unwrap_or(default.lanes),
            heap_bytes: heap_bytes.unwrap_or(default.heap_bytes),
            budget: seconds(budget, default.budget)?,
            compile_budget: seconds(compile_budget, default.compile_budget)?,
            order: match relaxed_order {
                None => default.order,
                Some(true) => Order::Relaxed,
                Some(false) => Order::Strict,
            },
            interp: interp.unwrap_or(default.interp),
            ..default
        };
        let inner = quadrille::Device::new(options).map_err(|e| errors::device(py, &e, None))?;
        Ok(Device { inner })
    }

    /// Number of threads that share work.
    #[getter]
    fn threads(&self) -> usize {
        self.inner.options().threads_in_use()
    }

    /// Subgroup size of shaders that do not require a specific one.
    #[getter]
    fn lanes(&self) -> u32 {
        self.inner.options().lanes
    }

    /// Size of the device memory, in bytes.
    #[getter]
    fn heap_size(&self) -> u64 {
        self.inner.heap_size()
    }

    /// Device memory in use, in bytes.
    #[getter]
    fn heap_used(&self) -> u64 {
        self.inner.heap_used()
    }

    /// Reason why the device is lost; None if it is not.
    #[getter]
    fn lost(&self) -> Option<String> {
        self.inner.check_lost().err().map(|e| e.to_string())
    }

    /// Allocates this number of bytes of zero-initialized device memory.
    fn allocate(slf: &Bound<'_, Self>, bytes: u64) -> PyResult<Memory> {
        let py = slf.py();
        // Buffers begin and end at multiples of 16 bytes.
        let size = bytes.max(1).checked_next_multiple_of(16);
        let size = size.ok_or_else(|| errors::invalid(py, "more bytes than the address space has"))?;
        let inner = slf.get().inner.allocate(size).map_err(|e| errors::device(py, &e, None))?;
        inner.keep_zeros();
        Ok(Memory { inner, bytes, device: slf.clone().unbind() })
    }

    fn __repr__(&self) -> String {
        let lost = if self.lost().is_some() { ", lost" } else { "" };
        format!("<quadrille.Device: {} threads, {} lanes{lost}>", self.threads(), self.lanes())
    }
}

/// Device memory. numpy makes a byte array of it that keeps it alive.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Memory {
    pub inner: quadrille::Memory,
    bytes: u64,
    /// Device that owns the memory.
    #[pyo3(get)]
    device: Py<Device>,
}

#[pymethods]
impl Memory {
    /// Address of the first byte.
    #[getter]
    fn address(&self) -> usize {
        self.inner.as_ptr() as usize
    }

    /// Size in bytes.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.bytes
    }

    /// numpy's array interface, version 3.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("shape", (self.bytes,))?;
        interface.set_item("data", (self.address(), false))?;
        Ok(interface)
    }
}
