//! Resources in descriptor heaps: the mapped variables, and the heaps themselves.
//!
//! A heap is a uniform buffer, and a descriptor is a [handle](crate::handle) in that buffer. A descriptor out of range
//! is a null descriptor. Spec: SPV_EXT_descriptor_heap; Vulkan, "Descriptor Heaps".

use smallvec::SmallVec;
use spirv::{BuiltIn, Decoration, StorageClass};

use super::place::{Owner, Place, Root, is_ordered};
use super::resource::resource_kind;
use super::{Lower, Val, Value};
use crate::error::{Error, Result};
use crate::handle::Handle;
use crate::ir::{Binding, HandleKind, Imm, Mem, Op, ResourceKind, Ty};
use crate::spirv::heap::{Heap, HeapIndex, HeapPlace, ResourceTypes, Source};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Offsets from this value on are out of range of every heap.
const FAR: u32 = 1 << 31;

/// A variable that is mapped to a heap.
#[derive(Clone, Copy)]
pub(super) struct Mapped {
    kind: ResourceKind,
    source: Source,
    /// Index of its binding in the mapping's range of bindings.
    first: u32,
}

impl Lower<'_> {
    /// The heap that a variable represents, if it is a heap built-in.
    fn heap_built_in(&self, id: u32) -> Option<Heap> {
        match self.module.deco(id, Decoration::BuiltIn).and_then(BuiltIn::from_u32)? {
            BuiltIn::ResourceHeapEXT => Some(Heap::Resource),
            BuiltIn::SamplerHeapEXT => Some(Heap::Sampler),
            _ => None,
        }
    }

    /// Root of a resource variable: in a heap or in a descriptor set.
    pub(super) fn resource(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<Root> {
        if let Some(heap) = self.heap_built_in(def.id) {
            return Ok(Root::Heap(heap));
        }
        match self.mappings {
            Some(_) => self.mapped(def, class, pointee),
            None => Ok(Root::Binding(self.binding(def, class, pointee)?)),
        }
    }

    /// Finds the mapping of a resource variable.
    fn mapped(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<Root> {
        let kind = resource_kind(self.module, class, pointee)?;
        let types = self.resource_types(def, kind, pointee)?;
        let (set, binding) = (
            self.module.deco(def.id, Decoration::DescriptorSet),
            self.module.deco(def.id, Decoration::Binding),
        );
        let (Some(set), Some(binding)) = (set, binding) else {
            return Err(self.module.invalid(def, "resource without DescriptorSet or Binding"));
        };
        let found = self.mappings.unwrap_or_default().iter().find(|m| {
            m.set == set
                && binding.checked_sub(m.first_binding).is_some_and(|n| n < m.binding_count)
                && m.resources.contains(types)
        });
        let Some(mapping) = found else {
            let what = format!("no mapping to a heap for set {set}, binding {binding} ({types:?})");
            return Err(self.module.invalid(def, what));
        };
        let fits = match mapping.source {
            Source::Descriptor(_) => true,
            Source::PushAddress(_) | Source::IndirectAddress { .. } | Source::RecordAddress(_)
                if kind == ResourceKind::AccelerationStructure =>
            {
                true
            }
            Source::HeapData { .. }
            | Source::PushData(_)
            | Source::PushAddress(_)
            | Source::IndirectAddress { .. }
            | Source::RecordData(_)
            | Source::RecordAddress(_) => {
                matches!(kind, ResourceKind::UniformBuffer | ResourceKind::StorageBuffer)
            }
        };
        if mapping.source.is_of_record() && !self.shader.stage.is_of_rays() {
            return Err(self
                .module
                .invalid(def, "a mapping to a shader record outside of ray tracing stages"));
        }
        if !fits {
            return Err(self.module.invalid(def, "only buffers can be mapped to data"));
        }
        self.io.mapped.push(Mapped { kind, source: mapping.source, first: binding - mapping.first_binding });
        Ok(Root::Mapped(self.io.mapped.len() as u32 - 1))
    }

    /// Resource type of a variable, as mappings classify it.
    fn resource_types(&self, def: &Inst, kind: ResourceKind, pointee: u32) -> Result<ResourceTypes> {
        let mut ty = pointee;
        while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = self.module.ty(ty)? {
            ty = *elem;
        }
        let read_only = self.module.deco(def.id, Decoration::NonWritable).is_some()
            || matches!(self.module.ty(ty)?, Type::Struct { members } if !members.is_empty() && (0..members.len())
                .all(|i| self.module.member_deco(ty, i as u32, Decoration::NonWritable).is_some()));
        use ResourceTypes as R;
        Ok(match (kind, self.module.ty(ty)?) {
            (ResourceKind::UniformBuffer, _) => R::UNIFORM_BUFFER,
            (ResourceKind::StorageBuffer, _) if read_only => R::READ_ONLY_STORAGE_BUFFER,
            (ResourceKind::StorageBuffer, _) => R::READ_WRITE_STORAGE_BUFFER,
            (ResourceKind::AccelerationStructure, _) => R::ACCELERATION_STRUCTURE,
            (_, Type::Sampler) => R::SAMPLER,
            (_, Type::SampledImage { .. }) => R::COMBINED_SAMPLED_IMAGE,
            (_, Type::Image(i)) if i.sampled != 2 => R::SAMPLED_IMAGE,
            _ if read_only => R::READ_ONLY_IMAGE,
            _ => R::READ_WRITE_IMAGE,
        })
    }

    /// Returns the uniform buffer of a heap.
    fn heap(&mut self, heap: Heap) -> Result<(Value, u32)> {
        if self.mappings.is_none() {
            return Err(Error::invalid("a descriptor heap in a shader that is compiled without heaps"));
        }
        self.shader.has_heaps = true;
        let key = (0, heap as u32, ResourceKind::UniformBuffer);
        let at = match self.io.bindings.get(&key) {
            Some(&at) => at,
            None => {
                let name = if heap == Heap::Resource { "resource heap" } else { "sampler heap" };
                let (set, binding, kind) = key;
                let name = name.to_owned();
                self.shader.bindings.push(Binding {
                    set,
                    binding,
                    kind,
                    count: 1,
                    name,
                    size: 0,
                    written: false,
                });
                self.io.bindings.insert(key, self.shader.bindings.len() - 1);
                self.shader.bindings.len() - 1
            }
        };
        Ok((self.handle(Op::BufferDescriptor, Some(at as u32), 0), at as u32))
    }

    /// Converts a place in a heap to a place in the heap's buffer.
    pub(super) fn heap_data(&mut self, place: &Place) -> Result<Place> {
        let Root::Heap(heap) = place.root else { return Ok(place.clone()) };
        let (handle, binding) = self.heap(heap)?;
        Ok(Place { root: Root::Buffer { handle, owner: Owner::Binding(binding) }, ..place.clone() })
    }

    /// Loads words of the descriptor at a place in a heap, the first of which is its handle; 0 out of range.
    fn words_at<const N: usize>(&mut self, heap: Heap, place: &Place) -> Result<[Value; N]> {
        let (buffer, _) = self.heap(heap)?;
        let at = self.dynamic_offset(place);
        let mem = Mem { offset: place.offset.min(FAR), stride: 8, ordered: false };
        let words = self.emit(Op::LoadBuffer, &[buffer, at], Imm::Mem(mem), &[Ty::I64; N]);
        Ok(std::array::from_fn(|i| words[i]))
    }

    /// Returns the range of a buffer that a descriptor in the resource heap covers.
    fn heap_buffer(&mut self, place: &Place) -> Result<Value> {
        let words: [_; 2] = self.words_at(Heap::Resource, place)?;
        let parts = self.emit(Op::HandleBuffer, &words, Imm::None, &[Ty::I64; 2]);
        Ok(self.buffer_at(parts[0], parts[1]))
    }

    fn handle_image(&mut self, handle: Value, kind: HandleKind) -> Value {
        let image = self.emit(Op::HandleImage, &[handle], Imm::Handle(kind), &[Ty::Image])[0];
        self.image_bindings.insert(image, None);
        image
    }

    /// Returns the image, texel buffer or sampler that a handle in a heap refers to.
    pub(super) fn heap_image(&mut self, heap: Heap, kind: HandleKind, place: &Place) -> Result<Value> {
        let [handle] = self.words_at(heap, place)?;
        Ok(self.handle_image(handle, kind))
    }

    /// Loads a scalar of the push data.
    fn pushed(&mut self, at: u32, ty: Ty) -> Value {
        self.shader.push_size = self.shader.push_size.max(at.saturating_add(ty.bytes()));
        let handle = self.handle(Op::PushConstants, None, 0);
        let zero = self.i32(0);
        let mem = Mem { offset: at.min(FAR), stride: ty.bytes(), ordered: false };
        self.emit(Op::LoadBuffer, &[handle, zero], Imm::Mem(mem), &[ty])[0]
    }

    /// Loads a scalar of the data of the shader record.
    fn recorded(&mut self, at: u32, ty: Ty) -> Result<Value> {
        let (handle, zero) = (self.record_data()?, self.i32(0));
        let mem = Mem { offset: at.min(FAR), stride: ty.bytes(), ordered: false };
        Ok(self.emit(Op::LoadBuffer, &[handle, zero], Imm::Mem(mem), &[ty])[0])
    }

    /// Loads a scalar from memory, at an offset from an address.
    fn at_address(&mut self, address: Value, at: &Place, ty: Ty) -> Result<Value> {
        let Some((handle, _)) = self.buffer_of(&Root::Address(address)) else {
            return Err(Error::Internal("an address without a buffer".into()));
        };
        let dynamic = self.dynamic_offset(at);
        let mem = Mem { offset: at.offset.min(FAR), stride: ty.bytes(), ordered: false };
        Ok(self.emit(Op::LoadBuffer, &[handle, dynamic], Imm::Mem(mem), &[ty])[0])
    }

    /// Byte offset `offset` plus `stride` times the number of an element.
    fn element_at(offset: u32, first: u32, element: &Place, stride: u32) -> Place {
        let number = first.saturating_add(element.offset);
        let offset = offset.saturating_add(number.saturating_mul(stride)).min(FAR);
        let dynamic: SmallVec<_> = match stride {
            0 => SmallVec::new(),
            _ => element.dynamic.iter().map(|&(v, n)| (v, n.saturating_mul(stride))).collect(),
        };
        Place { offset, dynamic, ..Place::new(Root::Heap(Heap::Resource), 0) }
    }

    fn heap_index(&mut self, index: HeapIndex, first: u32, element: &Place) -> Result<Option<Value>> {
        Ok(match index {
            HeapIndex::None => None,
            HeapIndex::Push(at) => Some(self.pushed(at, Ty::I32)),
            HeapIndex::Record(at) => Some(self.recorded(at, Ty::I32)?),
            HeapIndex::Indirect { push, offset, each } => {
                let address = self.pushed(push, Ty::I64);
                let at = Self::element_at(offset, first, element, if each { 4 } else { 0 });
                Some(self.at_address(address, &at, Ty::I32)?)
            }
        })
    }

    fn heap_place(of: HeapPlace, index: Option<Value>, first: u32, element: &Place) -> Place {
        let mut place = Self::element_at(of.offset, first, element, of.array_stride);
        place.dynamic.extend(index.filter(|_| of.index_stride != 0).map(|i| (i, of.index_stride)));
        place
    }

    /// Returns the image or sampler of an element of a mapped variable.
    pub(super) fn mapped_image(&mut self, number: u32, element: &Place) -> Result<Value> {
        let Mapped { kind, source, first } = self.io.mapped[number as usize];
        let Source::Descriptor(source) = source else {
            return Err(Error::invalid("an image mapped to data"));
        };
        let embedded = match source.embedded {
            Some(n) if matches!(kind, ResourceKind::Sampler | ResourceKind::CombinedImageSampler) => {
                let handle = self.constant(Ty::I64, Handle::of_sampler(n).0);
                Some(self.handle_image(handle, HandleKind::Image))
            }
            _ => None,
        };
        if let (Some(sampler), ResourceKind::Sampler) = (embedded, kind) {
            return Ok(sampler);
        }
        let mut index = self.heap_index(source.place.index, first, element)?;
        if kind != ResourceKind::CombinedImageSampler {
            let heap = if kind == ResourceKind::Sampler { Heap::Sampler } else { Heap::Resource };
            return self.heap_image(
                heap,
                kind.handle(),
                &Self::heap_place(source.place, index, first, element),
            );
        }
        let mut sampler_index = None;
        if let (Some(both), true) = (index, source.combined_index) {
            let (low, twenty) = (self.i32(0xf_ffff), self.i32(20));
            index = Some(self.op(Op::And, Ty::I32, &[both, low]));
            sampler_index = Some(self.op(Op::ShrU, Ty::I32, &[both, twenty]));
        }
        let image = self.heap_image(
            Heap::Resource,
            kind.handle(),
            &Self::heap_place(source.place, index, first, element),
        )?;
        let sampler = match embedded {
            Some(sampler) => sampler,
            None => {
                let index = match sampler_index {
                    Some(index) => Some(index),
                    None => self.heap_index(source.sampler.index, first, element)?,
                };
                let place = Self::heap_place(source.sampler, index, first, element);
                self.heap_image(Heap::Sampler, HandleKind::Image, &place)?
            }
        };
        let both = self.emit(Op::SampledImage, &[image, sampler], Imm::None, &[Ty::Image])[0];
        self.image_bindings.insert(both, None);
        Ok(both)
    }

    /// Loads the reference of an acceleration structure from its descriptor in the resource heap.
    pub(super) fn heap_structure(&mut self, place: &Place) -> Result<Value> {
        let handle = self.heap_buffer(place)?;
        Ok(self.load_structure(handle))
    }

    /// Loads the reference of the acceleration structure of an element of a mapped variable.
    pub(super) fn mapped_structure(&mut self, number: u32, element: &Place) -> Result<Value> {
        let Mapped { source, first, .. } = self.io.mapped[number as usize];
        match source {
            Source::Descriptor(source) => {
                let index = self.heap_index(source.place.index, first, element)?;
                self.heap_structure(&Self::heap_place(source.place, index, first, element))
            }
            Source::PushAddress(at) => Ok(self.pushed(at, Ty::I64)),
            Source::IndirectAddress { push, offset } => {
                let address = self.pushed(push, Ty::I64);
                let at = Place { offset, ..Place::new(Root::Address(address), 0) };
                self.at_address(address, &at, Ty::I64)
            }
            Source::RecordAddress(at) => self.recorded(at, Ty::I64),
            Source::HeapData { .. } | Source::PushData(_) | Source::RecordData(_) => {
                Err(Error::invalid("an acceleration structure mapped to data"))
            }
        }
    }

    /// Converts a place in a block of a mapped variable to a place in its memory.
    pub(super) fn mapped_buffer(&mut self, number: u32, p: &mut Place) -> Result<()> {
        let Mapped { kind, source, first } = self.io.mapped[number as usize];
        if !matches!(kind, ResourceKind::UniformBuffer | ResourceKind::StorageBuffer) {
            return Err(Error::invalid("resource is not a buffer"));
        }
        let element = p.clone();
        p.offset = 0;
        p.dynamic.clear();
        p.root = match source {
            Source::Descriptor(source) => {
                let index = self.heap_index(source.place.index, first, &element)?;
                let handle = self.heap_buffer(&Self::heap_place(source.place, index, first, &element))?;
                Root::Buffer { handle, owner: Owner::Any }
            }
            Source::HeapData { offset, push } => {
                let (handle, binding) = self.heap(Heap::Resource)?;
                p.offset = offset.min(FAR);
                p.dynamic.push((self.pushed(push, Ty::I32), 1));
                Root::Buffer { handle, owner: Owner::Binding(binding) }
            }
            Source::PushData(at) => {
                p.offset = at.min(FAR);
                Root::Buffer { handle: self.handle(Op::PushConstants, None, 0), owner: Owner::Push }
            }
            Source::PushAddress(at) => Root::Address(self.pushed(at, Ty::I64)),
            Source::IndirectAddress { push, offset } => {
                let address = self.pushed(push, Ty::I64);
                let at = Place { offset, ..Place::new(Root::Address(address), 0) };
                Root::Address(self.at_address(address, &at, Ty::I64)?)
            }
            Source::RecordData(at) => {
                p.offset = at.min(FAR);
                Root::Buffer { handle: self.record_data()?, owner: Owner::Record }
            }
            Source::RecordAddress(at) => Root::Address(self.recorded(at, Ty::I64)?),
        };
        Ok(())
    }
}

/// OpBufferPointerEXT.
pub fn buffer_pointer<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let descriptor = lower.id_at(operands, 0)?;
    let descriptor = lower.place(descriptor)?;
    let (Root::Heap(Heap::Resource), Type::Pointer { class, pointee }) =
        (&descriptor.root, lower.module.ty(inst.ty)?)
    else {
        return Err(Error::invalid("not a pointer to a buffer in the resource heap"));
    };
    if !matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer) {
        return Err(Error::invalid("a buffer in a heap must be Uniform or StorageBuffer"));
    }
    let handle = lower.heap_buffer(&descriptor)?;
    let mut place = Place::new(Root::Buffer { handle, owner: Owner::Any }, *pointee);
    place.ordered = descriptor.ordered || is_ordered(lower.module.decos(inst.id)) || lower.ordered_anywhere();
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}
