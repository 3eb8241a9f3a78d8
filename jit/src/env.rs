//! Every environment variable that Quadrille reads, in two tables with name, values and meaning. [`VARIABLES`] are for
//! every program, [`TEST_VARIABLES`] only for the tests of this repository.
//!
//! `quadrille info` prints the first table. Options that a program sets itself take precedence over the environment.
//! Each row reads its values: a value that it cannot read is invalid. [`problems`] lists invalid values; with an invalid
//! value, no device is created. A single reader treats an invalid value as unset. [`unknown`] lists variables that no
//! row has: they are ignored, and the first device of a process says so.

mod of_tests;
mod values;
mod variable;

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

pub use of_tests::{
    FILETEST, FILETEST_TEXT, REGISTRY, SECOND_OPINION, SEED_TEXT, SEEDS, TEST_CHILD, TEST_PRINT,
    TEST_REQUIRE, TEST_ROUNDS, TEST_SEEDS, TEST_SKIPPED, TEST_SPV, TEST_TIME, TEST_VARIABLES, VARIANTS,
};
pub use values::{Amount, Checks, Guard, Host, Identity, Opt, Topic};
pub use variable::{Row, Variable};

use crate::similar;
use variable::{choice, flag, number, pair, path, raw, seconds, text};

/// The beginning of all names.
const PREFIX: &str = "QUADRILLE_";

