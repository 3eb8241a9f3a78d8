//! The source lines of a report, in the form that miette needs: the lines around the labels, made printable
//! (`quadrille::error::shown`), with the columns that the labels have in the whole source.

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use quadrille::error::shown;
use quadrille::terminal::plain;

/// A message about a part of a source, `start` to `end` in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// First byte.
    pub start: usize,
    /// One past the last byte; anything beyond the end of the line is not marked.
    pub end: usize,
    /// The message.
    pub text: String,
}

/// The lines to show, in a text with as many lines as the source.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// Start of each label in `text`, and its column in the source, from 0.
    columns: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The lines around the labels, and the labels in them.
    pub fn new(name: &str, source: &str, labels: &[Label]) -> (Excerpt, Vec<LabeledSpan>) {
        let line_of =
            |at: usize| source.as_bytes()[..at.min(source.len())].iter().filter(|b| **b == b'\n').count();
        let mut of_lines: Vec<(usize, &Label)> = labels.iter().map(|l| (line_of(l.start), l)).collect();
        of_lines.sort_by_key(|(line, label)| (*line, label.start));
        let first = of_lines.first().map_or(0, |l| l.0).saturating_sub(1);
        let last = of_lines.last().map_or(0, |l| l.0).saturating_add(1);
        let mut excerpt =
            Excerpt { name: plain(name).into_owned(), text: String::new(), columns: Vec::new() };
        let (mut spans, mut start, mut next) = (Vec::new(), 0, 0);
        for (number, line) in source.split_inclusive('\n').enumerate() {
            let content = line.trim_end_matches(['\n', '\r']);
            let mine = of_lines[next..].iter().take_while(|l| l.0 == number).count();
            let mine = &of_lines[next..next + mine];
            next += mine.len();
            if (first..=last).contains(&number) {
                let mark =
                    mine.first().map_or((0, 0), |(_, l)| (l.start - start, l.end.max(l.start) - start));
                let seen = shown(content, mark.0, mark.1);
                for (_, label) in mine {
                    let (from, to) = place(
                        &seen,
                        content,
                        mark.0,
                        label.start - start,
                        label.end.max(label.start) - start,
                    );
                    let span = SourceSpan::from(excerpt.text.len() + from..excerpt.text.len() + to);
                    excerpt.columns.push((span.offset(), (label.start - start).min(content.len())));
                    spans.push(LabeledSpan::new_with_span(Some(plain(&label.text).into_owned()), span));
                }
                excerpt.text.push_str(&seen.text);
            }
            start += line.len();
            if line.ends_with('\n') {
                excerpt.text.push('\n');
            }
        }
        // The label is after the last line end.
        for (_, label) in &of_lines[next..] {
            let end = excerpt.text.len();
            excerpt.columns.push((end, 0));
            spans.push(LabeledSpan::new_with_span(
                Some(plain(&label.text).into_owned()),
                SourceSpan::from(end..end),
            ));
        }
        (excerpt, spans)
    }
}

/// Position in the shown text of a label from `start` to `end` in a line that was cut around `mark`. Characters that
/// are shown unchanged keep their distance from the mark; characters that were cut off map to the end of the shown
/// text.
fn place(
    seen: &quadrille::error::Shown,
    line: &str,
    mark: usize,
    start: usize,
    end: usize,
) -> (usize, usize) {
    if start == mark {
        return (seen.start, end_of(seen, line, mark, end).max(seen.start));
    }
    (end_of(seen, line, mark, start), end_of(seen, line, mark, end))
}

/// Position in the shown text of a byte after the mark.
fn end_of(seen: &quadrille::error::Shown, line: &str, mark: usize, at: usize) -> usize {
    let mark = (0..=mark.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let at = (mark..=at.clamp(mark, line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(mark);
    let wanted = seen.start + plain(&line[mark..at]).len();
    let wanted = wanted.min(seen.text.len());
    (0..=wanted).rev().find(|at| seen.text.is_char_boundary(*at)).unwrap_or(0)
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        let known = self.columns.iter().find(|(at, _)| *at == span.offset()).filter(|_| before == 0);
        let column = known.map_or(inner.column(), |(_, column)| *column);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line(),
            column,
            inner.line_count(),
        )))
    }
}

/// Byte offset of a line and of a column in bytes, both from 1: of the character in which the column is, or of the end of a
/// shorter line.
pub fn offset(source: &str, line: u32, column: u32) -> usize {
    let mut lines = source.split_inclusive('\n');
    let before: usize = lines.by_ref().take((line as usize).saturating_sub(1)).map(str::len).sum();
    let content = lines.next().unwrap_or_default().trim_end_matches(['\n', '\r']);
    let at = (column as usize).saturating_sub(1).min(content.len());
    before + (0..=at).rev().find(|at| content.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::offset;

    /// Characters of several bytes count as such, and no label leaves its line.
    #[test]
    fn columns_are_bytes() {
        let source = "a\n/* \u{e9}\u{e9} */ b\r\nc";
        for (line, column, at) in
            [(1, 1, 0), (2, 1, 2), (2, 12, 13), (2, 4, 5), (2, 5, 5), (2, 99, 14), (3, 1, 16), (9, 1, 17)]
        {
            assert_eq!(offset(source, line, column), at, "{line}:{column}");
        }
    }
}
