//! Results of a test run: contents of buffers, images and attachments, and printed lines.

use std::collections::BTreeMap;

use bytemuck::Pod;
use quadrille_raster::format::Aspects;

use super::images::{aspect, texels, to_floats, to_picture};
use super::picture::Picture;
use super::source::Code;
use super::{assertions, unbound};
use crate::data::pixels::FloatPicture;
use crate::error::{Error, Result, ensure};
use crate::resource::buffer::Buffer;
use crate::resource::image::Image;
use crate::shader::ShaderModule;

/// A finished run of a [`ShaderTest`](super::ShaderTest).
#[derive(Debug, Default)]
pub struct TestRun {
    /// Buffers with the number of bytes that were bound; the buffer for an empty binding is larger.
    pub(super) buffers: BTreeMap<(u32, u32, u32), (Buffer, usize)>,
    pub(super) images: BTreeMap<(u32, u32, u32), Image>,
    /// Colour attachments, by number.
    pub(super) targets: Vec<Image>,
    pub(super) depth_stencil: Option<Image>,
    /// Modules of the run.
    #[cfg_attr(not(feature = "json"), expect(dead_code, reason = "only JSON names members of blocks"))]
    pub(super) modules: Vec<ShaderModule>,
    /// Buffer of failed assertions, if a shader has assertions.
    pub(super) assertions: Option<Buffer>,
    pub(super) printed: Vec<String>,
}

impl TestRun {
    /// Reads a buffer.
    ///
    /// # Errors
    /// `Invalid` if no buffer is bound there, or if its size is not a multiple of the size of `T`. `OutOfMemory` if the
    /// host lacks memory for the values.
    pub fn read<T: Pod>(&self, set: u32, binding: u32) -> Result<Vec<T>> {
        self.read_at(set, binding, 0)
    }

