//! The table of IR operations, one row each. The verifier, the text form, the interpreter and the code generator all
//! read from it.
//!
//! A row documents what the operation computes, including its result outside the domain where the specifications leave
//! it undefined. The interpreter and the code generator execute rows for memory, control and cross-lane operations
//! themselves. The others have an `eval` (one invocation) and a `lower` (one lane group), see `crate::ops`.

/// Shape of arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sig {
    /// () -> any type; `Imm::Bits`.
    Const,
    /// (float) -> same.
    UnF,
    /// (float, float) -> same.
    BinF,
    /// (float, float, float) -> same.
    TriF,
    /// (float) -> Bool.
    TestF,
    /// (float, float) -> Bool.
    CmpF,
    /// (int) -> same.
    UnI,
    /// (int, int) -> same.
    BinI,
    /// (int, int, int) -> same.
    TriI,
    /// (I32, I32) -> I32.
    Packed,
    /// (int, any int amount) -> first.
    Shift,
    /// (int, I32 offset, I32 count) -> first.
    Extract,
    /// (int base, int insert, I32 offset, I32 count) -> first.
    Insert,
    /// (int, int) -> Bool.
    CmpI,
    /// (int or Bool) -> same.
    UnBits,
    /// (int or Bool, same) -> same.
    BinBits,
    /// (Bool, any, same) -> second.
    Select,
    /// (float) -> int.
    FToI,
    /// (int) -> float.
    IToF,
    /// (float) -> float of another width.
    FToF,
    /// (int) -> int of another width.
    IToI,
    /// (number) -> number of the same width.
    Bitcast,
    /// (float, I32) -> first.
    FI,
    /// (float) -> I32.
    FToI32,
    /// Any shape: the documentation of the row states it, and the emitting code ensures it.
    Free,
}

/// Effects of an operation besides its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None: may be folded, moved, duplicated, removed.
    Pure,
    /// Reads the other invocations of its quad; may be removed, not moved across control flow.
    Quad,
    /// Reads the other invocations of its group; as `Quad`.
    Group,
    /// Reads memory that may change; may be removed.
    Read,
    /// Writes memory or synchronizes: must not be moved.
    Write,
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident $text:literal $sig:ident $effect:ident;)*) => {
        /// An operation. The documentation of each variant states what it computes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $name),* }

        impl Op {
            /// Every operation, in table order.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
            /// Name in the text form.
            pub fn name(self) -> &'static str { match self { $(Op::$name => $text),* } }
            /// Shape of arguments and results.
            pub fn sig(self) -> Sig { match self { $(Op::$name => Sig::$sig),* } }
            /// Effects.
            pub fn effect(self) -> Effect { match self { $(Op::$name => Effect::$effect),* } }
        }
    };
}

