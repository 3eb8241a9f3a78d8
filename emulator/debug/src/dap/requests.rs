//! Requests of the protocol.

use std::io;

use quadrille_jit::ir::debug::Class;
use quadrille_jit::spirv::listing;
use serde_json::{Value, json};

use super::{Adapter, Launched, Reference, State};
use crate::expression::Answer;
use crate::lines::Stride;
use crate::session::{Session, Stop, Way};
use crate::value::Part;

/// Maximum number of children of a variable that are sent by default.
const MAX_CHILDREN: usize = 1000;
/// Frame ids combine lane and depth; this is the maximum number of frames per lane.
const FRAMES: usize = 1000;

impl Adapter<'_> {
    /// Answers a request; returns false if the editor disconnects.
    pub(super) fn request(&mut self, request: &Value) -> io::Result<bool> {
        let arguments = &request["arguments"];
        let command = request["command"].as_str().unwrap_or_default();
        match command {
            "initialize" => {
                self.lines_from_1 = arguments["linesStartAt1"].as_bool().unwrap_or(true);
                self.respond(request, Ok(capabilities()))?;
            }
            "launch" | "attach" => self.launch_request(request)?,
            "disconnect" | "terminate" => {
                self.respond(request, Ok(json!({})))?;
                if command == "terminate" {
                    self.event("terminated", json!({}))?;
                    return Ok(true);
                }
                return Ok(false);
            }
            "setBreakpoints" if self.state.is_none() => {
                self.pending.push(arguments.clone());
                let n = arguments["breakpoints"].as_array().map_or(0, Vec::len);
                self.respond(request, Ok(json!({ "breakpoints": vec![json!({ "verified": false }); n] })))?;
            }
            "configurationDone" => {
                self.respond(request, Ok(json!({})))?;
                if self.state.is_some() {
                    self.begin()?;
                }
            }
            "setExceptionBreakpoints" => self.respond(request, Ok(json!({ "breakpoints": [] })))?,
            _ => self.request_of_session(request, command, arguments)?,
        }
        Ok(true)
    }

    fn launch_request(&mut self, request: &Value) -> io::Result<()> {
        let launched = match (self.launch)(&request["arguments"]) {
            Ok(launched) if launched.recordings.is_empty() => Err("the invocation did not run".to_owned()),
            other => other,
        };
        match launched {
            Err(e) => {
                self.respond(request, Err(e))?;
                self.event("terminated", json!({}))
            }
            Ok(launched) => {
                let ended = launched.ended.clone();
                self.state = Some(State::new(launched));
                self.respond(request, Ok(json!({})))?;
                if let Some(text) = ended {
                    self.event("output", json!({ "category": "important", "output": text + "\n" }))?;
                }
                self.event("initialized", json!({}))
            }
        }
    }

    /// Ends the configuration: sets the breakpoints from before the launch, and stops at the first line.
    fn begin(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if let Some(state) = &mut self.state {
            for arguments in &pending {
                state.set_breakpoints(arguments, self.lines_from_1);
            }
        }
        self.stopped(&Stop::Start)
    }

    /// Answers requests that need a session.
    fn request_of_session(&mut self, request: &Value, command: &str, arguments: &Value) -> io::Result<()> {
        let from_1 = self.lines_from_1;
        let Some(state) = &mut self.state else {
            return self.respond(request, Err(format!("`{command}` before `launch`")));
        };
        let motion = match command {
            "next" => Some((Some(Stride::Over), Way::Forward)),
            "stepIn" => Some((Some(Stride::Into), Way::Forward)),
            "stepOut" => Some((Some(Stride::Out), Way::Forward)),
            "stepBack" => Some((Some(Stride::Over), Way::Backward)),
            "continue" => Some((None, Way::Forward)),
            "reverseContinue" => Some((None, Way::Backward)),
            _ => None,
        };
        if let Some((stride, way)) = motion {
            let lane = match state.lane_of(arguments) {
                Ok(lane) => lane,
                Err(e) => return self.respond(request, Err(e)),
            };
            let stop = state.go(lane, stride, way, arguments["granularity"] == "instruction");
            let said = std::mem::take(&mut state.session().said);
            self.respond(request, Ok(json!({ "allThreadsContinued": true })))?;
            for text in said {
                self.event("output", json!({ "category": "console", "output": text + "\n" }))?;
            }
            return self.stopped(&stop);
        }
        let answer = match command {
            "threads" => Ok(state.threads()),
            "stackTrace" => state.stack_trace(arguments, from_1),
            "scopes" => state.scopes(arguments),
            "variables" => state.variables(arguments),
            "evaluate" => state.evaluate(arguments),
            "setBreakpoints" => Ok(state.set_breakpoints(arguments, from_1)),
            "setFunctionBreakpoints" => Ok(state.set_function_breakpoints(arguments, from_1)),
            "dataBreakpointInfo" => Ok(state.data_breakpoint_info(arguments)),
            "setDataBreakpoints" => Ok(state.set_data_breakpoints(arguments)),
            "breakpointLocations" => Ok(state.breakpoint_locations(arguments, from_1)),
            "source" => state.source(arguments),
            "loadedSources" => Ok(state.loaded_sources()),
            "disassemble" => state.disassemble(arguments),
            "exceptionInfo" | "pause" => Ok(json!({})),
            _ => Err(format!("`{command}` is not supported")),
        };
        self.respond(request, answer)
    }

    /// Reports a stop.
    fn stopped(&mut self, stop: &Stop) -> io::Result<()> {
        let Some(state) = &mut self.state else { return Ok(()) };
        let thread = state.session().lane() + 1;
        let end = state.session().end_text();
        let (reason, text, ids) = match stop {
            Stop::Step => ("step", None, vec![]),
            Stop::Start => ("entry", None, vec![]),
            Stop::Breakpoint(id) => ("breakpoint", None, vec![*id]),
            Stop::Changed(id, name, old, new) => {
                ("data breakpoint", Some(format!("{name}: {old} -> {new}")), vec![*id])
            }
            Stop::Condition(id, e) => ("breakpoint", Some(format!("the condition fails: {e}")), vec![*id]),
            Stop::End => ("step", Some(end), vec![]),
        };
        let mut body = json!({
            "reason": reason, "threadId": thread, "allThreadsStopped": true, "hitBreakpointIds": ids,
        });
        if let Some(text) = text {
            body["description"] = text.clone().into();
            body["text"] = text.into();
        }
        self.event("stopped", body)
    }
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": false,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsDisassembleRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": false,
    })
}

