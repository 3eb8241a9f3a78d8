//! Reads a Shadertoy from JSON in the format of the site's API or of its export.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::media;
use super::project::{Channel, ChannelFilter, ChannelInput, ChannelWrap, Pass, PassId, ShadertoyProject};
use crate::error::{Error, Result};
use crate::files;
use crate::frontend::SourceText;

/// Longest accepted file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Debug, Deserialize)]
struct RenderPass {
    #[serde(default)]
    inputs: Vec<Input>,
    #[serde(default)]
    outputs: Vec<Output>,
    code: String,
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Debug, Deserialize)]
struct Output {
    id: Id,
}

/// An input of a pass. The API names its path and kind `src` and `ctype`, exports name them `filepath` and `type`.
#[derive(Debug, Deserialize)]
struct Input {
    id: Option<Id>,
    src: Option<String>,
    filepath: Option<String>,
    ctype: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    channel: usize,
    #[serde(default)]
    sampler: Sampler,
}

#[derive(Debug, Default, Deserialize)]
struct Sampler {
    filter: Option<ChannelFilter>,
    wrap: Option<ChannelWrap>,
    vflip: Option<Flag>,
    srgb: Option<Flag>,
}

/// A boolean, which the site writes as a string such as `"true"`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Flag {
    Bool(bool),
    Text(String),
}

