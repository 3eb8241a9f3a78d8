//! Nodes of trees, and blocks of triangles.

use bytemuck::{Pod, Zeroable};

/// Number of children of a node.
pub const WIDTH: usize = 8;
/// Number of triangles in a block.
pub const BLOCK: usize = 4;

/// Bit of children that are leaves. The other bits are the index of a block, of a box or of an instance.
pub const LEAF: u32 = 1 << 31;

/// Bit of numbers of geometries: the geometry is opaque.
pub const GEOMETRY_OPAQUE: u32 = 1 << 31;
/// Bits of numbers of geometries that are the number.
pub const GEOMETRY_MASK: u32 = (1 << 24) - 1;

/// A node: bounds of eight children, side by side.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Node {
    /// For each axis, the lower and upper bounds of the children. Unused children have bounds that no ray hits.
    pub bounds: [[[f32; WIDTH]; 2]; 3],
    /// Indices of nodes, or leaves.
    pub children: [u32; WIDTH],
    /// Of boxes: number and flags of the geometry. Of instances: the mask. Otherwise 0.
    pub extra: [u32; WIDTH],
}

impl Node {
    /// A node without children.
    pub const EMPTY: Node = Node {
        bounds: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
        children: [u32::MAX; WIDTH],
        extra: [0; WIDTH],
    };

    /// Sets the bounds of a child.
    #[inline]
    pub fn set_bounds(&mut self, child: usize, lo: [f32; 3], hi: [f32; 3]) {
        for axis in 0..3 {
            self.bounds[axis][0][child] = lo[axis];
            self.bounds[axis][1][child] = hi[axis];
        }
    }

    /// The bounds of all children.
    pub fn union(&self) -> ([f32; 3], [f32; 3]) {
        let lo = std::array::from_fn(|a| self.bounds[a][0].iter().copied().fold(f32::INFINITY, f32::min));
        let hi = std::array::from_fn(|a| self.bounds[a][1].iter().copied().fold(f32::NEG_INFINITY, f32::max));
        (lo, hi)
    }

    /// `true` if the child is not in use.
    pub fn is_unused(&self, child: usize) -> bool {
        self.children[child] == u32::MAX
    }
}

/// Up to four triangles, side by side. Unused places have vertices that are not numbers.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Block {
    /// Coordinates, by vertex and axis.
    pub vertices: [[[f32; BLOCK]; 3]; 3],
    /// Numbers of the triangles in their geometries.
    pub primitive: [u32; BLOCK],
    /// Numbers of the geometries, with [`GEOMETRY_OPAQUE`].
    pub geometry: [u32; BLOCK],
    /// Opacities of the triangles: numbers of triangles of the micromap of the geometry or special indices, plus 5; 0 for
    /// triangles of geometries without opacity.
    pub opacity: [u32; BLOCK],
}

impl Block {
    /// A block without triangles.
    pub const EMPTY: Block = Block {
        vertices: [[[f32::NAN; BLOCK]; 3]; 3],
        primitive: [u32::MAX; BLOCK],
        geometry: [u32::MAX; BLOCK],
        opacity: [0; BLOCK],
    };

    /// Sets the vertices of a triangle.
    #[inline]
    pub fn set(&mut self, place: usize, vertices: [[f32; 3]; 3]) {
        for (corner, vertex) in vertices.iter().enumerate() {
            for axis in 0..3 {
                self.vertices[corner][axis][place] = vertex[axis];
            }
        }
    }

    /// Sets the vertices of all triangles.
    #[inline]
    pub fn set_all(&mut self, triangles: &[[[f32; 3]; 3]; BLOCK]) {
        for corner in 0..3 {
            for axis in 0..3 {
                self.vertices[corner][axis] = triangles.map(|vertices| vertices[corner][axis]);
            }
        }
    }

    /// The vertices of a triangle.
    pub fn get(&self, place: usize) -> [[f32; 3]; 3] {
        self.vertices.map(|vertex| vertex.map(|axis| axis[place]))
    }
}