impl State {
    fn new(launched: Launched) -> State {
        let language = launched.language;
        let make = |r| {
            let mut session = Session::new(std::sync::Arc::new(r), language);
            session.give(launched.sources.clone());
            session
        };
        let sessions: Vec<Session> = launched.recordings.into_iter().map(make).collect();
        State {
            current: sessions.len().saturating_sub(1),
            sessions,
            sources: launched.sources,
            references: Vec::new(),
            breakpoints: Vec::new(),
            functions: Vec::new(),
            data: Vec::new(),
            data_ids: Vec::new(),
        }
    }

    /// Lane of the thread that a request names; without a name, the followed lane.
    fn lane_of(&mut self, arguments: &Value) -> Result<usize, String> {
        let session = self.session();
        let Some(thread) = arguments.get("threadId") else { return Ok(session.lane()) };
        let lane = thread.as_u64().and_then(|t| usize::try_from(t.checked_sub(1)?).ok());
        let there =
            |&lane: &usize| lane < session.recording().lanes && session.recording().full >> lane & 1 == 1;
        lane.filter(there).ok_or_else(|| format!("there is no thread {thread}"))
    }

    fn session(&mut self) -> &mut Session {
        &mut self.sessions[self.current]
    }

    /// Moves a lane.
    fn go(&mut self, lane: usize, stride: Option<Stride>, way: Way, instruction: bool) -> Stop {
        self.references.clear();
        let session = self.session();
        session.follow(lane);
        match stride {
            None => session.go(way),
            Some(Stride::Over | Stride::Into) if instruction => session.step_instruction(way),
            Some(stride) => session.step(stride, way),
        }
    }

