//! Shader groups and their records, from the names of shaders.

use quadrille_jit::ir::Stage;

use crate::data::list;
use crate::error::{Error, Result, ensure};
use crate::pipeline::{RayTracingPipelineDesc, ShaderGroup};
use crate::shader::ShaderModule;

/// A shader of a pipeline, as people name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedShader {
    /// Name of the source; empty without one.
    pub file: String,
    /// Entry point.
    pub entry: String,
    /// Stage.
    pub stage: Stage,
}

/// A record of a shader binding table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of the shader group.
    pub group: u32,
    /// Data behind the group's handle, which shaders read as a `shaderRecordEXT` block.
    pub data: Vec<u8>,
}

/// Shader groups of a pipeline and the records that name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The groups.
    pub groups: Vec<ShaderGroup>,
    /// Record of the ray generation shader.
    pub raygen: Record,
    /// Records of miss shaders.
    pub miss: Vec<Record>,
    /// Records of hit groups.
    pub hit: Vec<Record>,
    /// Records of callable shaders.
    pub callable: Vec<Record>,
}

impl Groups {
    /// The groups of a pipeline, each with a record without data: those of miss shaders, hit groups and callable shaders
    /// in the order of the groups. Groups of its libraries are not among them.
    ///
    /// # Errors
    /// `Invalid` unless one group is a ray generation shader.
    pub fn of(desc: &RayTracingPipelineDesc) -> Result<Groups> {
        let (mut raygen, mut miss, mut hit, mut callable) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, group) in (0..).zip(&desc.groups) {
            let stage = match group {
                ShaderGroup::General(shader) => desc.stages.get(*shader).map(|(stage, _)| *stage),
                ShaderGroup::Triangles { .. } | ShaderGroup::Procedural { .. } => Some(Stage::ClosestHit),
            };
            let records = match stage {
                Some(Stage::RayGeneration) => &mut raygen,
                Some(Stage::Miss) => &mut miss,
                Some(Stage::Callable) => &mut callable,
                _ => &mut hit,
            };
            records.push(Record { group: number, data: Vec::new() });
        }
        let [raygen] = <[Record; 1]>::try_from(raygen).map_err(|all| {
            Error::invalid(format!("a launch has one ray generation shader, not {}", all.len()))
        })?;
        Ok(Groups { groups: desc.groups.clone(), raygen, miss, hit, callable })
    }
}

/// Returns the entry points of a module for stages of rays, or for one stage, in order.
///
/// # Errors
/// `Invalid` if there is none.
pub fn entries(module: &ShaderModule, stage: Option<Stage>) -> Result<Vec<(Stage, String)>> {
    let fits = |of: Stage| stage.map_or(of.is_of_rays(), |stage| of == stage);
    let all = module.module().entry_points().iter().filter(|e| fits(e.stage));
    let all: Vec<_> = all.map(|e| (e.stage, e.name.clone())).collect();
    ensure(!all.is_empty(), || {
        let stage =
            stage.map_or("of a ray tracing pipeline".into(), |s| format!("of the stage {}", s.name()));
        format!("the module has no entry point {stage}")
    })?;
    Ok(all)
}

