//! Records of shader binding tables that name no shader group of the pipeline, or one of another kind.

use crate::crossing::frames;
use crate::events::{BadRecord, RecordFault, RecordTable};
use crate::kind::Kind;
use crate::report::{Frame, Report};

/// Creates the report about a record that the running call selects; `None` if it was reported for this invocation.
pub fn report(bad: &BadRecord) -> Option<Report> {
    let report = match frames::is_empty() {
        true => {
            let at = Frame { instruction: Some("trace of rays".into()), ..Frame::default() };
            Report::new(Kind::BadShaderRecord, "").at(at)
        }
        false => frames::record(bad)?,
    };
    let (call, table) = (&report.message, table(bad.table));
    let record = match call.is_empty() {
        true => format!("record {} of {table}", bad.index),
        false => format!("{call} selects record {} of {table}", bad.index),
    };
    let why = match bad.fault {
        RecordFault::PastEnd { count } => format!("which has {count}"),
        RecordFault::NoGroup => "whose handle is that of no shader group of the pipeline".into(),
        RecordFault::OtherKind { is, must } => format!("whose shader group is {is}, but must be {must}"),
    };
    Some(Report { kind: Kind::BadShaderRecord, message: format!("{record}, {why}"), ..report }.about(table))
}

/// Name of a table.
fn table(table: RecordTable) -> &'static str {
    match table {
        RecordTable::RayGeneration => "the ray generation table",
        RecordTable::Miss => "the miss table",
        RecordTable::Hit => "the hit table",
        RecordTable::Callable => "the callable table",
    }
}