/// Number of threads.
pub const THREADS: Variable<usize> = Variable {
    name: "QUADRILLE_THREADS",
    values: "a number of threads, or 0",
    meaning: "number of threads that share work, including the caller's; at most eight per processor are used \
              (default: 0, one per processor)",
    parse: number,
};
/// Use of the interpreter instead of generated code.
pub const INTERP: Variable<bool> = Variable {
    name: "QUADRILLE_INTERP",
    values: "0, 1",
    meaning: "1 runs shaders in the reference interpreter (default: 0)",
    parse: flag,
};
/// Checked execution.
pub const CHECK: Variable<Checks> = Variable {
    name: "QUADRILLE_CHECK",
    values: "0, 1, fail",
    meaning: "1 looks for undefined behaviour of shaders while they run, such as races and accesses out of bounds, \
              and prints it to standard error; `fail` also fails the submission in which it is found: the device is \
              lost (default: 0)",
    parse: |v| choice(v, &[("0", Checks::Off), ("1", Checks::On), ("fail", Checks::Fail)]),
};
/// Tiers of compilation.
pub const OPT: Variable<Opt> = Variable {
    name: "QUADRILLE_OPT",
    values: "auto, none, speed",
    meaning: "auto optimizes shaders in the background after some use, none never optimizes, speed optimizes before \
              the first use (default: auto)",
    parse: |v| choice(v, &[("auto", Opt::Auto), ("none", Opt::None), ("speed", Opt::Speed)]),
};
/// Host instructions that generated code may use.
pub const CPU: Variable<Host> = Variable {
    name: "QUADRILLE_CPU",
    values: "v2, v3, v4, native",
    meaning: "host instructions that may be used, if the host has them: x86-64-v2, x86-64-v3 (AVX2), x86-64-v4 \
              (AVX-512), or all (default: native)",
    parse: |v| choice(v, &[("v2", Host::V2), ("v3", Host::V3), ("v4", Host::V4), ("native", Host::Native)]),
};
/// Order of work with atomics. `true` for the relaxed order.
pub const ORDER: Variable<bool> = Variable {
    name: "QUADRILLE_ORDER",
    values: "strict, relaxed",
    meaning: "relaxed runs work whose atomics return results in parallel, in any order (default: strict, the same \
              results every time)",
    parse: |v| choice(v, &[("strict", false), ("relaxed", true)]),
};
/// Lane group size.
pub const LANES: Variable<u32> = Variable {
    name: "QUADRILLE_LANES",
    values: "4, 8, 16, 32",
    meaning: "subgroup size of pipelines that do not request one (default: 8)",
    parse: |v| choice(v, &[("4", 4), ("8", 8), ("16", 16), ("32", 32)]),
};
/// Order in which parts of the work start. `true` for backwards.
pub const PARTS: Variable<bool> = Variable {
    name: "QUADRILLE_PARTS",
    values: "forwards, backwards",
    meaning: "backwards starts with the last tile and the last workgroups; results are the same (default: forwards)",
    parse: |v| choice(v, &[("forwards", false), ("backwards", true)]),
};
/// CPU time limit per dispatch or draw.
pub const BUDGET: Variable<Duration> = Variable {
    name: "QUADRILLE_BUDGET",
    values: "a whole number of seconds",
    meaning: "CPU time limit of one dispatch or draw, after which the device is lost, measured on the busiest of its \
              threads; 0 for no limit (default: 60)",
    parse: seconds,
};
/// CPU time limit per compilation.
pub const COMPILE_BUDGET: Variable<Duration> = Variable {
    name: "QUADRILLE_COMPILE_BUDGET",
    values: "a whole number of seconds",
    meaning: "CPU time limit of compiling one shader, after which it is refused; 0 for no limit (default: 60)",
    parse: seconds,
};
/// Size of device memory. In bytes.
pub const HEAP: Variable<u64> = Variable {
    name: "QUADRILLE_HEAP",
    values: "a whole number of mebibytes, from 1",
    meaning: "size of device memory (default: three quarters of the host's)",
    parse: |v| v.parse::<u64>().ok().filter(|n| *n > 0)?.checked_mul(1 << 20),
};
/// Texts to dump.
pub const DUMP: Variable<Vec<Topic>> = Variable {
    name: "QUADRILLE_DUMP",
    values: "spirv, ir, optimized, clif, asm: one or more, separated by commas",
    meaning: "writes these texts for every shader and kernel that is compiled (default: none)",
    parse: |v| {
        v.split(',').map(|t| choice(t.trim(), &Topic::ALL.map(|topic| (topic.name(), topic)))).collect()
    },
};
/// Folder for dumped texts.
pub const DUMP_DIR: Variable<PathBuf> = Variable {
    name: "QUADRILLE_DUMP_DIR",
    values: "a folder",
    meaning: "folder for dumped texts (default: standard error)",
    parse: path,
};
/// Rewriting of test expectations.
pub const BLESS: Variable<bool> = Variable {
    name: "QUADRILLE_BLESS",
    values: "0, 1",
    meaning: "1 rewrites the expected pictures and results of tests instead of comparing (default: 0)",
    parse: flag,
};

/// Cache of compiled GLSL on disk.
pub const CACHE: Variable<bool> = Variable {
    name: "QUADRILLE_CACHE",
    values: "0, 1",
    meaning: "0 keeps compiled GLSL out of the user's cache folder (default: 1)",
    parse: flag,
};

/// Verification of proofs of the code generator. `true` for check.
pub const PROOFS: Variable<bool> = Variable {
    name: "QUADRILLE_PROOFS",
    values: "trust, check",
    meaning: "check keeps the bounds checks that were proved unnecessary, and fails if a proof was wrong (default: \
              trust)",
    parse: |v| choice(v, &[("trust", false), ("check", true)]),
};

/// Error messages of the Vulkan driver.
pub const LOG: Variable<bool> = Variable {
    name: "QUADRILLE_LOG",
    values: "0, 1",
    meaning: "1 makes the Vulkan driver write the text of each error (default: 0)",
    parse: flag,
};

/// Vulkan version of the driver. Major and minor number.
pub const API_VERSION: Variable<(u32, u32)> = Variable {
    name: "QUADRILLE_API_VERSION",
    values: "1.1, 1.2, 1.3, 1.4",
    meaning: "maximum Vulkan version of the driver (default: the newest supported version, but 1.1 for wgpu, which \
              hides devices of later versions without conformance)",
    parse: |v| choice(v, &[("1.1", (1, 1)), ("1.2", (1, 2)), ("1.3", (1, 3)), ("1.4", (1, 4))]),
};

