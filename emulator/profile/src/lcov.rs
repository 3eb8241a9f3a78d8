//! Coverage in the LCOV format, as `genhtml`, editors and build servers read it. Spec: geninfo(1), "TRACEFILE FORMAT".
//!
//! Readers of a tracefile open the files that it names. [`with_files`] makes sure that these exist.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::coverage::{Branch, Coverage, count, one_line};

/// Text of a tracefile.
pub fn write(coverage: &Coverage) -> String {
    let mut text = String::from("TN:\n");
    for (name, file) in coverage.files.iter().filter(|(name, _)| !name.is_empty()) {
        let _ = writeln!(text, "SF:{}", one_line(name));
        for (line, function) in file.functions.keys() {
            let _ = writeln!(text, "FN:{line},{}", one_line(function));
        }
        for ((_, function), hits) in &file.functions {
            let _ = writeln!(text, "FNDA:{hits},{}", one_line(function));
        }
        let (hit, found) = file.function_counts();
        let _ = writeln!(text, "FNF:{found}\nFNH:{hit}");
        for (Branch { line, block, branch }, taken) in &file.branches {
            // A branch that was never reached has no counts.
            let way = |branch| Branch { line: *line, block: *block, branch };
            let reached = file.branches.range(way(0)..=way(u32::MAX)).any(|(_, n)| *n > 0);
            let taken = if reached { taken.to_string() } else { "-".to_owned() };
            let _ = writeln!(text, "BRDA:{line},{block},{branch},{taken}");
        }
        let (hit, found) = file.branch_counts();
        let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
        for (line, hits) in &file.lines {
            let _ = writeln!(text, "DA:{line},{hits}");
        }
        let (hit, found) = file.line_counts();
        let _ = writeln!(text, "LF:{found}\nLH:{hit}\nend_of_record");
    }
    text
}

/// Parses a tracefile and ignores records of unknown kinds. An error names the first line that is not a record.
pub fn read(text: &str) -> Result<Coverage, String> {
    let mut coverage = Coverage::default();
    let mut name = String::new();
    // Number of counts of each function's name in the record. Overloads share a name, and their counts are in their order.
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    // Lines of functions by their numbers, and how many ways of a branch there were, in the record.
    let mut leaders: BTreeMap<&str, u32> = BTreeMap::new();
    let mut ways: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (n, line) in text.lines().enumerate() {
        let wrong = || format!("it is not an LCOV tracefile: line {} is not a record", n + 1);
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let short = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        if line.trim().is_empty() || line.starts_with('#') || line == "end_of_record" {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or_else(wrong)?;
        if key.is_empty() || !key.bytes().all(|c| c.is_ascii_uppercase()) {
            return Err(wrong());
        }
        let mut parts = value.splitn(4, ',');
        let mut next = || parts.next().ok_or_else(wrong);
        match key {
            "SF" => {
                name = value.to_owned();
                counted.clear();
                leaders.clear();
                ways.clear();
            }
            "DA" => {
                let (line, hits) = (short(next()?)?, number(next()?)?);
                count(coverage.file(&name).lines.entry(line).or_default(), hits);
            }
            "FN" => {
                let (line, function) = function_of(value).ok_or_else(wrong)?;
                let key = (short(line)?, function.to_owned());
                coverage.file(&name).functions.entry(key).or_default();
            }
            // Version 2 numbers functions, each of which may have several names.
            "FNL" => {
                leaders.insert(next()?, short(next()?)?);
            }
            "FNA" => {
                let (index, rest) = value.split_once(',').ok_or_else(wrong)?;
                let (hits, function) = rest.split_once(',').ok_or_else(wrong)?;
                let line = leaders.get(index).copied().unwrap_or(0);
                let key = (line, function.to_owned());
                count(coverage.file(&name).functions.entry(key).or_default(), number(hits)?);
            }
            "FNDA" => {
                let (hits, function) = value.split_once(',').ok_or_else(wrong)?;
                let functions = &mut coverage.file(&name).functions;
                let before = counted.entry(function).or_default();
                let mut named = functions.keys().filter(|(_, name)| name == function);
                let known = named.clone().nth(*before).or_else(|| named.next()).cloned();
                *before += 1;
                let key = known.unwrap_or((0, function.to_owned()));
                count(functions.entry(key).or_default(), number(hits)?);
            }
            "BRDA" => {
                let [line, block, branch, taken] = branch_of(value).ok_or_else(wrong)?;
                let (line, block) = (short(line)?, short(block)?);
                let known = ways.entry((line, block)).or_default();
                let branch = Branch { line, block, branch: branch.parse().unwrap_or(*known) };
                *known += 1;
                let taken = if taken == "-" { 0 } else { number(taken)? };
                count(coverage.file(&name).branches.entry(branch).or_default(), taken);
            }
            _ => {}
        }
    }
    Ok(coverage)
}

/// First line and name of a function, from `FN:LINE,NAME` or `FN:LINE,LAST LINE,NAME` of version 2.
fn function_of(value: &str) -> Option<(&str, &str)> {
    let (line, function) = value.split_once(',')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let after_last = function.split_once(',').filter(|(last, _)| is_number(last));
    Some((line, after_last.map_or(function, |(_, name)| name)))
}

/// Line, block, way and count from `BRDA:LINE,BLOCK,WAY,COUNT`. Version 2 marks blocks of exceptions with an `e`, and a way
/// may be a text.
fn branch_of(value: &str) -> Option<[&str; 4]> {
    let (line, rest) = value.split_once(',')?;
    let (block, rest) = rest.split_once(',')?;
    let (branch, taken) = rest.rsplit_once(',')?;
    Some([line, block.strip_prefix('e').unwrap_or(block), branch, taken])
}

/// Adds coverage to a tracefile, and creates it if necessary. Several processes may do so at the same time; readers
/// always find a complete file.
///
/// # Errors
/// Errors of files; `InvalidData` if the existing file is not a tracefile.
pub fn add_to(path: &Path, coverage: &Coverage) -> io::Result<Coverage> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let beside = |end: &str| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!(".{name}.{end}"))
    };
    // The lock is held until the new file has its final name. The lock file itself stays, because other processes may
    // wait for it.
    let lock = File::create(beside("lock"))?;
    lock.lock()?;
    let mut all = match fs::read_to_string(path) {
        Ok(text) => read(&text).map_err(|e| io::Error::new(ErrorKind::InvalidData, e))?,
        Err(e) if e.kind() == ErrorKind::NotFound => Coverage::default(),
        Err(e) if e.kind() == ErrorKind::InvalidData => {
            return Err(io::Error::new(e.kind(), "it is not an LCOV tracefile, but binary"));
        }
        Err(e) => return Err(e),
    };
    all.add(coverage);
    let unfinished = beside("part");
    quadrille_jit::reserve::write_file(&unfinished, write(&all))?;
    fs::rename(&unfinished, path)?;
    Ok(all)
}

