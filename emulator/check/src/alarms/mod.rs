//! Alarms: a compiled copy of a shader that raises an alarm wherever a check might report something.
//!
//! ```text
//!   written  scalars of variables that may be read before they are written
//!   insert   insertion of alarms into the copy of the shader
//!   rules    instructions that are undefined for some operands
//!   memory   buffers, indices, images, derivatives
//! ```
//!
//! A false alarm only costs time, because the watcher is called in vain. A missing alarm loses a report, so every alarm
//! is at least as wide as its check. Alarms are limited to shaders that may run twice: vertex and fragment shaders that
//! only read memory, so that nothing else observes their execution.
//!
//! Alarms do not track where undefined values surface; they ring where such a value is made.

mod insert;
mod memory;
mod rules;
mod written;

use quadrille_jit::ir::{ImageOp, ImageOpKind, Imm, Inst, Note, Op, Shader, Stage, each_inst};

use crate::kind::Kind;

/// Iterations of a loop after which an alarm lets the watcher determine whether the loop ends.
const MANY: u64 = 1 << 14;

/// Returns the copy of a shader with alarms, if the shader may have one. `wants` returns true for the kinds to report.
pub fn of(shader: &Shader, wants: impl Fn(Kind) -> bool) -> Option<Shader> {
    let stage = matches!(shader.stage, Stage::Vertex | Stage::Fragment);
    if !stage || shader.writes_memory || shader.has_barrier {
        return None;
    }
    let mut fits = true;
    each_inst(&shader.body, &mut |inst| fits &= is_quiet(inst.op, &inst.imm) && !is_unsized(shader, inst));
    let shadows = written::doubtful(shader).filter(|_| fits)?;
    // The only kind that some shaders violate in every pixel, on purpose.
    Some(insert::insert(shader, &shadows, wants(Kind::SmoothStepReversed)))
}

/// True if an instruction may run twice and would not ring an alarm every time.
fn is_quiet(op: Op, imm: &Imm) -> bool {
    match (op, imm) {
        (Op::StoreBuffer | Op::AtomicBuffer | Op::StoreShared | Op::AtomicShared | Op::LoadShared, _) => {
            false
        }
        (Op::ImageWrite | Op::ControlBarrier | Op::Printf | Op::ReadClock | Op::Alarm, _) => false,
        // The memory behind addresses and handles is not checked before a call.
        (Op::AddressBuffer | Op::HandleBuffer, _) => false,
        // Only observers know the states of queries and structures.
        (Op::RayStep | Op::RayGet | Op::RayCall, _) => false,
        // Only the interpreter knows which lanes take part.
        (Op::Group | Op::Matrix, _) => false,
        (Op::Note, Imm::Note(note)) => {
            !matches!(note, Note::Undef | Note::Interlock { .. } | Note::Cooperates { .. })
        }
        (Op::ImageOp, Imm::Image(op)) => memory::has_size(op) || !is_single(op),
        _ => true,
    }
}

/// True if an instruction takes an image from a runtime-sized array, for which no alarm checks the bounds.
fn is_unsized(shader: &Shader, inst: &Inst) -> bool {
    let &Imm::Binding { set, binding, .. } = &inst.imm else { return false };
    let mut all = shader.bindings.iter();
    inst.op == Op::ImageDescriptor && all.any(|b| (b.set, b.binding, b.count) == (set, binding, 0))
}

/// True for an operation on a single texel by its coordinates.
fn is_single(op: &ImageOp) -> bool {
    matches!(op.kind, ImageOpKind::Fetch | ImageOpKind::Read | ImageOpKind::Write | ImageOpKind::Atomic(_))
}

#[cfg(test)]
mod tests {
    use crate::kind::Kind;

