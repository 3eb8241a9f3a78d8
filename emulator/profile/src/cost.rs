//! Cost of shaders by line: a table, an annotated listing, JSON.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

#[cfg(feature = "json")]
use serde_json::{Value, json};

use crate::counts::Counts;
use crate::samples::Times;

/// Cost of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct LineCost {
    /// Operations that invocations executed: scalar operations of the shader IR, including helper invocations.
    pub operations: u64,
    /// Instructions that lane groups executed.
    pub instructions: u64,
    /// Lanes of these instructions; if all are active, the number of operations.
    pub lanes: u64,
    /// Bytes read from buffers and push constants.
    pub buffer_read: u64,
    /// Bytes written to buffers.
    pub buffer_written: u64,
    /// Bytes read from workgroup memory.
    pub workgroup_read: u64,
    /// Bytes written to workgroup memory.
    pub workgroup_written: u64,
    /// Image reads, samples, writes and queries by invocations.
    pub image_operations: u64,
    /// Bytes of texels read: each texel as often as a filter uses it, compressed texels as whole blocks.
    pub image_read: u64,
    /// Bytes of texels written.
    pub image_written: u64,
}

impl LineCost {
    /// Adds another cost.
    pub fn add(&mut self, other: &LineCost) {
        self.operations += other.operations;
        self.instructions += other.instructions;
        self.lanes += other.lanes;
        self.buffer_read += other.buffer_read;
        self.buffer_written += other.buffer_written;
        self.workgroup_read += other.workgroup_read;
        self.workgroup_written += other.workgroup_written;
        self.image_operations += other.image_operations;
        self.image_read += other.image_read;
        self.image_written += other.image_written;
    }

    /// Ratio of active lanes to issued lanes, from 0 to 1.
    pub fn utilization(&self) -> f64 {
        if self.lanes == 0 { 1.0 } else { self.operations as f64 / self.lanes as f64 }
    }
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShaderKey {
    /// Name of the stage.
    pub stage: &'static str,
    /// File of its source; empty without debug information.
    pub file: String,
    /// Name of the entry point.
    pub entry: String,
}

impl fmt::Display for ShaderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = self.stage;
        match (self.file.as_str(), self.entry.as_str()) {
            ("", entry) => write!(f, "{stage} shader {entry}"),
            (file, "main") => write!(f, "{stage} shader {file}"),
            (file, entry) => write!(f, "{stage} shader {entry} of {file}"),
        }
    }
}

/// Cost of an entry point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct ShaderCost {
    /// Invocations, without helpers.
    pub invocations: u64,
    /// Operations that they executed, as [`LineCost::operations`].
    pub operations: u64,
    /// Instructions that lane groups executed.
    pub instructions: u64,
}

/// Cost of shaders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Cost by file and line. Line 0 of the empty file name is the cost without a line: inputs, outputs, code that a
    /// compiler adds.
    pub lines: BTreeMap<(String, u32), LineCost>,
    /// Invocations, without helpers.
    pub invocations: u64,
    /// Cost by entry point.
    pub shaders: BTreeMap<ShaderKey, ShaderCost>,
    /// Texts of files, if they are known.
    pub texts: BTreeMap<String, String>,
    /// Distribution of the time of a compiled run, if samples were taken.
    pub times: Option<Times>,
}

impl Profile {
    pub(crate) fn add(&mut self, file: &str, line: u32, counts: &Counts) {
        let cost = LineCost {
            operations: counts.active,
            instructions: counts.issued,
            lanes: counts.lanes,
            buffer_read: counts.read[0],
            buffer_written: counts.written[0],
            workgroup_read: counts.read[1],
            workgroup_written: counts.written[1],
            image_operations: counts.images,
            image_read: counts.texels[0],
            image_written: counts.texels[1],
        };
        self.lines.entry((file.to_owned(), line)).or_default().add(&cost);
    }

    /// Reads the texts of files that are not known yet.
    pub fn read_texts(&mut self, read: impl Fn(&str) -> Option<String>) {
        for (file, _) in self.lines.keys().filter(|(file, _)| !file.is_empty()) {
            if !self.texts.contains_key(file)
                && let Some(text) = read(file)
            {
                self.texts.insert(file.clone(), text);
            }
        }
    }

    /// Total cost of all lines.
    pub fn total(&self) -> LineCost {
        let mut total = LineCost::default();
        self.lines.values().for_each(|line| total.add(line));
        total
    }

    /// Text of a line, without its indentation.
    fn text(&self, file: &str, line: u32) -> &str {
        let text = self.texts.get(file).map_or("", String::as_str);
        text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or("").trim()
    }

