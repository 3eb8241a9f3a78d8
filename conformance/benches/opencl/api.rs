//! OpenCL's C interface, as far as the benchmark needs it, loaded at run time.
//!
//! Spec: OpenCL API 3.0; the numbers are those of `CL/cl.h`.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

use libloading::Library;

type Object = *mut c_void;
type Code = i32;

/// Numbers of `CL/cl.h`.
const DEVICE_TYPE_ALL: u64 = 0xffff_ffff;
const MEM_COPY_HOST_PTR: u64 = 1 << 5;
const MEM_READ_WRITE: u64 = 1;
const PLATFORM_NAME: u32 = 0x0902;
const DEVICE_VERSION: u32 = 0x102f;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const TRUE: u32 = 1;

type PlatformIds = unsafe extern "C" fn(u32, *mut Object, *mut u32) -> Code;
type Info = unsafe extern "C" fn(Object, u32, usize, *mut c_void, *mut usize) -> Code;
type DeviceIds = unsafe extern "C" fn(Object, u64, u32, *mut Object, *mut u32) -> Code;
type CreateContext =
    unsafe extern "C" fn(*const isize, u32, *const Object, Object, Object, *mut Code) -> Object;
type CreateQueue = unsafe extern "C" fn(Object, Object, u64, *mut Code) -> Object;
type CreateProgram =
    unsafe extern "C" fn(Object, u32, *const *const c_char, *const usize, *mut Code) -> Object;
type BuildProgram = unsafe extern "C" fn(Object, u32, *const Object, *const c_char, Object, Object) -> Code;
type BuildInfo = unsafe extern "C" fn(Object, Object, u32, usize, *mut c_void, *mut usize) -> Code;
type CreateKernel = unsafe extern "C" fn(Object, *const c_char, *mut Code) -> Object;
type SetArgument = unsafe extern "C" fn(Object, u32, usize, *const c_void) -> Code;
type CreateBuffer = unsafe extern "C" fn(Object, u64, usize, *const c_void, *mut Code) -> Object;
type Enqueue = unsafe extern "C" fn(
    Object,
    Object,
    u32,
    *const usize,
    *const usize,
    *const usize,
    u32,
    *const Object,
    *mut Object,
) -> Code;
type Read = unsafe extern "C" fn(
    Object,
    Object,
    u32,
    usize,
    usize,
    *mut c_void,
    u32,
    *const Object,
    *mut Object,
) -> Code;
type Finish = unsafe extern "C" fn(Object) -> Code;
type Release = unsafe extern "C" fn(Object) -> Code;

/// Functions of the library.
struct Functions {
    platform_ids: PlatformIds,
    platform_info: Info,
    device_ids: DeviceIds,
    device_info: Info,
    create_context: CreateContext,
    create_queue: CreateQueue,
    create_program: CreateProgram,
    build_program: BuildProgram,
    build_info: BuildInfo,
    create_kernel: CreateKernel,
    set_argument: SetArgument,
    create_buffer: CreateBuffer,
    enqueue: Enqueue,
    read: Read,
    finish: Finish,
    release_memory: Release,
    release_kernel: Release,
    release_program: Release,
    _library: Library,
}

