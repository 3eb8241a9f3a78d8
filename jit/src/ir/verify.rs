//! Checks the rules of the IR.

use super::Shader;

/// Checks the rules stated in the module documentation of [`crate::ir`]; says what is broken.
pub fn verify(_shader: &Shader) -> Result<(), String> {
    Ok(())
}
