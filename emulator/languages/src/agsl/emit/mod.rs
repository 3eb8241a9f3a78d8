//! A checked program, with the programs that are its children, as a `naga::Module`.
//!
//! ```text
//!   set 0, binding 0     uniform block of all uniforms; uniforms of children are named `child.name`
//!   binding 1, 2, ...    texture and sampler of each image child: `name`, `name_sampler`
//!   location 0           result of `main`, unchanged: premultiplied and not clamped
//! ```
//!
//! `half` is computed in 32 bits, as the least precision of AGSL allows.

mod expressions;
mod functions;
mod operators;
mod statements;

use naga::{AddressSpace, Handle, ResourceBinding, Scalar as NagaScalar, StructMember};

use super::AgslShader;
use super::tree::{Program, Variable};
use super::types::{AgslKind, Element, Number, Scalar, Type};
use crate::parts::build::{Builder, Ty, Value};

/// Largest number of programs in one shader.
const MAX_PROGRAMS: usize = 256;
/// Largest number of elements and components in constructs that are expanded: uniform arrays and structure comparisons.
const MAX_PARTS: u32 = 1 << 20;

/// Texture and sampler of an image that the shader samples.
#[derive(Clone, Copy)]
struct Picture {
    image: Handle<naga::GlobalVariable>,
    sampler: Handle<naga::GlobalVariable>,
}

/// Binding of a child.
#[derive(Clone, Copy)]
enum Child {
    Picture(Picture),
    /// The function that evaluates another program.
    Program(Handle<naga::Function>),
    /// Unbound: a colour filter returns colours unchanged, and a blender puts the source over the destination.
    Nothing,
}

/// A program and its position in the tree of children.
struct Instance<'a> {
    shader: &'a AgslShader,
    /// Prefix of the names of its uniforms: `blur.` for the child `blur`.
    prefix: String,
    /// Number of its first uniform among the members of the uniform block.
    first_uniform: u32,
    /// Locations of its children.
    children: Vec<Place>,
}

/// Location of a child: an image or another instance.
#[derive(Clone, Copy)]
enum Place {
    Picture(Picture),
    Instance(usize),
    Nothing,
}

/// Builds the module of a program and its children; `Err` names the limit that is exceeded.
pub(super) fn module(shader: &AgslShader) -> Result<naga::Module, String> {
    let mut linker =
        Linker { b: Builder::default(), instances: Vec::new(), members: Vec::new(), bytes: 0, binding: 1 };
    let top = linker.instance(shader, String::new())?;
    let main_pictures = linker.main_pictures(&shader.program);
    let block = linker.block();
    let Linker { mut b, instances, .. } = linker;

    // Children must be emitted before the programs that evaluate them.
    let mut entries: Vec<Option<Handle<naga::Function>>> = vec![None; instances.len()];
    let mut parts = MAX_PARTS;
    for (number, instance) in instances.iter().enumerate().rev() {
        let children = instance.children.iter().map(|place| match place {
            Place::Picture(picture) => Child::Picture(*picture),
            Place::Instance(n) => entries[*n].map_or(Child::Nothing, Child::Program),
            Place::Nothing => Child::Nothing,
        });
        let mut emitter = Emitter::new(&mut b, instance, children.collect(), block);
        emitter.parts = parts;
        let entry = emitter.program();
        (entries[number], parts) = (Some(entry.0), entry.1);
        if parts == 0 {
            return Err(format!("more than {MAX_PARTS} elements and components are written as a whole"));
        }
    }
    if let Some(main) = entries[top] {
        entry_point(&mut b, shader.program.kind, main, &main_pictures);
    }
    Ok(b.module)
}

struct Linker<'a> {
    b: Builder,
    instances: Vec<Instance<'a>>,
    members: Vec<StructMember>,
    bytes: u32,
    binding: u32,
}

