//! Places in a source text.

/// Byte range of a source, from `start` to `end`, exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` to `end`. Offsets beyond 32 bits are clamped; accepted sources are shorter.
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { start: clip(start), end: clip(end) }
    }

    /// Returns the span from the start of this one to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.end) }
    }

    /// Returns the text that the span covers.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

impl From<Span> for naga::Span {
    fn from(span: Span) -> Self {
        naga::Span::new(span.start, span.end)
    }
}

/// Byte offsets at which the lines of a source begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(source: &str) -> Self {
        let after_breaks = source.bytes().enumerate().filter(|(_, c)| *c == b'\n').map(|(at, _)| at + 1);
        Lines(std::iter::once(0).chain(after_breaks).collect())
    }

    /// Returns the line and column of a byte of the source, both from 1; columns count bytes.
    pub fn place(&self, at: u32) -> (u32, u32) {
        let at = at as usize;
        let line = self.0.partition_point(|&start| start <= at);
        let start = line.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0);
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(at - start + 1).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let lines = Lines::of("ab\n\ncd");
        assert_eq!(lines.place(0), (1, 1));
        assert_eq!(lines.place(2), (1, 3));
        assert_eq!(lines.place(3), (2, 1));
        assert_eq!(lines.place(5), (3, 2));
        assert_eq!(lines.place(99), (3, 96));
    }
}
