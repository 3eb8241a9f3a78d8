//! Checks that structs of the host have the layout that the shader expects.

use quadrille_check::layouts::{HostStruct, compare};
use quadrille_jit::spirv::{Module, reflect};

use super::ShaderTest;
use crate::error::{Error, Result};

impl ShaderTest {
    /// Checks that the fields of a struct have the same offsets as the members of the shader's block in a buffer.
    ///
    /// ```
    /// use quadrille::{ShaderTest, host_struct};
    /// #[repr(C)]
    /// struct Light { power: f32, direction: [f32; 3] }
    /// let source = "
    ///     struct Light { power: f32, direction: vec3f }
    ///     @group(0) @binding(0) var<uniform> light: Light;
    ///     @group(0) @binding(1) var<storage, read_write> v: f32;
    ///     @compute @workgroup_size(1) fn main() { v = light.power * light.direction.x; }";
    /// let error = ShaderTest::wgsl(source)?.check_layout(0, 0, &host_struct!(Light { power, direction })).unwrap_err();
    /// let expected = "field `direction` is at byte 4 here, at 16 in the shader (vec3 is aligned to 16 bytes)";
    /// assert!(error.to_string().contains(expected), "{error}");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Invalid` if fields have other offsets, which the error names, or if the binding is not a buffer whose members are
    /// known. Errors in the module.
    pub fn check_layout(&self, set: u32, binding: u32, host: &HostStruct) -> Result<()> {
        for code in self.codes() {
            let reflection = reflect::reflect(&Module::parse(&code.words)?)?;
            let mut all = reflection.entry_points.into_iter().flat_map(|e| e.bindings);
            let found = all.find(|r| (r.set, r.binding) == (set, binding)).and_then(|r| r.block);
            let Some(block) = found else { continue };
            let wrong: Vec<String> = compare(host, &block).into_iter().map(|m| m.message).collect();
            return match wrong.is_empty() {
                true => Ok(()),
                false => Err(Error::invalid(format!(
                    "`{}` does not match set {set}, binding {binding}: {}",
                    host.name,
                    wrong.join("; ")
                ))),
            };
        }
        Err(Error::invalid(format!("set {set}, binding {binding} is not a buffer whose members are known")))
    }
}