/// Identity that the driver reports.
pub const IDENTITY: Variable<Identity> = Variable {
    name: "QUADRILLE_IDENTITY",
    values: "quadrille, integrated, swiftshader",
    meaning: "ids, type and name of the device: `integrated` has the type of an integrated GPU, which programs prefer to \
              devices of the type CPU; programs that accept only SwiftShader accept the driver as `swiftshader` \
              (default: quadrille, but swiftshader where the library has the name of SwiftShader's)",
    parse: |v| {
        let integrated = ("integrated", Identity::Integrated);
        choice(v, &[("quadrille", Identity::Quadrille), integrated, ("swiftshader", Identity::SwiftShader)])
    },
};

/// Guard pages.
pub const GUARD: Variable<Guard> = Variable {
    name: "QUADRILLE_GUARD",
    values: "0, end, start",
    meaning: "places memory that shaders can reach between inaccessible pages, adjacent to the page at its end or at \
              its start, so that a stray access ends the process; mapped memory is then aligned to 64 bytes (default: 0)",
    parse: |v| choice(v, &[("0", Guard::Off), ("end", Guard::End), ("start", Guard::Start)]),
};

/// Trace directives.
pub const TRACE: Variable<String> = Variable {
    name: "QUADRILLE_TRACE",
    values: "directives as in RUST_LOG: info, or draw=debug,pass=info",
    meaning: "reports the work of command buffers while they run (default: nothing); `quadrille trace --help` lists \
              targets",
    parse: text,
};
/// Format of trace lines. `true` for JSON.
pub const TRACE_FORMAT: Variable<bool> = Variable {
    name: "QUADRILLE_TRACE_FORMAT",
    values: "text, json",
    meaning: "format of the lines of a trace (default: text)",
    parse: |v| choice(v, &[("text", false), ("json", true)]),
};
/// File for trace lines.
pub const TRACE_FILE: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TRACE_FILE",
    values: "a file",
    meaning: "file for the lines of a trace, in a forked child with its process id (default: standard error)",
    parse: path,
};
/// Folder for the page and pictures of a trace.
pub const TRACE_DIR: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TRACE_DIR",
    values: "a folder",
    meaning: "folder for a page and for pictures of attachments (default: none are written)",
    parse: path,
};
/// Events after which a trace takes pictures. `true` for pictures after every draw.
pub const TRACE_EVERY: Variable<bool> = Variable {
    name: "QUADRILLE_TRACE_EVERY",
    values: "pass, draw",
    meaning: "pass takes pictures of attachments after each pass, draw also after each draw (default: pass)",
    parse: |v| choice(v, &[("pass", false), ("draw", true)]),
};
/// Range of traced frames.
pub const TRACE_FRAMES: Variable<Range<u64>> = Variable {
    name: "QUADRILLE_TRACE_FRAMES",
    values: "FIRST..LAST",
    meaning: "range of traced frames, counted from 0, without LAST (default: all)",
    parse: |v| pair(v, "..").map(|(first, last)| first..last),
};

/// Shader coverage report.
pub const COVERAGE: Variable<PathBuf> = Variable {
    name: "QUADRILLE_COVERAGE",
    values: "a file",
    meaning: "adds the lines, functions and branches of shader sources that run to this file, in LCOV format; \
              shaders are then interpreted (default: none)",
    parse: path,
};

/// Variables for every program.
pub const VARIABLES: &[&dyn Row] = &[
    &THREADS,
    &INTERP,
    &CHECK,
    &OPT,
    &CPU,
    &ORDER,
    &LANES,
    &PARTS,
    &BUDGET,
    &COMPILE_BUDGET,
    &HEAP,
    &DUMP,
    &DUMP_DIR,
    &BLESS,
    &CACHE,
    &LOG,
    &API_VERSION,
    &IDENTITY,
    &GUARD,
    &PROOFS,
    &TRACE,
    &TRACE_FORMAT,
    &TRACE_FILE,
    &TRACE_DIR,
    &TRACE_EVERY,
    &TRACE_FRAMES,
    &COVERAGE,
];

