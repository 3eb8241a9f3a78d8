//! Operations of ray queries, one row each. Leaves traversal to the owner of acceleration structures, which provides a
//! routine ([`crate::abi::RayHost`]).

use super::Ty;

/// A run of results or arguments with equal types.
type Run = (Ty, u32);

macro_rules! ray_ops {
    ($($(#[$doc:meta])* $name:ident $effect:ident ($($arg:ident * $n:literal),*) -> ($ret:ident * $r:literal);)*) => {
        /// Operation of a ray query. Its number is part of the contract with the routine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum RayOp { $($(#[$doc])* $name),* }

        impl RayOp {
            /// Every operation, in the order of the numbers.
            pub const ALL: &'static [RayOp] = &[$(RayOp::$name),*];

            /// Arguments after the number of the query.
            fn arg_runs(self) -> &'static [Run] {
                match self { $(RayOp::$name => &[$((Ty::$arg, $n)),*]),* }
            }

            fn result_run(self) -> Run {
                match self { $(RayOp::$name => (Ty::$ret, $r)),* }
            }

            /// `true` for steps ([`Op::RayStep`](super::Op::RayStep)), `false` for reads of the state.
            pub fn is_step(self) -> bool {
                match self { $(RayOp::$name => ray_ops!(@step $effect)),* }
            }
        }
    };
    (@step Step) => { true };
    (@step Get) => { false };
}

ray_ops! {
    /// Starts a query: reference of the acceleration structure, ray flags, cull mask, origin, t minimum, direction,
    /// t maximum.
    Initialize Step (I64 * 1, I32 * 2, F32 * 8) -> (Bool * 0);
    /// Goes on to the next candidate; `false` if there is none.
    Proceed Step () -> (Bool * 1);
    /// Ends the traversal: the next `Proceed` returns `false`.
    Terminate Step () -> (Bool * 0);
    /// Commits the candidate triangle.
    Confirm Step () -> (Bool * 0);
    /// Commits the candidate AABB with a hit at the argument.
    Generate Step (F32 * 1) -> (Bool * 0);
    /// Sets the query to the state of the query with this number.
    Copy Step (I32 * 1) -> (Bool * 0);
    /// t minimum of the ray.
    TMin Get () -> (F32 * 1);
    /// Ray flags.
    Flags Get () -> (I32 * 1);
    /// Direction of the ray.
    WorldDirection Get () -> (F32 * 3);
    /// Origin of the ray.
    WorldOrigin Get () -> (F32 * 3);
    /// `true` if the candidate AABB is opaque.
    CandidateAabbOpaque Get () -> (Bool * 1);
    /// Type of an intersection, as the SPIR-V specification numbers it. Here and below: I32 1 for the committed
    /// intersection, 0 for the candidate.
    Type Get (I32 * 1) -> (I32 * 1);
    /// Distance in units of the direction.
    T Get (I32 * 1) -> (F32 * 1);
    /// Custom index of the instance.
    CustomIndex Get (I32 * 1) -> (I32 * 1);
    /// Index of the instance.
    InstanceId Get (I32 * 1) -> (I32 * 1);
    /// Record offset of the instance in the shader binding table.
    RecordOffset Get (I32 * 1) -> (I32 * 1);
    /// Index of the geometry.
    GeometryIndex Get (I32 * 1) -> (I32 * 1);
    /// Index of the primitive in its geometry.
    PrimitiveIndex Get (I32 * 1) -> (I32 * 1);
    /// Barycentric coordinates of a hit on a triangle.
    Barycentrics Get (I32 * 1) -> (F32 * 2);
    /// `true` if the front of the triangle was hit.
    FrontFace Get (I32 * 1) -> (Bool * 1);
    /// Direction of the ray in the space of the object.
    ObjectDirection Get (I32 * 1) -> (F32 * 3);
    /// Origin of the ray in the space of the object.
    ObjectOrigin Get (I32 * 1) -> (F32 * 3);
    /// Matrix from object to world, four columns of three rows.
    ObjectToWorld Get (I32 * 1) -> (F32 * 12);
    /// Matrix from world to object, four columns of three rows.
    WorldToObject Get (I32 * 1) -> (F32 * 12);
    /// Positions of the vertices of the triangle, in the space of the object.
    Positions Get (I32 * 1) -> (F32 * 9);
    /// For hit objects: reference of the acceleration structure (two words), cull mask; then of the committed intersection
    /// the type, bits of the distance, index of the instance, of the geometry and of the primitive, place of the triangle,
    /// 1 for a front face, bits of the barycentric coordinates. Without an intersection, the latter are zero.
    HitObject Get (I32 * 1) -> (I32 * 12);
}

impl RayOp {
    /// Types of the arguments after the number of the query.
    pub fn args(self) -> impl Iterator<Item = Ty> {
        self.arg_runs().iter().flat_map(|&(ty, n)| std::iter::repeat_n(ty, n as usize))
    }

    /// Types of the results.
    pub fn results(self) -> impl Iterator<Item = Ty> {
        let (ty, n) = self.result_run();
        std::iter::repeat_n(ty, n as usize)
    }

    /// The operation with this number.
    pub fn from_number(number: u32) -> Option<RayOp> {
        RayOp::ALL.get(number as usize).copied()
    }
}
