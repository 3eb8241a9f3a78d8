//! Requirements of tests that a machine may lack: their names, and the report of a skipped test.
//!
//! [`skipped`] is the only way to skip a test, or a part of a test. It prints the reason, adds it to the file that
//! `QUADRILLE_TEST_SKIPPED` names, and panics if `QUADRILLE_TEST_REQUIRE` names the requirement. The module is a hidden
//! part of this library, since all crates with such tests reach this library. A separate crate could not serve the unit
//! tests of this one: they would see two types named [`CpuLevel`]. Leaves the search for programs, libraries and files
//! to the tests.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;

use crate::cpu::CpuLevel;
use crate::env;
use crate::process::PerProcess;

/// A program, a library or a feature of the host that some tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// A CPU with the features of [`CpuLevel::V3`].
    Avx2,
    /// A CPU with the features of [`CpuLevel::V4`], and with those of routines written by hand for it.
    Avx512,
    /// Chromium, or a browser derived from it.
    Chromium,
    /// `clang` that compiles OpenCL C to SPIR-V, by itself or through `llvm-spirv`.
    Clang,
    /// `/dev/udmabuf` and `/dev/dma_heap/system`.
    DmaBuf,
    /// `genhtml` of the LCOV tools.
    Genhtml,
    /// Memory for a buffer of more than 4 GiB, of which a test touches some pages.
    Memory,
    /// Mesa's llvmpipe, and moderngl for Python.
    Mesa,
    /// The registry of Vulkan, `vk.xml`, of the version of the table of extensions or of a later one.
    Registry,
    /// A system on which profiles contain samples of time.
    Sampling,
    /// `spirv-as` and `spirv-val`.
    SpirvTools,
    /// The Vulkan loader. Only tests of the Python package need it.
    VulkanLoader,
    /// libwayland-client.
    Wayland,
    /// libxcb, libX11 and libX11-xcb.
    X11,
    /// The X server Xvfb.
    Xvfb,
}

impl Requirement {
    /// All requirements, sorted by name.
    pub const ALL: [Requirement; 15] = [
        Requirement::Avx2,
        Requirement::Avx512,
        Requirement::Chromium,
        Requirement::Clang,
        Requirement::DmaBuf,
        Requirement::Genhtml,
        Requirement::Memory,
        Requirement::Mesa,
        Requirement::Registry,
        Requirement::Sampling,
        Requirement::SpirvTools,
        Requirement::VulkanLoader,
        Requirement::Wayland,
        Requirement::X11,
        Requirement::Xvfb,
    ];

    /// Name in `QUADRILLE_TEST_REQUIRE`.
    pub fn name(self) -> &'static str {
        match self {
            Requirement::Avx2 => "avx2",
            Requirement::Avx512 => "avx512",
            Requirement::Chromium => "chromium",
            Requirement::Clang => "clang",
            Requirement::DmaBuf => "dma-buf",
            Requirement::Genhtml => "genhtml",
            Requirement::Memory => "memory",
            Requirement::Mesa => "mesa",
            Requirement::Registry => "registry",
            Requirement::Sampling => "sampling",
            Requirement::SpirvTools => "spirv-tools",
            Requirement::VulkanLoader => "vulkan-loader",
            Requirement::Wayland => "wayland",
            Requirement::X11 => "x11",
            Requirement::Xvfb => "xvfb",
        }
    }
}