/// Describes each variable with an invalid value, one sentence per variable.
pub fn problems() -> Vec<String> {
    let problem = |v: &&dyn Row| {
        let raw = raw(v.name()).filter(|raw| !v.accepts(raw))?;
        Some(format!("the environment variable {} is `{raw}`; it takes {}", v.name(), v.values()))
    };
    VARIABLES.iter().filter_map(problem).collect()
}

/// Describes each variable that begins like those of the tables and is none of them, one sentence per variable.
pub fn unknown() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut sentences: Vec<String> = names.filter_map(|name| is_unknown(&name)).collect();
    sentences.sort_unstable();
    sentences
}

/// The sentence about a variable, if no table has it.
fn is_unknown(name: &str) -> Option<String> {
    let rest = name.strip_prefix(PREFIX)?;
    let known = |tables: &[&'static dyn Row], name: &str| tables.iter().any(|row| row.name() == name);
    if known(VARIABLES, name) || known(TEST_VARIABLES, name) {
        return None;
    }
    let near = similar::closest(rest, VARIABLES.iter().map(|row| &row.name()[PREFIX.len()..]));
    let near = near.map_or(String::new(), |at| format!("; did you mean {}?", VARIABLES[at].name()));
    Some(format!("the environment variable {name} is unknown{near}"))
}

/// `QUADRILLE_THREADS`.
pub fn threads() -> Option<usize> {
    THREADS.get()
}

/// `QUADRILLE_INTERP`.
pub fn interp() -> bool {
    is_on(INTERP)
}

/// `QUADRILLE_CHECK`.
pub fn checks_shaders() -> bool {
    matches!(CHECK.get(), Some(Checks::On | Checks::Fail))
}

/// `QUADRILLE_CHECK=fail`.
pub fn checks_fail() -> bool {
    CHECK.get() == Some(Checks::Fail)
}

/// `QUADRILLE_OPT`.
pub fn opt() -> Opt {
    OPT.get().unwrap_or_default()
}

/// `QUADRILLE_ORDER=relaxed`.
pub fn relaxed_order() -> bool {
    is_on(ORDER)
}

/// `QUADRILLE_LANES`.
pub fn lanes() -> Option<u32> {
    LANES.get()
}

/// `QUADRILLE_PARTS=backwards`.
pub fn backwards() -> bool {
    is_on(PARTS)
}

/// `QUADRILLE_BUDGET`; zero for no limit.
pub fn budget() -> Option<Duration> {
    BUDGET.get()
}

/// `QUADRILLE_COMPILE_BUDGET`; zero for no limit.
pub fn compile_budget() -> Option<Duration> {
    COMPILE_BUDGET.get()
}

/// `QUADRILLE_HEAP`, in bytes.
pub fn heap_bytes() -> Option<u64> {
    HEAP.get()
}

/// `QUADRILLE_BLESS`.
pub fn bless() -> bool {
    is_on(BLESS)
}

/// `QUADRILLE_CACHE`: true if compiled GLSL may be kept on disk.
pub fn cache() -> bool {
    CACHE.get().unwrap_or(true)
}

/// `QUADRILLE_PROOFS=check`.
pub fn checks_proofs() -> bool {
    is_on(PROOFS)
}

/// `QUADRILLE_LOG`.
pub fn log() -> bool {
    is_on(LOG)
}

/// `QUADRILLE_API_VERSION`: major and minor number.
pub fn api_version() -> Option<(u32, u32)> {
    API_VERSION.get()
}

/// `QUADRILLE_GUARD`.
pub fn guard() -> Option<Guard> {
    GUARD.get()
}

/// `QUADRILLE_TRACE_FORMAT=json`.
pub fn trace_json() -> bool {
    is_on(TRACE_FORMAT)
}

/// `QUADRILLE_TRACE_EVERY=draw`.
pub fn trace_every_draw() -> bool {
    is_on(TRACE_EVERY)
}

/// `QUADRILLE_TRACE_FRAMES`.
pub fn trace_frames() -> Option<Range<u64>> {
    TRACE_FRAMES.get()
}

/// `QUADRILLE_SEEDS`.
pub fn seeds() -> Option<Range<u64>> {
    SEEDS.get()
}

/// `QUADRILLE_TEST_SEEDS`: first seed and number of seeds.
pub fn test_seeds() -> Option<(u64, u64)> {
    TEST_SEEDS.get()
}

/// Returns true if a variable is set to its second choice, for example 1.
pub fn is_on(variable: Variable<bool>) -> bool {
    variable.get().unwrap_or(false)
}

/// Returns true if `QUADRILLE_DUMP` contains this topic.
pub fn dumps(topic: Topic) -> bool {
    DUMP.get().is_some_and(|topics| topics.contains(&topic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_one_name_and_read_values() {
        let all: Vec<&&dyn Row> = VARIABLES.iter().chain(TEST_VARIABLES).collect();
        for (i, v) in all.iter().enumerate() {
            assert!(v.name().starts_with(PREFIX) && is_unknown(v.name()).is_none());
            assert!(all[..i].iter().all(|w| w.name() != v.name()));
        }
        assert_eq!((SEEDS.parse)("3..9"), Some(3..9));
        assert_eq!(((SEEDS.parse)("3"), (TEST_SEEDS.parse)("3+9")), (None, Some((3, 9))));
        assert_eq!(((OPT.parse)("none"), (OPT.parse)("O3")), (Some(Opt::None), None));
        assert_eq!((DUMP.parse)("ir, clif"), Some(vec![Topic::Ir, Topic::Clif]));
        assert_eq!((DUMP.parse)("ir,pictures"), None);
        assert_eq!(((LANES.parse)("16"), (LANES.parse)("12")), (Some(16), None));
        assert_eq!((CACHE.parse)("0"), Some(false));
    }

    /// The stated values are those that the row reads.
    #[test]
    fn rows_read_the_values_that_they_state() {
        let words = |v: &str| v.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.');
        let mut listed = 0;
        for v in VARIABLES.iter().chain(TEST_VARIABLES) {
            let choices: Vec<&str> = v.values().split(", ").collect();
            if choices.len() > 1 && choices.iter().all(|c| words(c)) {
                assert!(choices.iter().all(|c| v.accepts(c)), "{}", v.name());
                assert!(!v.accepts("other") && !v.accepts(""), "{}", v.name());
                listed += 1;
            }
        }
        assert!(listed > 15, "{listed}");
    }

    /// More memory than an address can name was valid, but read as unset.
    #[test]
    fn memory_is_valid_if_its_size_in_bytes_is_a_number() {
        assert_eq!(((HEAP.parse)("2"), (HEAP.parse)("0")), (Some(2 << 20), None));
        assert!(HEAP.accepts("17592186044415") && !HEAP.accepts("17592186044416"));
    }
    #[test]
    fn variables_that_no_table_has_are_named() {
        let text = |rest: &str| is_unknown(&format!("{PREFIX}{rest}")).unwrap();
        assert!(text("CHEK").ends_with("CHEK is unknown; did you mean QUADRILLE_CHECK?"));
        assert_eq!(text("X"), format!("the environment variable {PREFIX}X is unknown"));
        assert_eq!(text(""), format!("the environment variable {PREFIX} is unknown"));
        assert_eq!(["PATH", "QUADRILLE", "quadrille_chek"].map(is_unknown), [None, None, None]);
    }
}
