//! Output of a trace: lines, and a folder with a page, the events in JSON, and pictures.
//!
//! Everything is written immediately, so that a program that crashes still leaves its trace. The page embeds its
//! pictures and does not access the network.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quadrille_jit::{reserve, terminal};

use super::event::Event;
use super::page::{base64, escaped};
use super::{TraceFormat, TraceLines, TraceOptions, file_error};
use crate::error::Result;
use crate::files;

const HEAD: &str = include_str!("head.html");

/// Largest number of folders to try for a new trace.
const PLACES: u32 = 1000;

struct Folder {
    path: PathBuf,
    page: File,
    lines: File,
    /// Number of pictures written.
    pictures: u32,
}

/// Destination of lines.
enum Lines {
    StandardError,
    File(File),
    Nowhere,
}

pub(super) struct Output {
    format: TraceFormat,
    lines: Lines,
    folder: Option<Folder>,
    /// True if a write failed; the failure has been reported.
    failed: bool,
}

impl Output {
    pub fn open(options: &TraceOptions) -> Result<Output> {
        let lines = match &options.lines {
            TraceLines::StandardError => Lines::StandardError,
            TraceLines::File(path) => {
                if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    fs::create_dir_all(folder).map_err(|e| file_error("make", folder, &e))?;
                }
                Lines::File(File::create(path).map_err(|e| file_error("write", path, &e))?)
            }
            TraceLines::Nowhere => Lines::Nowhere,
        };
        Ok(Output {
            format: options.format,
            lines,
            folder: options.folder.as_deref().map(Folder::open).transpose()?,
            failed: false,
        })
    }

    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|f| f.path.clone())
    }

    /// Writes an event. Only the first failure is reported, and the program continues.
    pub fn write(&mut self, event: &Event) {
        if let Err(e) = self.try_write(event)
            && !self.failed
        {
            self.failed = true;
            terminal::to_stderr(format_args!(
                "quadrille: the trace cannot be written: {}",
                files::reason(&e)
            ));
        }
    }

    fn try_write(&mut self, event: &Event) -> io::Result<()> {
        let mut pictures = Vec::new();
        if let Some(folder) = &mut self.folder {
            folder.write(event, &mut pictures)?;
        }
        let text = match self.format {
            TraceFormat::Text => event.text(&pictures),
            TraceFormat::Json => event.json(&pictures),
        };
        match &mut self.lines {
            Lines::File(file) => file.write_all(text.as_bytes()),
            // A single write, so that output of other programs does not interleave.
            Lines::StandardError => io::stderr().write_all(terminal::plain(&text).as_bytes()),
            Lines::Nowhere => Ok(()),
        }
    }
}

impl Folder {
    /// Opens the folder, or a numbered subfolder if it already has a trace.
    fn open(path: &Path) -> Result<Folder> {
        let mut place = path.to_owned();
        for next in 2..PLACES {
            fs::create_dir_all(&place).map_err(|e| file_error("make", &place, &e))?;
            let name = place.join("index.html");
            match OpenOptions::new().write(true).create_new(true).open(&name) {
                Ok(mut page) => {
                    let lines = place.join("trace.jsonl");
                    let lines = File::create(&lines).map_err(|e| file_error("write", &lines, &e))?;
                    page.write_all(HEAD.as_bytes()).map_err(|e| file_error("write", &name, &e))?;
                    return Ok(Folder { path: place, page, lines, pictures: 0 });
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    place = path.join(next.to_string());
                }
                Err(e) => return Err(file_error("write", &name, &e)),
            }
        }
        let full = io::Error::from(io::ErrorKind::AlreadyExists);
        Err(file_error("find a free place in", path, &full))
    }

    /// Writes an event, and adds the names of its pictures to `names`.
    fn write(&mut self, event: &Event, names: &mut Vec<String>) -> io::Result<()> {
        let mut figures = String::new();
        for shot in &event.shots {
            self.pictures += 1;
            let name = format!("{:05}-{}-{}.png", self.pictures, event.target, shot.name);
            reserve::write_file(self.path.join(&name), &shot.png)?;
            let (data, alt) = (base64(&shot.png), escaped(&shot.name));
            figures += &format!(
                "<figure><img loading=\"lazy\" alt=\"{alt}\" src=\"data:image/png;base64,{data}\">\
                 <figcaption>{alt}: {} ({name})</figcaption></figure>",
                escaped(&shot.caption)
            );
            names.push(name);
        }
        let mut html = format!(
            "<section class=\"e {t} {l}\" data-t=\"{t}\" style=\"--d:{d}\"><div><time>{s:.6}</time>\
             <span class=\"t\">{t}</span><span class=\"m\">{m}</span>",
            t = event.target,
            l = event.level.name(),
            d = event.depth,
            s = event.seconds,
            m = escaped(&event.message),
        );
        if !event.details.is_empty() {
            html += "<details><summary>details</summary><pre>";
            for (heading, lines) in &event.details {
                lines.iter().for_each(|line| html += &escaped(&format!("{heading}: {line}\n")));
            }
            html += "</pre></details>";
        }
        if !figures.is_empty() {
            html += &format!("<div class=\"row\">{figures}</div>");
        }
        html += "</div></section>\n";
        self.page.write_all(html.as_bytes())?;
        self.lines.write_all(event.json(names).as_bytes())
    }
}