    /// Lists the invocations of the subgroup, with the followed one first.
    fn threads(&mut self) -> Value {
        let session = self.session();
        let r = session.recording();
        let mut list: Vec<usize> = (0..r.lanes).filter(|l| r.full >> l & 1 == 1).collect();
        list.sort_by_key(|&l| l != r.focus);
        let name = |l: usize| {
            let inactive = if session.active() >> l & 1 == 1 { "" } else { " (not active)" };
            format!("lane {l}: {}{inactive}", r.name(l))
        };
        json!({ "threads": list.iter().map(|&l| json!({ "id": l + 1, "name": name(l) })).collect::<Vec<_>>() })
    }

    fn stack_trace(&mut self, arguments: &Value, from_1: bool) -> Result<Value, String> {
        let lane = self.lane_of(arguments)?;
        let session = self.session();
        let r = session.recording().clone();
        let followed = session.lane();
        // For an inactive lane, these are its last frames.
        session.follow(lane);
        let stack = session.stack();
        session.follow(followed);
        let frames: Vec<Value> = stack
            .iter()
            .enumerate()
            .map(|(i, f)| {
                let word = r.debug.places.get(f.place as usize).map_or(0, |p| p.word);
                json!({
                    "id": lane * FRAMES + i + 1,
                    "name": f.function,
                    "source": self.source_of(&f.file),
                    "line": if from_1 { f.line } else { f.line.saturating_sub(1) },
                    "column": if f.column == 0 { u32::from(from_1) } else { f.column - u32::from(!from_1) },
                    "instructionPointerReference": format!("0x{word:x}"),
                })
            })
            .collect();
        Ok(json!({ "totalFrames": frames.len(), "stackFrames": frames }))
    }

    /// A source as the editor identifies it: a file by its path, another text by a reference number with which the
    /// editor can request it.
    fn source_of(&self, name: &str) -> Value {
        let short = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if let Ok(path) = std::fs::canonicalize(name) {
            return json!({ "name": short, "path": path });
        }
        let files = &self.sessions[self.current].recording().debug.files;
        let number = files.iter().position(|f| f.name == name).map_or(0, |i| i + 1);
        json!({ "name": short, "sourceReference": number })
    }

    fn scopes(&mut self, arguments: &Value) -> Result<Value, String> {
        let (lane, frame) = self.frame_of(&arguments["frameId"])?;
        let mut scope = |name: &str, hint: &str, reference: Reference, expensive: bool| {
            json!({
                "name": name, "presentationHint": hint,
                "variablesReference": self.refer(reference), "expensive": expensive,
            })
        };
        let list = [
            scope("Locals", "locals", Reference::Locals { lane, frame }, false),
            scope("Inputs", "arguments", Reference::Inputs(lane), false),
            scope("Outputs and private variables", "globals", Reference::Module(lane), false),
            scope("Memory", "globals", Reference::Memory(lane), true),
        ];
        Ok(json!({ "scopes": list }))
    }

    /// Lane and depth of the frame that a request names.
    fn frame_of(&mut self, id: &Value) -> Result<(usize, usize), String> {
        let number = id.as_u64().and_then(|id| usize::try_from(id.checked_sub(1)?).ok());
        let place = number.map(|n| (n / FRAMES, n % FRAMES));
        let session = self.session();
        let there = |&(lane, frame): &(usize, usize)| {
            lane < session.recording().lanes && frame < session.at(lane).stack().len().max(1)
        };
        place.filter(there).ok_or_else(|| format!("there is no frame {id}"))
    }

    fn refer(&mut self, reference: Reference) -> usize {
        self.references.push(reference);
        self.references.len()
    }

    /// Lane and some parts, as for [`At::some_parts`](crate::value::At::some_parts), of the container that a request names.
    fn contained(&mut self, arguments: &Value, some: [usize; 2]) -> Result<(usize, Vec<Part>), String> {
        let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
        let reference = self.references.get(number.wrapping_sub(1)).cloned();
        let session = &mut self.sessions[self.current];
        let (lane, parts) = match reference.ok_or("the reference belongs to an earlier stop")? {
            Reference::Locals { lane, frame } => {
                let followed = session.lane();
                session.follow(lane);
                let parts = session.locals(frame);
                session.follow(followed);
                (lane, parts)
            }
            Reference::Inputs(lane) => (lane, session.globals(&[Class::Input])),
            Reference::Module(lane) => (lane, session.globals(&[Class::Output, Class::Private])),
            Reference::Memory(lane) => {
                (lane, session.globals(&[Class::Resource, Class::PushConstant, Class::Workgroup]))
            }
            Reference::Part { lane, part } => return Ok((lane, session.at(lane).some_parts(&part, some))),
        };
        Ok((lane, parts.into_iter().skip(some[0]).take(some[1]).collect()))
    }