impl<'a> Linker<'a> {
    /// Assigns uniforms and images to a program and its children. Children get higher numbers.
    fn instance(&mut self, shader: &'a AgslShader, prefix: String) -> Result<usize, String> {
        if self.instances.len() >= MAX_PROGRAMS {
            return Err(format!("more than {MAX_PROGRAMS} programs in one shader"));
        }
        let first_uniform = self.members.len() as u32;
        for uniform in &shader.program.uniforms {
            let ty = uniform_type(&mut self.b, uniform.ty);
            let offset = self.bytes.next_multiple_of(uniform_align(uniform.ty));
            let size = self.b.size_of(ty);
            self.bytes =
                offset.checked_add(size).filter(|n| *n < 1 << 30).ok_or("the uniforms are too large")?;
            let name = Some(format!("{prefix}{}", uniform.name));
            self.members.push(StructMember { name, ty, binding: None, offset });
        }
        let number = self.instances.len();
        self.instances.push(Instance { shader, prefix: prefix.clone(), first_uniform, children: Vec::new() });
        let mut children = Vec::new();
        for (child, bound) in shader.program.children.iter().zip(&shader.children) {
            let name = format!("{prefix}{}", child.name);
            children.push(match bound {
                Some(bound) => Place::Instance(self.instance(bound, format!("{name}."))?),
                None if child.kind == AgslKind::Shader => Place::Picture(self.picture(&name)),
                None => Place::Nothing,
            });
        }
        self.instances[number].children = children;
        Ok(number)
    }

    /// Adds images for the inputs of `main` in a colour filter or blender, named after its parameters.
    fn main_pictures(&mut self, program: &Program) -> Vec<Picture> {
        match program.kind {
            AgslKind::Shader => Vec::new(),
            _ => super::main_inputs(program).iter().map(|name| self.picture(name)).collect(),
        }
    }

    fn picture(&mut self, name: &str) -> Picture {
        let class = naga::ImageClass::Sampled { kind: naga::ScalarKind::Float, multi: false };
        let image = self.b.image(naga::ImageDimension::D2, false, class);
        let sampler = self.b.sampler(false);
        let image = self.resource(name.into(), AddressSpace::Handle, image);
        let sampler = self.resource(format!("{name}_sampler"), AddressSpace::Handle, sampler);
        Picture { image, sampler }
    }

    fn resource(&mut self, name: String, space: AddressSpace, ty: Ty) -> Handle<naga::GlobalVariable> {
        let binding = ResourceBinding { group: 0, binding: self.binding };
        self.binding += 1;
        global(&mut self.b, name, space, Some(binding), ty)
    }

    /// Declares the uniform block, if there are uniforms.
    fn block(&mut self) -> Option<Handle<naga::GlobalVariable>> {
        if self.members.is_empty() {
            return None;
        }
        let members = std::mem::take(&mut self.members);
        let ty = self.b.structure("Uniforms", members, self.bytes.next_multiple_of(16));
        let binding = ResourceBinding { group: 0, binding: 0 };
        // A block without a name lets programs use its members directly.
        Some(global(&mut self.b, String::new(), AddressSpace::Uniform, Some(binding), ty))
    }
}

fn global(
    b: &mut Builder,
    name: String,
    space: AddressSpace,
    binding: Option<ResourceBinding>,
    ty: Ty,
) -> Handle<naga::GlobalVariable> {
    let variable = naga::GlobalVariable {
        name: Some(name),
        space,
        binding,
        ty,
        init: None,
        memory_decorations: naga::MemoryDecorations::empty(),
    };
    b.module.global_variables.append(variable, naga::Span::UNDEFINED)
}

// Types in memory. Uniform blocks have std140 layout.

fn naga_scalar(scalar: Scalar) -> NagaScalar {
    match scalar {
        Scalar::Bool => NagaScalar::BOOL,
        Scalar::Int => NagaScalar::I32,
        Scalar::Float => NagaScalar::F32,
    }
}

fn number_type(b: &mut Builder, n: Number) -> Ty {
    let scalar = naga_scalar(n.scalar);
    match n.columns {
        1 => b.vector(n.rows.into(), scalar),
        columns => b.matrix(columns.into(), n.rows.into(), scalar),
    }
}

fn array_of(b: &mut Builder, element: Ty, count: u32, stride: u32) -> Ty {
    b.array(element, std::num::NonZeroU32::new(count), stride)
}

/// True for matrices with columns of 8 bytes. std140 cannot pack them, so each column is an array element.
fn is_small_matrix(n: Number) -> bool {
    n.is_matrix() && n.rows == 2
}