impl Functions {
    fn load() -> Result<Functions, String> {
        let text = |e: libloading::Error| e.to_string();
        // SAFETY: the loader of OpenCL has initialization code without requirements.
        let library = unsafe { Library::new("libOpenCL.so.1") }.map_err(text)?;
        macro_rules! get {
            ($name:literal) => {
                // SAFETY: `CL/cl.h` declares the function with the type of the member that it initializes.
                *unsafe { library.get($name) }.map_err(text)?
            };
        }
        Ok(Functions {
            platform_ids: get!(b"clGetPlatformIDs"),
            platform_info: get!(b"clGetPlatformInfo"),
            device_ids: get!(b"clGetDeviceIDs"),
            device_info: get!(b"clGetDeviceInfo"),
            create_context: get!(b"clCreateContext"),
            create_queue: get!(b"clCreateCommandQueue"),
            create_program: get!(b"clCreateProgramWithSource"),
            build_program: get!(b"clBuildProgram"),
            build_info: get!(b"clGetProgramBuildInfo"),
            create_kernel: get!(b"clCreateKernel"),
            set_argument: get!(b"clSetKernelArg"),
            create_buffer: get!(b"clCreateBuffer"),
            enqueue: get!(b"clEnqueueNDRangeKernel"),
            read: get!(b"clEnqueueReadBuffer"),
            finish: get!(b"clFinish"),
            release_memory: get!(b"clReleaseMemObject"),
            release_kernel: get!(b"clReleaseKernel"),
            release_program: get!(b"clReleaseProgram"),
            _library: library,
        })
    }
}

/// A device of OpenCL with a queue, in use until the process ends.
pub struct OpenCl {
    functions: Functions,
    device: Object,
    context: Object,
    queue: Object,
    /// Names of the platform and its version.
    pub name: String,
}

fn done(code: Code, what: &str) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{what}: error {code}")) }
}

/// The text that an information function returns.
fn text(of: Object, number: u32, info: Info) -> Result<String, String> {
    let (mut bytes, mut size) = ([0u8; 256], 0);
    // SAFETY: `of` is a live object of the function's kind, and the buffer has the stated size.
    let code = unsafe { info(of, number, bytes.len(), bytes.as_mut_ptr().cast(), &mut size) };
    done(code, "information")?;
    let text = String::from_utf8_lossy(&bytes[..size.min(bytes.len())]);
    Ok(text.trim_end_matches('\0').to_owned())
}

impl OpenCl {
    /// The first device of the first platform whose name contains `platform`.
    pub fn new(platform: &str) -> Result<OpenCl, String> {
        let functions = Functions::load()?;
        let (mut all, mut n) = ([null_mut(); 16], 0);
        // SAFETY: the array has room for 16 platforms.
        done(unsafe { (functions.platform_ids)(16, all.as_mut_ptr(), &mut n) }, "platforms")?;
        let mut found = None;
        for &id in &all[..(n as usize).min(16)] {
            let name = text(id, PLATFORM_NAME, functions.platform_info)?;
            if found.is_none() && name.contains(platform) {
                found = Some((id, name));
            }
        }
        let (id, name) = found.ok_or_else(|| format!("there is no platform {platform}"))?;
        let mut device = null_mut();
        // SAFETY: there is room for one device.
        let code = unsafe { (functions.device_ids)(id, DEVICE_TYPE_ALL, 1, &mut device, null_mut()) };
        done(code, "devices")?;
        let version = text(device, DEVICE_VERSION, functions.device_info)?;
        let mut code = 0;
        // SAFETY: `device` is one device of the platform; there are no properties and no callback.
        let context =
            unsafe { (functions.create_context)(null(), 1, &device, null_mut(), null_mut(), &mut code) };
        done(code, "context")?;
        // SAFETY: context and device belong together.
        let queue = unsafe { (functions.create_queue)(context, device, 0, &mut code) };
        done(code, "queue")?;
        Ok(OpenCl { functions, device, context, queue, name: format!("{name}, {version}") })
    }

