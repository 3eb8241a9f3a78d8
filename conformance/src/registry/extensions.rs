//! Extensions of Vulkan's registry: for each of them, the reason why the driver does not offer it.
//!
//! The table `conformance/inventory/vulkan_extensions.csv` has a row for each extension of the registry. An extension
//! without a reason is offered; `when` follows the name of those that only some hosts offer.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Path of the table from the root of the repository.
pub const EXTENSIONS: &str = "conformance/inventory/vulkan_extensions.csv";
/// Path of the page from the root of the repository.
pub const EXTENSIONS_PAGE: &str = "conformance/EXTENSIONS.md";

/// Version of the registry whose extensions the table has.
pub const VERSION: u32 = 360;

const HEAD: &str = "extension,kind,reason";

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Name of the extension.
    pub name: &'a str,
    /// `device` or `instance`.
    pub kind: &'a str,
    /// Why the extension is not offered; empty if it is. A reason that begins with `when` is the condition under which it
    /// is offered.
    pub reason: &'a str,
}

impl Row<'_> {
    /// `true` if every host offers the extension.
    pub fn is_offered(&self) -> bool {
        self.reason.is_empty()
    }

    /// `true` if only some hosts offer the extension.
    pub fn is_conditional(&self) -> bool {
        self.reason.starts_with("when ")
    }
}

/// Parses the table.
///
/// # Errors
/// A message about a line that is not a row.
pub fn rows(table: &str) -> Result<Vec<Row<'_>>, String> {
    let mut lines = table.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("{EXTENSIONS} does not begin with {HEAD}"));
    }
    let row = |line: &'_ str| match line.split(',').collect::<Vec<_>>()[..] {
        [name, "device" | "instance", _] if name.starts_with("VK_") => Ok(()),
        _ => Err(format!("{EXTENSIONS}: {line}")),
    };
    lines
        .map(|line| {
            row(line)?;
            let mut fields = line.split(',').map(str::trim);
            let mut next = || fields.next().unwrap_or_default();
            Ok(Row { name: next(), kind: next(), reason: next() })
        })
        .collect()
}

/// Extensions of a registry that programs of Vulkan may use, with their kinds.
fn listed(registry: &str) -> BTreeMap<&str, &str> {
    let extensions = registry.lines().map(str::trim).filter(|line| line.starts_with("<extension "));
    extensions
        .filter_map(|line| {
            let value = |of: &str| {
                let (_, rest) = line.split_once(&format!(" {of}=\""))?;
                rest.split_once('"').map(|(value, _)| value)
            };
            let is_of_vulkan = value("supported")?.split(',').any(|api| api == "vulkan");
            is_of_vulkan.then_some((value("name")?, value("type")?))
        })
        .collect()
}

/// Returns the version of a registry, which is the last part of the version of Vulkan: 360 of 1.4.360.
pub fn version(registry: &str) -> Option<u32> {
    let (_, rest) = registry.split_once("#define <name>VK_HEADER_VERSION</name>")?;
    rest.split_once('<')?.0.trim().parse().ok()
}

