//! Debug information: file, line, column and function of each instruction, and the author's names of variables and
//! parts of memory.
//!
//! The front end creates it on request ([`crate::spirv::Module::lower_noted`]); a shader that is only run has none, and
//! pays nothing. [`Src::place`] of an instruction is an index into [`Debug::places`].
//!
//! Calls are inlined, so an instruction of a function exists once per call. [`Debug::calls`] is the tree of calls; a
//! place refers to its node. Types are those of the source, with the offsets of their parts: in scalars for variables
//! of an invocation, in bytes for memory. [`Debug::path`] finds the part at an offset by descending the type.

mod leaves;

use std::fmt;

pub use leaves::Leaves;

use super::{Slot, Src, Ty, Value, Var};

/// The debug information of an entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// Source files.
    pub files: Vec<File>,
    /// Functions of the module that the entry point reaches, including itself.
    pub functions: Vec<Function>,
    /// Inlined calls. The first is that of the entry point; every other call follows its caller.
    pub calls: Vec<Call>,
    /// Origins of instructions, in source order. The first entry stands for no place.
    pub places: Vec<Place>,
    /// Types, each after its component types.
    pub types: Vec<Type>,
    /// Variables, in source order.
    pub variables: Vec<Variable>,
    /// Words of the module, which [`Place::word`] indexes.
    pub words: Vec<u32>,
    /// True if the module was written in WGSL: [`crate::spirv::Module::is_wgsl`].
    pub wgsl: bool,
}

/// A source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Name of the file.
    pub name: String,
    /// Text of the file; empty if the module does not contain it.
    pub text: String,
}

/// A function of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Name of the function, without parameters.
    pub name: String,
    /// Line of the definition (0: unknown).
    pub line: u32,
}

/// An inlined call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Index into [`Debug::functions`].
    pub function: u32,
    /// The calling call and the place of the call in it; `None` for the entry point.
    pub from: Option<(u32, u32)>,
}

/// Origin of instructions: a SPIR-V instruction in a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Debug::files`]; meaningless if the line is 0.
    pub file: u32,
    /// Line, from 1 (0: unknown).
    pub line: u32,
    /// Column, from 1 (0: unknown).
    pub column: u32,
    /// Index into [`Debug::calls`].
    pub call: u32,
    /// Offset of the SPIR-V instruction in the module, in words.
    pub word: u32,
}

/// A type of the source, with the offsets of its parts. Types are identified by index into [`Debug::types`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Kind of the type, with its component types.
    pub kind: TypeKind,
    /// Size in scalars or bytes, up to the end of the last part; 0 for runtime arrays.
    pub extent: u32,
}

/// See [`Type`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "element type, count and stride")]
pub enum TypeKind {
    /// A number or a truth value; `signed` applies to integers. Floats with an encoding of their own have its name, and are
    /// held by integers.
    Scalar {
        ty: Ty,
        signed: bool,
        encoding: Option<&'static str>,
    },
    Vector {
        elem: u32,
        n: u32,
        stride: u32,
    },
    /// A list of columns.
    Matrix {
        column: u32,
        n: u32,
        stride: u32,
    },
    /// An array; `n` is 0 if the length is unknown. The elements of a cooperative matrix that the invocation holds are an
    /// array, too, with the name of the matrix type.
    Array {
        elem: u32,
        n: u32,
        stride: u32,
        matrix: Option<String>,
    },
    Struct {
        name: String,
        members: Vec<Member>,
    },
    /// Name of a pointer, image or sampler type.
    Opaque(String),
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name; empty if the source has none.
    pub name: String,
    /// Type, as an index into [`Debug::types`].
    pub ty: u32,
    /// Offset from the start of the structure.
    pub offset: u32,
}

/// Memory that invocations share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "set and binding numbers")]
pub enum Space {
    /// Memory of the descriptor at a binding.
    Binding { set: u32, binding: u32 },
    /// Push constants.
    Push,
    /// Workgroup memory.
    Shared,
    /// The payload of task and mesh workgroups.
    Payload,
    /// Memory at device addresses; an offset is the address.
    Address,
}

