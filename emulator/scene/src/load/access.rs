//! Accessors: typed elements in buffers, including sparse accessors, read one by one with checks of every range.

use std::cell::OnceCell;

use quadrille::{Error, Result};

use super::file::{Budget, Files};
use super::{json, meshopt, within};

/// Maximum number of elements of an accessor without dense data.
const MAX_ZEROS: usize = 1 << 24;

/// Extensions of compressed buffer views, which have the same properties.
const MESHOPT: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// Buffers, views and accessors of a file.
pub struct Data<'a> {
    root: &'a json::Root,
    files: &'a Files<'a>,
    /// Binary chunk of a GLB container.
    glb: Option<&'a [u8]>,
    /// Buffers from files and URIs, after they were read.
    read: Vec<OnceCell<Vec<u8>>>,
    /// Decoded buffer views.
    decoded: Vec<OnceCell<Vec<u8>>>,
    /// Budget for decoded data.
    pub budget: &'a Budget,
}

/// Returns element `index` of a list, or an error.
pub fn at<'a, T>(list: &'a [T], index: usize, what: &str) -> Result<&'a T> {
    list.get(index)
        .ok_or_else(|| Error::invalid(format!("{what} {index} does not exist; there are {}", list.len())))
}

impl<'a> Data<'a> {
    /// Accessors of a file.
    pub fn new(
        root: &'a json::Root,
        files: &'a Files<'a>,
        glb: Option<&'a [u8]>,
        budget: &'a Budget,
    ) -> Data<'a> {
        let read = root.buffers.iter().map(|_| OnceCell::new()).collect();
        let decoded = root.buffer_views.iter().map(|_| OnceCell::new()).collect();
        Data { root, files, glb, read, decoded, budget }
    }

    /// Returns the bytes of a buffer.
    fn buffer(&self, index: usize) -> Result<&[u8]> {
        let buffer = at(&self.root.buffers, index, "buffer")?;
        let bytes = match (&buffer.uri, self.glb) {
            (Some(uri), _) => match self.read[index].get() {
                Some(bytes) => bytes,
                None => {
                    let bytes = self.files.read(uri).map_err(|e| within(format!("buffers[{index}]"), e))?;
                    self.read[index].get_or_init(|| bytes)
                }
            },
            (None, Some(glb)) if index == 0 => glb,
            _ => return Err(Error::invalid(format!("buffers[{index}] has no data"))),
        };
        let length = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
        bytes.get(..length).ok_or_else(|| {
            let have = bytes.len();
            Error::invalid(format!("buffers[{index}] must have {length} bytes, but has {have}"))
        })
    }

    /// Returns the bytes of a buffer view, and its stride if it has one.
    pub fn view(&self, index: usize) -> Result<(&[u8], Option<usize>)> {
        let view = at(&self.root.buffer_views, index, "buffer view")?;
        let bytes = self.bytes(index, view).map_err(|e| within(format!("bufferViews[{index}]"), e))?;
        let stride = view.byte_stride.map(|s| usize::try_from(s).unwrap_or(usize::MAX));
        Ok((bytes, stride))
    }

    fn bytes(&self, index: usize, view: &json::BufferView) -> Result<&[u8]> {
        if let Some(bytes) = self.decoded[index].get() {
            return Ok(bytes);
        }
        let mut packed = None;
        for name in MESHOPT {
            packed = packed.or(view.extensions.get::<json::MeshoptView>(name)?);
        }
        let Some(packed) = packed else {
            return self.range(view.buffer, view.byte_offset, view.byte_length);
        };
        let stream = self.range(packed.buffer, packed.byte_offset, packed.byte_length)?;
        self.budget.take(view.byte_length)?;
        let bytes = meshopt::decode(&packed, view.byte_length, stream)?;
        Ok(self.decoded[index].get_or_init(|| bytes))
    }

    /// Returns `length` bytes of a buffer, from an offset on.
    fn range(&self, buffer: usize, from: u64, length: u64) -> Result<&[u8]> {
        let bytes = self.buffer(buffer)?;
        part(bytes, from, Some(length))
            .ok_or_else(|| Error::invalid(format!("{length} bytes from byte {from} of {}", bytes.len())))
    }

    /// Returns the elements of an accessor, whose type must be one of `types`.
    pub fn elements(&self, index: usize, types: &[&str]) -> Result<Elements<'_>> {
        let accessor = at(&self.root.accessors, index, "accessor")?;
        self.read_accessor(accessor, types).map_err(|e| within(format!("accessors[{index}]"), e)).map(
            |mut e| {
                e.accessor = index;
                e
            },
        )
    }

    /// Returns elements of a decoded mesh, of the type and with the normalization of an accessor.
    pub fn decoded<'b>(&self, index: usize, types: &[&str], from: Dense<'b>) -> Result<Elements<'b>> {
        let accessor = at(&self.root.accessors, index, "accessor")?;
        let made = || -> Result<Elements<'b>> {
            let components = components(accessor, types)?;
            let component = Component::of(from.component)?;
            let Dense { bytes, count, components: have, .. } = from;
            let size = have * component.size();
            if have != components || count.checked_mul(size) != Some(bytes.len()) {
                return Err(Error::invalid(format!("the compressed mesh has {have} components per vertex")));
            }
            let (dense, normalized) = (Some((bytes, size)), accessor.normalized);
            Ok(Elements { accessor: index, dense, sparse: None, component, components, count, normalized })
        };
        made().map_err(|e| within(format!("accessors[{index}]"), e))
    }

    fn read_accessor(&self, accessor: &json::Accessor, types: &[&str]) -> Result<Elements<'_>> {
        let component = Component::of(accessor.component_type)?;
        let components = components(accessor, types)?;
        let size = components * component.size();
        let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
        let dense = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = self.view(view)?;
                Some(strided(bytes, accessor.byte_offset, stride, size, count)?)
            }
            // Zeros take no space in a file, so their number needs a limit.
            None if count > MAX_ZEROS => {
                return Err(Error::Limit(format!(
                    "{count} elements without data; at most {MAX_ZEROS} are supported"
                )));
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(self.sparse(sparse, size, count).map_err(|e| within("sparse", e))?),
            None => None,
        };
        let normalized = accessor.normalized;
        Ok(Elements { accessor: 0, dense, sparse, component, components, count, normalized })
    }

    fn sparse(&self, sparse: &json::Sparse, size: usize, count: usize) -> Result<Sparse<'_>> {
        let changed = usize::try_from(sparse.count).unwrap_or(usize::MAX);
        if changed > count {
            return Err(Error::invalid(format!("{changed} elements of {count} differ")));
        }
        let component = Component::of(sparse.indices.component_type)?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            return Err(Error::invalid("indices must be unsigned integers"));
        }
        let (bytes, _) = self.view(sparse.indices.buffer_view)?;
        let list = strided(bytes, sparse.indices.byte_offset, None, component.size(), changed)?;
        let mut indices = self.budget.room(changed)?;
        for i in 0..changed {
            let index = component.integer(&list.0[i * component.size()..]);
            if index as usize >= count || indices.last().is_some_and(|before| *before >= index) {
                return Err(Error::invalid(format!(
                    "index {index} at {i} is not ascending, or not below {count}"
                )));
            }
            indices.push(index);
        }
        let (bytes, _) = self.view(sparse.values.buffer_view)?;
        let (values, _) = strided(bytes, sparse.values.byte_offset, None, size, changed)?;
        Ok(Sparse { indices, values })
    }
}

