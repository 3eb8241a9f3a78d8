//! Writes SPIR-V text: types and constants once each, in the order that modules require.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use crate::value::{Scalar, Type};

/// Id of the GLSL.std.450 import.
pub const GLSL: &str = "%1";
/// Id of the OpenCL.std import.
pub const OPENCL: &str = "%opencl";
const MAIN: &str = "%2";
/// The label of the entry block of `main`.
pub const ENTRY: &str = "%3";

/// A compute module under construction. Its body is one `main` function; the caller writes the blocks.
pub struct Module {
    capabilities: BTreeSet<&'static str>,
    extensions: BTreeSet<&'static str>,
    model: &'static str,
    modes: Vec<String>,
    decorations: String,
    globals: String,
    known: HashMap<String, String>,
    interface: String,
    /// Functions before `main`.
    pub functions: String,
    /// Instructions of `main` so far; its entry block has begun.
    pub body: String,
    /// Local variables of `main`.
    pub variables: String,
    /// Last instructions of `main`.
    pub end: String,
    local_size: [u32; 3],
    /// True if the module uses device addresses.
    addresses: bool,
    next: u32,
}

impl Module {
    /// Starts a module with this workgroup size.
    pub fn new(local_size: [u32; 3]) -> Module {
        Module {
            capabilities: BTreeSet::from(["Shader"]),
            extensions: BTreeSet::new(),
            model: "GLCompute",
            modes: vec![format!("LocalSize {} {} {}", local_size[0], local_size[1], local_size[2])],
            decorations: String::new(),
            globals: String::new(),
            known: HashMap::new(),
            interface: String::new(),
            functions: String::new(),
            body: String::new(),
            variables: String::new(),
            end: "OpReturn".into(),
            local_size,
            addresses: false,
            next: 3,
        }
    }

    /// Starts a fragment shader.
    pub fn fragment() -> Module {
        Module::stage("Fragment", vec!["OriginUpperLeft".into()])
    }

    /// Starts a shader with this execution model and these modes.
    pub fn stage(model: &'static str, modes: Vec<String>) -> Module {
        Module { model, modes, ..Module::new([1; 3]) }
    }

    /// Adds an execution mode.
    pub fn mode(&mut self, mode: &str) {
        self.modes.push(mode.into());
    }

    /// True if the module has this execution mode.
    pub fn has_mode(&self, mode: &str) -> bool {
        self.modes.iter().any(|m| m == mode)
    }

    /// Invocations per workgroup.
    pub fn local_size(&self) -> u32 {
        self.local_size.iter().product()
    }

    /// Declares an extension.
    pub fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    /// Declares a capability.
    pub fn capability(&mut self, name: &'static str) {
        self.capabilities.insert(name);
    }

    /// Declares the capabilities and extensions of pointers to physical storage buffers.
    pub fn addresses(&mut self) {
        self.addresses = true;
        self.capability("PhysicalStorageBufferAddresses");
        self.extension("SPV_KHR_physical_storage_buffer");
    }

