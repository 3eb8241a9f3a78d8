//! Reads a Shadertoy from a folder with one file per pass and one file that describes the channels.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer};

use super::media;
use super::project::{Channel, ChannelFilter, ChannelInput, ChannelWrap, Pass, PassId, ShadertoyProject};
use crate::error::{Error, Result};
use crate::files::Folders;
use crate::frontend::SourceText;

/// Name of the file that describes the channels.
pub(super) const CHANNELS: &str = "shadertoy.toml";
/// Longest accepted text, in bytes; no real shader is longer.
const MAX_TEXT_BYTES: u64 = 4 << 20;

/// Contents of `shadertoy.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelsFile {
    name: Option<String>,
    image: Option<PassChannels>,
    buffer_a: Option<PassChannels>,
    buffer_b: Option<PassChannels>,
    buffer_c: Option<PassChannels>,
    buffer_d: Option<PassChannels>,
    cube_a: Option<PassChannels>,
    sound: Option<PassChannels>,
}

impl ChannelsFile {
    fn of(&self, id: PassId) -> Option<&PassChannels> {
        match id {
            PassId::Image => self.image.as_ref(),
            PassId::Buffer(0) => self.buffer_a.as_ref(),
            PassId::Buffer(1) => self.buffer_b.as_ref(),
            PassId::Buffer(2) => self.buffer_c.as_ref(),
            PassId::Buffer(_) => self.buffer_d.as_ref(),
            PassId::Cube => self.cube_a.as_ref(),
            PassId::Sound => self.sound.as_ref(),
        }
    }
}

/// The channels of a pass.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassChannels {
    #[serde(rename = "iChannel0")]
    channel_0: Option<ChannelLine>,
    #[serde(rename = "iChannel1")]
    channel_1: Option<ChannelLine>,
    #[serde(rename = "iChannel2")]
    channel_2: Option<ChannelLine>,
    #[serde(rename = "iChannel3")]
    channel_3: Option<ChannelLine>,
}

/// A channel: just a source, or a table.
#[derive(Debug)]
struct ChannelLine(ChannelTable);

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelTable {
    source: Option<String>,
    faces: Option<[String; 6]>,
    depth: Option<u32>,
    filter: Option<ChannelFilter>,
    wrap: Option<ChannelWrap>,
    vflip: Option<bool>,
    srgb: Option<bool>,
}

impl<'de> Deserialize<'de> for ChannelLine {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Line;
        impl<'de> Visitor<'de> for Line {
            type Value = ChannelLine;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a source, as in \"buffer_a\", or a table, as in { source = \"buffer_a\" }")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ChannelLine, E> {
                Ok(ChannelLine(ChannelTable { source: Some(text.into()), ..ChannelTable::default() }))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ChannelLine, A::Error> {
                let table = ChannelTable::deserialize(MapAccessDeserializer::new(map))?;
                match (&table.source, &table.faces, table.depth) {
                    (Some(_), None, _) | (None, Some(_), None) => Ok(ChannelLine(table)),
                    (None, None, _) => Err(A::Error::custom("neither `source` nor `faces`")),
                    (_, Some(_), Some(_)) => Err(A::Error::custom("`faces` have no `depth`")),
                    (Some(_), Some(_), _) => Err(A::Error::custom("both `source` and `faces`")),
                }
            }
        }
        deserializer.deserialize_any(Line)
    }
}

/// Reads the folder.
pub(super) fn load(folder: &Path) -> Result<ShadertoyProject> {
    let (mut passes, common) = texts(folder)?;
    let path = folder.join(CHANNELS);
    let channels = path.exists().then(|| channels_file(&path, folder)).transpose()?;
    let name = folder.canonicalize().ok();
    let name = name.as_deref().unwrap_or(folder).file_name().map(|n| n.to_string_lossy().into_owned());
    let name = channels.as_ref().and_then(|c| c.name.clone()).or(name);
    let mut project = ShadertoyProject { name: name.unwrap_or_default(), common, ..Default::default() };
    if !passes.contains_key(&PassId::Image) && !passes.contains_key(&PassId::Sound) {
        return Err(Error::invalid(format!(
            "{}: the folder is not a Shadertoy: it has no image.glsl",
            folder.display()
        )));
    }

    if let Some(file) = &channels {
        let lost = PassId::ALL.into_iter().find(|id| file.of(*id).is_some() && !passes.contains_key(id));
        if let Some(id) = lost {
            let key = id.key();
            return Err(Error::invalid(format!("{}: [{key}] has no {key}.glsl", path.display())));
        }
    }
    let buffers: Vec<PassId> = passes.keys().copied().filter(|id| matches!(id, PassId::Buffer(_))).collect();
    while let Some((id, source)) = passes.pop_first() {
        let mut pass = Pass { id, source, channels: [const { None }; 4] };
        match &channels {
            Some(file) => {
                let Some(of) = file.of(id) else {
                    project.passes.push(pass);
                    continue;
                };
                let lines = [&of.channel_0, &of.channel_1, &of.channel_2, &of.channel_3];
                for (n, line) in lines.into_iter().enumerate() {
                    let Some(ChannelLine(table)) = line else { continue };
                    let place = format!("{}: iChannel{n} of [{}]", path.display(), id.key());
                    let channel = channel(table, folder, &place, &mut project.warnings)?;
                    pass.channels[n] = Some(channel);
                }
            }
            None if id != PassId::Sound => {
                for buffer in &buffers {
                    if let PassId::Buffer(n) = buffer {
                        pass.channels[usize::from(*n)] = Some(Channel::new(ChannelInput::Pass(*buffer)));
                    }
                }
            }
            None => {}
        }
        project.passes.push(pass);
    }
    project.checked()
}