    fn variables(&mut self, arguments: &Value) -> Result<Value, String> {
        let start = arguments["start"].as_u64().unwrap_or(0) as usize;
        let count = arguments["count"].as_u64().filter(|&n| n > 0).map_or(MAX_CHILDREN, |n| n as usize);
        let (lane, parts) = self.contained(arguments, [start, count])?;
        let list: Vec<Value> = parts.into_iter().map(|part| self.variable(lane, part)).collect();
        Ok(json!({ "variables": list }))
    }

    /// A part as a variable of the protocol.
    fn variable(&mut self, lane: usize, part: Part) -> Value {
        let session = &self.sessions[self.current];
        let at = session.at(lane);
        let debug = &session.recording().debug;
        let (value, ty) = (at.show(&part), debug.type_name(part.ty));
        let children = at.some_parts(&part, [0, 1]).len();
        let evaluate = part.path.clone();
        let name = if evaluate.is_empty() { format!("({ty})") } else { part.last_name().to_owned() };
        let reference = if children > 0 { self.refer(Reference::Part { lane, part }) } else { 0 };
        json!({
            "name": name, "value": value, "type": ty, "variablesReference": reference,
            "evaluateName": evaluate, "namedVariables": 0, "indexedVariables": 0,
        })
    }

    fn evaluate(&mut self, arguments: &Value) -> Result<Value, String> {
        let (lane, answer) = self.answer(arguments, arguments["expression"].as_str().unwrap_or_default())?;
        let at = self.sessions[self.current].at(lane);
        let children = answer.part.filter(|p| !at.some_parts(p, [0, 1]).is_empty());
        let reference = children.map_or(0, |part| self.refer(Reference::Part { lane, part }));
        Ok(json!({ "result": answer.text, "type": answer.ty, "variablesReference": reference }))
    }

    /// Evaluates an expression in the frame that a request names, if it does; returns also the lane.
    fn answer(&mut self, arguments: &Value, text: &str) -> Result<(usize, Answer), String> {
        let named = arguments.get("frameId").map(|id| self.frame_of(id)).transpose()?;
        let session = self.session();
        let (lane, frame) = named.unwrap_or((session.lane(), 0));
        let (followed, before) = (session.lane(), session.frame);
        session.follow(lane);
        session.frame = frame;
        let answer = session.evaluate(lane, text);
        session.follow(followed);
        session.frame = before;
        Ok((lane, answer?))
    }

    /// Index of the file of a source that the editor names.
    fn file_of(&mut self, source: &Value) -> Option<u32> {
        if let Some(number) = source["sourceReference"].as_u64().filter(|&n| n > 0) {
            return Some(number as u32 - 1);
        }
        let path = source["path"].as_str().or(source["name"].as_str())?;
        let files = &self.session().recording().debug.files;
        let same = |name: &str| {
            std::fs::canonicalize(name).is_ok_and(|p| std::fs::canonicalize(path).is_ok_and(|q| p == q))
        };
        let found = files.iter().position(|f| same(&f.name)).map(|i| i as u32);
        found.or_else(|| self.session().file(Some(path)))
    }

    fn set_breakpoints(&mut self, arguments: &Value, from_1: bool) -> Value {
        let source = &arguments["source"];
        let file = self.file_of(source);
        let key = file.map_or_else(|| source.to_string(), |file| file.to_string());
        let old = self.breakpoints.iter().position(|b| b.0 == key);
        let old = old.map(|i| self.breakpoints.swap_remove(i).1).unwrap_or_default();
        for id in old {
            self.session().remove(id);
        }
        let (mut ids, mut out) = (Vec::new(), Vec::new());
        for wanted in arguments["breakpoints"].as_array().into_iter().flatten() {
            let line = line_of(wanted, "line", from_1).unwrap_or(0);
            let nothing = file.map_or("no such file", |_| "there is no code on this line or after it");
            let added = Wish::parse(wanted).and_then(|wish| {
                let session = self.session();
                let added = file.and_then(|file| session.add_breakpoint(file, line)).map(|b| (b.id, b.line));
                wish.give(session, added.ok_or(nothing)?)
            });
            match added {
                Ok((id, line)) => {
                    ids.push(id);
                    let line = line - u32::from(!from_1);
                    out.push(json!({ "id": id, "verified": true, "line": line, "source": source }));
                }
                Err(e) => out.push(json!({ "verified": false, "message": e })),
            }
        }
        self.breakpoints.push((key, ids));
        json!({ "breakpoints": out })
    }