    /// Returns the place of the alarm for a kind, or the reason why the kind needs none. The match is exhaustive, so
    /// that every new kind must be considered here.
    fn alarm(kind: Kind) -> &'static str {
        match kind {
            Kind::DivisionByZero | Kind::DivisionOverflow | Kind::ConversionOutOfRange => "rules::component",
            Kind::ShiftTooWide | Kind::BitFieldOutOfRange | Kind::RemainderByZero => "rules::component",
            Kind::PowDomain | Kind::Atan2Zero | Kind::ClampOrder | Kind::NanInMinMax => "rules::component",
            Kind::SmoothStepEdges | Kind::SmoothStepReversed => "rules::component",
            Kind::LdexpOverflow | Kind::FrexpNonFinite => "rules::component",
            Kind::SqrtNegative | Kind::InverseSqrtDomain | Kind::LogDomain | Kind::AsinDomain => {
                "rules::partial"
            }
            Kind::AcoshDomain | Kind::AtanhDomain | Kind::NormalizeZero | Kind::SingularMatrix => {
                "rules::partial"
            }
            Kind::NanSurfaced | Kind::InfinitySurfaced => "rules::non_finite",
            Kind::UnreachableReached => "insert::region",
            Kind::NoProgress => "insert::looped",
            Kind::UninitializedVariable => "insert::variable",
            Kind::UnwrittenOutput => "insert::variable, Checker::needs_all",
            Kind::TooManyOutputs => "vertices and fragments emit no others",
            Kind::IndexOutOfRange => "insert::note",
            Kind::DerivativeDivergent | Kind::DerivativeAfterDiscard => "memory::whole_quad",
            Kind::ImplicitLodDivergent | Kind::TexelOutOfBounds | Kind::LevelOutOfRange => "memory::image",
            Kind::DescriptorIndexNonUniform => "memory::uniform_index",
            Kind::BufferOutOfBounds | Kind::BadAddress | Kind::Misaligned => "memory::load",
            Kind::MissingDescriptor => "memory::load, memory::image",
            Kind::UninitializedBuffer | Kind::UninitializedImage => "Checker::needs_all",
            Kind::UndefUsed | Kind::SubgroupInactive | Kind::SubgroupReconvergence => {
                "no shader with these has alarms: is_quiet"
            }
            Kind::SubgroupSizeAssumed => "vertices and fragments have no workgroups",
            Kind::CopyDivergent | Kind::EventInvalid | Kind::CopyUnwaited => {
                "vertices and fragments have no workgroups"
            }
            Kind::BarrierDivergent
            | Kind::MatrixDivergent
            | Kind::WorkgroupOutOfBounds
            | Kind::UninitializedWorkgroup => "vertices and fragments have no workgroups",
            Kind::RaceWorkgroup | Kind::RaceBuffer | Kind::RaceImage | Kind::RaceSameValue => {
                "no shader that writes memory has alarms"
            }
            Kind::RacePrivate | Kind::RaceVisibility => "no shader that writes memory has alarms",
            Kind::RaceCommands | Kind::InputWithoutOutput | Kind::UnsetPushConstant => "Checker::needs_all",
            Kind::AttributeOutOfBounds | Kind::IndexBufferOutOfBounds | Kind::IndirectOutOfRange => {
                "commands are checked, not shaders"
            }
            Kind::InterfaceMismatch | Kind::MissingAttribute | Kind::AttributeMismatch => {
                "pipelines are checked, not shaders"
            }
            Kind::AttachmentMismatch | Kind::UnwrittenAttachment | Kind::DestroyedObject => {
                "commands are checked, not shaders"
            }
            Kind::WrongLayout => "Checker::needs_all",
            Kind::ComparisonDisabled | Kind::ComparisonOfColor | Kind::UnnormalizedSampling => {
                "Checker::needs_all"
            }
            Kind::WriteOnlyRead => "Checker::needs_all",
            Kind::ReadOnlyWritten | Kind::RestrictAliased => "no shader that writes memory has alarms",
            Kind::InvalidRay | Kind::ZeroRayDirection | Kind::RayFlagsConflict | Kind::InvalidHit => {
                "no shader with ray queries has alarms: is_quiet"
            }
            Kind::RayQueryUninitialized | Kind::RayQueryState => {
                "no shader with ray queries has alarms: is_quiet"
            }
            Kind::StructureNotBuilt | Kind::StructureDestroyed => {
                "no shader with ray queries has alarms: is_quiet"
            }
            Kind::UnwrittenPayload
            | Kind::UnwrittenHitAttribute
            | Kind::BadShaderRecord
            | Kind::RecursionTooDeep => "vertices and fragments call no shaders",
            Kind::LayoutMismatch => "does not depend on execution",
        }
    }

    #[test]
    fn every_kind_has_an_alarm_or_needs_none() {
        assert!(Kind::ALL.iter().all(|&kind| !alarm(kind).is_empty()));
    }
}