/// Reads the texts of the passes, and the common text.
fn texts(folder: &Path) -> Result<(BTreeMap<PassId, SourceText>, Option<SourceText>)> {
    let failed = |e: std::io::Error| {
        Error::invalid(format!("cannot read {}: {}", folder.display(), crate::files::reason(&e)))
    };
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|e| Ok(e?.file_name())).collect::<std::io::Result<_>>())
        .map_err(failed)?;
    names.sort();
    let (mut passes, mut common) = (BTreeMap::new(), None::<SourceText>);
    for name in names {
        let path = folder.join(&name);
        let glsl = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("glsl") || e.eq_ignore_ascii_case("frag"));
        let Some(stem) = path.file_stem().and_then(|s| s.to_str()).filter(|_| glsl) else { continue };
        let id = PassId::of_name(stem);
        if id.is_none() && !stem.eq_ignore_ascii_case("common") {
            // The file is not a pass, but a pass may include it.
            continue;
        }
        let text = media::done(&path, Folders::new([folder]).text(&path, MAX_TEXT_BYTES))?;
        let source = SourceText { name: path.display().to_string(), text };
        let before = match id {
            Some(id) => passes.insert(id, source),
            None => common.replace(source),
        };
        if let Some(before) = before {
            let message = format!("{} and {} are the same pass", before.name, path.display());
            return Err(Error::invalid(message));
        }
    }
    Ok((passes, common))
}

fn channels_file(path: &Path, folder: &Path) -> Result<ChannelsFile> {
    let text = media::done(path, Folders::new([folder]).text(path, MAX_TEXT_BYTES))?;
    toml::from_str(&text).map_err(|e| {
        let line = e.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let line = line.map_or(String::new(), |n| format!(":{n}"));
        Error::invalid(format!("{}{line}: {}", path.display(), e.message()))
    })
}

/// Converts a channel from its description in the file.
fn channel(table: &ChannelTable, folder: &Path, place: &str, warnings: &mut Vec<String>) -> Result<Channel> {
    let input = input(table, folder, warnings).map_err(|e| match e {
        Error::Invalid { message, .. } => Error::invalid(format!("{place}: {message}")),
        e => e,
    })?;
    let mut channel = Channel::new(input);
    let sampler = &mut channel.sampler;
    sampler.filter = table.filter.unwrap_or(sampler.filter);
    sampler.wrap = table.wrap.unwrap_or(sampler.wrap);
    sampler.vflip = table.vflip.unwrap_or(sampler.vflip);
    sampler.srgb = table.srgb.unwrap_or(sampler.srgb);
    Ok(channel)
}

fn input(table: &ChannelTable, folder: &Path, warnings: &mut Vec<String>) -> Result<ChannelInput> {
    if let Some(faces) = &table.faces {
        return media::faces(&faces.each_ref().map(|name| folder.join(name)), folder);
    }
    let source = table.source.as_deref().unwrap_or_default();
    if let Some(depth) = table.depth {
        return media::slices(&folder.join(source), depth, folder);
    }
    if let Some((name, noise)) = media::noise(source) {
        warnings.push(format!("`{name}` is generated noise, which differs from the site's"));
        return Ok(noise);
    }
    match source {
        "keyboard" => return Ok(ChannelInput::Keyboard),
        "music" | "mic" => return Ok(ChannelInput::Silence),
        "video" | "webcam" => return Ok(ChannelInput::Black),
        _ => {}
    }
    let pass = PassId::ALL.into_iter().find(|id| id.key() == source);
    match pass {
        Some(PassId::Image | PassId::Sound) => {
            Err(Error::invalid(format!("`{source}` cannot be shown: buffers and the cube map can")))
        }
        Some(id) => Ok(ChannelInput::Pass(id)),
        None if source.is_empty() => Err(Error::invalid("the source is empty")),
        None => media::file(&folder.join(source), folder),
    }
}