    /// Returns an unused id.
    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next)
    }

    /// Adds a decoration; `what` is the text after `OpDecorate`.
    pub fn decorate(&mut self, what: &str) {
        let _ = writeln!(self.decorations, "OpDecorate {what}");
    }

    /// Returns the id of a global instruction `OpX operands`, which is emitted once.
    pub fn global(&mut self, instruction: &str) -> String {
        if let Some(id) = self.known.get(instruction) {
            return id.clone();
        }
        let id = self.fresh();
        let _ = writeln!(self.globals, "{id} = {instruction}");
        self.known.insert(instruction.into(), id.clone());
        id
    }

    /// Returns the global instruction whose result is `id`.
    pub fn instruction_of(&self, id: &str) -> String {
        self.known.iter().find(|(_, v)| *v == id).map_or(String::new(), |(k, _)| k.clone())
    }

    /// Emits a global instruction every time it is called (variables, decorated types).
    pub fn unique(&mut self, instruction: &str) -> String {
        let id = self.fresh();
        let _ = writeln!(self.globals, "{id} = {instruction}");
        id
    }

    /// Returns the id of a scalar type.
    pub fn scalar(&mut self, s: Scalar) -> String {
        match s {
            Scalar::Int(64, _) => self.capability("Int64"),
            Scalar::Int(16, _) => self.capability("Int16"),
            Scalar::Int(8, _) => self.capability("Int8"),
            Scalar::Float(64) => self.capability("Float64"),
            Scalar::Float(16) => self.capability("Float16"),
            _ => {}
        }
        self.global(&match s {
            Scalar::Bool => "OpTypeBool".into(),
            Scalar::Int(bits, signed) => format!("OpTypeInt {bits} {}", u32::from(signed)),
            Scalar::Float(bits) => format!("OpTypeFloat {bits}"),
        })
    }

    /// Returns the id of a type.
    pub fn ty(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(s) => self.scalar(*s),
            Type::Vector(s, n) => {
                let s = self.scalar(*s);
                self.global(&format!("OpTypeVector {s} {n}"))
            }
            Type::Matrix(s, columns, rows) => {
                let column = self.ty(&Type::Vector(*s, *rows));
                self.global(&format!("OpTypeMatrix {column} {columns}"))
            }
            Type::Struct(list) => {
                let list: Vec<String> = list.iter().map(|t| self.ty(t)).collect();
                self.global(&format!("OpTypeStruct {}", list.join(" ")))
            }
        }
    }

    /// Returns the id of a pointer type.
    pub fn pointer(&mut self, class: &str, to: &str) -> String {
        self.global(&format!("OpTypePointer {class} {to}"))
    }

    /// Returns the id of a scalar constant.
    pub fn constant(&mut self, s: Scalar, bits: u64) -> String {
        let ty = self.scalar(s);
        self.global(&match s {
            Scalar::Bool => format!("OpConstant{} {ty}", if bits & 1 == 1 { "True" } else { "False" }),
            _ => format!("OpConstant {ty} {}", literal(s, bits)),
        })
    }

    /// Returns the id of a constant of type `u32`.
    pub fn u32(&mut self, v: u32) -> String {
        self.constant(Scalar::Int(32, false), u64::from(v))
    }

    /// Returns the id of a constant of any type, made from the bits of its scalars.
    pub fn composite(&mut self, ty: &Type, leaves: &mut std::slice::Iter<'_, u64>) -> String {
        let parts: Vec<Type> = match ty {
            Type::Scalar(s) => {
                let bits = leaves.next().copied().unwrap_or(0);
                return self.constant(*s, bits);
            }
            Type::Vector(s, n) => vec![Type::Scalar(*s); *n as usize],
            Type::Matrix(s, columns, rows) => vec![Type::Vector(*s, *rows); *columns as usize],
            Type::Struct(list) => list.clone(),
        };
        let parts: Vec<String> = parts.iter().map(|t| self.composite(t, leaves)).collect();
        let ty = self.ty(ty);
        self.global(&format!("OpConstantComposite {ty} {}", parts.join(" ")))
    }

    /// Adds an instruction with a result to `main`.
    pub fn push(&mut self, instruction: &str) -> String {
        let id = self.fresh();
        let _ = writeln!(self.body, "{id} = {instruction}");
        id
    }

    /// Adds an instruction without a result to `main`.
    pub fn push_only(&mut self, instruction: &str) {
        let _ = writeln!(self.body, "{instruction}");
    }

    /// Declares a storage buffer of words at set 0 and returns its variable.
    pub fn words_buffer(&mut self, binding: u32) -> String {
        let word = self.scalar(Scalar::Int(32, false));
        let block = match self.known.get("words block") {
            Some(id) => id.clone(),
            None => {
                let array = self.unique(&format!("OpTypeRuntimeArray {word}"));
                self.decorate(&format!("{array} ArrayStride 4"));
                let block = self.unique(&format!("OpTypeStruct {array}"));
                self.decorate(&format!("{block} Block"));
                let _ = writeln!(self.decorations, "OpMemberDecorate {block} 0 Offset 0");
                self.known.insert("words block".into(), block.clone());
                block
            }
        };
        let pointer = self.pointer("StorageBuffer", &block);
        let variable = self.unique(&format!("OpVariable {pointer} StorageBuffer"));
        self.decorate(&format!("{variable} DescriptorSet 0"));
        self.decorate(&format!("{variable} Binding {binding}"));
        variable
    }

    /// Declares a uniform block of `n` vectors of four words at set 0 and returns its variable.
    pub fn uniform_buffer(&mut self, binding: u32, n: u32) -> String {
        let word = self.ty(&Type::Vector(Scalar::Int(32, false), 4));
        let n = self.u32(n.max(1));
        let array = self.unique(&format!("OpTypeArray {word} {n}"));
        self.decorate(&format!("{array} ArrayStride 16"));
        let block = self.unique(&format!("OpTypeStruct {array}"));
        self.decorate(&format!("{block} Block"));
        let _ = writeln!(self.decorations, "OpMemberDecorate {block} 0 Offset 0");
        let pointer = self.pointer("Uniform", &block);
        let variable = self.unique(&format!("OpVariable {pointer} Uniform"));
        self.decorate(&format!("{variable} DescriptorSet 0"));
        self.decorate(&format!("{variable} Binding {binding}"));
        variable
    }

    /// Declares a built-in input variable of type `ty`.
    pub fn builtin(&mut self, name: &str, ty: &Type) -> String {
        let ty = self.ty(ty);
        let pointer = self.pointer("Input", &ty);
        let variable = self.unique(&format!("OpVariable {pointer} Input"));
        self.decorate(&format!("{variable} BuiltIn {name}"));
        let _ = write!(self.interface, " {variable}");
        variable
    }

    /// Declares an input or output variable at a location.
    pub fn location(&mut self, class: &str, location: u32, ty: &Type, flat: bool) -> String {
        let ty = self.ty(ty);
        let pointer = self.pointer(class, &ty);
        let variable = self.unique(&format!("OpVariable {pointer} {class}"));
        self.decorate(&format!("{variable} Location {location}"));
        if flat {
            self.decorate(&format!("{variable} Flat"));
        }
        let _ = write!(self.interface, " {variable}");
        variable
    }

    /// Declares a variable of the interface; the caller decorates it.
    pub fn interface(&mut self, class: &str, ty: &str) -> String {
        let pointer = self.pointer(class, ty);
        let variable = self.unique(&format!("OpVariable {pointer} {class}"));
        let _ = write!(self.interface, " {variable}");
        variable
    }

    /// Adds a decoration of a member; `what` is the text after `OpMemberDecorate`.
    pub fn decorate_member(&mut self, what: &str) {
        let _ = writeln!(self.decorations, "OpMemberDecorate {what}");
    }

    /// Ends `main` and returns the text of the module.
    pub fn finish(mut self) -> String {
        let void = self.global("OpTypeVoid");
        let function = self.global(&format!("OpTypeFunction {void}"));
        let newer = self.capabilities.contains("MeshShadingEXT");
        if newer {
            // From version 1.4 on, entry points list all global variables.
            let list = self.globals.lines().filter_map(|l| l.split_once(" = OpVariable "));
            self.interface = list.map(|(id, _)| format!(" {id}")).collect();
        }
        let mut out = format!("; Version: 1.{}\n", if newer { 4 } else { 3 });
        for c in &self.capabilities {
            let _ = writeln!(out, "OpCapability {c}");
        }
        for e in &self.extensions {
            let _ = writeln!(out, "OpExtension \"{e}\"");
        }
        let modes: String = self.modes.iter().map(|m| format!("OpExecutionMode {MAIN} {m}\n")).collect();
        let model = self.model;
        // Shaders may use the instructions of kernels too, so that the same tables test them.
        let opencl = match self.body.contains(OPENCL) {
            true => format!("{OPENCL} = OpExtInstImport \"OpenCL.std\"\n"),
            false => String::new(),
        };
        let addressing = if self.addresses { "PhysicalStorageBuffer64" } else { "Logical" };
        let Module { decorations, globals, interface, functions, variables, body, end, .. } = &self;
        let _ = write!(
            out,
            "{GLSL} = OpExtInstImport \"GLSL.std.450\"\n\
             {opencl}\
             OpMemoryModel {addressing} GLSL450\n\
             OpEntryPoint {model} {MAIN} \"main\"{interface}\n\
             {modes}\
             {decorations}{globals}{functions}\
             {MAIN} = OpFunction {void} None {function}\n\
             {ENTRY} = OpLabel\n\
             {variables}{body}\
             {end}\nOpFunctionEnd\n"
        );
        out
    }
}

