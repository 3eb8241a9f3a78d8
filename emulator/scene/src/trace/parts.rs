//! Numbers of the samples in sums, as ranges.

use std::ops::Range;

use quadrille::{Error, Result};

/// Maximum number of ranges, which a file has room for.
pub(super) const MAX_PARTS: usize = 1 << 16;

/// Numbers of samples: at most [`MAX_PARTS`] ranges in ascending order that neither overlap nor touch, and are not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts(Vec<Range<u32>>);

impl Parts {
    /// Number of samples.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|part| part.end - part.start).sum()
    }

    /// The ranges.
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    /// Adds a range, which may be empty. Returns `Invalid` if one of its samples is already here, `Limit` if there were too many
    /// ranges, and changes nothing then.
    pub fn add(&mut self, new: &Range<u32>) -> Result<()> {
        self.put(new, MAX_PARTS)
    }

    /// Adds a range, if there are `most` ranges at most afterwards.
    fn put(&mut self, new: &Range<u32>, most: usize) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        // The ranges before this one end before the new one begins, or there.
        let at = self.0.partition_point(|old| old.end <= new.start);
        if let Some(old) = self.0.get(at).filter(|old| old.start < new.end) {
            let (first, end) = (old.start.max(new.start), old.end.min(new.end));
            return Err(Error::invalid(format!("samples {first}..{end} would count twice")));
        }
        let touches_last = at > 0 && self.0[at - 1].end == new.start;
        let touches_next = self.0.get(at).is_some_and(|next| next.start == new.end);
        match (touches_last, touches_next) {
            (true, true) => self.0[at - 1].end = self.0.remove(at).end,
            (true, false) => self.0[at - 1].end = new.end,
            (false, true) => self.0[at].start = new.start,
            (false, false) if self.0.len() < most => self.0.insert(at, new.clone()),
            (false, false) => return Err(too_many()),
        }
        Ok(())
    }

    /// Adds all ranges of another set, or none.
    pub fn add_all(&mut self, other: &Parts) -> Result<()> {
        let mut all = self.clone();
        // A later range may join earlier ones.
        other.0.iter().try_for_each(|part| all.put(part, usize::MAX))?;
        if all.0.len() > MAX_PARTS {
            return Err(too_many());
        }
        *self = all;
        Ok(())
    }
}

fn too_many() -> Error {
    Error::Limit(format!("samples of more than {MAX_PARTS} separate ranges"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_and_do_not_overlap() {
        let mut parts = Parts::default();
        for part in [8..10, 0..2, 4..8, 5..5, u32::MAX - 1..u32::MAX] {
            parts.add(&part).unwrap();
        }
        assert_eq!(parts.ranges(), [0..2, 4..10, u32::MAX - 1..u32::MAX]);
        assert_eq!(parts.count(), 9);
        let before = parts.clone();
        for (part, twice) in [(1..3, "1..2"), (3..5, "4..5"), (0..20, "0..2"), (9..10, "9..10")] {
            let message = parts.add(&part).unwrap_err().to_string();
            assert!(message.contains(&format!("samples {twice} would count twice")), "{message}");
        }
        let more = Parts(vec![2..3, 5..6]);
        assert!(parts.add_all(&more).is_err());
        assert_eq!(parts, before);
        parts.add_all(&Parts(vec![2..4, 20..21])).unwrap();
        assert_eq!(parts.ranges(), [0..10, 20..21, u32::MAX - 1..u32::MAX]);
    }

    /// As many ranges as a file may have: each is found without a look at the others.
    #[test]
    fn many_ranges_take_no_time() {
        let mut parts = Parts::default();
        (0..1 << 16).try_for_each(|i| parts.add(&(2 * i..2 * i + 1))).unwrap();
        assert_eq!((parts.ranges().len(), parts.count()), (1 << 16, 1 << 16));
        assert!(parts.add(&(77_776..77_777)).is_err());
        // A further range has no room before two others are joined.
        let further = 200_000..200_001;
        assert!(matches!(parts.add(&further), Err(Error::Limit(_))));
        parts.add(&(1..2)).unwrap();
        parts.add(&further).unwrap();
        assert_eq!((parts.ranges().len(), parts.count()), (1 << 16, (1 << 16) + 2));
    }
}