    /// Compiles a kernel from source with the default options.
    pub fn kernel(&self, source: &str, entry: &str) -> Result<ClKernel<'_>, String> {
        let (f, mut code) = (&self.functions, 0);
        let (start, length) = (source.as_ptr().cast::<c_char>(), source.len());
        // SAFETY: one string of the stated length, which is copied.
        let program = unsafe { (f.create_program)(self.context, 1, &start, &length, &mut code) };
        done(code, "program")?;
        // SAFETY: the program is of the context of the device; the options end with 0, and there is no callback.
        let code =
            unsafe { (f.build_program)(program, 1, &self.device, c"".as_ptr(), null_mut(), null_mut()) };
        if code != 0 {
            let mut log = vec![0u8; 4096];
            // SAFETY: the log has the stated size.
            unsafe {
                (f.build_info)(
                    program,
                    self.device,
                    PROGRAM_BUILD_LOG,
                    log.len(),
                    log.as_mut_ptr().cast(),
                    null_mut(),
                );
            }
            return Err(String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned());
        }
        let entry = CString::new(entry).map_err(|e| e.to_string())?;
        let mut code = 0;
        // SAFETY: the program is built, and the name ends with 0.
        let kernel = unsafe { (f.create_kernel)(program, entry.as_ptr(), &mut code) };
        done(code, "kernel")?;
        Ok(ClKernel { cl: self, program, kernel, buffers: Vec::new() })
    }
}

/// A kernel with its buffers.
pub struct ClKernel<'a> {
    cl: &'a OpenCl,
    program: Object,
    kernel: Object,
    buffers: Vec<(usize, Object, usize)>,
}

impl ClKernel<'_> {
    /// Makes a new buffer with these contents an argument.
    pub fn set_buffer(&mut self, index: usize, contents: &[u8]) -> Result<(), String> {
        let (f, mut code) = (&self.cl.functions, 0);
        let flags = MEM_READ_WRITE | MEM_COPY_HOST_PTR;
        let size = contents.len();
        // SAFETY: the contents have the stated size and are copied.
        let buffer =
            unsafe { (f.create_buffer)(self.cl.context, flags, size, contents.as_ptr().cast(), &mut code) };
        done(code, "buffer")?;
        self.buffers.push((index, buffer, size));
        self.set(index, size_of::<Object>(), (&raw const buffer).cast())
    }

    /// Sets a value.
    pub fn set_value(&mut self, index: usize, bytes: &[u8]) -> Result<(), String> {
        self.set(index, bytes.len(), bytes.as_ptr().cast())
    }

    /// Sets the size of workgroup memory.
    pub fn set_local(&mut self, index: usize, bytes: usize) -> Result<(), String> {
        self.set(index, bytes, null())
    }

    fn set(&mut self, index: usize, size: usize, value: *const c_void) -> Result<(), String> {
        // SAFETY: the value has `size` bytes, or is null for workgroup memory; it is copied.
        done(unsafe { (self.cl.functions.set_argument)(self.kernel, index as u32, size, value) }, "argument")
    }

    /// Runs the kernel, and waits for it.
    pub fn run(&self, global: [usize; 3], local: [usize; 3]) -> Result<(), String> {
        let f = &self.cl.functions;
        // SAFETY: three sizes each, no offset and no events; all arguments are set.
        let code = unsafe {
            (f.enqueue)(
                self.cl.queue,
                self.kernel,
                3,
                null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        };
        done(code, "launch")?;
        // SAFETY: the queue is live.
        done(unsafe { (f.finish)(self.cl.queue) }, "finish")
    }

    /// The contents of a buffer.
    pub fn read(&self, index: usize) -> Result<Vec<u8>, String> {
        let found = self.buffers.iter().find(|buffer| buffer.0 == index);
        let &(_, buffer, size) = found.ok_or("no such buffer")?;
        let mut bytes = vec![0u8; size];
        // SAFETY: the buffer has `size` bytes, and so has the room for them; the call waits for the copy.
        let code = unsafe {
            (self.cl.functions.read)(
                self.cl.queue,
                buffer,
                TRUE,
                0,
                size,
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        done(code, "read")?;
        Ok(bytes)
    }
}

impl Drop for ClKernel<'_> {
    fn drop(&mut self) {
        let f = &self.cl.functions;
        // SAFETY: this kernel owns its objects, and no command uses them any more.
        unsafe {
            for &(_, buffer, _) in &self.buffers {
                (f.release_memory)(buffer);
            }
            (f.release_kernel)(self.kernel);
            (f.release_program)(self.program);
        }
    }
}
