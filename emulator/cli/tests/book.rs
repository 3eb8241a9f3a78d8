//! The book: its commands run here, on the files that its pages show, and print what the pages say.
//!
//! A comment before a block of code says what it is: `file: NAME` is the contents of a file, `prints` are parts of lines that
//! the block of commands before it prints, `not run` are commands for other machines. Commands must succeed, or end with
//! the exit code of `fails: CODE`; `input: NAME` is a file that they read from standard input. `same: A B` names files with the same
//! bytes. `part of: FILE` is text of a file of the repository that other tests run, and `tested: FILE` is code that this file runs.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::Folder;

/// A block of code with the comment before it, or a comment that stands alone.
struct Block {
    comment: String,
    language: String,
    text: String,
}

/// The blocks of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut comment, mut open) = (String::new(), None::<Block>);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                let comment = std::mem::take(&mut comment);
                open = Some(Block { comment, language: language.into(), text: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, None) => {
                let text = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
                comment = text.map(str::to_owned).unwrap_or(comment);
                if comment.starts_with("same: ") {
                    let (language, text) = (String::new(), String::new());
                    found.push(Block { comment: std::mem::take(&mut comment), language, text });
                }
            }
        }
    }
    assert!(open.is_none(), "a block of code has no end");
    found
}

/// Runs a line of a block of commands in a folder. Returns its exit code and everything that it printed.
fn command(line: &str, folder: &Path, input: Option<&str>) -> (i32, String) {
    let mut words = line.split_whitespace().peekable();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        command.env(name, value);
        words.next();
    }
    assert_eq!(words.next(), Some("quadrille"), "`{line}` is another program");
    let input = input.map_or(Stdio::null(), |name| fs::File::open(folder.join(name)).unwrap().into());
    let out = command.args(words).current_dir(folder).env("NO_COLOR", "1").stdin(input).output().unwrap();
    let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (out.status.code().unwrap_or(-1), text)
}

/// Follows a page.
fn follow(name: &str, page: &str) -> usize {
    let folder = Folder::new(&format!("book-{}", name.replace('/', "-")));
    let at = PathBuf::from(folder.path(""));
    let (mut printed, mut ran) = (String::new(), 0);
    for block in blocks(page) {
        let (word, rest) = block.comment.split_once(": ").unwrap_or((&block.comment, ""));
        match (word, &*block.language) {
            ("not run", _) => {}
            ("file", _) => drop(folder.write(rest, &block.text)),
            ("same", _) => {
                let mut files = rest.split(' ').map(|file| fs::read(at.join(file)).unwrap());
                let first = files.next().unwrap();
                assert!(files.all(|other| other == first), "{name}: {rest} differ");
            }
            ("prints", _) => {
                for line in block.text.lines() {
                    assert!(printed.contains(line), "{name}: `{line}` is not in\n{printed}");
                }
            }
            ("part of", _) => {
                let whole = fs::read_to_string(repository().join(rest)).unwrap();
                assert!(contains(&whole, &block.text), "{name}: {rest} does not have\n{}", block.text);
            }
            ("tested", _) => {
                let tester = fs::read_to_string(repository().join(rest)).unwrap();
                assert!(tester.contains(&format!("book/src/{name}.md")), "{rest} does not test {name}");
            }
            (_, "sh") => {
                printed.clear();
                let input = (word == "input").then_some(rest);
                let code = if word == "fails" { rest.parse().unwrap() } else { 0 };
                for line in block.text.lines() {
                    let (got, text) = command(line.split(" #").next().unwrap(), &at, input);
                    assert_eq!(got, code, "{name}: {line}\n{text}");
                    printed += &text;
                    ran += 1;
                }
            }
            (_, language) => panic!("{name}: nothing runs a block of {language}:\n{}", block.text),
        }
    }
    ran
}

/// Folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `true` if the lines follow each other in the text, with any indentation.
fn contains(text: &str, lines: &str) -> bool {
    let plain = |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    plain(text).contains(&plain(lines))
}

/// Pages of the book, by name.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for part in ["", "driver/"] {
        let files = fs::read_dir(repository().join("book/src").join(part)).unwrap();
        for path in files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let name = format!("{part}{}", path.file_stem().unwrap().to_str().unwrap());
            pages.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    pages.sort();
    pages
}

#[test]
fn every_page_works() {
    let ran: usize = pages().iter().map(|(name, page)| follow(name, page)).sum();
    assert!(ran >= 20, "{ran} commands ran");
}

/// An option in a sentence, as in `--uniform NAME=VALUE`, takes a value of that form.
#[test]
fn options_in_sentences_have_their_form() {
    let commands = ["render", "run", "test", "check", "profile", "inspect", "debug"];
    let help = commands.map(|name| command(&format!("quadrille {name} --help"), Path::new("."), None).1);
    let mut found = 0;
    for (name, page) in pages() {
        for span in page.split('`').skip(1).step_by(2) {
            let Some((option, value)) = span.split_once(' ').filter(|(option, _)| option.starts_with("--"))
            else {
                continue;
            };
            let is_placeholder = value.starts_with(|c: char| c.is_ascii_uppercase()) && !value.contains(' ');
            // Options of other programs.
            if !is_placeholder || option.starts_with("--quadrille-") {
                continue;
            }
            let before = format!("{option} <");
            let values = help.iter().flat_map(|help| help.split(&before).skip(1));
            let mut values = values.filter_map(|rest| rest.split_once('>')).map(|(value, _)| value);
            let fits = values.any(|known| known.contains('=') == value.contains('='));
            assert!(fits, "{name}: no command has `{span}`");
            found += 1;
        }
    }
    assert!(found >= 6, "{found} options");
}

#[test]
fn every_page_is_in_the_summary() {
    let pages = pages();
    let summary = &pages.iter().find(|(name, _)| name == "SUMMARY").unwrap().1;
    for (name, page) in pages.iter().filter(|(name, _)| name != "SUMMARY") {
        assert!(summary.contains(&format!("]({name}.md)")), "{name} is not in the summary");
        assert!(page.starts_with("# "), "{name} has no title");
    }
}

/// Words on a page of the book. Printed, a page has about as many.
const WORDS: usize = 400;

#[test]
fn the_book_has_at_most_40_pages() {
    let printed = |page: &str| page.split_whitespace().count().div_ceil(WORDS);
    let all: usize = pages().iter().map(|(_, page)| printed(page)).sum();
    assert!(all <= 40, "{all} pages");
}

#[test]
fn the_reference_has_every_key_of_test_files() {
    let form = fs::read_to_string(repository().join("emulator/suite/src/native/form.rs")).unwrap();
    let page = fs::read_to_string(repository().join("book/src/keys.md")).unwrap();
    let fields = form.lines().filter_map(|line| line.trim().strip_prefix("pub "));
    let keys = fields.filter_map(|field| Some(field.split_once(": ")?.0.replace('_', "-")));
    let mut keys: Vec<String> = keys.filter(|key| key != "test").collect();
    keys.sort();
    keys.dedup();
    assert!(keys.len() > 60, "{keys:?}");
    let words: Vec<&str> = page.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let missing: Vec<&String> = keys.iter().filter(|key| !words.contains(&key.as_str())).collect();
    assert!(missing.is_empty(), "book/src/keys.md does not have {missing:?}");
}