    fn set_function_breakpoints(&mut self, arguments: &Value, from_1: bool) -> Value {
        for id in std::mem::take(&mut self.functions) {
            self.session().remove(id);
        }
        let mut out = Vec::new();
        for wanted in arguments["breakpoints"].as_array().into_iter().flatten() {
            let name = wanted["name"].as_str().unwrap_or_default();
            let added = Wish::parse(wanted).and_then(|wish| {
                let session = self.session();
                let added = session.break_in_function(name).map(|b| (b.id, b.line));
                wish.give(session, added.ok_or("the shader calls no such function")?)
            });
            match added {
                Ok((id, line)) => {
                    let line = line - u32::from(!from_1);
                    self.functions.push(id);
                    out.push(json!({ "id": id, "verified": true, "line": line }));
                }
                Err(e) => out.push(json!({ "verified": false, "message": e })),
            }
        }
        json!({ "breakpoints": out })
    }

    fn breakpoint_locations(&mut self, arguments: &Value, from_1: bool) -> Value {
        let first = line_of(arguments, "line", from_1).unwrap_or(1);
        let last = line_of(arguments, "endLine", from_1).unwrap_or(first);
        let file = self.file_of(&arguments["source"]);
        let session = self.session();
        let lines = file.into_iter().flat_map(|file| session.lines_with_code(file));
        let inside = lines.filter(|l| (first..=last).contains(l));
        let shown = inside.map(|l| json!({ "line": l - u32::from(!from_1) }));
        json!({ "breakpoints": shown.collect::<Vec<_>>() })
    }

    fn data_breakpoint_info(&mut self, arguments: &Value) -> Value {
        match self.named_part(arguments) {
            Ok(part) => json!({
                "description": format!("{} changes", part.1.path), "dataId": self.data_id(part),
                "accessTypes": ["write"], "canPersist": false,
            }),
            Err(e) => json!({ "dataId": null, "description": e }),
        }
    }

    /// The lane and the part that a request names: of a container, or by an expression in a frame.
    fn named_part(&mut self, arguments: &Value) -> Result<(usize, Part), String> {
        let name = arguments["name"].as_str().unwrap_or_default();
        let container = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
        // An element is found without a list of the others.
        if let Some(Reference::Part { lane, part }) = self.references.get(container.wrapping_sub(1))
            && name.starts_with('[')
            && let Some(found) = self.sessions[self.current].at(*lane).part(part, name)
        {
            return Ok((*lane, found));
        }
        let (lane, part) = match container {
            0 => self.answer(arguments, name).map(|(lane, answer)| (lane, answer.part))?,
            _ => {
                // Elements of an array were looked up above, and structures have fewer members.
                let (lane, parts) = self.contained(arguments, [0, 1 << 16])?;
                (lane, parts.into_iter().find(|p| p.last_name() == name))
            }
        };
        Ok((lane, part.ok_or_else(|| format!("{name} is not a variable"))?))
    }

    /// Identifies a part wherever the program is when the editor sends all its data breakpoints again.
    fn data_id(&mut self, part: (usize, Part)) -> String {
        if let Some((id, _)) = self.data_ids.iter().find(|(_, known)| *known == part) {
            return id.clone();
        }
        let path = &part.1.path;
        let same = self.data_ids.iter().filter(|(_, known)| known.1.path == *path).count();
        let id = if same == 0 { path.clone() } else { format!("{path} #{}", same + 1) };
        self.data_ids.push((id.clone(), part));
        id
    }