fn uniform_type(b: &mut Builder, ty: Type) -> Ty {
    match ty {
        Type::Number(n) if is_small_matrix(n) => {
            let column = number_type(b, n.part());
            array_of(b, column, 2, 16)
        }
        Type::Array(Element::Number(n), count) if is_small_matrix(n) => {
            let column = number_type(b, n.part());
            array_of(b, column, 2 * count, 16)
        }
        Type::Array(Element::Number(n), count) => {
            let element = number_type(b, n);
            array_of(b, element, count, 16 * u32::from(n.columns))
        }
        Type::Number(n) => number_type(b, n),
        // The checker rejects uniforms of all other types.
        _ => b.scalar(NagaScalar::F32),
    }
}

fn uniform_align(ty: Type) -> u32 {
    match ty {
        Type::Number(n) if !n.is_matrix() => match n.rows {
            1 => 4,
            2 => 8,
            _ => 16,
        },
        _ => 16,
    }
}

/// Emits the fragment shader, which calls `main` of the top program for the pixel.
fn entry_point(b: &mut Builder, kind: AgslKind, main: Handle<naga::Function>, pictures: &[Picture]) {
    let color = b.vector(4, NagaScalar::F32);
    b.begin_function("main", Some(color));
    let position = naga::Binding::BuiltIn(naga::BuiltIn::Position { invariant: false });
    let position = b.argument("position", color, Some(position));
    let coord = b.swizzle(position, &[0, 1]);
    let arguments = match kind {
        AgslKind::Shader => vec![coord],
        _ => pictures.iter().map(|picture| sample(b, *picture, coord)).collect(),
    };
    let result = b.call(main, &arguments);
    b.ret(result);
    if let Some(result) = b.result() {
        result.binding = Some(naga::Binding::Location {
            location: 0,
            interpolation: None,
            sampling: None,
            blend_src: None,
            per_primitive: false,
        });
    }
    let function = b.end_function();
    b.module.entry_points.push(naga::EntryPoint {
        name: "main".into(),
        stage: naga::ShaderStage::Fragment,
        early_depth_test: None,
        workgroup_size: [0; 3],
        workgroup_size_overrides: None,
        function,
        mesh_info: None,
        task_payload: None,
        incoming_ray_payload: None,
    });
}

/// Samples an image at a coordinate in its pixels.
fn sample(b: &mut Builder, picture: Picture, coord: Value) -> Value {
    let variable = |b: &mut Builder, handle: Handle<naga::GlobalVariable>| {
        let ty = b.module.global_variables[handle].ty;
        b.add(naga::Expression::GlobalVariable(handle), ty)
    };
    let image = variable(b, picture.image);
    let sampler = variable(b, picture.sampler);
    let level = b.i32(0);
    let size_ty = b.vector(2, NagaScalar::U32);
    let query = naga::ImageQuery::Size { level: Some(level.expr) };
    let size = b.add(naga::Expression::ImageQuery { image: image.expr, query }, size_ty);
    let size = b.convert(size, NagaScalar::F32);
    let coordinate = b.binary(naga::BinaryOperator::Divide, coord, size);
    let color = b.vector(4, NagaScalar::F32);
    let expression = naga::Expression::ImageSample {
        image: image.expr,
        sampler: sampler.expr,
        gather: None,
        coordinate: coordinate.expr,
        array_index: None,
        offset: None,
        level: naga::SampleLevel::Zero,
        depth_ref: None,
        clamp_to_edge: false,
    };
    b.add(expression, color)
}

/// Emits one program.
struct Emitter<'a, 'b> {
    b: &'b mut Builder,
    program: &'a Program,
    prefix: &'a str,
    first_uniform: u32,
    children: Vec<Child>,
    block: Option<Handle<naga::GlobalVariable>>,
    structs: Vec<Ty>,
    globals: Vec<Handle<naga::GlobalVariable>>,
    functions: Vec<Option<Handle<naga::Function>>>,
    /// Pointers to the variables of the function that is being emitted.
    locals: Vec<Value>,
    /// True for the top program. Only it has line information, because the module names only its source.
    lines: bool,
    /// Remaining part of [`MAX_PARTS`].
    parts: u32,
}

impl<'a, 'b> Emitter<'a, 'b> {
    fn new(
        b: &'b mut Builder,
        instance: &'a Instance<'a>,
        children: Vec<Child>,
        block: Option<Handle<naga::GlobalVariable>>,
    ) -> Self {
        let program = &instance.shader.program;
        Emitter {
            b,
            program,
            prefix: &instance.prefix,
            first_uniform: instance.first_uniform,
            children,
            block,
            structs: Vec::new(),
            globals: Vec::new(),
            functions: vec![None; program.functions.len()],
            locals: Vec::new(),
            lines: instance.prefix.is_empty(),
            parts: MAX_PARTS,
        }
    }

