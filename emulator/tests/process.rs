//! Effects of the system on a process: `fork`, and limits of files, threads and memory. Each test runs in a separate
//! process, which an alarm ends if it hangs.

#![cfg(unix)]
#![expect(unsafe_code, reason = "forks and sets limits")]

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use quadrille::*;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Seconds until a hanging process is ended.
const HANG: u32 = 120;

/// Runs `body` in a new process that runs only this test.
fn alone(test: &str, body: impl FnOnce()) {
    if env::TEST_CHILD.get().as_deref() == Some(test) {
        // SAFETY: `alarm` takes an integer and accesses no memory.
        unsafe { libc::alarm(HANG) };
        return body();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--test-threads=1", "--nocapture"]).env(env::TEST_CHILD.name, test);
    let out = command.output().unwrap();
    let text = [out.stdout, out.stderr].map(|t| String::from_utf8_lossy(&t).into_owned()).concat();
    assert!(out.status.success(), "{}: {text}", out.status);
    assert!(text.contains("1 passed"), "the test ran: {text}");
}

/// Runs `body` in a child of `fork`, and returns the child's process id.
fn fork(body: impl FnOnce()) -> i32 {
    // SAFETY: the child only runs `body`, which the tests require to work after `fork`, and then ends with `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child > 0 {
        return child;
    }
    // SAFETY: `alarm` takes an integer and accesses no memory.
    unsafe { libc::alarm(HANG / 2) };
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).is_ok();
    // SAFETY: `_exit` takes an integer and never returns; it skips the parent's exit handlers.
    unsafe { libc::_exit(i32::from(!done)) }
}

/// Waits for a child, which must have succeeded.
fn join(child: i32) {
    let mut status = 0;
    // SAFETY: `status` is a live local variable to which the call writes.
    let got = unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!((got, status), (child, 0), "status of the child");
}

/// Number of invocations: more than the caller's thread runs in one piece.
const MANY: u32 = 1 << 20;

/// Compiles a separate shader for each `k`, runs it over `n` values, and checks the result.
fn compute(device: &Device, k: u32, n: u32) -> Result<()> {
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
         @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{
            var v = a[id.x]; for (var i = 0u; i < {k}u % 7u; i++) {{ v = v * {}u + i; }}
            a[id.x] = v ^ {k}u; }}",
        2 * k + 1
    );
    let words = frontend::compile_wgsl(&text, &frontend::Options::named("k"))?;
    let stage = ShaderStage::new(&device.create_shader_module(&words)?, "main");
    let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let buffer = device.create_buffer_with(&(0..n).collect::<Vec<u32>>(), BufferUsage::STORAGE)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &buffer)?;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(n / 64, 1, 1);
    commands.end()?;
    device.queue().run(&commands)?;
    let want = |first: u32| {
        let step = |v: u32, i: u32| v.wrapping_mul(2 * k + 1).wrapping_add(i);
        (0..k % 7).fold(first, step) ^ k
    };
    let got: Vec<u32> = buffer.read_all()?;
    assert!((0..n).all(|i| got[i as usize] == want(i)), "shader {k}");
    Ok(())
}

fn device(threads: usize) -> Device {
    Device::new(DeviceOptions { threads, ..DeviceOptions::default() }).unwrap()
}

#[test]
fn parent_and_child_compile_after_a_fork() {
    alone("parent_and_child_compile_after_a_fork", || {
        let here = device(2);
        compute(&here, 1, 256).unwrap();
        let child = fork(|| {
            let own = device(2);
            (1000..1040).for_each(|k| compute(&own, k, 256).unwrap());
        });
        (2000..2040).for_each(|k| compute(&here, k, 256).unwrap());
        join(child);
    });
}

#[test]
fn a_child_makes_its_own_device_and_is_refused_the_parents() {
    alone("a_child_makes_its_own_device_and_is_refused_the_parents", || {
        let here = device(2);
        // Start the queue thread, the helpers, the watchdog and the optimizer.
        compute(&here, 5, MANY).unwrap();
        let mut commands = here.create_command_buffer();
        commands.end().unwrap();
        let (fence, event) = (here.create_fence(false), here.create_event());
        let buffer = here.create_buffer_with(&[1u32; 64], BufferUsage::STORAGE).unwrap();
        let child = fork(|| {
            let refused = |what: &str, result: Result<()>| match result {
                Err(Error::DeviceLost(m)) => assert!(m.contains("fork"), "{what}: {m}"),
                other => panic!("{what}: {other:?}"),
            };
            refused("compile", compute(&here, 6, MANY));
            refused("run", here.queue().run(&commands));
            refused("submit", here.queue().submit(&[], Some(&fence)));
            refused("wait", fence.wait(None).map(|_| ()));
            refused("wait_idle", here.wait_idle());
            refused("allocate", here.allocate(64).map(|_| ()));
            event.set();
            // The parent's buffers stay readable, and its objects are dropped without waiting.
            assert_eq!(buffer.read_all::<u32>().unwrap(), [1; 64]);
            drop((buffer, fence, event, commands, here));
            compute(&device(2), 7, MANY).unwrap();
        });
        join(child);
    });
}

