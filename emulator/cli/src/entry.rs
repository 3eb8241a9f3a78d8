//! Entry points that the options of a command line name, or would have to.

use quadrille::frontend::Stage;

use crate::report::Failure;
use crate::shader::Shader;

/// `true` if shaders, whose modules are valid, have no entry point of this name and stage, or without a name, none or several of
/// the stage.
pub fn lack_entry<'a>(
    name: Option<&str>,
    stage: Stage,
    shaders: impl IntoIterator<Item = &'a Shader>,
) -> bool {
    let Ok(all) = entries(stage, shaders) else { return false };
    match name {
        Some(name) => !all.iter().any(|there| there == name),
        None => all.len() != 1,
    }
}

/// Names of the entry points of a stage in all shaders.
fn entries<'a>(
    stage: Stage,
    shaders: impl IntoIterator<Item = &'a Shader>,
) -> quadrille::Result<Vec<String>> {
    let mut names = Vec::new();
    for shader in shaders {
        let all = quadrille::apps::inspect::entry_points(&shader.words)?;
        names.extend(all.into_iter().filter(|(_, of)| *of == stage).map(|(name, _)| name));
    }
    Ok(names)
}

/// Adds to a failure that the `option` chooses an entry point, if it has no value and its shaders have several of the stage.
pub fn choosing<'a>(
    failure: Failure,
    (option, value): (&str, Option<&str>),
    stage: Stage,
    shaders: impl IntoIterator<Item = &'a Shader>,
) -> Failure {
    let mut names = entries(stage, shaders).unwrap_or_default();
    let found = names.len();
    names.sort();
    names.dedup();
    match value.is_none() && found > 1 && names.len() == found {
        true => failure.help(format!("add {option} NAME")).of_usage(),
        false => failure,
    }
}