    /// Emits the whole program. Returns the function that evaluates it, and the rest of [`MAX_PARTS`].
    fn program(mut self) -> (Handle<naga::Function>, u32) {
        for structure in &self.program.structs {
            let (mut members, mut bytes, mut align) = (Vec::new(), 0u32, 1);
            for (name, ty) in &structure.fields {
                let ty = self.ty(*ty);
                let its = self.b.align_of(ty);
                align = align.max(its);
                let offset = bytes.next_multiple_of(its);
                bytes = offset + self.b.size_of(ty);
                members.push(StructMember { name: Some(name.clone()), ty, binding: None, offset });
            }
            let name = format!("{}{}", self.prefix, structure.name);
            let ty = self.b.structure(&name, members, bytes.next_multiple_of(align));
            self.structs.push(ty);
        }
        for variable in &self.program.globals {
            let ty = self.ty(variable.ty);
            let name = format!("{}{}", self.prefix, variable.name);
            let handle = global(self.b, name, AddressSpace::Private, None, ty);
            self.globals.push(handle);
        }
        for number in &self.program.order {
            if self.program.functions[*number as usize].body.is_some() {
                let handle = self.function(*number);
                self.functions[*number as usize] = Some(handle);
            }
        }
        (self.evaluation(), self.parts)
    }

    /// Emits the function that evaluates the program: it initializes the global variables, then calls `main`.
    fn evaluation(&mut self) -> Handle<naga::Function> {
        let main = self.functions[self.program.main as usize];
        if let (true, Some(main)) = (self.program.globals.is_empty(), main) {
            return main;
        }
        let color = self.b.vector(4, NagaScalar::F32);
        self.b.begin_function(&format!("{}evaluate", self.prefix), Some(color));
        let arguments: Vec<Value> = self
            .program
            .kind
            .parameters()
            .iter()
            .enumerate()
            .map(|(i, n)| {
                let ty = number_type(self.b, *n);
                self.b.argument(&format!("argument{i}"), ty, None)
            })
            .collect();
        for (number, variable) in self.program.globals.iter().enumerate() {
            let value = match variable.init {
                Some(init) => self.value(init),
                None => {
                    let ty = self.ty(variable.ty);
                    self.b.zero(ty)
                }
            };
            let pointer = self.variable(Variable::Global(number as u32));
            self.b.store(pointer, value);
        }
        let result = main.and_then(|main| self.b.call(main, &arguments));
        self.b.ret(result);
        let function = self.b.end_function();
        self.b.add_function(function)
    }

    fn ty(&mut self, ty: Type) -> Ty {
        match ty {
            Type::Number(n) => number_type(self.b, n),
            Type::Struct(n) => self.structs[n as usize],
            Type::Array(element, count) => {
                let element = match element {
                    Element::Number(n) => number_type(self.b, n),
                    Element::Struct(n) => self.structs[n as usize],
                };
                let stride = self.b.size_of(element).next_multiple_of(self.b.align_of(element));
                array_of(self.b, element, count, stride)
            }
            // These types have no values.
            Type::Void | Type::Child(_) | Type::Unknown => self.b.scalar(NagaScalar::F32),
        }
    }

    /// Returns a pointer to a variable.
    fn variable(&mut self, variable: Variable) -> Value {
        match variable {
            Variable::Local(n) => self.locals[n as usize],
            Variable::Global(n) => {
                let handle = self.globals[n as usize];
                let ty = self.b.module.global_variables[handle].ty;
                let ty = self.b.pointer(ty, AddressSpace::Private);
                self.b.add(naga::Expression::GlobalVariable(handle), ty)
            }
            Variable::Uniform(n) => {
                let Some(handle) = self.block else { return self.b.f32(0.0) };
                let ty = self.b.module.global_variables[handle].ty;
                let ty = self.b.pointer(ty, AddressSpace::Uniform);
                let block = self.b.add(naga::Expression::GlobalVariable(handle), ty);
                self.b.member(block, self.first_uniform + n)
            }
        }
    }
}