    /// Reads an element of an array of buffers.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_at<T: Pod>(&self, set: u32, binding: u32, element: u32) -> Result<Vec<T>> {
        let buffer = self.buffers.get(&(set, binding, element));
        let (buffer, bytes) = buffer.ok_or_else(|| unbound(set, binding))?;
        let one = size_of::<T>().max(1);
        ensure(bytes.is_multiple_of(one), || {
            let ty = std::any::type_name::<T>();
            format!(
                "{bytes} bytes at set {set}, binding {binding} are not a whole number of {ty}, of {one} bytes each"
            )
        })?;
        buffer.read(0, bytes / one)
    }

    /// Reads a buffer into a type by the names of the members of the shader's block. Offsets and strides come from the
    /// shader, whether it uses std140, std430, scalar or WGSL's layout.
    ///
    /// ```
    /// use quadrille::ShaderTest;
    /// #[derive(serde::Deserialize, Debug, PartialEq)]
    /// struct Light { position: [f32; 3], on: u32 }
    /// let source = "
    ///     struct Light { position: vec3f, on: u32 }
    ///     @group(0) @binding(0) var<storage, read_write> lights: array<Light>;
    ///     @compute @workgroup_size(2)
    ///     fn main(@builtin(global_invocation_id) id: vec3u) { lights[id.x] = Light(vec3f(id), 1u); }";
    /// let run = ShaderTest::wgsl(source)?.bind_zeros::<u8>(0, 0, 32).dispatch([1, 1, 1])?;
    /// let lights: Vec<Light> = run.read_block(0, 0)?;
    /// assert_eq!(lights[1], Light { position: [1.0, 0.0, 0.0], on: 1 });
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`read_json`](Self::read_json); `Invalid` also if the members do not fit the type.
    #[cfg(feature = "json")]
    pub fn read_block<T: serde::de::DeserializeOwned>(&self, set: u32, binding: u32) -> Result<T> {
        crate::data::typed::from_value(&self.read_json(set, binding)?)
    }

    /// Like [`read_block`](Self::read_block), as JSON. Floats that JSON cannot express are strings.
    ///
    /// # Errors
    /// `Invalid` if no buffer is bound there, or if it is not a block whose members are known.
    #[cfg(feature = "json")]
    pub fn read_json(&self, set: u32, binding: u32) -> Result<serde_json::Value> {
        let bytes = self.read::<u8>(set, binding)?;
        for module in &self.modules {
            let reflection = quadrille_jit::spirv::reflect::reflect(module.module())?;
            let mut all = reflection.entry_points.into_iter().flat_map(|e| e.bindings);
            let found = all.find(|r| (r.set, r.binding) == (set, binding)).and_then(|r| r.block);
            if let Some(block) = found {
                return crate::data::structs::decode(&block, &bytes);
            }
        }
        Err(Error::invalid(format!("set {set}, binding {binding} is not a buffer whose members are known")))
    }

    /// Lines that the shaders printed with `debugPrintfEXT`, sorted by invocation. Only the first 65,536 lines are kept; if
    /// there were more, another line at the end says how many.
    ///
    /// Empty if the device of [`on`](super::ShaderTest::on) has a print sink, which receives the lines instead.
    pub fn printed(&self) -> &[String] {
        &self.printed
    }

    /// Returns `Invalid` if an assertion of a shader failed.
    pub(super) fn check_assertions(&self, codes: &[&Code]) -> Result<()> {
        let Some(buffer) = &self.assertions else { return Ok(()) };
        let asserts = |code: &&&Code| code.text.contains("quadrille_assert") || code.text.contains("ASSERT");
        let code = codes.iter().find(asserts).or(codes.first());
        let (file, text) = code.map_or(("", ""), |c| (&c.file, &c.text));
        assertions::check(&buffer.read_all::<u32>()?, file, text)
    }

    /// Reads the texels of an image, in the order of [`TestImage::texels`](super::TestImage::texels). Bytes at the end
    /// that do not fill a `T` are left out.
    ///
    /// # Errors
    /// `Invalid` if no image is bound there. `OutOfMemory` if the host lacks memory for the texels.
    pub fn read_image<T: Pod>(&self, set: u32, binding: u32) -> Result<Vec<T>> {
        self.read_image_at(set, binding, 0)
    }

    /// Reads the texels of an element of an array of images.
    ///
    /// # Errors
    /// Those of [`read_image`](Self::read_image).
    pub fn read_image_at<T: Pod>(&self, set: u32, binding: u32, element: u32) -> Result<Vec<T>> {
        let image = self.image(set, binding, element)?;
        texels(image, aspect(image.format()))
    }

    /// Reads a bound image as a picture: level 0 of its first layer.
    ///
    /// # Errors
    /// `Invalid` if no image is bound there, or if it has no colour. `OutOfMemory` if the host lacks memory.
    pub fn image_picture(&self, set: u32, binding: u32) -> Result<Picture> {
        to_picture(self.image(set, binding, 0)?)
    }

    fn image(&self, set: u32, binding: u32, element: u32) -> Result<&Image> {
        self.images.get(&(set, binding, element)).ok_or_else(|| unbound(set, binding))
    }

    /// Reads the texels of the drawn picture, in the layout of its format.
    ///
    /// # Errors
    /// Those of [`read_attachment`](Self::read_attachment).
    pub fn read_target<T: Pod>(&self) -> Result<Vec<T>> {
        self.read_attachment(0)
    }

    /// Reads the texels of a colour attachment, in the layout of its format. Bytes at the end that do not fill a `T`
    /// are left out.
    ///
    /// # Errors
    /// `Invalid` if there is no attachment with this number. A run of [`dispatch`](super::ShaderTest::dispatch) or
    /// [`trace`](super::ShaderTest::trace) has none. `OutOfMemory` if the host lacks memory for the texels.
    pub fn read_attachment<T: Pod>(&self, number: u32) -> Result<Vec<T>> {
        texels(self.attachment(number)?, Aspects::COLOR)
    }

    /// Returns the drawn picture; components of other formats are converted to 8 bits.
    ///
    /// # Errors
    /// `Invalid` after [`dispatch`](super::ShaderTest::dispatch) and [`trace`](super::ShaderTest::trace), which draw no
    /// picture. `OutOfMemory` if the host lacks memory.
    pub fn picture(&self) -> Result<Picture> {
        self.attachment_picture(0)
    }

    /// Reads a colour attachment as a picture.
    ///
    /// # Errors
    /// Those of [`read_attachment`](Self::read_attachment).
    pub fn attachment_picture(&self, number: u32) -> Result<Picture> {
        to_picture(self.attachment(number)?)
    }

    /// Reads a colour attachment as floats, without clamping.
    ///
    /// # Errors
    /// Those of [`read_attachment`](Self::read_attachment); `Invalid` also for an integer format.
    pub fn attachment_floats(&self, number: u32) -> Result<FloatPicture> {
        to_floats(self.attachment(number)?)
    }

    /// Reads a bound image as floats, without clamping: level 0 of its first layer.
    ///
    /// # Errors
    /// Those of [`image_picture`](Self::image_picture); `Invalid` also for an integer format, and for an image of
    /// several slices.
    pub fn image_floats(&self, set: u32, binding: u32) -> Result<FloatPicture> {
        to_floats(self.image(set, binding, 0)?)
    }

    fn attachment(&self, number: u32) -> Result<&Image> {
        let count = self.targets.len();
        ensure(count > 0, || "a dispatch draws no picture".into())?;
        let found = self.targets.get(number as usize);
        found.ok_or_else(|| {
            Error::invalid(format!("there is no attachment {number}: the last is {}", count - 1))
        })
    }

    /// Reads the depth values as floats, row by row, from any depth format.
    ///
    /// # Errors
    /// `Invalid` if the run has no depth attachment: see [`depth_test`](super::ShaderTest::depth_test) and
    /// [`depth_stencil`](super::ShaderTest::depth_stencil). `OutOfMemory` if the host lacks memory.
    pub fn read_depth(&self) -> Result<Vec<f32>> {
        let image = self.aspect(Aspects::DEPTH, "depth")?;
        let format = image.subresource(Aspects::DEPTH, 0, 0)?.format;
        let bytes: Vec<u8> = texels(image, Aspects::DEPTH)?;
        Ok(bytes.chunks_exact(format.bytes() as usize).map(|texel| format.unpack_f32(texel)[0]).collect())
    }

    /// Reads the stencil values, row by row.
    ///
    /// # Errors
    /// `Invalid` if the run has no stencil attachment: see [`depth_stencil`](super::ShaderTest::depth_stencil).
    /// `OutOfMemory` if the host lacks memory.
    pub fn read_stencil(&self) -> Result<Vec<u8>> {
        texels(self.aspect(Aspects::STENCIL, "stencil")?, Aspects::STENCIL)
    }

    fn aspect(&self, aspect: Aspects, name: &str) -> Result<&Image> {
        let has = |image: &&Image| image.format().aspects().contains(aspect);
        let found = self.depth_stencil.as_ref().filter(has);
        found.ok_or_else(|| Error::invalid(format!("there is no {name} attachment")))
    }
}