ops! {
    /// The constant `Imm::Bits`.
    Const "const" Const Pure;

    /// Sum.
    FAdd "f.add" BinF Pure;
    /// Difference.
    FSub "f.sub" BinF Pure;
    /// Product.
    FMul "f.mul" BinF Pure;
    /// Quotient, IEEE-754 (x/0 is an infinity or NaN).
    FDiv "f.div" BinF Pure;
    /// `x - y * trunc(x / y)`: sign of x. Spec: SPIR-V OpFRem.
    FRem "f.rem" BinF Pure;
    /// `x - y * floor(x / y)`: sign of y. Spec: SPIR-V OpFMod.
    FMod "f.mod" BinF Pure;
    /// Sign bit flipped.
    FNeg "f.neg" UnF Pure;
    /// Sign bit cleared.
    FAbs "f.abs" UnF Pure;
    /// -1, 0 or 1; zeros and NaN give +0.
    FSign "f.sign" UnF Pure;
    /// Round toward negative infinity.
    FFloor "f.floor" UnF Pure;
    /// Round toward positive infinity.
    FCeil "f.ceil" UnF Pure;
    /// Round toward zero.
    FTrunc "f.trunc" UnF Pure;
    /// Round to nearest, ties to even (both Round and RoundEven).
    FRound "f.round" UnF Pure;
    /// `x - floor(x)`.
    FFract "f.fract" UnF Pure;
    /// `y < x ? y : x`: x if either is NaN.
    FMin "f.min" BinF Pure;
    /// `x < y ? y : x`: x if either is NaN.
    FMax "f.max" BinF Pure;
    /// `x < y ? x : y`, x if y is NaN: the number if one of them is NaN. Spec: GLSL.std.450 NMin; FMin, which leaves
    /// NaN undefined.
    NMin "f.nmin" BinF Pure;
    /// `y < x ? x : y`, x if y is NaN. Spec: GLSL.std.450 NMax, FMax.
    NMax "f.nmax" BinF Pure;
    /// Fused `a * b + c`, one rounding.
    Fma "f.fma" TriF Pure;
    /// Square root, correctly rounded; negative gives NaN.
    FSqrt "f.sqrt" UnF Pure;
    /// `1 / sqrt(x)`, two correctly rounded steps.
    FInvSqrt "f.rsqrt" UnF Pure;

    /// Sum, wrapping.
    IAdd "i.add" BinI Pure;
    /// Difference, wrapping.
    ISub "i.sub" BinI Pure;
    /// Product, wrapping.
    IMul "i.mul" BinI Pure;
    /// Signed quotient; x/0 is 0, MIN/-1 is MIN.
    SDiv "i.sdiv" BinI Pure;
    /// Unsigned quotient; x/0 is 0.
    UDiv "i.udiv" BinI Pure;
    /// Signed remainder, sign of x; 0 for y = 0 and MIN/-1.
    SRem "i.srem" BinI Pure;
    /// Signed modulus, sign of y; 0 for y = 0.
    SMod "i.smod" BinI Pure;
    /// Unsigned remainder; 0 for y = 0.
    UMod "i.umod" BinI Pure;
    /// Negation, wrapping.
    INeg "i.neg" UnI Pure;
    /// Absolute value; MIN stays MIN.
    SAbs "i.abs" UnI Pure;
    /// -1, 0 or 1.
    SSign "i.sign" UnI Pure;
    /// Signed minimum.
    SMin "i.smin" BinI Pure;
    /// Signed maximum.
    SMax "i.smax" BinI Pure;
    /// Unsigned minimum.
    UMin "i.umin" BinI Pure;
    /// Unsigned maximum.
    UMax "i.umax" BinI Pure;
    /// 1 if the unsigned sum overflows, else 0.
    IAddCarry "i.addcarry" BinI Pure;
    /// 1 if x < y unsigned, else 0.
    ISubBorrow "i.subborrow" BinI Pure;
    /// High half of the unsigned product.
    UMulHigh "i.umulhi" BinI Pure;
    /// High half of the signed product.
    SMulHigh "i.smulhi" BinI Pure;

    /// Bitwise or logical and.
    And "and" BinBits Pure;
    /// Bitwise or logical or.
    Or "or" BinBits Pure;
    /// Bitwise exclusive or; on Bool: not equal.
    Xor "xor" BinBits Pure;
    /// Bitwise or logical complement.
    Not "not" UnBits Pure;
    /// Shift left; the amount is taken modulo the width.
    Shl "shl" Shift Pure;
    /// Logical shift right; the amount is taken modulo the width.
    ShrU "shr.u" Shift Pure;
    /// Arithmetic shift right; the amount is taken modulo the width.
    ShrS "shr.s" Shift Pure;
    /// Number of one bits.
    BitCount "bit.count" UnI Pure;
    /// Bits in reverse order.
    BitReverse "bit.reverse" UnI Pure;
    /// Index of the lowest one bit, -1 for 0.
    FindILsb "bit.lsb" UnI Pure;
    /// Index of the highest bit that differs from the sign, -1 for 0 and -1.
    FindSMsb "bit.smsb" UnI Pure;
    /// Index of the highest one bit, -1 for 0.
    FindUMsb "bit.umsb" UnI Pure;
    /// `count` low bits of insert put at `offset` of base; offset and count are clamped so that
    /// offset <= width and offset + count <= width.
    BitFieldInsert "bit.insert" Insert Pure;
    /// Bits offset..offset+count, sign-extended; 0 for count 0; clamped as BitFieldInsert.
    BitFieldSExtract "bit.sextract" Extract Pure;
    /// Bits offset..offset+count, zero-extended; clamped as BitFieldInsert.
    BitFieldUExtract "bit.uextract" Extract Pure;

    /// Sum of the products of the four signed bytes of both.
    SDotBytes "i.sdot4" Packed Pure;

    /// Equal.
    IEq "i.eq" CmpI Pure;
    /// Not equal.
    INe "i.ne" CmpI Pure;
    /// Signed less than.
    SLt "i.slt" CmpI Pure;
    /// Signed less or equal.
    SLe "i.sle" CmpI Pure;
    /// Unsigned less than.
    ULt "i.ult" CmpI Pure;
    /// Unsigned less or equal.
    ULe "i.ule" CmpI Pure;
    /// Ordered and equal.
    FOrdEq "f.oeq" CmpF Pure;
    /// Ordered and not equal.
    FOrdNe "f.one" CmpF Pure;
    /// Ordered and less.
    FOrdLt "f.olt" CmpF Pure;
    /// Ordered and less or equal.
    FOrdLe "f.ole" CmpF Pure;
    /// Unordered or equal.
    FUnordEq "f.ueq" CmpF Pure;
    /// Unordered or not equal.
    FUnordNe "f.une" CmpF Pure;
    /// Unordered or less.
    FUnordLt "f.ult" CmpF Pure;
    /// Unordered or less or equal.
    FUnordLe "f.ule" CmpF Pure;
    /// Is a NaN.
    IsNan "f.isnan" TestF Pure;
    /// Is an infinity.
    IsInf "f.isinf" TestF Pure;
    /// Second argument where the first holds, else the third. Any type.
    Select "select" Select Pure;

    /// Toward zero; NaN gives 0, out of range saturates.
    FToS "f.to.s" FToI Pure;
    /// Toward zero; NaN gives 0, out of range saturates.
    FToU "f.to.u" FToI Pure;
    /// Signed to float, nearest even.
    SToF "s.to.f" IToF Pure;
    /// Unsigned to float, nearest even.
    UToF "u.to.f" IToF Pure;
    /// Float width change, nearest even.
    FConvert "f.convert" FToF Pure;
    /// Float width change, toward zero (RoundingMode RTZ).
    FConvertRtz "f.convert.rtz" FToF Pure;
    /// Integer width change with sign extension.
    SConvert "s.convert" IToI Pure;
    /// Integer width change with zero extension.
    UConvert "u.convert" IToI Pure;
    /// Same bits, other type.
    Bitcast "bitcast" Bitcast Pure;
    /// Rounded to f16 and back, denormals flushed to zero. Spec: SPIR-V OpQuantizeToF16.
    QuantizeToF16 "f.quantize16" UnF Pure;

    /// Sine, radians. The functions from here to Log2 have the precision of Vulkan for f16 and f32, and that of OpenCL for
    /// f64, whose special cases they also have.
    Sin "m.sin" UnF Pure;
    /// Cosine, radians.
    Cos "m.cos" UnF Pure;
    /// Tangent, radians.
    Tan "m.tan" UnF Pure;
    /// Arc sine; NaN outside [-1, 1].
    Asin "m.asin" UnF Pure;
    /// Arc cosine; NaN outside [-1, 1].
    Acos "m.acos" UnF Pure;
    /// Arc tangent.
    Atan "m.atan" UnF Pure;
    /// Hyperbolic sine.
    Sinh "m.sinh" UnF Pure;
    /// Hyperbolic cosine.
    Cosh "m.cosh" UnF Pure;
    /// Hyperbolic tangent.
    Tanh "m.tanh" UnF Pure;
    /// Inverse hyperbolic sine.
    Asinh "m.asinh" UnF Pure;
    /// Inverse hyperbolic cosine; NaN below 1.
    Acosh "m.acosh" UnF Pure;
    /// Inverse hyperbolic tangent; NaN outside [-1, 1].
    Atanh "m.atanh" UnF Pure;
    /// Arc tangent of y/x with the quadrant of (x, y); arguments (y, x).
    Atan2 "m.atan2" BinF Pure;
    /// x to the y, as `exp2(y * log2(x))`; 1 for y = 0, else NaN for x < 0.
    Pow "m.pow" BinF Pure;
    /// e to the x; denormal results are flushed to 0, here and in Exp2.
    Exp "m.exp" UnF Pure;
    /// Natural logarithm; NaN below 0, -inf at 0 and, here and in Log2, at denormals.
    Log "m.log" UnF Pure;
    /// 2 to the x.
    Exp2 "m.exp2" UnF Pure;
    /// Base-2 logarithm; NaN below 0, -inf at 0.
    Log2 "m.log2" UnF Pure;
    /// `x * 2^exp`, one rounding.
    Ldexp "m.ldexp" FI Pure;
    /// Significand in [0.5, 1) with the sign of x; zero, infinity and NaN are returned unchanged.
    FrexpMant "m.frexp.mant" UnF Pure;
    /// Exponent for FrexpMant; 0 for zero, infinity, NaN.
    FrexpExp "m.frexp.exp" FToI32 Pure;

    /// Sine of pi x. This row and the next ones are functions of OpenCL, within its bounds for f64.
    SinPi "m.sinpi" UnF Pure;
    /// Cosine of pi x.
    CosPi "m.cospi" UnF Pure;
    /// 10 to the x.
    Exp10 "m.exp10" UnF Pure;
    /// `e^x - 1`.
    Expm1 "m.expm1" UnF Pure;
    /// Base-10 logarithm; NaN below 0, -inf at 0.
    Log10 "m.log10" UnF Pure;
    /// `log(1 + x)`; NaN below -1, -inf at -1.
    Log1p "m.log1p" UnF Pure;
    /// Cube root.
    Cbrt "m.cbrt" UnF Pure;
    /// Error function.
    Erf "m.erf" UnF Pure;
    /// `1 - erf(x)`.
    Erfc "m.erfc" UnF Pure;
    /// Gamma function; infinite at 0, NaN at negative integers.
    Tgamma "m.tgamma" UnF Pure;
    /// Logarithm of the magnitude of the gamma function.
    Lgamma "m.lgamma" UnF Pure;
    /// `sqrt(x^2 + y^2)` without overflow; infinite if an operand is.
    Hypot "m.hypot" BinF Pure;
    /// The root of x with the integer degree; NaN for degree 0 and for even roots of negative numbers.
    Rootn "m.rootn" FI Pure;

    /// Horizontal difference in the invocation's row of the quad. An inactive partner gives 0. Spec: SPIR-V OpDPdxFine;
    /// also used for OpDPdx.
    DdxFine "d.dx.fine" UnF Quad;
    /// Vertical difference in the invocation's column of the quad.
    DdyFine "d.dy.fine" UnF Quad;
    /// Horizontal difference of the quad's first row.
    DdxCoarse "d.dx.coarse" UnF Quad;
    /// Vertical difference of the quad's first column.
    DdyCoarse "d.dy.coarse" UnF Quad;

    /// Element of a variable; `Imm::Var`.
    VarGet "var.get" Free Read;
    /// Stores (value) to an element of a variable; `Imm::Var`.
    VarSet "var.set" Free Write;
    /// Element `elem + index` of a variable; argument I32 index (in elements); `Imm::Var`. 0 when out of the variable's
    /// range.
    VarGetDyn "var.get.dyn" Free Read;
    /// Stores (I32 index, value); `Imm::Var`. Dropped when out of range.
    VarSetDyn "var.set.dyn" Free Write;
    /// Element `elem + index` of a table of constants; argument I32 index (in elements); `Imm::Table`. 0 when out of
    /// the table's range.
    LoadConstant "const.load" Free Pure;

    /// Input scalar; `Imm::Slot` into `Shader::inputs`. In stages that read several vertices: argument I32 vertex; 0
    /// past the last one.
    LoadInput "in.load" Free Pure;
    /// Input scalar of the patch; `Imm::Slot` into `Shader::patch_inputs`.
    LoadPatchInput "in.patch" Free Pure;
    /// Stores (value) to an output scalar; `Imm::Slot` into `Shader::outputs`. Control and mesh: (I32 vertex, value);
    /// dropped past the last vertex. If several lanes store to one vertex, the last lane wins.
    StoreOutput "out.store" Free Write;
    /// Control and mesh: current value of an output scalar of a vertex, argument I32 vertex; `Imm::Slot` into
    /// `Shader::outputs`. 0 past the last vertex.
    LoadOutput "out.load" Free Read;
    /// Control: stores (value) to an output scalar of the patch; `Imm::Slot` into `Shader::patch_outputs`. If several
    /// lanes store, the last lane wins.
    StorePatchOutput "out.patch.store" Free Write;
    /// Control: current value of an output scalar of the patch; `Imm::Slot` into `Shader::patch_outputs`.
    LoadPatchOutput "out.patch.load" Free Read;
    /// Mesh: stores (I32 primitive, value) to an output scalar of a primitive; `Imm::Slot` into
    /// `Shader::primitive_outputs`. Out of range and with several lanes as `StoreOutput`.
    StorePrimitiveOutput "out.primitive.store" Free Write;
    /// Mesh: current value of an output scalar of a primitive, argument I32 primitive; `Imm::Slot` into
    /// `Shader::primitive_outputs`. 0 past the last primitive.
    LoadPrimitiveOutput "out.primitive.load" Free Read;
    /// Mesh: sets the numbers of (I32 vertices, I32 primitives) of the workgroup, clamped to the limits of its modes.
    /// The values of the first invocation to execute it count.
    SetMeshOutputs "mesh.outputs" Free Write;
    /// Task: sets the numbers of (I32 x, I32 y, I32 z) mesh workgroups that the workgroup requests. The values of the
    /// first invocation to execute it count.
    EmitMeshTasks "task.emit" Free Write;
    /// Task: the payload of the workgroup, initially 0. Mesh: the payload of the task workgroup that requested this
    /// one. A buffer of `Shader::payload_size` bytes; read-only in mesh shaders.
    Payload "payload" Free Pure;
    /// Geometry: emits a vertex on `Imm::Stream`; arguments are the outputs of the stream. Dropped past the limit of
    /// the shader.
    EmitVertex "emit.vertex" Free Write;
    /// Geometry: the next vertex of `Imm::Stream` begins a strip.
    EndPrimitive "emit.end" Free Write;
    /// Built-in input; `Imm::BuiltIn`. HelperInvocation after a demote is `IsHelper`.
    BuiltIn "builtin" Free Pure;
    /// Input at another location; `Imm::Interp`; arguments: none, (I32 sample), (F32 x, F32 y).
    Interpolate "in.interpolate" Free Pure;

    /// Byte offset: the sum of the arguments (I32 or I64 indices, unsigned), each times its stride of `Imm::Strides`. A sum
    /// past 2^32 - 1 becomes a value of at least [`ADDRESS_REACH`](crate::abi::ADDRESS_REACH), the size of the greatest range that
    /// shaders without 64-bit indexing use. If any argument is an I64, the sum is modulo
    /// 2^[`ADDRESS_SHIFT`](crate::abi::ADDRESS_SHIFT), so that it is the offset in a buffer if an argument is an address, and no
    /// stride exceeds [`MAX_WIDE_STRIDE`](super::MAX_WIDE_STRIDE).
    Offset "offset" Free Pure;
    /// Buffer bound at `Imm::Binding`, argument I32 array index. Out of range: null.
    BufferDescriptor "buf.descriptor" Free Pure;
    /// Buffer of (I64 base, I64 size in bytes), both from one `BufferParts`, `AddressBuffer` or `HandleBuffer`.
    BufferAt "buf.at" Free Pure;
    /// Base and size of (Buffer): two I64.
    BufferParts "buf.parts" Free Pure;
    /// Buffer at a device address (I64): base at the address, and bytes from there to the end of the buffer, two I64.
    /// Size 0 if there is no live buffer. See [`crate::abi::ADDRESS_SHIFT`].
    AddressBuffer "buf.address" Free Pure;
    /// Range of a buffer that a [handle](crate::handle) (I64) and the word behind it (I64) describe: base and size in bytes,
    /// two I64. Size 0 if the handle has no buffer.
    HandleBuffer "buf.handle" Free Pure;
    /// The push constant block.
    PushConstants "buf.push" Free Pure;
    /// Size in bytes of a buffer, as I32, where a larger size is 2^32 - 1, or as I64.
    BufferSize "buf.size" Free Pure;
    /// Scalars from (Buffer, I32 or I64 byte offset, unsigned), never Bool; `Imm::Mem`. 0 when out of range, which an
    /// offset is whose sum with the static one and the size passes 2^64 - 1.
    LoadBuffer "buf.load" Free Read;
    /// Stores (Buffer, I32 or I64 byte offset, values...); `Imm::Mem`. Dropped when out of range.
    StoreBuffer "buf.store" Free Write;
    /// Atomic on (Buffer, I32 or I64 byte offset, operands...); `Imm::Atomic`. Result: the old value. Out of range,
    /// not aligned, or in helper invocations (but for loads): 0, and no effect. CompareExchange operands: (value, comparator).
    AtomicBuffer "buf.atomic" Free Write;
    /// Scalars from workgroup memory at (I32 byte offset); `Imm::Mem`.
    LoadShared "shared.load" Free Read;
    /// Stores (I32 byte offset, values...) to workgroup memory; `Imm::Mem`.
    StoreShared "shared.store" Free Write;
    /// Atomic on workgroup memory at (I32 byte offset, operands...); `Imm::Atomic`, like "buf.atomic".
    AtomicShared "shared.atomic" Free Write;

    /// Image or combined image sampler at `Imm::Binding`, argument I32 array index. An out-of-range index selects the
    /// last one.
    ImageDescriptor "img.descriptor" Free Pure;
    /// A null image and sampler: reads return zero, writes are dropped.
    NullImage "img.null" Free Pure;
    /// Image and sampler of a [handle](crate::handle) (I64); `Imm::Handle`. If the handle has no image or texel buffer,
    /// as the operand requires, reads return zero and writes are dropped.
    HandleImage "img.handle" Free Pure;
    /// (Image, Image): the image of the first, with the sampler of the second.
    SampledImage "img.combine" Free Pure;
    /// Image operation; `Imm::Image` selects it and determines its arguments.
    ImageOp "img.op" Free Quad;
    /// Image operation that writes; `Imm::Image`.
    ImageWrite "img.write" Free Write;

    /// Step of a ray query; `Imm::Ray` selects it. Arguments: I32 number of the query, then those of the row of
    /// [`RayOp`](super::RayOp). A number past the last query has no effect and gives zeros.
    RayStep "ray.step" Free Write;
    /// State of a ray query; `Imm::Ray` selects it. Argument: I32 number of the query; past the last query: zeros.
    RayGet "ray.get" Free Read;
    /// Calls other shaders of a ray tracing pipeline; `Imm::Call` selects the call and documents its arguments and
    /// results. Lanes whose call executes no shader get their scalars back.
    RayCall "ray.call" Free Write;

    /// Execution and memory barrier of the workgroup, or of the invocations of a patch.
    ControlBarrier "barrier" Free Write;
    /// Memory barrier only.
    MemoryBarrier "barrier.memory" Free Write;
    /// The invocation becomes a helper invocation.
    Demote "demote" Free Write;
    /// True if the invocation is currently a helper invocation.
    IsHelper "is.helper" Free Read;
    /// Operation across the lane group; `Imm::Group`.
    Group "group" Free Group;
    /// Operation on matrices whose elements are spread over the lane group; `Imm::Matrix` selects it and documents its
    /// arguments and results. Elements of inactive lanes are 0.
    Matrix "matrix" Free Group;
    /// Prints its arguments, except in helper invocations; `Imm::Printf`.
    Printf "printf" Free Write;
    /// Passes part of a message; the last part ends the call of the lane function, except in helper invocations.
    /// `Imm::Abort`.
    Abort "abort" Free Write;
    /// Passes its arguments to observers; `Imm::Note`. Computes nothing.
    Note "note" Free Write;
    /// Sets the alarm flag of the call if the argument (Bool) is true in an active invocation, including helpers; see
    /// [`crate::abi::Ctx::alarm`]. The front end never emits it.
    Alarm "alarm" Free Write;
    /// Nanoseconds of a monotonic clock, as I64: the only operation whose results differ from run to run. Spec: SPIR-V
    /// OpReadClockKHR.
    ReadClock "clock" Free Write;
}
