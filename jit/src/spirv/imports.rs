//! Built-in functions of OpenCL C that compilers leave as imports, where SPIR-V has instructions for them.
//!
//! clang writes them without a body, under the mangled name of the C++ ABI: `_Z`, the length of the name, the name, the types
//! of the parameters. One row of [`IMPORTS`] per function; `lower::kernel::import` has their code.

use spirv::{Op, StorageClass};

use crate::ir::AtomicOp;

/// Function that a module may import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import {
    /// A query of an image, by the instruction that it stands for, and the number that is added to the enumerant of SPIR-V
    /// to get the one of OpenCL C.
    Query(Op, u32),
    /// Read-modify-write with the operand of the call.
    Atomic(AtomicOp),
    /// As `Atomic`, but the operation depends on the sign of the type: for signed and for unsigned numbers.
    Ordered(AtomicOp, AtomicOp),
    /// Read-modify-write with 1.
    Count(AtomicOp),
    /// Orders memory.
    Fence,
    /// Orders memory of the subgroup, whose invocations run together.
    SubgroupBarrier,
    /// Flags of the memory that a generic pointer leads to.
    FlagsOf,
    /// A generic pointer as one of a storage class, or null.
    ToClass(StorageClass),
}

/// Every function that a module may import, by its name in OpenCL C. Spec: OpenCL C, Built-in Functions.
#[rustfmt::skip]
pub const IMPORTS: &[(&str, Import)] = &[
    ("get_image_channel_data_type", Import::Query(Op::ImageQueryFormat, 0x10d0)),
    ("get_image_channel_order", Import::Query(Op::ImageQueryOrder, 0x10b0)),
    ("atomic_xchg", Import::Atomic(AtomicOp::Exchange)), ("atom_xchg", Import::Atomic(AtomicOp::Exchange)),
    ("atomic_inc", Import::Count(AtomicOp::IAdd)), ("atom_inc", Import::Count(AtomicOp::IAdd)),
    ("atomic_dec", Import::Count(AtomicOp::ISub)), ("atom_dec", Import::Count(AtomicOp::ISub)),
    ("atomic_max", Import::Ordered(AtomicOp::SMax, AtomicOp::UMax)), ("atom_max", Import::Ordered(AtomicOp::SMax, AtomicOp::UMax)),
    ("atomic_min", Import::Ordered(AtomicOp::SMin, AtomicOp::UMin)), ("atom_min", Import::Ordered(AtomicOp::SMin, AtomicOp::UMin)),
    ("atomic_fetch_max", Import::Ordered(AtomicOp::SMax, AtomicOp::UMax)),
    ("atomic_fetch_min", Import::Ordered(AtomicOp::SMin, AtomicOp::UMin)),
    ("atomic_fetch_max_explicit", Import::Ordered(AtomicOp::SMax, AtomicOp::UMax)),
    ("atomic_fetch_min_explicit", Import::Ordered(AtomicOp::SMin, AtomicOp::UMin)),
    ("mem_fence", Import::Fence), ("read_mem_fence", Import::Fence), ("write_mem_fence", Import::Fence),
    ("sub_group_barrier", Import::SubgroupBarrier),
    ("get_fence", Import::FlagsOf),
    ("__to_global", Import::ToClass(StorageClass::CrossWorkgroup)),
    ("__to_local", Import::ToClass(StorageClass::Workgroup)),
    ("__to_private", Import::ToClass(StorageClass::Function)),
];

/// The function that a mangled name stands for.
pub fn find(mangled: &str) -> Option<Import> {
    let (name, types) = match mangled.strip_prefix("_Z") {
        Some(rest) => {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let length: usize = rest[..digits].parse().ok()?;
            rest[digits..].split_at_checked(length)?
        }
        None => (mangled, ""),
    };
    let import = IMPORTS.iter().find(|row| row.0 == name)?.1;
    match import {
        Import::Ordered(signed, unsigned) => {
            // The type behind the pointer follows `volatile` or `_Atomic`.
            let pointee = types.split_once("_Atomic").or(types.split_once('V'))?.1;
            match pointee.chars().next()? {
                'i' | 'l' => Some(Import::Atomic(signed)),
                'j' | 'm' => Some(Import::Atomic(unsigned)),
                _ => None,
            }
        }
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_cpp_abi() {
        let max = |name| (find(name), name);
        for (found, name) in [
            max("_Z10atomic_maxPU3AS1Vii"),
            max("_Z8atom_maxPU3AS1Vll"),
            max("_Z25atomic_fetch_max_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope"),
        ] {
            assert_eq!(found, Some(Import::Atomic(AtomicOp::SMax)), "{name}");
        }
        assert_eq!(find("_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj"), Some(Import::Atomic(AtomicOp::UMax)));
        assert_eq!(find("_Z11atomic_xchgPU3AS1Vff"), Some(Import::Atomic(AtomicOp::Exchange)));
        assert_eq!(find("__to_local"), Some(Import::ToClass(StorageClass::Workgroup)));
        for name in [
            "_Z",
            "_Z99mem_fence",
            "_Z3fooi",
            "_Z10atomic_maxPU3AS1Vff",
            "mem_fenc",
            "_Z9é",
            "_Z99999999999999999999a",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
    }
}