/// Returns what a table lacks or has wrong, by a registry of its version or of a later one: extensions without a row, and rows
/// without an extension or with another kind. Later registries have more extensions, which do not count unless `all`.
pub fn differences(registry: &str, rows: &[Row<'_>], all: bool) -> Vec<String> {
    let listed = listed(registry);
    let has_row = |name: &str| rows.iter().any(|row| row.name == name);
    let without = listed.keys().filter(|name| all && !has_row(name));
    let mut found: Vec<String> = without.map(|name| format!("{name} has no row")).collect();
    found.extend(rows.iter().filter_map(|row| match listed.get(row.name) {
        None => Some(format!("{} is not in the registry", row.name)),
        Some(&kind) if kind != row.kind => {
            Some(format!("{} is of the kind {kind}, not {}", row.name, row.kind))
        }
        Some(_) => None,
    }));
    found
}

/// Returns the table for a registry, with the reasons of an earlier table. New extensions have the reason `unknown`, which
/// people replace.
pub fn table(registry: &str, earlier: &[Row<'_>]) -> String {
    let mut out = format!("{HEAD}\n");
    for (name, kind) in listed(registry) {
        let reason = earlier.iter().find(|row| row.name == name).map_or("unknown", |row| row.reason);
        let _ = writeln!(out, "{name},{kind},{reason}");
    }
    out
}

/// Returns the page about all extensions.
pub fn page(rows: &[Row<'_>]) -> String {
    let count = |kind: &str| {
        let of_kind = rows.iter().filter(|row| row.kind == kind);
        let offered = of_kind.clone().filter(|row| row.is_offered() || row.is_conditional());
        (offered.count(), of_kind.count())
    };
    let (device, devices) = count("device");
    let (instance, instances) = count("instance");
    let mut out = format!(
        "# Extensions\n\n\
        The extensions of Vulkan's registry, version 1.4.{VERSION}, and those that the driver offers: {device} of {devices} device\n\
        extensions and {instance} of {instances} instance extensions. A test derives this page from `inventory/vulkan_extensions.csv`,\n\
        and compares it with the driver and with a registry of this version, if there is one: that of `QUADRILLE_REGISTRY`, or\n\
        `/usr/share/vulkan/registry/vk.xml` (`cargo test --test registry`).\n\n\
        | extension | kind | offered |\n|---|---|---|\n"
    );
    for row in rows {
        let offered = match row.reason {
            "" => "yes".to_owned(),
            when if row.is_conditional() => format!("yes, {when}"),
            reason => format!("no: {reason}"),
        };
        let _ = writeln!(out, "| `{}` | {} | {offered} |", row.name, row.kind);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found() {
        let registry = r#"
            #define <name>VK_HEADER_VERSION</name> 360</type>
            #define <name>VK_HEADER_VERSION</name> 22</type>
            <extension name="VK_KHR_a" number="1" type="instance" supported="vulkan">
            <extension name="VK_KHR_b" number="2" type="device" supported="vulkan,vulkansc">
            <extension name="VK_KHR_c" number="3" type="device" supported="vulkansc">
        "#;
        assert_eq!(version(registry), Some(360));
        let found = |table: &str, all| {
            let table = format!("{HEAD}\n{table}");
            differences(registry, &rows(&table).unwrap(), all)
        };
        let right = "VK_KHR_a,instance,\nVK_KHR_b,device,video\n";
        assert_eq!(found(right, true), [""; 0]);
        assert_eq!(found("VK_KHR_a,instance,\n", true), ["VK_KHR_b has no row"]);
        assert_eq!(found("VK_KHR_a,instance,\n", false), [""; 0]);
        let kind = "VK_KHR_b is of the kind device, not instance";
        assert_eq!(found(&right.replace("b,device", "b,instance"), false), [kind]);
        assert_eq!(found(&format!("{right}VK_KHR_c,device,\n"), false), ["VK_KHR_c is not in the registry"]);
    }

    #[test]
    fn tables_keep_their_reasons() {
        let registry = r#"
            <extension name="VK_KHR_b" number="2" type="device" supported="vulkan,vulkansc">
            <extension name="VK_KHR_a" number="1" type="instance" supported="vulkan">
            <extension name="VK_KHR_c" number="3" type="device" supported="disabled">
        "#;
        let earlier = "extension,kind,reason\nVK_KHR_b,device,video coding\n";
        let earlier = rows(earlier).unwrap();
        let new = table(registry, &earlier);
        assert_eq!(new, "extension,kind,reason\nVK_KHR_a,instance,unknown\nVK_KHR_b,device,video coding\n");
        assert!(page(&rows(&new).unwrap()).contains("| `VK_KHR_b` | device | no: video coding |\n"));
        assert!(rows("extension,kind,reason\nVK_KHR_b,other,\n").is_err());
    }
}
