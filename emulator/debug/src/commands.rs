//! The text interface: commands in the style of gdb, one per line, from a terminal or from a script.

use std::io::{self, BufRead, Write};

use quadrille::terminal::plain;
use quadrille_jit::ir::debug::Class;

use crate::lines::Stride;
use crate::session::{Frame, Session, Stop, Way};
use crate::source::Sources;
use crate::value::Part;

/// Text of `help`.
pub const HELP: &str =
    "  step [N], s          to the next line, into calls            rstep, rs      backwards
  next [N], n          to the next line, over calls            rnext, rn      backwards
  finish, up-call      to the caller                           rfinish        back to the call
  stepi [N], si        to the next SPIR-V instruction          rstepi, rsi    backwards
  continue, c          to the next stop                        reverse-continue, rc   backwards
  start, end           to the first line; to the end           goto STEP
  back [N]             like rnext
  break [FILE:]LINE|FUNCTION [if EXPRESSION] [hit N] [say TEXT]   TEXT may contain {EXPRESSION}s
  watch NAME [if EXPRESSION]                                   stops where NAME changes, in both directions
  delete [NUMBER]      remove this stop, or all stops          info           stops, and the recording
  print EXPRESSION, p  in the shader's language                print @lanes EXPRESSION: in all lanes
  locals, globals      variables of this call; of the module   history NAME: its changes
  display EXPRESSION   print at every stop                     undisplay [NUMBER]
  where, bt            the stack                               frame N, up, down: select a call for names
  lanes                invocations of the subgroup, with the active ones marked
  lane N               follow another invocation
  list [LINE], l       the source                              disassemble: the instruction
  record N             the N-th run of the invocation          quit, q
An empty line repeats the last motion.";

/// A session at a prompt.
pub struct Commands<'a> {
    /// One session for each time that the invocation ran.
    sessions: Vec<Session>,
    current: usize,
    sources: &'a Sources,
    displays: Vec<String>,
    last: String,
}

