//! Entries for x86-64, in assembly: one for each function and level of the processor.

/// Bytes for the vector registers of the highest level, and for the masks behind them.
pub(super) const SAVED: usize = 32 * 64 + 8 * 8;

/// Instructions for each `n` below 8, 16 or 32.
macro_rules! each {
    (8, $op:expr) => {
        concat!(".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n", $op, "\n.endr\n")
    };
    (16, $op:expr) => {
        concat!(each!(8, $op), ".irp n, 8, 9, 10, 11, 12, 13, 14, 15\n", $op, "\n.endr\n")
    };
    (32, $op:expr) => {
        concat!(
            each!(16, $op),
            ".irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n",
            $op,
            "\n.endr\n"
        )
    };
}

/// Writes the vector registers and masks of a level to the memory at a register.
macro_rules! save {
    (V2, $at:literal) => {
        each!(16, concat!("movups [", $at, " + 64 * \\n], xmm\\n"))
    };
    (V3, $at:literal) => {
        each!(16, concat!("vmovups [", $at, " + 64 * \\n], ymm\\n"))
    };
    (V4, $at:literal) => {
        concat!(
            each!(32, concat!("vmovups [", $at, " + 64 * \\n], zmm\\n")),
            each!(8, concat!("kmovq [", $at, " + 2048 + 8 * \\n], k\\n"))
        )
    };
}

/// Reads what `save` wrote.
macro_rules! restore {
    (V2, $at:literal) => {
        each!(16, concat!("movups xmm\\n, [", $at, " + 64 * \\n]"))
    };
    (V3, $at:literal) => {
        each!(16, concat!("vmovups ymm\\n, [", $at, " + 64 * \\n]"))
    };
    (V4, $at:literal) => {
        concat!(
            each!(32, concat!("vmovups zmm\\n, [", $at, " + 64 * \\n]")),
            each!(8, concat!("kmovq k\\n, [", $at, " + 2048 + 8 * \\n]"))
        )
    };
}

/// Clears the upper parts of vector registers, for code that was compiled for the lowest level.
macro_rules! clear_upper {
    (V2) => {
        ""
    };
    ($level:ident) => {
        "vzeroupper"
    };
}

/// Moves arguments from the registers of System V to where `extern "C"` has them.
#[cfg(windows)]
macro_rules! pass {
    () => {
        "sub rsp, 64
        mov [rsp + 32], r8
        mov [rsp + 40], r9
        mov r9, rcx
        mov r8, rdx
        mov rdx, rsi
        mov rcx, rdi"
    };
}
#[cfg(not(windows))]
macro_rules! pass {
    () => {
        ""
    };
}

/// Removes from the stack what `pass` put there.
#[cfg(windows)]
macro_rules! passed {
    () => {
        "add rsp, 64"
    };
}
#[cfg(not(windows))]
macro_rules! passed {
    () => {
        ""
    };
}

/// The entry of a function that saves the registers of one level.
macro_rules! entry_of {
    ($function:ident, $level:ident) => {{
        #[unsafe(naked)]
        extern "sysv64" fn entry() {
            std::arch::naked_asm!(
                "push rbp",
                "mov rbp, rsp",
                ".irp r, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11\npush \\r\n.endr",
                "sub rsp, {saved}",
                "and rsp, -64",
                save!($level, "rsp"),
                clear_upper!($level),
                pass!(),
                "call {function}",
                passed!(),
                restore!($level, "rsp"),
                "lea rsp, [rbp - 9 * 8]",
                ".irp r, r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax\npop \\r\n.endr",
                "pop rbp",
                "ret",
                function = sym $function,
                saved = const $crate::runtime::preserving::x86::SAVED,
            )
        }
        entry as *const u8
    }};
}

/// The entry of a function for a level.
macro_rules! entry {
    ($function:ident, $level:ident) => {{
        use $crate::runtime::preserving::x86::{clear_upper, each, entry_of, pass, passed, restore, save};
        match $level {
            CpuLevel::V2 => entry_of!($function, V2),
            CpuLevel::V3 => entry_of!($function, V3),
            CpuLevel::V4 => entry_of!($function, V4),
        }
    }};
}

pub(super) use {clear_upper, each, entry, entry_of, pass, passed, restore, save};

#[cfg(test)]
mod tests {
    use super::SAVED;
    use crate::cpu::CpuLevel;
    use crate::runtime::Rare;