/// Number of components of an accessor, whose type must be one of `types`.
fn components(accessor: &json::Accessor, types: &[&str]) -> Result<usize> {
    if !types.contains(&&*accessor.kind) {
        let kind = &accessor.kind;
        return Err(Error::invalid(format!("the type is `{kind}`, not {}", types.join(" or "))));
    }
    Ok(match &*accessor.kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => return Err(Error::unsupported(format!("elements of type `{other}`"))),
    })
}

/// Elements of a decoded mesh, one after another.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    /// Number of the component type, as accessors have it.
    pub component: u32,
    /// Components of an element.
    pub components: usize,
    /// Number of elements.
    pub count: usize,
    /// The elements.
    pub bytes: &'a [u8],
}

/// Returns `length` bytes, or all bytes, from an offset on.
fn part(bytes: &[u8], from: u64, length: Option<u64>) -> Option<&[u8]> {
    let rest = bytes.get(usize::try_from(from).ok()?..)?;
    match length {
        Some(length) => rest.get(..usize::try_from(length).ok()?),
        None => Some(rest),
    }
}

/// Returns the bytes from the first element on, which contain all elements, and the stride.
fn strided(
    bytes: &[u8],
    from: u64,
    stride: Option<usize>,
    size: usize,
    count: usize,
) -> Result<(&[u8], usize)> {
    let stride = stride.unwrap_or(size);
    if stride < size {
        return Err(Error::invalid(format!("elements of {size} bytes are {stride} bytes apart")));
    }
    let needed = match count.checked_sub(1) {
        Some(last) => last.checked_mul(stride).and_then(|bytes| bytes.checked_add(size)),
        None => Some(0),
    };
    let rest = part(bytes, from, None).filter(|rest| needed.is_some_and(|n| n <= rest.len()));
    let rest = rest.ok_or_else(|| {
        let have = bytes.len();
        Error::invalid(format!(
            "{count} elements of {size} bytes, {stride} bytes apart from byte {from}, exceed a view of {have} bytes"
        ))
    })?;
    Ok((rest, stride))
}