impl<'a> Commands<'a> {
    /// Starts with sessions in the order of execution, of which there is at least one; the last is the current one.
    pub fn new(mut sessions: Vec<Session>, sources: &'a Sources) -> Commands<'a> {
        sessions.iter_mut().for_each(|session| session.give(sources.clone()));
        let current = sessions.len().saturating_sub(1);
        Commands { sessions, current, sources, displays: Vec::new(), last: String::new() }
    }

    fn session(&mut self) -> &mut Session {
        &mut self.sessions[self.current]
    }

    /// Reads commands until `quit` or the end of the input. With `echo`, for input that is not a terminal, the output
    /// repeats the commands and reads like a session at a terminal.
    ///
    /// # Errors
    /// Errors of reading and writing.
    pub fn run(&mut self, input: &mut dyn BufRead, out: &mut dyn Write, echo: bool) -> io::Result<()> {
        if self.sessions.is_empty() {
            return writeln!(out, "nothing was recorded");
        }
        let text = self.info_of_recording() + &self.place();
        write!(out, "{}", plain(&text))?;
        let mut line = String::new();
        loop {
            write!(out, "(quadrille) ")?;
            out.flush()?;
            line.clear();
            if input.read_line(&mut line)? == 0 {
                return writeln!(out);
            }
            if echo {
                writeln!(out, "{}", plain(line.trim_end()))?;
            }
            match self.command(line.trim()) {
                Some(text) => write!(out, "{}", plain(&text))?,
                None => return Ok(()),
            }
        }
    }

    /// Executes a command and returns its output, or `None` to quit.
    pub fn command(&mut self, line: &str) -> Option<String> {
        let line = if line.is_empty() { self.last.clone() } else { line.to_owned() };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let rest = rest.trim();
        let count = if rest.is_empty() { Some(1) } else { rest.parse::<usize>().ok().filter(|n| *n > 0) };
        let motion = match word {
            "step" | "s" => self.steps(count, |s| s.step(Stride::Into, Way::Forward)),
            "next" | "n" => self.steps(count, |s| s.step(Stride::Over, Way::Forward)),
            "finish" | "up-call" => self.steps(Some(1), |s| s.step(Stride::Out, Way::Forward)),
            "stepi" | "si" => self.steps(count, |s| s.step_instruction(Way::Forward)),
            "rstep" | "rs" | "reverse-step" => self.steps(count, |s| s.step(Stride::Into, Way::Backward)),
            "rnext" | "rn" | "back" | "reverse-next" => {
                self.steps(count, |s| s.step(Stride::Over, Way::Backward))
            }
            "rfinish" | "reverse-finish" => self.steps(Some(1), |s| s.step(Stride::Out, Way::Backward)),
            "rstepi" | "rsi" => self.steps(count, |s| s.step_instruction(Way::Backward)),
            "continue" | "c" => self.repeat(count, is_inside, |s| s.go(Way::Forward)),
            "reverse-continue" | "rc" => self.repeat(count, is_inside, |s| s.go(Way::Backward)),
            "start" => self.repeat(Some(1), is_inside, Session::start),
            _ => None,
        };
        if let Some(text) = motion {
            self.last = if count.is_some() { line } else { String::new() };
            return Some(text);
        }
        self.last.clear();
        Some(match word {
            "" => String::new(),
            "quit" | "q" | "exit" => return None,
            "help" | "h" | "?" => format!("{HELP}\n"),
            "end" => {
                let end = self.session().recording().len();
                self.session().seek(end);
                self.place()
            }
            "goto" => match rest.parse() {
                Ok(step) => {
                    self.session().seek(step);
                    self.place()
                }
                Err(_) => "goto STEP: give a step number; `info` shows it\n".into(),
            },
            "break" | "b" => self.add_breakpoint(rest),
            "watch" => self.add_watchpoint(rest),
            "delete" | "d" => self.delete(rest),
            "info" | "i" => self.info(),
            "print" | "p" => self.print(rest),
            "display" => {
                self.displays.extend((!rest.is_empty()).then(|| rest.to_owned()));
                self.display()
            }
            "undisplay" => self.undisplay(rest),
            "locals" => {
                let session = self.session();
                let parts = session.locals(session.frame);
                self.show(&parts)
            }
            "globals" => {
                use Class::*;
                let parts =
                    self.session().globals(&[Input, Output, Private, Workgroup, PushConstant, Resource]);
                self.show(&parts)
            }
            "history" => self.history(rest),
            "where" | "bt" | "backtrace" => self.stack(),
            "frame" | "f" => self.frame(rest.parse().ok()),
            "up" => self.frame(count.and_then(|n| self.sessions[self.current].frame.checked_add(n))),
            "down" => self.frame(count.and_then(|n| self.sessions[self.current].frame.checked_sub(n))),
            "lanes" => self.lanes(),
            "lane" => self.lane(rest),
            "list" | "l" => self.list(rest),
            "disassemble" | "disas" => self.disassemble(),
            "record" => self.record(rest),
            _ => format!("`{word}` is not a command; `help` lists all commands\n"),
        })
    }

    /// Steps a number of times, to the first stop.
    fn steps(&mut self, count: Option<usize>, motion: impl FnMut(&mut Session) -> Stop) -> Option<String> {
        self.repeat(count, |stop| *stop == Stop::Step, motion)
    }

    /// Moves a number of times, while `goes_on` holds for the stop.
    fn repeat(
        &mut self,
        count: Option<usize>,
        goes_on: fn(&Stop) -> bool,
        mut motion: impl FnMut(&mut Session) -> Stop,
    ) -> Option<String> {
        let Some(count) = count else { return Some("N: give a number from 1 on\n".into()) };
        let mut stop = Stop::Step;
        for _ in 0..count.min(1 << 20) {
            stop = motion(self.session());
            if !goes_on(&stop) {
                break;
            }
        }
        let said: String = self.session().said.drain(..).map(|s| s + "\n").collect();
        let why = match stop {
            Stop::Step | Stop::Start if !self.session().is_at_end() => String::new(),
            Stop::Breakpoint(id) => format!("breakpoint {id}\n"),
            Stop::Changed(id, name, old, new) => format!("watch {id}: {name}: {old} -> {new}\n"),
            Stop::Condition(id, e) => format!("breakpoint {id}: its condition fails: {e}\n"),
            _ => String::new(),
        };
        Some(said + &why + &self.place())
    }

    /// Current function and line.
    fn place(&mut self) -> String {
        let session = self.session();
        let stack = session.stack();
        if session.is_at_end() {
            let end = session.end_text();
            // The stack at the cut of a recording is in the middle of the shader.
            let cut = stack.first().filter(|_| session.recording().cut.is_some());
            let at = cut.map_or_else(String::new, |frame| self.line_of(frame, ""));
            let session = self.session();
            let outputs = session.globals(&[Class::Output]);
            return format!("{end}\n{at}") + &self.show(&outputs) + &self.display();
        }
        let Some(frame) = stack.first() else { return "no line of the source was executed\n".into() };
        let inactive =
            if session.active() >> session.lane() & 1 == 0 { " (this lane is not active)" } else { "" };
        self.line_of(frame, inactive) + &self.display()
    }

    /// Function, line and line text of a frame.
    fn line_of(&self, frame: &Frame, inactive: &str) -> String {
        let text = self.line_text(&frame.file, frame.line);
        let head = format!("{} {}:{}{inactive}\n", frame.function, frame.file, frame.line);
        head + &format!("{:5}  {text}\n", frame.line)
    }

    fn line_text(&self, file: &str, line: u32) -> String {
        let files = &self.sessions[self.current].recording().debug.files;
        let text = files.iter().find(|f| f.name == file).map(|f| self.sources.text(f)).unwrap_or_default();
        text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or_default().to_owned()
    }

    fn display(&mut self) -> String {
        let displays = self.displays.clone();
        let each = |(i, text): (usize, &String)| format!("{}: {}", i + 1, self.print(text));
        displays.iter().enumerate().map(each).collect()
    }

    /// Lists parts with their values, one per line.
    fn show(&mut self, parts: &[Part]) -> String {
        let session = self.session();
        let at = session.at(session.lane());
        let one = |p: &Part| match p.path.is_empty() {
            // Lists the members of a block without a name.
            true => at.parts(p).iter().map(|m| format!("{} = {}\n", m.path, at.show(m))).collect(),
            false => format!("{} = {}\n", p.path, at.show(p)),
        };
        parts.iter().map(one).collect()
    }

    fn print(&mut self, text: &str) -> String {
        let (text, all) = match text.strip_prefix("@lanes") {
            Some(rest) => (rest.trim(), true),
            None => (text, false),
        };
        let session = self.session();
        let lane = session.lane();
        if !all {
            return match session.evaluate(lane, text) {
                Ok(answer) => format!("{text} = {}\n", answer.text),
                Err(e) => format!("{text}: {e}\n"),
            };
        }
        let mut out = format!("{text}\n");
        for lane in 0..session.recording().lanes {
            if session.recording().full >> lane & 1 == 0 {
                continue;
            }
            let value = session.evaluate(lane, text).map_or_else(|e| e, |a| a.text);
            out += &format!("{} {lane:2}  {value}\n", mark(session, lane));
        }
        out
    }

    fn lanes(&mut self) -> String {
        let session = self.session();
        let mut out = String::new();
        for lane in 0..session.recording().lanes {
            if session.recording().full >> lane & 1 == 1 {
                out += &format!("{} {lane:2}  {}\n", mark(session, lane), session.recording().name(lane));
            }
        }
        out + "> followed lane, * executes the next step\n"
    }

    fn lane(&mut self, text: &str) -> String {
        let followed = text.parse().is_ok_and(|lane| self.session().follow(lane));
        if followed { self.place() } else { "lane N: give a lane number; `lanes` lists them\n".into() }
    }

    fn record(&mut self, text: &str) -> String {
        match text.parse::<usize>() {
            Ok(n) if (1..=self.sessions.len()).contains(&n) => {
                self.current = n - 1;
                self.info_of_recording() + &self.place()
            }
            _ => format!("record N: 1 to {}\n", self.sessions.len()),
        }
    }

    fn info_of_recording(&mut self) -> String {
        let (n, of) = (self.current + 1, self.sessions.len());
        let session = self.session();
        let r = session.recording();
        let times = if of > 1 { format!(" ({n} of {of} times)") } else { String::new() };
        let cut = r.cut.as_ref().map_or_else(String::new, |why| format!("{why}\n"));
        format!("{}{times}: lane {} of {}, {} steps\n{cut}", r.name(r.focus), r.focus, r.lanes, r.len())
    }

    fn info(&mut self) -> String {
        let mut out = self.info_of_recording();
        let session = self.session();
        out += &format!("step {}\n", session.step_number());
        for b in &session.breakpoints {
            let file = session.recording().debug.files.get(b.file as usize).map_or("", |f| &f.name);
            out += &format!("breakpoint {}: {file}:{}", b.id, b.line);
            out += &b.condition.as_ref().map_or_else(String::new, |c| format!(" if {c}"));
            out += &if b.from_hit > 0 { format!(" hit {}", b.from_hit) } else { String::new() };
            out += &b.message.as_ref().map_or_else(String::new, |m| format!(" say {m}"));
            out += "\n";
        }
        for w in &session.watchpoints {
            out += &format!("watch {}: {}", w.id, w.part.path);
            out += &w.condition.as_ref().map_or_else(String::new, |c| format!(" if {c}"));
            out += "\n";
        }
        out
    }

    /// Parses `[FILE:]LINE|FUNCTION [if EXPRESSION] [hit N] [say TEXT]`.
    fn add_breakpoint(&mut self, text: &str) -> String {
        let (text, message) = split(text, "say");
        let (text, hit) = split(text, "hit");
        let (place, condition) = split(text, "if");
        let (file, line) = match place.rsplit_once(':') {
            Some((file, line)) => (Some(file), line),
            None => (None, place),
        };
        let hit = match hit.map(str::parse::<u32>) {
            None => 0,
            Some(Ok(n)) if n > 0 => n,
            Some(Ok(_) | Err(_)) => return "hit N: give a number from 1 on\n".into(),
        };
        let session = self.session();
        let added = match (session.file(file), line.trim().parse::<u32>()) {
            (Some(number), Ok(line)) => session
                .add_breakpoint(number, line)
                .ok_or(format!("there is no code on line {line} or after it")),
            (None, Ok(_)) => Err(format!("there is no file {}", file.unwrap_or_default())),
            (_, Err(_)) if place.is_empty() => Err("break [FILE:]LINE, or break FUNCTION".into()),
            (_, Err(_)) => session
                .break_in_function(place)
                .ok_or(format!("`{place}` is neither a line nor a function that the shader calls")),
        };
        let set = added.map(|b| {
            b.from_hit = hit;
            b.message = message.map(str::to_owned);
            (b.id, b.line)
        });
        let set = set.and_then(|(id, line)| {
            let done = condition.map_or(Ok(()), |condition| session.set_condition(id, condition));
            done.map(|()| format!("breakpoint {id} at line {line}"))
        });
        set.unwrap_or_else(|e| e) + "\n"
    }

    fn add_watchpoint(&mut self, text: &str) -> String {
        let (name, condition) = split(text, "if");
        let session = self.session();
        let set = session.add_watchpoint(name).map(|w| (w.id, w.part.path.clone()));
        let set = set.and_then(|(id, path)| {
            let done = condition.map_or(Ok(()), |condition| session.set_condition(id, condition));
            done.map(|()| format!("watch {id}: {path}"))
        });
        set.unwrap_or_else(|e| e) + "\n"
    }

    fn delete(&mut self, text: &str) -> String {
        let session = self.session();
        if text.is_empty() {
            session.breakpoints.clear();
            session.watchpoints.clear();
            return String::new();
        }
        match text.parse().is_ok_and(|id| session.remove(id)) {
            true => String::new(),
            false => format!("there is no breakpoint or watchpoint {text}\n"),
        }
    }

    fn undisplay(&mut self, text: &str) -> String {
        if text.is_empty() {
            self.displays.clear();
            return String::new();
        }
        match text.parse::<usize>() {
            Ok(n) if (1..=self.displays.len()).contains(&n) => drop(self.displays.remove(n - 1)),
            _ => return format!("there is no display {text}\n"),
        }
        String::new()
    }

    fn history(&mut self, text: &str) -> String {
        const MOST: usize = 64;
        let session = self.session();
        let lane = session.lane();
        let part = match session.evaluate(lane, text) {
            Ok(answer) => answer.part,
            Err(e) => return format!("{e}\n"),
        };
        let Some(part) = part else { return format!("`{text}` is not a variable or part of one\n") };
        let list = session.history(&part, MOST);
        let more = if list.len() == MOST { "…\n" } else { "" };
        let each =
            |(step, line, value): &(usize, u32, String)| format!("step {step:6} line {line:4}  {value}\n");
        list.iter().map(each).collect::<String>() + more
    }

    fn stack(&mut self) -> String {
        let session = self.session();
        let frame = session.frame;
        let each = |(i, f): (usize, Frame)| {
            format!("{}#{i} {} {}:{}\n", if i == frame { ">" } else { " " }, f.function, f.file, f.line)
        };
        session.stack().into_iter().enumerate().map(each).collect()
    }

    fn frame(&mut self, number: Option<usize>) -> String {
        let n = self.session().stack().len();
        match number {
            Some(i) if i < n => {
                self.session().frame = i;
                self.stack()
            }
            _ => format!("there is no such frame: `where` lists {n}\n"),
        }
    }

    /// Lists the source around a line.
    fn list(&mut self, line: &str) -> String {
        let session = self.session();
        let stack = session.stack();
        let Some(frame) = stack.get(session.frame).or(stack.first()).cloned() else { return String::new() };
        let middle = match line.parse::<u32>() {
            Ok(number) => number,
            Err(_) if line.is_empty() => frame.line,
            Err(_) => return "list LINE: give a number\n".into(),
        };
        let of_file =
            session.breakpoints.iter().filter(|b| session.recording().is_named(b.file, &frame.file));
        let stops: Vec<u32> = of_file.map(|b| b.line).collect();
        let mut out = String::new();
        let files = &self.sessions[self.current].recording().debug.files;
        let text =
            files.iter().find(|f| f.name == frame.file).map(|f| self.sources.text(f)).unwrap_or_default();
        for (i, text) in text.lines().enumerate() {
            let number = i as u32 + 1;
            if number.abs_diff(middle) <= 5 {
                let at = if number == frame.line { ">" } else { " " };
                let stop = if stops.contains(&number) { "*" } else { " " };
                out += &format!("{at}{stop}{number:4}  {text}\n");
            }
        }
        out
    }

    fn disassemble(&mut self) -> String {
        let session = self.session();
        let step = session.step_number();
        let r = session.recording();
        let Some(step) = r.steps.get(step) else { return "the invocation has ended\n".into() };
        let word = r.debug.places.get(step.place as usize).map_or(0, |p| p.word);
        let op = r.insts.get(step.inst as usize).map_or_else(String::new, |i| format!("{:?}", i.op));
        let text = quadrille_jit::spirv::listing::instruction(&r.debug.words, word).unwrap_or_default();
        format!("word {word}: {text}\n  {op}, lanes {:#b}\n", step.active)
    }
}

/// True if a motion ended inside of the recording.
fn is_inside(stop: &Stop) -> bool {
    !matches!(stop, Stop::Start | Stop::End)
}

/// Mark of a lane in lists.
fn mark(session: &Session, lane: usize) -> String {
    let followed = if lane == session.lane() { ">" } else { " " };
    let active = if session.active() >> lane & 1 == 1 { "*" } else { " " };
    format!("{followed}{active}")
}

/// Splits a text at a word.
fn split<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    match text
        .split_once(&format!(" {word} "))
        .or_else(|| Some((text.strip_suffix(&format!(" {word}"))?, "")))
    {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text.trim(), None),
    }
}