/// Returns the groups of a pipeline with these shaders.
///
/// `given` lists groups: the names of their shaders with `+` between them, and optionally `=TYPE:VALUES`, the data of
/// the record. A name is that of a file, of an entry point, or FILE:ENTRY. Their records are in the order of the list.
/// Then come the shaders that the list does not name, in their order; of these, all hit shaders are one group. A
/// pipeline without hit shaders has a hit group of none, for triangles.
///
/// # Errors
/// `Invalid` for unknown and ambiguous names, for shaders that cannot be one group, unless there is one ray generation
/// shader, and if several hit shaders of one stage are not listed.
pub fn groups(shaders: &[NamedShader], given: &[String]) -> Result<Groups> {
    let mut making = Making { shaders, ..Making::default() };
    given.iter().try_for_each(|text| making.given(text))?;
    making.others()?;
    let rest = |stage: Stage| shaders.iter().filter(move |shader| shader.stage == stage).map(title);
    let raygen: Vec<String> = rest(Stage::RayGeneration).collect();
    let record = match &making.raygen[..] {
        [record] if raygen.len() == 1 => record.clone(),
        _ if raygen.is_empty() => {
            return Err(Error::invalid("there is no ray generation shader, with which a launch begins"));
        }
        _ => {
            let all = raygen.join(", ");
            return Err(Error::invalid(format!(
                "a launch has one ray generation shader, not several: {all}"
            )));
        }
    };
    let Making { groups, miss, hit, callable, .. } = making;
    Ok(Groups { groups, raygen: record, miss, hit, callable })
}

/// Name of a shader for messages.
fn title(shader: &NamedShader) -> String {
    match (shader.file.as_str(), shader.entry.as_str()) {
        ("", entry) => format!("{entry} ({})", shader.stage.name()),
        (file, "main") => file.to_owned(),
        (file, entry) => format!("{file}:{entry}"),
    }
}

/// True if people call a shader by this name.
fn is_called(shader: &NamedShader, name: &str) -> bool {
    let base = shader.file.rsplit('/').next().unwrap_or_default();
    let of_file = |file: &str| {
        !file.is_empty()
            && name.strip_prefix(file).is_some_and(|rest| {
                rest.is_empty() || rest.strip_prefix(':').is_some_and(|entry| entry == shader.entry)
            })
    };
    shader.entry == name || of_file(&shader.file) || of_file(base)
}

/// Groups under construction.
#[derive(Default)]
struct Making<'a> {
    shaders: &'a [NamedShader],
    groups: Vec<ShaderGroup>,
    raygen: Vec<Record>,
    miss: Vec<Record>,
    hit: Vec<Record>,
    callable: Vec<Record>,
    /// Numbers of the shaders that have a group.
    grouped: Vec<usize>,
}