    /// The registers that a call may change: vectors and masks, then rax, rcx, rdx, rsi, rdi and r8 to r11.
    #[repr(C, align(64))]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Registers {
        saved: [u64; SAVED / 8],
        integers: [u64; 9],
    }

    type Probe = extern "sysv64" fn(&Registers, &mut Registers, *const u8);

    /// Loads the registers of a level, calls an entry, and stores the registers.
    macro_rules! probe {
        ($level:ident) => {{
            #[unsafe(naked)]
            extern "sysv64" fn probe(before: &Registers, after: &mut Registers, entry: *const u8) {
                std::arch::naked_asm!(
                    "push rbx",
                    "push r12",
                    "push r13",
                    "mov rbx, rdx",
                    "mov r12, rsi",
                    "mov r13, rdi",
                    restore!($level, "r13"),
                    ".set at, {saved}\n.irp r, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11",
                    "mov \\r, [r13 + at]\n.set at, at + 8\n.endr",
                    "call rbx",
                    ".set at, {saved}\n.irp r, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11",
                    "mov [r12 + at], \\r\n.set at, at + 8\n.endr",
                    save!($level, "r12"),
                    clear_upper!($level),
                    "pop r13",
                    "pop r12",
                    "pop rbx",
                    "ret",
                    saved = const SAVED,
                )
            }
            probe as Probe
        }};
    }

    /// A function that changes all these registers.
    macro_rules! ruin {
        ($name:ident, $vectors:expr) => {
            #[unsafe(naked)]
            extern "sysv64" fn $name() {
                std::arch::naked_asm!(
                    $vectors,
                    ".irp r, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11\nxor \\r, -1\n.endr",
                    "ret",
                )
            }
        };
    }
    ruin!(ruin_v2, each!(16, "pcmpeqd xmm\\n, xmm\\n"));
    ruin!(ruin_v3, each!(16, "vpcmpeqd ymm\\n, ymm\\n, ymm\\n"));
    ruin!(
        ruin_v4,
        concat!(each!(32, "vpternlogd zmm\\n, zmm\\n, zmm\\n, 255\n"), each!(8, "kxnorq k\\n, k\\n, k\\n"))
    );

    /// Each level with its probe, an entry and the function behind the entry.
    fn levels() -> impl Iterator<Item = (CpuLevel, Probe, *const u8, *const u8)> {
        [
            (CpuLevel::V2, probe!(V2), entry_of!(ruin_v2, V2), ruin_v2 as *const u8),
            (CpuLevel::V3, probe!(V3), entry_of!(ruin_v3, V3), ruin_v3 as *const u8),
            (CpuLevel::V4, probe!(V4), entry_of!(ruin_v4, V4), ruin_v4 as *const u8),
        ]
        .into_iter()
        .filter(|&(level, ..)| level <= CpuLevel::host())
    }

    #[test]
    fn entries_preserve_all_registers() {
        let mut next = 1u64;
        let mut some = || {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            next
        };
        for (level, probe, entry, function) in levels() {
            let before = Registers {
                saved: std::array::from_fn(|_| some()),
                integers: std::array::from_fn(|_| some()),
            };
            // Parts of registers that the level does not have stay as they are here.
            let mut after = before;
            probe(&before, &mut after, entry);
            assert!(after == before, "{level:?}");
            probe(&before, &mut after, function);
            let vectors = [16, 16, 32][level as usize];
            let bytes = [2, 4, 8][level as usize];
            for n in 0..vectors {
                assert_eq!(after.saved[8 * n..8 * n + bytes], [u64::MAX; 8][..bytes], "{level:?} {n}");
            }
            assert!(after.integers.iter().zip(&before.integers).all(|(a, b)| a == &!b), "{level:?}");
        }
    }

    #[test]
    fn entries_pass_six_arguments() {
        let words: [u32; 16] = std::array::from_fn(|n| 100 + n as u32);
        for level in CpuLevel::ALL.into_iter().filter(|&l| l <= CpuLevel::host()) {
            let offsets = [4u32, 0, 64, 60];
            let mut rows = [7u32; 8];
            let entry = Rare::LoadRows.entry_for(level);
            // SAFETY: `load_rows` has these arguments.
            let load: extern "sysv64" fn(*const u32, u64, *const u32, *mut u32, u64, u64) =
                unsafe { std::mem::transmute(entry) };
            // Two words per lane, 4 bytes apart.
            load(words.as_ptr(), 64, offsets.as_ptr(), rows.as_mut_ptr(), 4 << 32, 2 | 4 << 8 | 4 << 16);
            assert_eq!(rows, [101, 100, 0, 115, 102, 101, 0, 0], "{level:?}");
        }
    }
}
