//! Names of the operands of OpenCL.DebugInfo.100 and of DebugInfo in SPIR-V text. The grammar tables of the bindings have the
//! instructions of both sets and the kinds of their operands, but no names.
//!
//! Spec: OpenCL.DebugInfo.100, "Enumerations". DebugInfo, which is older, has the first names of each list, and numbers of its
//! own for encodings.

use rspirv::grammar::OperandKind;
use rspirv::grammar::debuginfo::ExtOperandKind as Older;
use rspirv::grammar::opencl_debuginfo_100::ExtOperandKind as Kind;

/// Names and values.
type Rows = &'static [(&'static str, u32)];

const FLAGS: Rows = &[
    ("FlagIsProtected", 1),
    ("FlagIsPrivate", 2),
    ("FlagIsPublic", 3),
    ("FlagIsLocal", 1 << 2),
    ("FlagIsDefinition", 1 << 3),
    ("FlagFwdDecl", 1 << 4),
    ("FlagArtificial", 1 << 5),
    ("FlagExplicit", 1 << 6),
    ("FlagPrototyped", 1 << 7),
    ("FlagObjectPointer", 1 << 8),
    ("FlagStaticMember", 1 << 9),
    ("FlagIndirectVariable", 1 << 10),
    ("FlagLValueReference", 1 << 11),
    ("FlagRValueReference", 1 << 12),
    ("FlagIsOptimized", 1 << 13),
    ("FlagIsEnumClass", 1 << 14),
    ("FlagTypePassByValue", 1 << 15),
    ("FlagTypePassByReference", 1 << 16),
];

const ENCODINGS: Rows = &[
    ("Unspecified", 0),
    ("Address", 1),
    ("Boolean", 2),
    ("Float", 3),
    ("Signed", 4),
    ("SignedChar", 5),
    ("Unsigned", 6),
    ("UnsignedChar", 7),
];

const OLDER_ENCODINGS: Rows = &[
    ("Unspecified", 0),
    ("Address", 1),
    ("Boolean", 2),
    ("Float", 4),
    ("Signed", 5),
    ("SignedChar", 6),
    ("Unsigned", 7),
    ("UnsignedChar", 8),
];

const COMPOSITES: Rows = &[("Class", 0), ("Structure", 1), ("Union", 2)];

const QUALIFIERS: Rows = &[("ConstType", 0), ("VolatileType", 1), ("RestrictType", 2), ("AtomicType", 3)];

/// The operands of operations are those of their instruction.
const OPERATIONS: Rows = &[
    ("Deref", 0),
    ("Plus", 1),
    ("Minus", 2),
    ("PlusUconst", 3),
    ("BitPiece", 4),
    ("Swap", 5),
    ("Xderef", 6),
    ("StackValue", 7),
    ("Constu", 8),
    ("Fragment", 9),
];

const ENTITIES: Rows = &[("ImportedModule", 0), ("ImportedDeclaration", 1)];

fn rows(kind: OperandKind) -> Option<Rows> {
    match kind {
        OperandKind::OpenclDebuginfo100(kind) => Some(match kind {
            Kind::DebugInfoFlags => FLAGS,
            Kind::DebugBaseTypeAttributeEncoding => ENCODINGS,
            Kind::DebugCompositeType => COMPOSITES,
            Kind::DebugTypeQualifier => QUALIFIERS,
            Kind::DebugOperation => OPERATIONS,
            Kind::DebugImportedEntity => ENTITIES,
        }),
        OperandKind::Debuginfo(kind) => Some(match kind {
            Older::DebugInfoFlags => FLAGS,
            Older::DebugBaseTypeAttributeEncoding => OLDER_ENCODINGS,
            Older::DebugCompositeType => COMPOSITES,
            Older::DebugTypeQualifier => QUALIFIERS,
            Older::DebugOperation => OPERATIONS,
        }),
        _ => None,
    }
}

/// `true` if an operand of this kind is a set of flags.
pub fn is_mask(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::OpenclDebuginfo100(Kind::DebugInfoFlags) | OperandKind::Debuginfo(Older::DebugInfoFlags)
    )
}

/// The value of a name.
pub fn value(kind: OperandKind, name: &str) -> Option<u32> {
    rows(kind)?.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The name of a value, or those of flags.
pub fn name(kind: OperandKind, value: u32) -> Option<String> {
    let rows = rows(kind)?;
    let of = |value: u32| rows.iter().find(|row| row.1 == value).map(|row| row.0);
    if !is_mask(kind) {
        return of(value).map(str::to_owned);
    }
    let flags = (0..32).map(|bit| 1 << bit).filter(|flag| value & flag != 0);
    Some(flags.map(of).collect::<Option<Vec<_>>>()?.join("|"))
}
