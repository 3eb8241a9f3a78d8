//! Tests of AGSL: `agsl/functions.test` and `agsl/features.test` have one section for each row of the inventory, and
//! several cases in each section. The head of each file describes the notation of a case.
//!
//! A case is a program with its inputs and either the expected values of one pixel or the expected error. A case of a
//! function becomes several programs: one for float and one for half (or int), and one for each number of components.

use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{NamedTexture, Renderer, RendererDesc};
use quadrille::frontend::{AgslShader, Options};
use quadrille::{Device, DeviceOptions, Error, Format, Picture, SamplerDesc, ShaderTest};

const FUNCTIONS: &str = include_str!("../agsl/functions.test");
const FEATURES: &str = include_str!("../agsl/features.test");

/// Minimum precision of highp.
const TOLERANCE: f32 = 1.0 / 65536.0;
/// Tolerance for colours of 8 bits.
const TOLERANCE_8: f32 = 0.005;

/// Expected outcome of a case.
#[derive(Clone, Debug)]
pub enum Expected {
    /// Components of the pixels of one row, with the tolerance, which is relative for values above 1.
    Pixels(Vec<[f32; 4]>, f32),
    /// Line and column of the first message, and a part of its text.
    Error(u32, u32, String),
}

/// A picture with one row of pixels.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    texels: Vec<[u8; 4]>,
    raw: bool,
}

/// One program with its expected outcome.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub source: String,
    words: Vec<u32>,
    pictures: Vec<Row>,
    children: Vec<(String, String)>,
    render: bool,
    expected: Expected,
}

/// The cases of one row of the inventory.
#[derive(Clone, Debug)]
pub struct Section {
    /// Signature of the function, or the beginning of the row's first cell.
    pub row: String,
    /// Cases of the row.
    pub cases: Vec<Case>,
}

/// Sections of the functions, by signature.
pub fn functions() -> Result<Vec<Section>, String> {
    read(FUNCTIONS)
}

/// Sections of the features.
pub fn features() -> Result<Vec<Section>, String> {
    read(FEATURES)
}

fn read(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: String| format!("line {}: {what}: {line}", number + 1);
        if line.starts_with("# ") || line == "#" {
            continue;
        }
        if let Some(row) = line.strip_prefix("== ") {
            sections.push(Section { row: row.trim().into(), cases: Vec::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        match line.split_once("-> ") {
            Some(("", expected)) => {
                let case = program_case(&lines, expected).map_err(wrong)?;
                section.cases.push(case);
                lines.clear();
            }
            Some((arguments, expected)) if lines.is_empty() => {
                section.cases.extend(function_cases(&section.row, arguments, expected).map_err(wrong)?);
            }
            _ if line.trim().is_empty() && lines.is_empty() => {}
            _ => lines.push(line),
        }
    }
    Ok(sections)
}

fn numbers(text: &str) -> Result<Vec<f32>, String> {
    text.split_whitespace().map(|n| n.parse().map_err(|_| format!("`{n}` is not a number"))).collect()
}

/// Splits a text into values and their tolerance.
fn values(text: &str, tolerance: f32) -> Result<(Vec<f32>, f32), String> {
    let (values, given) = text.split_once('~').unwrap_or((text, ""));
    let given = numbers(given)?;
    Ok((numbers(values)?, given.first().copied().unwrap_or(tolerance)))
}

fn color(text: &str) -> Result<[u8; 4], String> {
    let word = u32::from_str_radix(text, 16).ok().filter(|_| text.len() == 8);
    word.map(u32::to_be_bytes).ok_or_else(|| format!("`{text}` is not a colour"))
}

fn program_case(lines: &[&str], expected: &str) -> Result<Case, String> {
    let mut case = Case {
        source: String::new(),
        words: Vec::new(),
        pictures: Vec::new(),
        children: Vec::new(),
        render: false,
        expected: Expected::Pixels(Vec::new(), 0.0),
    };
    let mut child: Option<(String, String)> = None;
    for line in lines {
        if let Some((_, source)) = &mut child {
            if *line == "end" {
                case.children.extend(child.take());
            } else {
                *source += &format!("{line}\n");
            }
            continue;
        }
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uniforms") => {
                for word in words {
                    case.words.push(match word.strip_suffix('i') {
                        Some(n) => n.parse::<i32>().map_err(|e| e.to_string())? as u32,
                        None => word.parse::<f32>().map_err(|e| e.to_string())?.to_bits(),
                    });
                }
            }
            Some(kind @ ("picture" | "buffer")) => {
                let name = words.next().unwrap_or_default().into();
                let texels = words.map(color).collect::<Result<_, _>>()?;
                case.pictures.push(Row { name, texels, raw: kind == "buffer" });
            }
            Some("child") => child = Some((words.next().unwrap_or_default().into(), String::new())),
            Some("render") => case.render = true,
            _ => case.source += &format!("{line}\n"),
        }
    }
    case.expected = match expected.strip_prefix("error ") {
        Some(rest) => {
            let (place, text) = rest.split_once(' ').ok_or("no text of the error")?;
            let (line, column) = place.split_once(':').ok_or("no place of the error")?;
            let number = |n: &str| n.parse::<u32>().map_err(|e| e.to_string());
            Expected::Error(number(line)?, number(column)?, text.into())
        }
        None => {
            let (values, tolerance) = values(expected, if case.render { TOLERANCE_8 } else { TOLERANCE })?;
            let pixel = values.try_into().map_err(|_| "four components are required")?;
            Expected::Pixels(vec![pixel], tolerance)
        }
    };
    Ok(case)
}