/// Class of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the shading languages")]
pub enum Class {
    Local,
    Parameter,
    Private,
    Input,
    Output,
    Resource,
    PushConstant,
    Workgroup,
}

/// A variable, a parameter or a named value of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name; empty for blocks whose members are named directly.
    pub name: String,
    /// Class of the variable.
    pub class: Class,
    /// Type, as an index into [`Debug::types`].
    pub ty: u32,
    /// The call that the variable belongs to; `None` for variables of the module.
    pub call: Option<u32>,
    /// The first place at which the variable is known: where it is first set or computed.
    pub from: u32,
    /// Location of the value.
    pub home: Home,
    /// Inputs and outputs: slot of each scalar; for arrays over vertices, the slots of one vertex.
    pub slots: Vec<Slot>,
    /// Variables of the module: place of the declaration, if the module has it.
    pub declared: Place,
    /// True if a compiler created the variable, for example for an argument.
    pub artificial: bool,
}

/// Dynamic indices (I32) and their strides; each product is added to the location of a variable.
pub type Indices = Vec<(Value, u32)>;

/// Memory that a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerMemory {
    /// Buffers; the pointer is an address.
    Device,
    /// Workgroup memory; the lower half of the pointer is an offset.
    Workgroup,
    /// Words of this private variable; the lower half of the pointer is an offset in bytes.
    Private(Var),
}

/// Location of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// In a private variable.
    Var {
        /// The variable.
        var: Var,
        /// First scalar.
        elem: u32,
        /// Dynamic indices to add.
        indices: Indices,
    },
    /// In these scalars, in the order of the type's leaves.
    Values(Vec<Value>),
    /// In memory.
    Memory {
        /// The memory.
        space: Space,
        /// First byte.
        offset: u32,
        /// Dynamic indices to add, of 32 bits, or of 64 bits with 64-bit indexing.
        indices: Indices,
        /// True for an array of descriptors: the first index selects one.
        array: bool,
    },
    /// In memory that a pointer leads to.
    Pointer {
        /// The memory.
        memory: PointerMemory,
        /// Values (I64) whose sum is the pointer.
        parts: Vec<Value>,
        /// Bytes from there.
        offset: u32,
    },
    /// In inputs; [`Variable::slots`] lists them.
    Inputs,
    /// Not accessible: several vertices, images, variables that are never read.
    Elsewhere,
}

/// Origin of an instruction, in the author's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<'a> {
    /// File.
    pub file: &'a str,
    /// Line, from 1 (0: unknown).
    pub line: u32,
    /// Column, from 1 (0: unknown).
    pub column: u32,
    /// Function.
    pub function: &'a str,
    /// Offset of the SPIR-V instruction in words.
    pub word: u32,
}

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "word {}", self.word)?,
            (line, 0) => write!(f, "{}:{line}", self.file)?,
            (line, column) => write!(f, "{}:{line}:{column}", self.file)?,
        }
        if self.function.is_empty() { Ok(()) } else { write!(f, " in {}", self.function) }
    }
}

impl Debug {
    /// The place of an instruction; `None` if it has none, as the instructions that set up the shader.
    pub fn place(&self, src: Src) -> Option<&Place> {
        if src.place == 0 { None } else { self.places.get(src.place as usize) }
    }