#[test]
fn children_of_a_busy_parent_do_not_hang() {
    alone("children_of_a_busy_parent_do_not_hang", || {
        let over = AtomicBool::new(false);
        std::thread::scope(|s| {
            for first in [10_000, 20_000] {
                let over = &over;
                s.spawn(move || {
                    let own = device(2);
                    let mut k = first;
                    while !over.load(Ordering::Relaxed) {
                        compute(&own, k, 4096).unwrap();
                        k += 1;
                    }
                });
            }
            for k in 0..12 {
                std::thread::sleep(std::time::Duration::from_millis(7));
                join(fork(|| compute(&device(2), 30_000 + k, MANY).unwrap()));
            }
            over.store(true, Ordering::Relaxed);
        });
    });
}

/// The parent makes every static value of the library in the meantime: no child may wait for its threads.
#[test]
fn children_of_a_parent_that_starts_do_not_hang() {
    alone("children_of_a_parent_that_starts_do_not_hang", || {
        std::thread::scope(|s| {
            for first in [50_000, 60_000] {
                s.spawn(move || {
                    let own = device(2);
                    (first..first + 3).for_each(|k| compute(&own, k, MANY).unwrap());
                });
            }
            let forked = |k: u32| {
                std::thread::sleep(std::time::Duration::from_micros(300));
                fork(|| compute(&device(2), 70_000 + k, 4096).unwrap())
            };
            let children: Vec<i32> = (0..48).map(forked).collect();
            children.into_iter().for_each(join);
        });
    });
}

#[test]
fn no_file_may_grow() {
    alone("no_file_may_grow", || {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        setrlimit(Resource::Fsize, none).unwrap();
        compute(&device(2), 11, 4096).unwrap();
        let path = std::env::temp_dir().join(format!("quadrille-{}.png", std::process::id()));
        let refused = Picture::filled(8, 8, [1; 4]).unwrap().save(&path);
        assert!(refused.is_err(), "a picture is a file that grows");
    });
}

/// Removes the right of this process to start threads.
fn without_threads() {
    // SAFETY: `setuid` takes an integer and accesses no memory. The superuser is exempt from the limit on threads.
    unsafe { libc::setuid(65534) };
    setrlimit(Resource::Nproc, Rlimit { current: Some(0), maximum: Some(0) }).unwrap();
    let refused = std::thread::Builder::new().spawn(|| ());
    assert!(refused.is_err(), "the limit of threads holds");
}

#[test]
fn without_threads_the_caller_does_the_work() {
    alone("without_threads_the_caller_does_the_work", || {
        without_threads();
        // Without a watchdog thread nothing could end an endless shader, so the device has no budget.
        let options = DeviceOptions { threads: 4, budget: std::time::Duration::ZERO, ..Default::default() };
        let here = Device::new(options).unwrap();
        for k in 0..4 {
            compute(&here, k, MANY).unwrap();
        }
        // A submission that waits for a later signal cannot be queued.
        let later = here.create_timeline_semaphore(0);
        let mut commands = here.create_command_buffer();
        commands.end().unwrap();
        let submit = Submit { waits: &[(&later, 1)], commands: &[&commands], signals: &[] };
        let refused = here.queue().submit(&[submit], None);
        assert!(matches!(refused, Err(Error::OutOfMemory(_))), "{refused:?}");
        // A payload that was imported for one wait stays with the semaphore.
        let once = here.create_semaphore();
        once.import(&Import::Copy(None), true).unwrap();
        let both = Submit { waits: &[(&once, 0), (&later, 1)], ..submit };
        assert!(here.queue().submit(&[both, both], None).is_err());
        assert_eq!(once.value().unwrap(), 1);
        later.signal(1);
        here.queue().submit(&[submit], None).unwrap();
        here.wait_idle().unwrap();
        // A batch that has run cannot be taken back. Spec: Vulkan, "Queue Submission".
        let never = Submit { waits: &[(&later, 2)], ..submit };
        let lost = here.queue().submit(&[submit, never], None);
        assert!(matches!(lost, Err(Error::DeviceLost(_))), "{lost:?}");
        assert!(here.check_lost().is_err());
    });
}

#[test]
fn mappings_that_stay_keep_no_memory() {
    alone("mappings_that_stay_keep_no_memory", || {
        let here = device(1);
        let size = 8 << 20;
        let blocks: Vec<Memory> = (0..24).map(|_| here.allocate(size).unwrap()).collect();
        let line = vec![1u8; size as usize];
        blocks.iter().for_each(|b| b.write(0, &line).unwrap());
        let before = resident();
        // Alternate the rights of pages until the system has no more mappings.
        let page = 4096;
        let len = 70_000 * page;
        let (rights, flags) =
            (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
        // SAFETY: the kernel chooses the address of the new mapping of `len` bytes, only this test uses it, and all
        // changed pages lie within it.
        unsafe {
            let all = libc::mmap(std::ptr::null_mut(), len, rights, flags, -1, 0);
            assert_ne!(all, libc::MAP_FAILED);
            let refused = (0..70_000)
                .step_by(2)
                .find(|i| libc::mprotect(all.add(i * page), page, libc::PROT_NONE) != 0);
            assert!(refused.is_some(), "the system has a limit of mappings");
        }
        // Unmapping a block between two others would need an additional mapping.
        let (mut even, mut odd) = (Vec::new(), Vec::new());
        for (i, block) in blocks.into_iter().enumerate() {
            if i % 2 == 0 { even.push(block) } else { odd.push(block) }
        }
        drop(odd);
        drop(even);
        let left = resident();
        assert!(left + (100 << 20) < before, "{before} bytes before, {left} after");
        assert_eq!(here.heap_used(), 0);
    });
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}