impl Flag {
    fn is(&self) -> bool {
        matches!(self, Flag::Bool(true)) || matches!(self, Flag::Text(t) if t == "true")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

/// Reads the file.
pub(super) fn load(path: &Path) -> Result<ShadertoyProject> {
    let text = media::done(path, files::given_text(path, MAX_BYTES))?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parse(&text, &path.display().to_string(), folder)
}

/// Parses the text of a file; the media that it names are in `folder`.
fn parse(text: &str, file: &str, folder: &Path) -> Result<ShadertoyProject> {
    let wrong = |what: String| Error::invalid(format!("{file}: {what}"));
    let json: Value =
        serde_json::from_str(text).map_err(|e| Error::invalid(format!("{file}:{}: {e}", e.line())))?;
    if let Some(error) = json.get("Error").and_then(Value::as_str) {
        return Err(wrong(format!("the site answers \"{error}\"")));
    }
    let shader = json.get("Shader").or_else(|| json.get(0)).unwrap_or(&json);
    let Some(list) = shader.get("renderpass").and_then(Value::as_array) else {
        return Err(wrong("there is no `renderpass`: this is not a Shadertoy".into()));
    };
    let name = shader.pointer("/info/name").and_then(Value::as_str).unwrap_or(file);
    let mut project = ShadertoyProject { name: name.into(), ..ShadertoyProject::default() };

    let raw = passes_of(list, &wrong)?;
    let mut missing = Vec::new();
    for (id, pass) in &raw {
        let shown = id.map_or("Common", PassId::name);
        let source = SourceText { name: format!("{file}: {shown}"), text: pass.code.clone() };
        let Some(id) = *id else {
            // The site allows several common texts, which are concatenated.
            match &mut project.common {
                Some(common) => common.text += &format!("\n{}", source.text),
                none => *none = Some(source),
            }
            continue;
        };
        let inputs = by_channel(pass);
        let inputs = inputs.map_err(|n| wrong(format!("{shown}: iChannel{n} is not one of four")))?;
        let mut channels = [const { None }; 4];
        for (channel, input) in channels.iter_mut().zip(inputs) {
            let Some(input) = input else { continue };
            let place = format!("{shown}: iChannel{}", input.channel);
            *channel = match show(input, &raw, folder, &mut project.warnings) {
                Ok(input) => Some(input),
                Err(Lack::File(name)) => {
                    missing.push(format!("{name} ({place})"));
                    None
                }
                Err(Lack::Other(what)) => return Err(wrong(format!("{place}: {what}"))),
            };
        }
        project.passes.push(Pass { id, source, channels });
    }
    if !missing.is_empty() {
        let message = format!(
            "files are missing in {}: {}; they are looked for by their whole path, or by their names alone",
            folder.display(),
            missing.join(", ")
        );
        return Err(wrong(message));
    }
    if project.pass(PassId::Image).is_none() && project.pass(PassId::Sound).is_none() {
        return Err(wrong("there is no pass of type `image`".into()));
    }
    project.warnings.dedup();
    project.checked()
}

/// A pass with its identity; `None` for common code.
type RawPass = (Option<PassId>, RenderPass);

/// Reads the passes. They are checked before their media is read, which takes far more memory than they do.
fn passes_of(list: &[Value], wrong: &impl Fn(String) -> Error) -> Result<Vec<RawPass>> {
    let mut passes: Vec<RawPass> = Vec::new();
    for (n, value) in list.iter().enumerate() {
        let in_pass = |what: String| wrong(format!("renderpass {n}: {what}"));
        let pass = RenderPass::deserialize(value).map_err(|e| in_pass(e.to_string()))?;
        let id = id_of(&pass).map_err(in_pass)?;
        if let Some(id) = id
            && passes.iter().any(|(known, _)| *known == Some(id))
        {
            return Err(in_pass(format!("there are two passes {}", id.name())));
        }
        passes.push((id, pass));
    }
    Ok(passes)
}

/// The inputs of a pass by channel: the last one, if a channel has several. Fails with a channel that is not there.
fn by_channel(pass: &RenderPass) -> Result<[Option<&Input>; 4], usize> {
    let mut inputs = [None; 4];
    for input in &pass.inputs {
        *inputs.get_mut(input.channel).ok_or(input.channel)? = Some(input);
    }
    Ok(inputs)
}

/// Returns the pass of the project, or `None` for common code.
fn id_of(pass: &RenderPass) -> Result<Option<PassId>, String> {
    Ok(match pass.kind.as_str() {
        "common" => None,
        "image" => Some(PassId::Image),
        "sound" => Some(PassId::Sound),
        "cubemap" => Some(PassId::Cube),
        "buffer" => {
            let by_id = pass.outputs.iter().find_map(|o| buffer_of_id(&o.id));
            let by_name = PassId::of_name(&pass.name).filter(|id| matches!(id, PassId::Buffer(_)));
            let id = by_name.or(by_id);
            Some(id.ok_or_else(|| format!("`{}` is not a buffer A to D", pass.name))?)
        }
        other => return Err(format!("passes of type `{other}` are not known")),
    })
}

/// Returns the buffer that a site id names.
fn buffer_of_id(id: &Id) -> Option<PassId> {
    let number = match id {
        Id::Number(n) => u8::try_from(n.checked_sub(257)?).ok().filter(|n| *n < 4)?,
        Id::Text(text) => match text.as_str() {
            "4dXGR8" | "257" => 0,
            "XsXGR8" | "258" => 1,
            "4sXGR8" | "259" => 2,
            "XdfGR8" | "260" => 3,
            _ => return None,
        },
    };
    Some(PassId::Buffer(number))
}

/// Reason why a channel cannot be shown.
enum Lack {
    File(String),
    Other(String),
}

impl From<Error> for Lack {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid { message, .. } => Lack::Other(message),
            e => Lack::Other(e.to_string()),
        }
    }
}