    /// A table of at most `most` lines, the most expensive first, followed by other uses of time, and sums.
    pub fn table(&self, most: usize) -> String {
        let total = self.total();
        let mut lines: Vec<_> = self.lines_with_time().into_iter().collect();
        lines.sort_by_key(|((file, line), cost)| {
            (std::cmp::Reverse((self.samples(file, *line), cost.operations)), file.clone(), *line)
        });
        let mut text = format!(
            "{} operations of {} invocations, {:.1} % of lanes active\n",
            total.operations,
            self.invocations,
            100.0 * total.utilization()
        );
        if let Some(times) = &self.times {
            text += &(times.text() + "\n");
        }
        text += "\n";
        text += &self.shader_rows();
        text += self.time_head();
        text +=
            "  share    operations  active      buffer r/w   workgroup r/w    images       image r/w  line\n";
        let row = |samples: u64, cost: &LineCost, name: &str| {
            let row = format!(
                "{}{:>6.2}% {:>13}  {:>5.1}% {:>15} {:>15} {:>9} {:>15}  {name}",
                self.time(samples),
                100.0 * share(cost.operations, total.operations),
                cost.operations,
                100.0 * cost.utilization(),
                pair(cost.buffer_read, cost.buffer_written),
                pair(cost.workgroup_read, cost.workgroup_written),
                dash(cost.image_operations),
                pair(cost.image_read, cost.image_written),
            );
            row.trim_end().to_owned() + "\n"
        };
        for ((file, line), cost) in lines.iter().take(most) {
            let place = if *line == 0 { "(set-up)".to_owned() } else { format!("{file}:{line}") };
            text += &row(self.samples(file, *line), cost, &format!("{place}  {}", self.text(file, *line)));
        }
        let rest = lines.get(most..).unwrap_or_default();
        if !rest.is_empty() {
            let (mut samples, mut cost) = (0, LineCost::default());
            for ((file, line), of) in rest {
                samples += self.samples(file, *line);
                cost.add(of);
            }
            text += &row(samples, &cost, &format!("({} lines more)", rest.len()));
        }
        if let Some(times) = &self.times {
            let mut work: Vec<_> = times.work.iter().collect();
            work.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
            let gap = " ".repeat(WIDTH);
            work.iter().for_each(|(name, n)| text += &format!("{}{gap}({name})\n", self.time(**n)));
            text += &row(times.total(), &total, "all");
        }
        text
    }

    /// A row for each entry point, if there are several, and an empty line.
    fn shader_rows(&self) -> String {
        if self.shaders.len() < 2 {
            return String::new();
        }
        let mut rows = "   operations  invocations  shader\n".to_owned();
        for (shader, cost) in &self.shaders {
            let _ = writeln!(rows, "{:>13} {:>12}  {shader}", cost.operations, cost.invocations);
        }
        rows + "\n"
    }

    /// Cost by line, including lines that only have samples of time.
    fn lines_with_time(&self) -> BTreeMap<(String, u32), LineCost> {
        let mut lines = self.lines.clone();
        for line in self.times.iter().flat_map(Times::lines) {
            lines.entry(line.clone()).or_default();
        }
        lines
    }

    /// Samples on a line.
    fn samples(&self, file: &str, line: u32) -> u64 {
        self.times.as_ref().map_or(0, |times| times.of_line(file, line))
    }

    fn time_head(&self) -> &'static str {
        if self.times.is_some() { "   time  samples " } else { "" }
    }

    /// Columns of time: share of all samples, number of samples.
    fn time(&self, samples: u64) -> String {
        match (&self.times, samples) {
            (None, _) => String::new(),
            (Some(_), 0) => format!("{:>7} {:>8} ", "-", "-"),
            (Some(times), n) => format!("{:>6.2}% {n:>8} ", 100.0 * share(n, times.total())),
        }
    }

    /// The files with the cost of each line beside its text.
    pub fn listing(&self) -> String {
        let (total, lines) = (self.total(), self.lines_with_time());
        let mut out = String::new();
        for (file, text) in &self.texts {
            let _ = writeln!(out, "{file}\n{}  share    operations  active", self.time_head());
            for (n, line) in (1..).zip(text.lines()) {
                let margin = match lines.get(&(file.clone(), n)) {
                    Some(cost) => format!(
                        "{:>6.2}% {:>13}  {:>5.1}%",
                        100.0 * share(cost.operations, total.operations),
                        cost.operations,
                        100.0 * cost.utilization()
                    ),
                    None => " ".repeat(29),
                };
                let time = self.time(self.samples(file, n));
                let _ = writeln!(out, "{time}{margin} |{n:>5}  {line}");
            }
        }
        out
    }

    /// The profile in JSON.
    #[cfg(feature = "json")]
    pub fn json(&self) -> Value {
        let line = |((file, line), cost): (&(String, u32), &LineCost)| {
            let mut of = json!({ "file": file, "line": line });
            if let (Value::Object(to), Ok(Value::Object(from))) = (&mut of, serde_json::to_value(cost)) {
                to.extend(from);
                to.insert("utilization".into(), json!(cost.utilization()));
                if self.times.is_some() {
                    to.insert("samples".into(), json!(self.samples(file, *line)));
                }
            }
            of
        };
        let shader = |(shader, cost): (&ShaderKey, &ShaderCost)| {
            let ShaderKey { stage, file, entry } = shader;
            let ShaderCost { invocations, operations, instructions } = cost;
            json!({ "stage": stage, "file": file, "entry": entry, "invocations": invocations,
                "operations": operations, "instructions": instructions })
        };
        json!({
            "shaders": self.shaders.iter().map(shader).collect::<Vec<_>>(),
            "invocations": self.invocations,
            "total": self.total(),
            "time": self.times.as_ref().map(Times::summary),
            "lines": self.lines_with_time().iter().map(line).collect::<Vec<_>>(),
        })
    }
}

/// Width of the columns between time and line name.
const WIDTH: usize = 89;

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

fn dash(n: u64) -> String {
    if n == 0 { "-".into() } else { n.to_string() }
}

fn pair(read: u64, written: u64) -> String {
    if read + written == 0 { "-".into() } else { format!("{read}/{written}") }
}
