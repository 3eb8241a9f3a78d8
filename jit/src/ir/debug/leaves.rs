//! Leaves of types: scalars, and pointers, images and samplers.

use super::{Debug, TypeKind};

impl Debug {
    /// Number of leaves of a type.
    pub(super) fn n_leaves(&self, ty: u32) -> usize {
        let mut n = 0;
        self.each_leaf(ty, &mut |_, _, _| {
            n += 1;
            true
        });
        n
    }

    /// The path from a type to its leaf with this number.
    pub fn leaf(&self, ty: u32, leaf: u32) -> String {
        let mut found = String::new();
        let mut n = 0;
        self.each_leaf(ty, &mut |path, _, _| {
            if n == leaf {
                found = path.to_owned();
            }
            n += 1;
            n <= leaf
        });
        found
    }

    /// Calls `f` with the path, the offset and the type of every leaf in order, until it returns false. Arrays of
    /// unknown length have no leaves.
    pub fn each_leaf(&self, ty: u32, f: &mut impl FnMut(&str, u32, u32) -> bool) {
        self.leaves(ty, &self.with_leaves(), &mut String::new(), 0, f);
    }

    /// For each type, true if it has leaves. An array of empty structures has none, and may have billions of elements.
    fn with_leaves(&self) -> Vec<bool> {
        let mut all: Vec<bool> = Vec::with_capacity(self.types.len());
        for t in &self.types {
            // The types of the parts are before the type.
            let has = |ty: &u32| all.get(*ty as usize).is_some_and(|has| *has);
            let any = match &t.kind {
                TypeKind::Scalar { .. } | TypeKind::Opaque(_) => true,
                TypeKind::Vector { elem, n, .. }
                | TypeKind::Matrix { column: elem, n, .. }
                | TypeKind::Array { elem, n, .. } => *n > 0 && has(elem),
                TypeKind::Struct { members, .. } => members.iter().any(|m| has(&m.ty)),
            };
            all.push(any);
        }
        all
    }

    fn leaves(
        &self,
        ty: u32,
        with_leaves: &[bool],
        path: &mut String,
        at: u32,
        f: &mut impl FnMut(&str, u32, u32) -> bool,
    ) -> bool {
        let has = with_leaves.get(ty as usize).is_some_and(|has| *has);
        let Some(t) = self.types.get(ty as usize).filter(|_| has) else { return true };
        if matches!(t.kind, TypeKind::Scalar { .. } | TypeKind::Opaque(_)) {
            return f(path, at, ty);
        }
        let mut inside = |name: &str, offset: u32, part: u32| {
            let length = path.len();
            path.push_str(name);
            let more = self.leaves(part, with_leaves, path, at.saturating_add(offset), f);
            path.truncate(length);
            more
        };
        match t.kind {
            // A list of all elements could be much longer than what `f` asks for.
            TypeKind::Array { elem, n, stride } => {
                (0..n).all(|i| inside(&format!("[{i}]"), i.saturating_mul(stride), elem))
            }
            TypeKind::Scalar { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Matrix { .. }
            | TypeKind::Struct { .. }
            | TypeKind::Opaque(_) => {
                self.parts(ty).iter().all(|(name, offset, part)| inside(name, *offset, *part))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Member, Type};
    use super::*;
    use crate::ir::Ty;

    /// A list of the elements of such arrays would take all memory.
    #[test]
    fn leaves_of_types_with_billions_of_parts() {
        let of = |kind, extent| Type { kind, extent };
        let array = |elem| TypeKind::Array { elem, n: 1 << 31, stride: 4 };
        let member = |name: &str, ty| Member { name: name.to_owned(), ty, offset: 0 };
        let of_members = |members| TypeKind::Struct { name: "S".to_owned(), members };
        let types = vec![
            of(TypeKind::Scalar { ty: Ty::F32, signed: false }, 1),
            of(of_members(Vec::new()), 0),
            of(array(1), 0),
            of(array(2), 0),
            of(array(0), u32::MAX),
            of(of_members(vec![member("none", 3), member("one", 0), member("many", 4)]), u32::MAX),
        ];
        let debug = Debug { types, ..Debug::default() };
        assert_eq!(debug.n_leaves(3), 0);
        assert_eq!((debug.leaf(5, 0), debug.leaf(5, 3)), (".one".to_owned(), ".many[2]".to_owned()));
    }
}