impl Making<'_> {
    /// Adds a group of the list.
    fn given(&mut self, text: &str) -> Result<()> {
        let (names, data) = match text.split_once('=') {
            Some((names, data)) => (names, list::encode(data.trim()).map_err(Error::invalid)?),
            None => (text, Vec::new()),
        };
        let members = names.split('+').map(|name| self.find(name.trim())).collect::<Result<Vec<_>>>()?;
        self.add(&members, data).map_err(|e| Error::invalid(format!("group {names}: {e}")))
    }

    /// Number of the shader with this name.
    fn find(&self, name: &str) -> Result<usize> {
        let mut found = (0..self.shaders.len()).filter(|i| is_called(&self.shaders[*i], name));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => {
                let all = self.shaders.iter().map(title).collect::<Vec<_>>().join(", ");
                Err(Error::invalid(format!("no shader is called `{name}`; there are {all}")))
            }
            (Some(a), Some(b)) => {
                let [a, b] = [a, b].map(|i| title(&self.shaders[i]));
                Err(Error::invalid(format!("`{name}` names several shaders, among them {a} and {b}")))
            }
        }
    }

    /// Adds a group of these shaders, and its record.
    fn add(&mut self, members: &[usize], data: Vec<u8>) -> Result<()> {
        let number = self.groups.len() as u32;
        let record = Record { group: number, data };
        self.grouped.extend(members);
        if let [one] = members[..] {
            let table = match self.shaders[one].stage {
                Stage::RayGeneration => Some(&mut self.raygen),
                Stage::Miss => Some(&mut self.miss),
                Stage::Callable => Some(&mut self.callable),
                _ => None,
            };
            if let Some(table) = table {
                table.push(record);
                self.groups.push(ShaderGroup::General(one));
                return Ok(());
            }
        }
        let [mut closest_hit, mut any_hit, mut intersection] = [None; 3];
        for &member in members {
            let shader = &self.shaders[member];
            let place = match shader.stage {
                Stage::ClosestHit => &mut closest_hit,
                Stage::AnyHit => &mut any_hit,
                Stage::Intersection => &mut intersection,
                stage => {
                    let what =
                        format!("{} is a {} shader, which is a group alone", title(shader), stage.name());
                    return Err(Error::invalid(what));
                }
            };
            ensure(place.replace(member).is_none(), || {
                format!("{} is a second {} shader", title(shader), shader.stage.name())
            })?;
        }
        self.groups.push(match intersection {
            Some(intersection) => ShaderGroup::Procedural { intersection, closest_hit, any_hit },
            None => ShaderGroup::Triangles { closest_hit, any_hit },
        });
        self.hit.push(record);
        Ok(())
    }

    /// Adds the groups that the list does not have.
    fn others(&mut self) -> Result<()> {
        let mut of_hits = Vec::new();
        for (i, shader) in self.shaders.iter().enumerate() {
            if self.grouped.contains(&i) {
                continue;
            }
            match shader.stage {
                Stage::ClosestHit | Stage::AnyHit | Stage::Intersection => of_hits.push(i),
                _ => self.add(&[i], Vec::new())?,
            }
        }
        if of_hits.is_empty() && !self.hit.is_empty() {
            return Ok(());
        }
        self.add(&of_hits, Vec::new()).map_err(|e| {
            let name = |i: &usize| title(&self.shaders[*i]);
            let all = of_hits.iter().map(name).collect::<Vec<_>>().join(", ");
            Error::invalid(format!(
                "which hit groups have the shaders {all}? Without a list they are one group, and {e}"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceOptions, ShaderStage};

    fn shaders(list: &[(&str, &str, Stage)]) -> Vec<NamedShader> {
        let one = |&(file, entry, stage): &(&str, &str, Stage)| NamedShader {
            file: file.into(),
            entry: entry.into(),
            stage,
        };
        list.iter().map(one).collect()
    }

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| text.to_string()).collect()
    }

    const FILES: [(&str, &str, Stage); 7] = [
        ("a/scene.rgen", "main", Stage::RayGeneration),
        ("a/hit.rchit", "main", Stage::ClosestHit),
        ("a/any.rahit", "main", Stage::AnyHit),
        ("a/ball.rint", "main", Stage::Intersection),
        ("a/sky.rmiss", "main", Stage::Miss),
        ("a/dark.rmiss", "main", Stage::Miss),
        ("a/light.rcall", "main", Stage::Callable),
    ];

    fn numbers(records: &[Record]) -> Vec<u32> {
        records.iter().map(|record| record.group).collect()
    }

    #[test]
    fn shaders_without_a_list_have_one_hit_group() {
        let all = shaders(&FILES);
        let made = groups(&all, &[]).unwrap();
        let hit = ShaderGroup::Procedural { intersection: 3, closest_hit: Some(1), any_hit: Some(2) };
        assert_eq!(made.groups[4], hit);
        assert_eq!(made.raygen.group, 0);
        assert_eq!([made.miss, made.hit, made.callable].map(|r| numbers(&r)), [vec![1, 2], vec![4], vec![3]]);
        // Without hit shaders, hits on triangles run none.
        let made = groups(&all[..1], &[]).unwrap();
        assert_eq!(made.groups[1], ShaderGroup::Triangles { closest_hit: None, any_hit: None });
        assert_eq!(numbers(&made.hit), [1]);
    }

    #[test]
    fn groups_have_the_order_and_the_data_of_the_list() {
        let all = shaders(&FILES);
        let list = texts(&["hit.rchit + any.rahit=f32:1,2", "a/ball.rint+hit.rchit", "dark.rmiss = u32: 7"]);
        let made = groups(&all, &list).unwrap();
        assert_eq!(made.groups[0], ShaderGroup::Triangles { closest_hit: Some(1), any_hit: Some(2) });
        let ball = ShaderGroup::Procedural { intersection: 3, closest_hit: Some(1), any_hit: None };
        assert_eq!(made.groups[1], ball);
        assert_eq!(made.hit[0].data, bytemuck::cast_slice::<f32, u8>(&[1.0, 2.0]));
        assert_eq!((numbers(&made.hit), made.miss[0].data.clone()), (vec![0, 1], vec![7, 0, 0, 0]));
        // The other miss shader follows.
        assert_eq!(made.groups[made.miss[1].group as usize], ShaderGroup::General(4));
    }

    #[test]
    fn every_group_of_a_pipeline_has_a_record() {
        let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() }).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let mut desc = RayTracingPipelineDesc::new(&layout);
        let words = "; SPIR-V
            OpCapability RayTracingKHR
            OpExtension \"SPV_KHR_ray_tracing\"
            OpMemoryModel Logical GLSL450
            OpEntryPoint RayGenerationKHR %1 \"start\"
            OpEntryPoint MissKHR %1 \"sky\"
            OpEntryPoint CallableKHR %1 \"light\"
            %void = OpTypeVoid
            %type = OpTypeFunction %void
            %1 = OpFunction %void None %type
            %2 = OpLabel
            OpReturn
            OpFunctionEnd";
        let words = quadrille_jit::spirv::asm::assemble(words).unwrap();
        let module = device.create_shader_module(&words).unwrap();
        for stage in [Stage::RayGeneration, Stage::Miss, Stage::Callable] {
            desc.stages.push((stage, ShaderStage::only(&module, stage).unwrap()));
        }
        let hit = ShaderGroup::Triangles { closest_hit: None, any_hit: None };
        let general = ShaderGroup::General;
        desc.groups = vec![general(1), hit, general(0), general(2), general(1), hit];
        let made = Groups::of(&desc).unwrap();
        assert_eq!((made.raygen.group, &made.groups), (2, &desc.groups));
        assert_eq!(
            [made.miss, made.hit, made.callable].map(|r| numbers(&r)),
            [vec![0, 4], vec![1, 5], vec![3]]
        );
        for without in [vec![], vec![general(0), general(0)]] {
            desc.groups = without;
            let error = Groups::of(&desc).unwrap_err().to_string();
            assert!(error.contains(&format!("not {}", desc.groups.len())), "{error}");
        }
    }

    #[test]
    fn entry_points_of_a_module_are_named() {
        let all = shaders(&[
            ("all.spv", "start", Stage::RayGeneration),
            ("all.spv", "red", Stage::ClosestHit),
            ("all.spv", "blue", Stage::ClosestHit),
        ]);
        let made = groups(&all, &texts(&["red", "all.spv:blue"])).unwrap();
        assert_eq!(numbers(&made.hit), [0, 1]);
        let error = |list: &[&str]| groups(&all, &texts(list)).unwrap_err().to_string();
        assert!(error(&[]).contains("which hit groups have the shaders all.spv:red, all.spv:blue?"));
        assert!(error(&["green"]).contains("no shader is called `green`; there are all.spv:start, "));
        assert!(
            error(&["all.spv"]).contains("names several shaders, among them all.spv:start and all.spv:red")
        );
        assert!(error(&["red+blue"]).contains("all.spv:blue is a second closest hit shader"));
        assert!(
            error(&["red+start"])
                .contains("all.spv:start is a ray generation shader, which is a group alone")
        );
        assert!(error(&["red=f32:x"]).contains("`x` is not a value"));
        let error = groups(&all[1..2], &[]).unwrap_err().to_string();
        assert!(error.contains("no ray generation shader"), "{error}");
        let two = [all[0].clone(), all[0].clone()];
        assert!(
            groups(&two, &[]).unwrap_err().to_string().contains("one ray generation shader, not several")
        );
    }
}