/// Kind of a parameter in a signature.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameter {
    /// As many components as the argument has.
    Generic,
    Scalar,
    Matrix,
    Bools,
    /// A fixed type.
    Fixed,
}

/// Splits a signature into name and parameters. The third value is true if the result has as many components as the
/// arguments.
fn signature(row: &str) -> Result<(&str, Vec<Parameter>, bool), String> {
    let (head, parameters) =
        row.strip_suffix(')').and_then(|r| r.split_once('(')).ok_or("this is not a signature")?;
    let (result, name) = head.rsplit_once(' ').ok_or("a signature without a result")?;
    let parameter = |text: &str| match text.trim().split(' ').next().unwrap_or_default() {
        "GT" | "T" => Parameter::Generic,
        "float" | "float/half" => Parameter::Scalar,
        "mat" => Parameter::Matrix,
        "BV" => Parameter::Bools,
        _ => Parameter::Fixed,
    };
    let geometric = ["length", "distance", "dot", "normalize", "faceforward", "reflect", "refract"];
    let by_component = matches!(result, "GT" | "BV") && !geometric.contains(&name);
    Ok((name, parameters.split(',').map(parameter).collect(), by_component))
}

/// Returns a case for each type and, if the function works component by component, for each number of components.
fn function_cases(row: &str, arguments: &str, expected: &str) -> Result<Vec<Case>, String> {
    let (name, parameters, by_component) = signature(row)?;
    let arguments = arguments.split('|').map(numbers).collect::<Result<Vec<_>, _>>()?;
    let (expected, tolerance) = values(expected, TOLERANCE)?;
    if arguments.len() != parameters.len() {
        return Err("the number of arguments differs from the signature".into());
    }
    let compares = row.starts_with("BV");
    let most = expected.len();
    let least = match (by_component && most <= 4, compares) {
        (false, _) => most,
        (true, true) => 2,
        (true, false) => 1,
    };
    let mut cases = Vec::new();
    for n in least..=most {
        let bases: &[&str] = if compares { &["float", "half", "int", "short"] } else { &["float", "half"] };
        for base in bases {
            let cut = |list: &Vec<f32>, p: &Parameter| match (by_component, p) {
                (true, Parameter::Generic | Parameter::Bools) => list[..n.min(list.len())].to_vec(),
                _ => list.clone(),
            };
            let arguments: Vec<Vec<f32>> =
                arguments.iter().zip(&parameters).map(|(a, p)| cut(a, p)).collect();
            cases.push(function_case(name, base, &parameters, &arguments, &expected[..n], tolerance));
        }
    }
    Ok(cases)
}

/// Returns a program that calls a function on uniforms. Each pixel shows one column of a matrix result.
fn function_case(
    name: &str,
    base: &str,
    parameters: &[Parameter],
    arguments: &[Vec<f32>],
    expected: &[f32],
    tolerance: f32,
) -> Case {
    let mut words = Vec::new();
    let mut source = String::new();
    let mut call = Vec::new();
    for (i, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        source += &format!("uniform float4 a{i}[4];\n");
        words.extend((0..16).map(|at| argument.get(at).copied().unwrap_or(0.0).to_bits()));
        let part = |at: usize| format!("a{i}[{}].{}", at / 4, ["x", "y", "z", "w"][at % 4]);
        let side = match argument.len() {
            4 => 2,
            9 => 3,
            _ => 4,
        };
        let ty = match (parameter, argument.len()) {
            (Parameter::Matrix, _) => format!("{base}{side}x{side}"),
            (Parameter::Bools, n) => format!("bool{n}"),
            (_, 1) => base.to_owned(),
            (_, n) => format!("{base}{n}"),
        };
        let parts: Vec<String> = (0..argument.len()).map(part).collect();
        call.push(format!("{ty}({})", parts.join(", ")));
    }
    let call = format!("{name}({})", call.join(", "));
    let matrix = parameters.contains(&Parameter::Matrix);
    let rows = match (matrix, expected.len()) {
        (true, 4) => 2,
        (true, 9) => 3,
        (true, _) => 4,
        (false, n) => n,
    };
    let padding = ", 0".repeat(4 - rows);
    let mut pixels = Vec::new();
    for part in expected.chunks(rows) {
        let mut pixel = [0.0; 4];
        pixel[..part.len()].copy_from_slice(part);
        pixels.push(pixel);
    }
    source += "half4 main(float2 p) {\n";
    if matrix {
        source += &format!("    {base}{rows}x{rows} m = {call};\n    half4 c = half4(m[0]{padding});\n");
        for column in 1..rows {
            source += &format!("    if (p.x > {column}) {{ c = half4(m[{column}]{padding}); }}\n");
        }
        source += "    return c;\n}\n";
    } else {
        source += &format!("    return half4({call}{padding});\n}}\n");
    }
    Case {
        source,
        words,
        pictures: Vec::new(),
        children: Vec::new(),
        render: false,
        expected: Expected::Pixels(pixels, tolerance),
    }
}

