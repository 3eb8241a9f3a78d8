//! Similar names, for suggestions about misspelled ones. Leaves the names and the sentence to callers.

/// Returns the index of the name that is most similar to another one, if one is similar enough. Case and underscores
/// do not count.
pub fn closest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).take(64).collect()
    };
    let wanted = plain(name);
    let distances = names.into_iter().map(|n| distance(&wanted, &plain(n)));
    let (index, distance) = distances.enumerate().min_by_key(|(_, distance)| *distance)?;
    (distance <= 1 + wanted.len() / 4 && distance < wanted.len()).then_some(index)
}

/// Edit distance of two texts: the number of characters to insert, remove or replace.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_similar_enough_are_found() {
        let names = ["threads", "trace_dir", "cpu", ""];
        let found = |name| closest(name, names);
        assert_eq!(["threds", "TraceDir", "traceDri"].map(found), [Some(0), Some(1), Some(1)]);
        // Three letters of a name of three are another name.
        assert_eq!(["gpus", "x", "", "thunderbird"].map(found), [Some(2), None, None, None]);
        assert_eq!(closest("cpu", []), None);
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
    }
}
