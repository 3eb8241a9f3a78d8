//! The table of the null view, whose routines read zeros and write nothing.

use once_cell::race::OnceBox;
use quadrille_jit::abi::{ImageArgs, ImageRoutine, MAX_IMAGE_OPS, SAMPLER_ROWS};

use super::scalar;

/// Pointers to a row that is never freed.
struct SharedTable(Box<[*const ImageRoutine]>);
// SAFETY: `null_table` stores the table and its row in statics that never change.
#[expect(unsafe_code, reason = "pointers to data that is never freed")]
unsafe impl Send for SharedTable {}
// SAFETY: `null_table` stores the table and its row in statics that never change.
#[expect(unsafe_code, reason = "pointers to data that is never freed")]
unsafe impl Sync for SharedTable {}

/// The table of the null view.
pub fn null_table() -> *const *const ImageRoutine {
    static ROW: OnceBox<Box<[ImageRoutine]>> = OnceBox::new();
    static TABLE: OnceBox<SharedTable> = OnceBox::new();
    let row = || Box::new((0..MAX_IMAGE_OPS).map(|_| zeros as ImageRoutine).collect());
    let row = ROW.get_or_init(row).as_ptr();
    TABLE.get_or_init(|| Box::new(SharedTable((0..SAMPLER_ROWS).map(|_| row).collect()))).0.as_ptr()
}

/// Routine of the null view.
///
/// # Safety
/// `args` must point to valid arguments that nothing else uses during the call.
#[expect(unsafe_code, reason = "called by generated code")]
pub(super) unsafe extern "C" fn zeros(args: *mut ImageArgs) {
    // SAFETY: the caller, generated code, passes a pointer to valid arguments that nothing else uses.
    let args = unsafe { &mut *args };
    scalar::write_zeros(args);
}
