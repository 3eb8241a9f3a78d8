//! Leaves of types: scalars, and pointers, images and samplers.

use super::{Debug, TypeKind};

/// The leaves of a type, the parts that have no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// Number of them; 0 for an array of unknown length.
    pub count: u32,
    /// True if the type has scalars, be it in the elements of an array of unknown length.
    pub scalars: bool,
}

impl Debug {
    /// The leaves of all types. A type follows those of its parts, so that none is visited twice: structures of structures
    /// without members have very many parts and no leaf.
    pub fn type_leaves(&self) -> Vec<Leaves> {
        let mut all: Vec<Leaves> = Vec::with_capacity(self.types.len());
        for ty in &self.types {
            let of =
                |part: u32| all.get(part as usize).copied().unwrap_or(Leaves { count: 1, scalars: true });
            let leaves = match &ty.kind {
                TypeKind::Scalar { .. } => Leaves { count: 1, scalars: true },
                TypeKind::Vector { n, .. } => Leaves { count: *n, scalars: true },
                TypeKind::Matrix { column: elem, n, .. } | TypeKind::Array { elem, n, .. } => {
                    let elem = of(*elem);
                    Leaves { count: n.saturating_mul(elem.count), ..elem }
                }
                TypeKind::Struct { members, .. } => {
                    let none = Leaves { count: 0, scalars: false };
                    members.iter().map(|m| of(m.ty)).fold(none, |sum, m| Leaves {
                        count: sum.count.saturating_add(m.count),
                        scalars: sum.scalars || m.scalars,
                    })
                }
                TypeKind::Opaque(_) => Leaves { count: 1, scalars: false },
            };
            all.push(leaves);
        }
        all
    }

    /// Number of leaves of a type.
    pub(super) fn n_leaves(&self, ty: u32) -> usize {
        self.type_leaves().get(ty as usize).map_or(0, |leaves| leaves.count as usize)
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
        self.leaves(ty, &self.type_leaves(), &mut String::new(), 0, f);
    }

    fn leaves(
        &self,
        ty: u32,
        all: &[Leaves],
        path: &mut String,
        at: u32,
        f: &mut impl FnMut(&str, u32, u32) -> bool,
    ) -> bool {
        // An array of empty structures has no leaves, and may have billions of elements.
        let has = all.get(ty as usize).is_some_and(|leaves| leaves.count > 0);
        let Some(t) = self.types.get(ty as usize).filter(|_| has) else { return true };
        if matches!(t.kind, TypeKind::Scalar { .. } | TypeKind::Opaque(_)) {
            return f(path, at, ty);
        }
        let mut inside = |name: &str, offset: u32, part: u32| {
            let length = path.len();
            path.push_str(name);
            let more = self.leaves(part, all, path, at.saturating_add(offset), f);
            path.truncate(length);
            more
        };
        match t.kind {
            // A list of all elements could be much longer than what `f` asks for.
            TypeKind::Array { elem, n, stride, .. } => {
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
        let array = |elem| TypeKind::Array { elem, n: 1 << 31, stride: 4, matrix: None };
        let member = |name: &str, ty| Member { name: name.to_owned(), ty, offset: 0 };
        let of_members = |members| TypeKind::Struct { name: "S".to_owned(), members };
        let types = vec![
            of(TypeKind::Scalar { ty: Ty::F32, signed: false, encoding: None }, 1),
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

    #[test]
    fn structures_without_members_have_no_leaves() {
        let structure = |parts: &[u32]| {
            let member = |&ty: &u32| Member { name: String::new(), ty, offset: 0 };
            TypeKind::Struct { name: String::new(), members: parts.iter().map(member).collect() }
        };
        let mut kinds = vec![structure(&[])];
        // 2^60 parts.
        kinds.extend((0..60).map(|inner| structure(&[inner, inner])));
        let last = kinds.len() as u32;
        kinds.push(TypeKind::Scalar { ty: Ty::F32, signed: true, encoding: None });
        kinds.push(structure(&[last - 1, last, last]));
        kinds.push(TypeKind::Array { elem: last + 1, n: u32::MAX, stride: 8, matrix: None });
        kinds.push(TypeKind::Array { elem: last, n: 0, stride: 4, matrix: None });
        kinds.push(structure(&[last + 2, last + 3]));
        let types = kinds.into_iter().map(|kind| Type { kind, extent: 0 }).collect();
        let all = Debug { types, ..Debug::default() }.type_leaves();
        let of = |count, scalars| Leaves { count, scalars };
        assert!(all[..last as usize].iter().all(|&l| l == of(0, false)));
        assert_eq!(
            all[last as usize..],
            [of(1, true), of(2, true), of(u32::MAX, true), of(0, true), of(u32::MAX, true)]
        );
    }
}