    fn set_data_breakpoints(&mut self, arguments: &Value) -> Value {
        let old = std::mem::take(&mut self.data);
        for id in old {
            self.session().remove(id);
        }
        let mut out = Vec::new();
        for wanted in arguments["breakpoints"].as_array().into_iter().flatten() {
            let id = wanted["dataId"].as_str().unwrap_or_default();
            let part = self.data_ids.iter().find(|(known, _)| known == id).map(|(_, part)| part.clone());
            let session = self.session();
            let added = super::hit_of(wanted).and_then(|hit| match hit {
                0 | 1 => part.ok_or_else(|| format!("`{id}` is not known")),
                _ => Err("a data breakpoint stops at all changes: it has no hit count".into()),
            });
            let added = added.and_then(|(lane, part)| session.watch(part, Some(lane)).map(|w| w.id));
            let added = added.and_then(|number| {
                let condition = wanted["condition"].as_str().filter(|text| !text.is_empty());
                condition.map_or(Ok(()), |text| session.set_condition(number, text)).map(|()| number)
            });
            match added {
                Ok(number) => {
                    self.data.push(number);
                    out.push(json!({ "id": number, "verified": true }));
                }
                Err(e) => out.push(json!({ "verified": false, "message": e })),
            }
        }
        json!({ "breakpoints": out })
    }

    fn source(&mut self, arguments: &Value) -> Result<Value, String> {
        let number =
            arguments["source"]["sourceReference"].as_u64().or(arguments["sourceReference"].as_u64());
        let files = &self.sessions[self.current].recording().debug.files;
        let file =
            number.and_then(|n| files.get((n as usize).wrapping_sub(1))).ok_or("there is no such source")?;
        Ok(json!({ "content": self.sources.text(file) }))
    }

    fn loaded_sources(&mut self) -> Value {
        let files = self.session().recording().debug.files.clone();
        let list: Vec<Value> =
            files.iter().filter(|f| !f.name.is_empty()).map(|f| self.source_of(&f.name)).collect();
        json!({ "sources": list })
    }

    /// Disassembles SPIR-V instructions around a word; instruction references are word offsets.
    fn disassemble(&mut self, arguments: &Value) -> Result<Value, String> {
        let reference = arguments["memoryReference"].as_str().unwrap_or_default();
        let word = u32::from_str_radix(reference.trim_start_matches("0x"), 16)
            .map_err(|_| format!("`{reference}` is not an instruction"))?;
        let all =
            listing::listing(&self.session().recording().debug.words).ok_or("the module has no text")?;
        let at = all.iter().position(|(w, _)| *w >= word).unwrap_or(0) as i64;
        let first = at.saturating_add(arguments["instructionOffset"].as_i64().unwrap_or(0));
        let count = arguments["instructionCount"].as_u64().unwrap_or(32).min(10_000) as i64;
        let one = |i: i64| match usize::try_from(i).ok().and_then(|i| all.get(i)) {
            Some((word, text)) => json!({ "address": format!("0x{word:x}"), "instruction": text }),
            None => json!({ "address": "0x0", "instruction": "", "presentationHint": "invalid" }),
        };
        Ok(json!({ "instructions": (first..first.saturating_add(count)).map(one).collect::<Vec<_>>() }))
    }
}

/// A line of a request, converted to count from 1.
fn line_of(arguments: &Value, name: &str, from_1: bool) -> Option<u32> {
    let line = u32::try_from(arguments[name].as_u64()?).unwrap_or(u32::MAX);
    Some(line.saturating_add(u32::from(!from_1)))
}

/// Optional properties of a breakpoint request.
struct Wish {
    condition: Option<String>,
    message: Option<String>,
    from_hit: u32,
}

impl Wish {
    fn parse(wanted: &Value) -> Result<Wish, String> {
        let text = |name: &str| wanted[name].as_str().filter(|t| !t.is_empty()).map(str::to_owned);
        let from_hit = super::hit_of(wanted)?;
        Ok(Wish { condition: text("condition"), message: text("logMessage"), from_hit })
    }

    /// Applies the properties to the breakpoint with an id and a line, which are returned.
    fn give(self, session: &mut Session, (id, line): (u32, u32)) -> Result<(u32, u32), String> {
        if let Some(to) = session.breakpoints.iter_mut().find(|b| b.id == id) {
            (to.message, to.from_hit) = (self.message, self.from_hit);
        }
        let done = self.condition.map_or(Ok(()), |condition| session.set_condition(id, &condition));
        done.map(|()| (id, line))
    }
}