/// Converts an input to a channel.
fn show(
    input: &Input,
    passes: &[(Option<PassId>, RenderPass)],
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<Channel, Lack> {
    let kind = input.ctype.as_deref().or(input.kind.as_deref()).unwrap_or_default();
    let source = input.src.as_deref().or(input.filepath.as_deref()).unwrap_or_default();
    let writes = |pass: &RenderPass| pass.outputs.iter().any(|o| Some(&o.id) == input.id.as_ref());
    let writer = passes.iter().find(|(id, pass)| {
        let is = matches!(id, Some(PassId::Buffer(_) | PassId::Cube));
        is && writes(pass)
    });
    let writer = writer.and_then(|(id, _)| *id);
    let mut is_noise = false;
    let shown = match kind {
        "buffer" => {
            let of_path = || match source.rsplit('/').next()?.strip_prefix("buffer0")?.as_bytes() {
                [n @ b'0'..=b'3', b'.', ..] => Some(PassId::Buffer(n - b'0')),
                _ => None,
            };
            let id = writer.or_else(|| input.id.as_ref().and_then(buffer_of_id)).or_else(of_path);
            let id = id.ok_or_else(|| Lack::Other("its buffer is not given".into()))?;
            if passes.iter().any(|(there, _)| *there == Some(id)) {
                ChannelInput::Pass(id)
            } else {
                warnings.push(format!("{} is shown but not there: it is black", id.name()));
                ChannelInput::Black
            }
        }
        "cubemap" => match writer {
            Some(id) => ChannelInput::Pass(id),
            None if source.contains("/previz/") && passes.iter().any(|(id, _)| *id == Some(PassId::Cube)) => {
                ChannelInput::Pass(PassId::Cube)
            }
            None => media::faces(&faces(source, folder)?, folder)?,
        },
        "texture" | "volume" => match find(source, folder) {
            Some(path) => media::file(&path, folder)?,
            None => {
                let stem = Path::new(source).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
                let (name, noise) = media::noise(stem).ok_or_else(|| Lack::File(source.into()))?;
                warnings.push(format!("{source} is missing: generated `{name}` replaces it"));
                is_noise = true;
                noise
            }
        },
        "keyboard" => ChannelInput::Keyboard,
        "music" | "musicstream" | "mic" | "microphone" => ChannelInput::Silence,
        "video" | "webcam" => ChannelInput::Black,
        other => return Err(Lack::Other(format!("inputs of type `{other}` are not known"))),
    };
    let is_turned = !is_noise && matches!(shown, ChannelInput::Picture(_) | ChannelInput::Faces(_));
    let mut channel = Channel::new(shown);
    let (sampler, given) = (&mut channel.sampler, &input.sampler);
    sampler.filter = given.filter.unwrap_or(sampler.filter);
    sampler.wrap = given.wrap.unwrap_or(sampler.wrap);
    // The site flips only media that it decodes as pictures.
    sampler.vflip = is_turned && given.vflip.as_ref().map_or(sampler.vflip, Flag::is);
    sampler.srgb = given.srgb.as_ref().map_or(sampler.srgb, Flag::is);
    Ok(channel)
}

/// Finds the file for a path on the site: the same path in the folder, or the name alone. Files outside the folder are
/// never used.
fn find(source: &str, folder: &Path) -> Option<PathBuf> {
    let relative = Path::new(source.trim_start_matches('/'));
    let inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
    let name = relative.file_name().filter(|_| inside)?;
    [folder.join(relative), folder.join(name)].into_iter().find(|p| p.is_file())
}

/// The faces of a cube map: `NAME.png`, `NAME_1.png` to `NAME_5.png`.
fn faces(source: &str, folder: &Path) -> Result<[PathBuf; 6], Lack> {
    let (stem, extension) = source.rsplit_once('.').unwrap_or((source, "png"));
    let names: [String; 6] = std::array::from_fn(|n| match n {
        0 => source.to_owned(),
        n => format!("{stem}_{n}.{extension}"),
    });
    let mut paths = [const { None }; 6];
    for (path, name) in paths.iter_mut().zip(&names) {
        *path = Some(find(name, folder).ok_or_else(|| Lack::File(name.clone()))?);
    }
    Ok(paths.map(Option::unwrap_or_default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_is_read_once_for_each_channel() {
        let read = |passes: &[&str]| {
            let text = format!("{{\"renderpass\": [{}]}}", passes.join(", "));
            parse(&text, "toy.json", Path::new("no folder"))
        };
        let error = |passes: &[&str]| read(passes).unwrap_err().to_string();
        let image = |last: &str| {
            let lost = "{\"channel\": 0, \"ctype\": \"texture\", \"src\": \"lost.png\"}";
            format!("{{\"code\": \"\", \"type\": \"image\", \"inputs\": [{lost}{last}]}}")
        };
        assert!(error(&[&image("")]).contains("lost.png"));
        assert!(error(&[&image(""), &image("")]).contains("two passes Image"));
        let again = |kind: &str| image(&format!(", {{\"channel\": 0, \"ctype\": \"{kind}\"}}"));
        assert!(error(&[&again("tape")]).contains("`tape`"));
        assert!(read(&[&again("keyboard")]).is_ok());
        assert!(error(&[&image(", {\"channel\": 4, \"ctype\": \"keyboard\"}")]).contains("iChannel4"));
    }
}