/// Component type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32) -> Result<Component> {
        Ok(match number {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return Err(Error::invalid(format!("the component type {number} does not exist"))),
        })
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// Converts the first component of `bytes`, which are long enough, to a float.
    fn float(self, bytes: &[u8], normalized: bool) -> f32 {
        let (value, most) = match self {
            Component::I8 => (f32::from(bytes[0] as i8), 127.0),
            Component::U8 => (f32::from(bytes[0]), 255.0),
            Component::I16 => (f32::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
            Component::U16 => (f32::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
            Component::U32 => (word(bytes) as f32, u32::MAX as f32),
            Component::F32 => return f32::from_bits(word(bytes)),
        };
        if normalized { (value / most).max(-1.0) } else { value }
    }

    /// Converts the first component of `bytes`, which has an unsigned type, to an integer.
    fn integer(self, bytes: &[u8]) -> u32 {
        match self {
            Component::I8 | Component::U8 => u32::from(bytes[0]),
            Component::I16 | Component::U16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Component::U32 | Component::F32 => word(bytes),
        }
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Elements of an accessor. All elements below `count` are known to exist.
pub struct Elements<'a> {
    accessor: usize,
    /// Bytes from the first element on, and the stride; `None` for zeros.
    dense: Option<(&'a [u8], usize)>,
    sparse: Option<Sparse<'a>>,
    component: Component,
    components: usize,
    count: usize,
    normalized: bool,
}

/// Elements that replace dense ones.
struct Sparse<'a> {
    indices: Vec<u32>,
    values: &'a [u8],
}

impl Elements<'_> {
    /// Number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bytes of an element below `count`; `None` for zeros.
    fn bytes(&self, index: usize) -> Option<&[u8]> {
        let size = self.components * self.component.size();
        if let Some(sparse) = &self.sparse {
            if let Ok(at) = sparse.indices.binary_search(&(index as u32)) {
                return Some(&sparse.values[at * size..][..size]);
            }
        }
        self.dense.map(|(bytes, stride)| &bytes[index * stride..][..size])
    }

    fn check(&self, index: usize) -> Result<()> {
        if index < self.count {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "accessors[{}] has no element {index}; it has {}",
            self.accessor, self.count
        )))
    }

    /// Reads an element as finite floats; `default` provides missing components.
    pub fn floats<const N: usize>(&self, index: usize, default: [f32; N]) -> Result<[f32; N]> {
        self.check(index)?;
        let mut out = default;
        let own = &mut out[..self.components.min(N)];
        let Some(bytes) = self.bytes(index) else {
            own.fill(0.0);
            return Ok(out);
        };
        for (value, bytes) in own.iter_mut().zip(bytes.chunks_exact(self.component.size())) {
            *value = self.component.float(bytes, self.normalized);
            if !value.is_finite() {
                let accessor = self.accessor;
                return Err(Error::invalid(format!("accessors[{accessor}]: element {index} is not finite")));
            }
        }
        Ok(out)
    }

    /// Checks that the components are unsigned integers.
    pub fn unsigned(&self) -> Result<()> {
        let unsigned = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        let accessor = self.accessor;
        let fail = || Error::invalid(format!("accessors[{accessor}]: unsigned integers are needed here"));
        if unsigned { Ok(()) } else { Err(fail()) }
    }

    /// Reads an element as integers; [`Elements::unsigned`] must have succeeded.
    pub fn integers<const N: usize>(&self, index: usize) -> Result<[u32; N]> {
        self.check(index)?;
        let mut out = [0; N];
        if let Some(bytes) = self.bytes(index) {
            for (value, bytes) in out.iter_mut().zip(bytes.chunks_exact(self.component.size())) {
                *value = self.component.integer(bytes);
            }
        }
        Ok(out)
    }
}