/// Literal of a constant.
fn literal(s: Scalar, bits: u64) -> String {
    match s {
        Scalar::Bool => bits.to_string(),
        Scalar::Int(n, true) => (((bits << (64 - n)) as i64) >> (64 - n)).to_string(),
        Scalar::Int(..) => bits.to_string(),
        Scalar::Float(n) => {
            let (precision, bias) = match n {
                16 => (10, 15i32),
                32 => (23, 127),
                _ => (52, 1023),
            };
            let sign = if bits >> (n - 1) & 1 == 1 { "-" } else { "" };
            let e = (bits >> precision) as i32 & (2 * bias + 1);
            let m = bits & ((1 << precision) - 1);
            // The fraction in whole hexadecimal digits.
            let digits = (precision as usize).div_ceil(4);
            let fraction = m << (4 * digits - precision as usize);
            match (e, m) {
                (0, 0) => format!("{sign}0x0p+0"),
                (0, _) => {
                    let top = 63 - m.leading_zeros() as i32;
                    let fraction = (m << (precision - top)) & ((1 << precision) - 1);
                    let fraction = fraction << (4 * digits - precision as usize);
                    format!("{sign}0x1.{fraction:0digits$x}p{:+}", top - precision + 1 - bias)
                }
                _ => format!("{sign}0x1.{fraction:0digits$x}p{:+}", e - bias),
            }
        }
    }
}