    /// Origin of an instruction.
    pub fn locate(&self, src: Src) -> Option<Located<'_>> {
        self.place(src).map(|p| self.located(p))
    }

    /// A place, in the author's terms.
    pub fn located(&self, place: &Place) -> Located<'_> {
        let file = self.files.get(place.file as usize).map_or("", |f| &f.name);
        Located {
            file: if place.line == 0 { "" } else { file },
            line: place.line,
            column: place.column,
            function: self.function_of(place.call),
            word: place.word,
        }
    }

    /// Name of the function that a call enters.
    pub fn function_of(&self, call: u32) -> &str {
        let call = self.calls.get(call as usize);
        call.and_then(|c| self.functions.get(c.function as usize)).map_or("", |f| &f.name)
    }

    /// A call and its callers, innermost first, each with its current place.
    pub fn stack(&self, place: u32) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        let mut at = self.places.get(place as usize).map(|p| (p.call, place));
        while let Some((call, place)) = at {
            out.push((call, place));
            at = self.calls.get(call as usize).and_then(|c| c.from);
        }
        out
    }

    /// Depth of a call; 0 for the entry point.
    pub fn depth(&self, mut call: u32) -> u32 {
        let mut n = 0;
        while let Some((caller, _)) = self.calls.get(call as usize).and_then(|c| c.from) {
            (call, n) = (caller, n + 1);
        }
        n
    }

    /// The author's name of a scalar of a private variable: `color.y`.
    pub fn variable(&self, var: Var, elem: u32) -> Option<String> {
        let declares = |v: &&Variable| matches!(&v.home, Home::Var { var: of, elem: 0, indices } if *of == var && indices.is_empty());
        // A variable of a caller may also be listed as a parameter of a function; prefer the variable.
        let found = self.variables.iter().filter(declares).min_by_key(|v| v.class == Class::Parameter)?;
        Some(join(&found.name, &self.path(found.ty, elem)))
    }

    /// The author's name of a value: the variable that it is a scalar of.
    pub fn value(&self, value: Value) -> Option<String> {
        self.variables.iter().find_map(|v| match &v.home {
            Home::Values(values) => {
                let leaf = values.iter().position(|&x| x == value)?;
                Some(join(&v.name, &self.leaf(v.ty, leaf as u32)))
            }
            _ => None,
        })
    }

    /// The author's name of a byte of memory: `particles[3].velocity.y`. `element` is the index of the descriptor in
    /// its array.
    pub fn member(&self, space: Space, element: u32, offset: u32) -> Option<String> {
        self.variables.iter().filter(|v| v.call.is_none()).find_map(|v| match &v.home {
            Home::Memory { space: of, offset: first, array, .. } if *of == space => {
                let at = offset.checked_sub(*first)?;
                let extent = self.types.get(v.ty as usize)?.extent;
                if matches!(space, Space::Shared) && at >= extent {
                    return None;
                }
                let name = if *array { format!("{}[{element}]", v.name) } else { v.name.clone() };
                Some(join(&name, &self.path(v.ty, at)))
            }
            _ => None,
        })
    }

    /// The author's name of a scalar of the interface; `None` if its variable has none, as the results of functions in WGSL.
    pub fn interface(&self, output: bool, slot: Slot) -> Option<String> {
        let part = self.interface_part(output, slot).filter(|(v, _)| !v.name.is_empty());
        part.map(|(v, path)| join(&v.name, &path))
    }

    /// The variable that contains a scalar of the interface, and the path from the variable to the scalar. For arrays
    /// over vertices, the path within one vertex.
    pub fn interface_part(&self, output: bool, slot: Slot) -> Option<(&Variable, String)> {
        let class = if output { Class::Output } else { Class::Input };
        self.variables.iter().filter(|v| v.class == class).find_map(|v| {
            let leaf = v.slots.iter().position(|&s| s == slot)?;
            let mut ty = v.ty;
            if let Some(Type { kind: TypeKind::Array { elem, n, .. }, .. }) = self.types.get(ty as usize)
                && self.n_leaves(*elem) == v.slots.len()
                && *n != 1
            {
                ty = *elem;
            }
            Some((v, self.leaf(ty, leaf as u32)))
        })
    }

    /// The path from a type to the part at an offset: `.color.y`, `[3]`. Padding is attributed to the part before it.
    pub fn path(&self, ty: u32, at: u32) -> String {
        let mut out = String::new();
        let (mut ty, mut at) = (ty, at);
        while let Some(t) = self.types.get(ty as usize) {
            match &t.kind {
                TypeKind::Scalar { .. } | TypeKind::Opaque(_) => break,
                TypeKind::Vector { elem, n, stride } => {
                    out += &component_name(*n, at / (*stride).max(1));
                    (ty, at) = (*elem, 0);
                }
                TypeKind::Matrix { column: elem, n, stride } if *n > 0 && self.is_row_major(t) => {
                    // In row-major order columns are adjacent, but the components of a column are not.
                    let size = (*stride).max(1);
                    let column = (at % self.row_stride(*elem).max(1)) / size;
                    out += &format!("[{column}]");
                    (ty, at) = (*elem, at - (column * size).min(at));
                }
                TypeKind::Matrix { column: elem, stride, .. } | TypeKind::Array { elem, stride, .. } => {
                    let stride = (*stride).max(1);
                    out += &format!("[{}]", at / stride);
                    (ty, at) = (*elem, at % stride);
                }
                TypeKind::Struct { members, .. } => {
                    let Some(member) = members.iter().filter(|m| m.offset <= at).max_by_key(|m| m.offset)
                    else {
                        break;
                    };
                    out += &member_name(members, member);
                    (ty, at) = (member.ty, at - member.offset);
                }
            }
        }
        out
    }

    fn is_row_major(&self, t: &Type) -> bool {
        match t.kind {
            TypeKind::Matrix { column, stride, .. } => self.row_stride(column) > stride,
            _ => false,
        }
    }

    /// Offset between the components of a column.
    fn row_stride(&self, column: u32) -> u32 {
        match self.types.get(column as usize).map(|t| &t.kind) {
            Some(TypeKind::Vector { stride, .. }) => *stride,
            _ => 0,
        }
    }

    /// The parts of a type: the suffix of the name, the offset from the start, and the type. Arrays of unknown length
    /// have no parts.
    pub fn parts(&self, ty: u32) -> Vec<(String, u32, u32)> {
        let list = |elem: u32, n: u32, stride: u32| {
            (0..n).map(|i| (format!("[{i}]"), i.saturating_mul(stride), elem)).collect()
        };
        match self.types.get(ty as usize).map(|t| &t.kind) {
            Some(TypeKind::Vector { elem, n, stride }) => {
                (0..*n).map(|i| (component_name(*n, i), i * stride, *elem)).collect()
            }
            Some(TypeKind::Matrix { column: elem, n, stride } | TypeKind::Array { elem, n, stride, .. }) => {
                list(*elem, *n, *stride)
            }
            Some(TypeKind::Struct { members, .. }) => {
                members.iter().map(|m| (member_name(members, m), m.offset, m.ty)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The only member of a structure, if it has no name: the structure is then a wrapper that a compiler added around
    /// another type.
    pub fn wrapped(&self, ty: u32) -> Option<&Member> {
        match &self.types.get(ty as usize)?.kind {
            TypeKind::Struct { members, .. } => match &members[..] {
                [only] if only.name.is_empty() => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// The name of a type: `vec3`, `float[4]`, `Light`.
    pub fn type_name(&self, ty: u32) -> String {
        let scalar = |ty: Ty, signed: bool| match (ty, signed) {
            (Ty::Bool, _) => "bool",
            (Ty::I8, true) => "int8_t",
            (Ty::I8, false) => "uint8_t",
            (Ty::I16, true) => "int16_t",
            (Ty::I16, false) => "uint16_t",
            (Ty::I32, true) => "int",
            (Ty::I32, false) => "uint",
            (Ty::I64, true) => "int64_t",
            (Ty::I64, false) => "uint64_t",
            (Ty::F16, _) => "float16_t",
            (Ty::F32, _) => "float",
            (Ty::F64, _) => "double",
            _ => "?",
        };
        let prefix = |elem: u32| match self.types.get(elem as usize).map(|t| &t.kind) {
            Some(TypeKind::Scalar { encoding: Some("bfloat16_t"), .. }) => "bf16",
            Some(TypeKind::Scalar { encoding: Some("floate4m3_t"), .. }) => "fe4m3",
            Some(TypeKind::Scalar { encoding: Some("floate5m2_t"), .. }) => "fe5m2",
            Some(TypeKind::Scalar { encoding: Some(_), .. }) => "?",
            Some(TypeKind::Scalar { ty: Ty::F32, .. }) => "",
            Some(TypeKind::Scalar { ty: Ty::Bool, .. }) => "b",
            Some(TypeKind::Scalar { ty: Ty::F64, .. }) => "d",
            Some(TypeKind::Scalar { ty: Ty::F16, .. }) => "f16",
            Some(TypeKind::Scalar { ty: Ty::I32, signed: true, .. }) => "i",
            Some(TypeKind::Scalar { ty: Ty::I32, signed: false, .. }) => "u",
            Some(TypeKind::Scalar { ty: Ty::I8, signed: true, .. }) => "i8",
            Some(TypeKind::Scalar { ty: Ty::I8, signed: false, .. }) => "u8",
            Some(TypeKind::Scalar { ty: Ty::I16, signed: true, .. }) => "i16",
            Some(TypeKind::Scalar { ty: Ty::I16, signed: false, .. }) => "u16",
            Some(TypeKind::Scalar { ty: Ty::I64, signed: true, .. }) => "i64",
            Some(TypeKind::Scalar { ty: Ty::I64, signed: false, .. }) => "u64",
            _ => "?",
        };
        match self.types.get(ty as usize).map(|t| &t.kind) {
            Some(TypeKind::Scalar { encoding: Some(name), .. }) => (*name).to_owned(),
            Some(TypeKind::Scalar { ty, signed, .. }) => scalar(*ty, *signed).to_owned(),
            Some(TypeKind::Vector { elem, n: n @ 2..=4, .. }) if prefix(*elem) != "?" => {
                format!("{}vec{n}", prefix(*elem))
            }
            Some(TypeKind::Vector { elem, n, .. }) => format!("vector<{}, {n}>", self.type_name(*elem)),
            Some(TypeKind::Matrix { column, n, .. }) => {
                match self.types.get(*column as usize).map(|t| &t.kind) {
                    Some(TypeKind::Vector { elem, n: rows, .. }) if rows == n => {
                        format!("{}mat{n}", prefix(*elem))
                    }
                    Some(TypeKind::Vector { elem, n: rows, .. }) => format!("{}mat{n}x{rows}", prefix(*elem)),
                    _ => "?".to_owned(),
                }
            }
            Some(TypeKind::Array { matrix: Some(name), .. }) => name.clone(),
            Some(TypeKind::Array { elem, n, .. }) => {
                // The outermost length is written first.
                let (mut inner, mut lengths) = (*elem, vec![*n]);
                while let Some(TypeKind::Array { elem, n, matrix: None, .. }) =
                    self.types.get(inner as usize).map(|t| &t.kind)
                {
                    lengths.push(*n);
                    inner = *elem;
                }
                let length = |n: &u32| if *n == 0 { "[]".to_owned() } else { format!("[{n}]") };
                self.type_name(inner) + &lengths.iter().map(length).collect::<String>()
            }
            Some(TypeKind::Struct { name, .. }) => name.clone(),
            Some(TypeKind::Opaque(name)) => name.clone(),
            None => "?".to_owned(),
        }
    }
}

/// The suffix for component `i` of a vector of `n` components: a letter if all components have one.
pub fn component_name(n: u32, i: u32) -> String {
    match "xyzw".get(i as usize..i as usize + 1) {
        Some(letter) if n <= 4 && i < n => format!(".{letter}"),
        _ => format!("[{i}]"),
    }
}

/// The suffix for a member. It is empty if the member is the only one and has no name: the structure is then a wrapper
/// that a compiler added.
fn member_name(members: &[Member], member: &Member) -> String {
    match (&member.name[..], members.len()) {
        ("", 1) => String::new(),
        ("", _) => format!(".{}", members.iter().position(|m| std::ptr::eq(m, member)).unwrap_or(0)),
        (name, _) => format!(".{name}"),
    }
}

/// Appends a path to a name; members of a block without a name are named directly.
pub fn join(name: &str, path: &str) -> String {
    if name.is_empty() { path.trim_start_matches('.').to_owned() } else { format!("{name}{path}") }
}
