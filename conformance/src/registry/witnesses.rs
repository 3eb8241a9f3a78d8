//! Tests of the extensions that the driver offers, and of the features and limits of Roadmap 2026.
//!
//! The table `conformance/inventory/vulkan_tests.csv` has at least one row for each of them: its name, a test, and a word of
//! the test that shows its use. A test is a file and a function of it, a file test, or the picture of a scene. Without a
//! word, the name itself is in the test.

use std::fs;
use std::path::{Path, PathBuf};

/// Path of the table from the root of the repository.
pub const TESTS: &str = "conformance/inventory/vulkan_tests.csv";

const HEAD: &str = "item,test,word";

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness<'a> {
    /// Name of an extension, or of a feature or a limit as the bindings write it.
    pub item: &'a str,
    /// Path of the test from the root of the repository.
    pub path: &'a str,
    /// Function of the test, unless the test is a whole file.
    pub function: Option<&'a str>,
    /// Text that the test contains.
    pub word: &'a str,
}

/// Parses the table.
///
/// # Errors
/// A message about a line that is not a row, or that is not in order.
pub fn witnesses(table: &str) -> Result<Vec<Witness<'_>>, String> {
    let mut lines = table.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("{TESTS} does not begin with {HEAD}"));
    }
    let mut last = "";
    lines
        .map(|line| {
            let [item, test, word] = line.splitn(3, ',').collect::<Vec<_>>()[..] else {
                return Err(format!("{TESTS}: {line}"));
            };
            if line <= last {
                return Err(format!("{TESTS}: {line} is not in order"));
            }
            last = line;
            let (path, function) =
                test.split_once(' ').map_or((test, None), |(path, function)| (path, Some(function)));
            Ok(Witness { item, path, function, word: if word.is_empty() { item } else { word } })
        })
        .collect()
}

impl Witness<'_> {
    /// Checks that the test exists, and that its files contain the word.
    ///
    /// # Errors
    /// A message with the row.
    pub fn check(&self, root: &Path) -> Result<(), String> {
        let wrong = |why: &str| format!("{} {} {:?}: {why}", self.item, self.path, self.function);
        let picture = self.path.strip_prefix("conformance/goldens/");
        let text = match picture {
            Some(_) if root.join(self.path).is_file() => String::new(),
            Some(_) => return Err(wrong("the picture does not exist")),
            None => fs::read_to_string(root.join(self.path)).map_err(|e| wrong(&e.to_string()))?,
        };
        let is_code = self.path.ends_with(".rs");
        match self.function {
            Some(function) if is_code && !is_test(&text, function) => {
                return Err(wrong("the file has no such test"));
            }
            None if is_code => return Err(wrong("the row names no function")),
            Some(_) | None => {}
        }
        let texts = self.companions(root).into_iter().filter_map(|path| fs::read_to_string(path).ok());
        match text.contains(self.word) || texts.into_iter().any(|text| text.contains(self.word)) {
            true => Ok(()),
            false => Err(wrong(&format!("the test does not contain {:?}", self.word))),
        }
    }

    /// Files that belong to the test: those of its folder or of the folder with its name, those that all tests of the driver
    /// share, and the scenes.
    fn companions(&self, root: &Path) -> Vec<PathBuf> {
        let path = root.join(self.path);
        let mut folders = vec![path.with_extension("")];
        if self.path.starts_with("conformance/goldens/") {
            folders.push(root.join("conformance/src/scenes"));
        } else if let Some(rest) = self.path.strip_prefix("emulator/vulkan/tests/") {
            let tests = root.join("emulator/vulkan/tests");
            folders.extend([tests.join("common"), tests.join("common/lab")]);
            if let Some((folder, _)) = rest.split_once('/') {
                folders.push(tests.join(folder));
            }
        }
        let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        files.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect()
    }
}

/// Returns true if a file has a test function of this name.
fn is_test(text: &str, function: &str) -> bool {
    let head = format!("fn {function}() ");
    text.split("#[test]\n").skip(1).any(|rest| {
        let lines = rest.lines().take_while(|line| !line.starts_with('}'));
        lines.take(3).any(|line| line.trim_start().starts_with(&head))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_in_files() {
        let text = "#[test]\n#[cfg(unix)]\nfn a() {\n}\n\nfn b() {\n}\n";
        assert_eq!([is_test(text, "a"), is_test(text, "b"), is_test(text, "c")], [true, false, false]);
    }

    #[test]
    fn rows_have_a_path_and_a_function() {
        let rows = witnesses("item,test,word\nVK_A,tests/a.rs works,\nVK_B,b.comp,a,b\n").unwrap();
        assert_eq!((rows[0].path, rows[0].function, rows[0].word), ("tests/a.rs", Some("works"), "VK_A"));
        assert_eq!((rows[1].path, rows[1].function, rows[1].word), ("b.comp", None, "a,b"));
        for wrong in ["item,test\n", "item,test,word\nVK_A\n", "item,test,word\nVK_B,b,\nVK_A,a,\n"] {
            assert!(witnesses(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_test_that_is_gone_is_an_error() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let row = |path, function| Witness { item: "VK_A", path, function, word: "is_test" };
        let here = "conformance/src/registry/witnesses.rs";
        assert_eq!(row(here, Some("tests_are_found_in_files")).check(&root), Ok(()));
        assert!(row(here, Some("gone")).check(&root).is_err());
        assert!(row(here, None).check(&root).is_err());
        assert!(row("conformance/src/gone.rs", None).check(&root).is_err());
        let other =
            Witness { word: &["no", "where"].concat(), ..row(here, Some("tests_are_found_in_files")) };
        assert!(other.check(&root).is_err());
    }
}