/// Reports that the calling test, or a part of it, does not run because the machine lacks a requirement. A test reports
/// each reason once.
///
/// # Panics
/// If `QUADRILLE_TEST_REQUIRE` names the requirement, or has an unknown name. If the file of `QUADRILLE_TEST_SKIPPED`
/// cannot be written.
pub fn skipped(requirement: Requirement, reason: &str) {
    let name = requirement.name();
    if is_required(&env::TEST_REQUIRE.get().unwrap_or_default(), requirement) {
        panic!("{} requires {name}: {reason}", env::TEST_REQUIRE.name);
    }
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").map(|name| format!(" ({name})"));
    let line = format!("{name}: {reason}{}", test.unwrap_or_default());
    static REPORTED: PerProcess<Mutex<BTreeSet<String>>> = PerProcess::new();
    if !REPORTED.get().lock().unwrap_or_else(|e| e.into_inner()).insert(line.clone()) {
        return;
    }
    eprintln!("skipped: {reason}");
    if let Some(path) = env::TEST_SKIPPED.get() {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// True if a value of `QUADRILLE_TEST_REQUIRE` contains the requirement.
fn is_required(value: &str, requirement: Requirement) -> bool {
    let names: Vec<&str> = value.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let known = |name: &str| name == "all" || Requirement::ALL.iter().any(|r| r.name() == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        panic!(
            "{} has the unknown name `{name}`; it takes {}",
            env::TEST_REQUIRE.name,
            env::TEST_REQUIRE.values
        );
    }
    names.iter().any(|name| *name == "all" || *name == requirement.name())
}

/// CPU levels of the host, lowest first. Reports the others as skipped.
pub fn cpu_levels() -> Vec<CpuLevel> {
    let (able, missing) = CpuLevel::ALL.into_iter().partition(|level| *level <= CpuLevel::host());
    for level in Vec::from_iter::<Vec<CpuLevel>>(missing) {
        match level {
            CpuLevel::V2 => unreachable!("the minimum host"),
            CpuLevel::V3 => skipped(Requirement::Avx2, "the CPU lacks x86-64-v3"),
            CpuLevel::V4 => skipped(Requirement::Avx512, "the CPU lacks x86-64-v4"),
        }
    }
    able
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_lists_all_names() {
        let names = Requirement::ALL.map(Requirement::name);
        assert!(names.is_sorted() && !names.contains(&"all"));
        assert_eq!(
            env::TEST_REQUIRE.values,
            format!("all, or names separated by commas: {}", names.join(", "))
        );
    }

    #[test]
    fn a_requirement_is_named_or_all_are_required() {
        for (value, required) in [
            ("", false),
            ("all", true),
            ("xvfb", true),
            ("chromium, xvfb", true),
            ("chromium,wayland", false),
            ("wayland,all", true),
        ] {
            assert_eq!(is_required(value, Requirement::Xvfb), required, "{value}");
        }
        let wrong = std::panic::catch_unwind(|| is_required("chromiun", Requirement::Xvfb));
        assert!(wrong.unwrap_err().downcast::<String>().unwrap().contains("unknown name `chromiun`"));
    }

    /// Runs itself in processes with different requirements.
    #[test]
    fn a_skipped_test_is_listed_and_fails_if_it_is_required() {
        if env::TEST_CHILD.get().is_some() {
            (0..2).for_each(|_| skipped(Requirement::Chromium, "no Chromium"));
            return;
        }
        let list = std::env::temp_dir().join(format!("quadrille-skipped-{}", std::process::id()));
        let test = "testing::tests::a_skipped_test_is_listed_and_fails_if_it_is_required";
        let run = |require: &str| {
            let out = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", test, "--nocapture", "--test-threads=2"])
                .env(env::TEST_CHILD.name, "1")
                .env(env::TEST_REQUIRE.name, require)
                .env(env::TEST_SKIPPED.name, &list)
                .output()
                .unwrap();
            (out.status.success(), String::from_utf8(out.stderr).unwrap())
        };
        for require in ["", "xvfb,wayland"] {
            let (passed, text) = run(require);
            assert!(passed && text.contains("skipped: no Chromium"), "{text}");
        }
        for require in ["all", "chromium", "chromiun"] {
            let (passed, text) = run(require);
            assert!(!passed && !text.contains("skipped:"), "{require}: {text}");
        }
        let listed = std::fs::read_to_string(&list).unwrap();
        assert_eq!(listed, format!("chromium: no Chromium ({test})\n").repeat(2));
        std::fs::remove_file(list).unwrap();
    }
}
