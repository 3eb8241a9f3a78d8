//! The book: its commands run here, on the files that its pages show, and print what the pages say.
//!
//! A comment before a block of code says what it is: `file: NAME` is the contents of a file, `prints` are parts of lines that
//! the block of commands before it prints, `not run` are commands for other machines. Commands must succeed, or end with
//! the exit code of `fails: CODE`; `input: NAME` is a file that they read from standard input. `same: A B` names files with the same
//! bytes.

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
    let folder = Folder::new(&format!("book-{name}"));
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
            (_, language) => {
                assert!(["python", "yaml"].contains(&language), "{name}: a block of {language} is no file")
            }
        }
    }
    ran
}

/// Pages of the book, by name.
fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = files
        .map(|path| {
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    pages.sort();
    pages
}

#[test]
fn every_page_works() {
    let ran: usize = pages().iter().map(|(name, page)| follow(name, page)).sum();
    assert!(ran >= 20, "{ran} commands ran");
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