impl Case {
    /// Sources of the program and of its children.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.source.as_str()).chain(self.children.iter().map(|(_, source)| source.as_str()))
    }

    /// True if the program is valid.
    pub fn compiles(&self) -> bool {
        matches!(self.expected, Expected::Pixels(..))
    }

    /// Returns the case with another program text.
    pub fn with_source(&self, source: String) -> Case {
        Case { source, ..self.clone() }
    }

    /// Runs the case; `Err` describes the failure.
    pub fn run(&self, device: &Device) -> Result<(), String> {
        let about = |message: String| format!("{message}\n{}", self.source);
        let (pixels, tolerance) = match &self.expected {
            Expected::Error(line, column, text) => return self.fails(*line, *column, text).map_err(about),
            Expected::Pixels(pixels, tolerance) => (pixels, *tolerance),
        };
        let got = self.draw(device, pixels.len() as u32).map_err(|e| about(e.to_string()))?;
        let close = |a: f32, b: f32| (a - b).abs() <= tolerance * b.abs().max(1.0);
        let right = got.len() == pixels.len()
            && got.iter().zip(pixels).all(|(a, b)| a.iter().zip(b).all(|(a, b)| close(*a, *b)));
        if right { Ok(()) } else { Err(about(format!("{got:?}, expected {pixels:?} within {tolerance}"))) }
    }

    fn fails(&self, line: u32, column: u32, text: &str) -> Result<(), String> {
        match AgslShader::parse(&self.source, &Options::named("test.agsl")) {
            Ok(_) => Err(format!("no error; expected {line}:{column} {text}")),
            Err(e) if (e.line, e.column) == (line, column) && e.message.contains(text) => Ok(()),
            Err(e) => Err(format!("{e}; expected {line}:{column} {text}")),
        }
    }

    fn draw(&self, device: &Device, width: u32) -> Result<Vec<[f32; 4]>, Error> {
        let options = Options::named("test.agsl");
        let mut shader = AgslShader::parse(&self.source, &options)?;
        for (name, source) in &self.children {
            shader.bind(name, AgslShader::parse(source, &Options::named(name.as_str()))?)?;
        }
        let words = shader.compile(&options)?;
        if self.render {
            return self.render(device, &words, width);
        }
        let mut test = ShaderTest::spirv(&words).on(device).target(Format::R32G32B32A32_SFLOAT);
        if !self.words.is_empty() {
            test = test.bind(0, 0, &self.words);
        }
        for (i, name) in (0u32..).zip(shader.pictures()) {
            let row = self.pictures.iter().find(|p| p.name == name);
            let row = row.ok_or_else(|| Error::Invalid {
                message: format!("the test provides no picture `{name}`"),
                place: Box::default(),
            })?;
            let picture = Picture { width: row.texels.len() as u32, height: 1, pixels: row.texels.clone() };
            test =
                test.bind_picture(0, 1 + 2 * i, &picture).bind_sampler(0, 2 + 2 * i, SamplerDesc::default());
        }
        let values: Vec<f32> = test.draw(width, 1)?.read_target()?;
        Ok(values.as_chunks::<4>().0.to_vec())
    }

    /// Renders as `quadrille render` does.
    fn render(&self, device: &Device, words: &[u32], width: u32) -> Result<Vec<[f32; 4]>, Error> {
        let pictures: Vec<image::DynamicImage> = self
            .pictures
            .iter()
            .map(|row| {
                image::RgbaImage::from_fn(row.texels.len() as u32, 1, |x, _| {
                    image::Rgba(row.texels[x as usize])
                })
                .into()
            })
            .collect();
        let named: Vec<NamedTexture<'_>> = self
            .pictures
            .iter()
            .zip(&pictures)
            .map(|(row, picture)| NamedTexture {
                name: &row.name,
                picture,
                sampler: Some(SamplerDesc::default()),
                raw: row.raw,
            })
            .collect();
        let desc = RendererDesc {
            words,
            width,
            height: 1,
            named: &named,
            premultiplied: true,
            ..RendererDesc::default()
        };
        let picture = Renderer::new(device, &desc)?.render(&Inputs::new(width, 1, 0.0, 0))?;
        Ok(picture.pixels().map(|p| p.0.map(|c| f32::from(c) / 255.0)).collect())
    }
}

/// Runs the cases of a section and returns the failures.
pub fn run(section: &Section, device: &Device) -> Vec<String> {
    section.cases.iter().filter_map(|case| case.run(device).err()).collect()
}

/// A device for the tests.
pub fn device() -> Result<Device, Error> {
    Device::new(DeviceOptions::default())
}