/// Folder beside a tracefile for texts that come from no file.
fn folder_of_texts(tracefile: &Path) -> PathBuf {
    let name = tracefile.file_name().unwrap_or_default().to_string_lossy();
    tracefile.with_file_name(format!("{name}.sources"))
}

/// Number that distinguishes texts, the same on every host: 64-bit FNV-1a.
pub(crate) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Writes a text that comes from no file to the folder `NAME.sources` beside a tracefile `NAME`. The file has the name
/// of the text, with a number that distinguishes it from other texts of that name.
///
/// # Errors
/// Errors of files.
pub fn file_of_text(tracefile: &Path, name: &str, text: &str) -> io::Result<String> {
    let hash = hash(text.bytes());
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    let last: String = name.rsplit(['/', '\\']).next().unwrap_or_default().chars().map(plain).collect();
    let (stem, end) = last.rsplit_once('.').unwrap_or((&last, "txt"));
    let folder = folder_of_texts(tracefile);
    let file = folder.join(format!("{stem:.64}-{hash:016x}.{end:.16}"));
    if !file.is_file() {
        fs::create_dir_all(&folder)?;
        quadrille_jit::reserve::write_file(&file, text)?;
    }
    Ok(file.display().to_string())
}

/// Returns coverage that only names readable files: texts that come from no file are written beside the tracefile
/// ([`file_of_text`]), and entries with neither file nor text are removed.
///
/// # Errors
/// Errors of files.
pub fn with_files(tracefile: &Path, coverage: Coverage) -> io::Result<Coverage> {
    let mut out = Coverage::default();
    for (name, file) in coverage.files {
        let name = match &file.text {
            _ if Path::new(&name).is_file() => name,
            Some(text) => file_of_text(tracefile, &name, text)?,
            None => continue,
        };
        out.add(&Coverage { files: [(name, file)].into() });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shaders without a file of their name, and without a text.
    #[test]
    fn files_that_are_named_are_there() {
        let folder = std::env::temp_dir().join(format!("quadrille-lcov-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (tracefile, there) = (folder.join("all.lcov"), folder.join("there.comp"));
        fs::write(&there, "there").unwrap();
        let there = there.display().to_string();
        let mut all = Coverage::default();
        for (name, text) in
            [(&*there, None), ("a/b.comp", Some("text")), ("/no/c.comp", None), ("main", Some(""))]
        {
            let file = all.file(name);
            file.lines.insert(1, 5);
            file.text = text.map(str::to_owned);
        }
        let named = with_files(&tracefile, all).unwrap();
        let names: Vec<&str> = named.files.keys().map(String::as_str).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert!(names.contains(&&*there) && names.iter().all(|name| Path::new(name).is_file()), "{names:?}");
        let place = Path::new("all.lcov.sources").join("b-").display().to_string();
        let b = names.iter().find(|name| name.contains(&place) && name.ends_with(".comp"));
        assert_eq!(fs::read_to_string(b.unwrap()).unwrap(), "text");
        // Another text with the same name becomes another file.
        let other = file_of_text(&tracefile, "a/b.comp", "other").unwrap();
        assert!(!names.contains(&&*other));
        fs::remove_dir_all(folder).unwrap();
    }

    /// Overloads of a function have counts of their own.
    #[test]
    fn overloads_keep_their_counts() {
        let mut all = Coverage::default();
        let counts = [((2, "f".to_owned()), 8), ((5, "f".to_owned()), 3), ((9, "g".to_owned()), 1)];
        all.file("a.comp").functions.extend(counts.clone());
        all.file("b.comp").functions.extend(counts.clone());
        let again = read(&write(&all)).unwrap();
        assert_eq!(again.files["a.comp"].functions, counts.clone().into());
        assert_eq!(again.files["b.comp"].functions, counts.into());
    }

    /// Names in a module have any characters.
    #[test]
    fn names_do_not_end_records() {
        let mut all = Coverage::default();
        all.file("a\nb.comp").functions.insert((2, "f\r\ng".to_owned()), 8);
        let again = read(&write(&all)).unwrap();
        assert_eq!(again.files["a b.comp"].functions, [((2u32, "f  g".to_owned()), 8u64)].into());
    }

    /// Spec: geninfo(1) of LCOV 2, TRACEFILE FORMAT.
    #[test]
    fn records_of_version_2_are_read() {
        let text = "TN:\nSF:a.cpp\nVER:1\nFN:3,9,int f(int, int)\nFNDA:4,int f(int, int)\nFNL:0,12,20\nFNA:0,5,g\n\
            FNA:0,6,g<int>\nBRDA:4,e0,0,2\nBRDA:4,e0,1,-\nBRDA:5,1,a < b, c,7\nBRDA:5,1,else,8\nMCDC:5,1,t,0,0,x\n\
            DA:3,4,abcdef\nend_of_record\n";
        let all = read(text).unwrap();
        let file = &all.files["a.cpp"];
        let of = |line: u32, name: &str, n: u64| ((line, name.to_owned()), n);
        let functions = [of(3, "int f(int, int)", 4), of(12, "g", 5), of(12, "g<int>", 6)];
        assert_eq!(file.functions, functions.into());
        let of = |line, block, branch, n: u64| (Branch { line, block, branch }, n);
        let branches = [of(4, 0, 0, 2), of(4, 0, 1, 0), of(5, 1, 0, 7), of(5, 1, 1, 8)];
        assert_eq!(file.branches, branches.into());
        assert_eq!(file.lines, [(3, 4)].into());
        for wrong in ["BRDA:4,x0,0,2", "BRDA:4,0,1", "FNA:0,x,g", "FNL:0,x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    /// Counts of a tracefile are added like those of a run: up to the largest number.
    #[test]
    fn counts_do_not_overflow() {
        let record = format!("SF:a\nFN:1,f\nFNDA:{0},f\nBRDA:1,0,0,{0}\nDA:1,{0}\n", u64::MAX - 1);
        let all = read(&record.repeat(2)).unwrap();
        let file = &all.files["a"];
        assert_eq!(file.lines[&1], u64::MAX);
        assert_eq!(file.functions[&(1, "f".to_owned())], u64::MAX);
        assert_eq!(file.branches[&Branch { line: 1, block: 0, branch: 0 }], u64::MAX);
    }

    fn coverage() -> Coverage {
        let mut coverage = Coverage::default();
        let file = coverage.file("a.comp");
        file.lines.extend([(3, 8), (5, 0)]);
        file.functions.extend([((2, "main".to_owned()), 8), ((9, "f".to_owned()), 0)]);
        let at = |line, branch| Branch { line, block: 0, branch };
        file.branches.extend([(at(3, 0), 8), (at(3, 1), 0), (at(5, 0), 0), (at(5, 1), 0)]);
        coverage
    }

    #[test]
    fn tracefiles_go_out_and_in() {
        let text = write(&coverage());
        let expected = "TN:\nSF:a.comp\nFN:2,main\nFN:9,f\nFNDA:8,main\nFNDA:0,f\nFNF:2\nFNH:1\n\
            BRDA:3,0,0,8\nBRDA:3,0,1,0\nBRDA:5,0,0,-\nBRDA:5,0,1,-\nBRF:4\nBRH:1\n\
            DA:3,8\nDA:5,0\nLF:2\nLH:1\nend_of_record\n";
        assert_eq!(text, expected);
        assert_eq!(read(&text).unwrap(), coverage());
        assert!(read("SF:a\nDA:x,1\n").unwrap_err().contains("line 2"));
        assert!(read("DA:1\n").is_err() && read("nothing\n").is_err() && read("Notes: none\n").is_err());
        assert!(read("# text\nVER:1\n\nend_of_record\n").is_ok());
    }

    /// Threads stand in for processes here: each opens the files separately.
    #[test]
    fn shards_add_up() {
        let path = std::env::temp_dir().join(format!("quadrille-lcov-{}.lcov", std::process::id()));
        let _ = fs::remove_file(&path);
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| (0..10).for_each(|_| drop(add_to(&path, &coverage()).unwrap())));
            }
        });
        let all = read(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(all.files["a.comp"].lines[&3], 8 * 40);
        fs::write(&path, "SF:a\nDA:what\n").unwrap();
        assert_eq!(add_to(&path, &coverage()).unwrap_err().kind(), ErrorKind::InvalidData);
        fs::remove_file(&path).unwrap();
    }
}
