//! The excerpt: declarations of the registry as C, one member in a line.
//!
//! ```text
//! // VK_KHR_maintenance9
//! struct VkQueueFamilyOwnershipTransferPropertiesKHR = 1000584002 {
//!     uint32_t optimalImageTransferToQueueFamilies
//! }
//! ```
//!
//! A structure with a number begins with `sType`, which has this number, and `pNext`. Handles have the number of their
//! object type. `pointers` are unions of pointers.

use std::collections::HashMap;
use std::fmt::Write;

/// Header of the excerpt, behind which declarations begin; `VERSION` stands for the last part of the registry's version.
const HEADER: &str = "\
# Excerpt of the Vulkan registry, version 1.4.VERSION (https://github.com/KhronosGroup/Vulkan-Docs, xml/vk.xml).
# Copyright 2015-2026 The Khronos Group Inc.
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Written by `quadrille-conformance registry`: declarations that are newer than the bindings of the driver.
";

/// Returns the excerpt of the registry that declares `names`: types, commands and constants.
///
/// # Errors
/// A message if the registry does not declare a name.
pub fn excerpt(registry: &str, names: &[&str]) -> Result<String, String> {
    let version = super::version(registry).ok_or("the registry has no version")?;
    let registry = Registry::of(registry);
    let mut out = HEADER.replace("VERSION", &version.to_string());
    let mut last = "";
    for (place, name) in registry.in_order(names)? {
        let extension = registry.extensions.get(name).copied().unwrap_or_default();
        if extension != last {
            let _ = write!(out, "\n// {extension}\n");
            last = extension;
        }
        out += &registry.declaration(place, name).ok_or_else(|| format!("{name}: not understood"))?;
    }
    Ok(out)
}

/// The lines of the registry, with an index.
struct Registry<'a> {
    lines: Vec<&'a str>,
    /// Line at which a name is declared.
    places: HashMap<&'a str, usize>,
    /// Names that stand for others.
    aliases: HashMap<&'a str, &'a str>,
    /// Extension or version that a type, a command or a constant first belongs to.
    extensions: HashMap<&'a str, &'a str>,
    /// Values of constants and enumerants.
    values: HashMap<&'a str, u64>,
}

impl<'a> Registry<'a> {
    fn of(text: &'a str) -> Self {
        let mut r = Registry {
            lines: text.lines().map(str::trim).collect(),
            places: HashMap::new(),
            aliases: HashMap::new(),
            extensions: HashMap::new(),
            values: HashMap::new(),
        };
        let (mut extension, mut number) = ("", 0);
        for at in 0..r.lines.len() {
            let line = r.lines[at];
            if line.starts_with("<extension ") || line.starts_with("<feature ") && line.contains("api=") {
                // Vulkan is the union of a base, compute and graphics version.
                let name = attribute(line, "name").unwrap_or_default();
                extension = if line.starts_with("<feature ") { "Vulkan" } else { name };
                number = attribute(line, "number").and_then(|n| n.parse().ok()).unwrap_or(0);
            }
            let name = attribute(line, "name").or_else(|| element(line, "name")).unwrap_or_default();
            if line.starts_with("<enum ") {
                r.enumerant(line, name, number);
            }
            let declares = line.contains("category=\"") && line.starts_with("<type ")
                || line.starts_with("<proto>")
                || line.starts_with("<enum type=");
            match attribute(line, "alias") {
                Some(other) => _ = r.aliases.insert(name, other),
                None if declares => _ = r.places.entry(name).or_insert(at),
                None if !extension.is_empty() => _ = r.extensions.entry(name).or_insert(extension),
                None => {}
            }
        }
        r
    }

    /// Notes the value of an enumerant, which stands in the part of extension `number`.
    fn enumerant(&mut self, line: &'a str, name: &'a str, number: u64) {
        let parsed = |of| attribute(line, of).and_then(|n| n.parse::<u64>().ok());
        let offset = parsed("offset").map(|offset| {
            let extension = parsed("extnumber").unwrap_or(number);
            1_000_000_000 + extension.saturating_sub(1) * 1000 + offset
        });
        if let Some(value) = parsed("value").or(offset) {
            self.values.entry(name).or_insert(value);
        }
    }

    /// Returns lines and names in the order of extensions, then of the registry.
    fn in_order(&self, names: &[&'a str]) -> Result<Vec<(usize, &'a str)>, String> {
        let place = |name: &&'a str| match self.places.get(name) {
            Some(at) => Ok((*at, *name)),
            None => Err(format!("the registry does not declare {name}")),
        };
        let mut all: Vec<_> = names.iter().map(place).collect::<Result<_, _>>()?;
        all.sort_by_key(|(at, name)| (self.extensions.get(name), *at));
        all.dedup();
        Ok(all)
    }

    fn declaration(&self, at: usize, name: &str) -> Option<String> {
        let line = self.lines[at];
        if line.starts_with("<proto>") {
            let parameters: Vec<String> = self.members(at + 1, "param", "</command>");
            let result = self.c(line.strip_prefix("<proto>")?.strip_suffix("</proto>")?);
            return Some(format!("{result}({})\n", parameters.join(", ")));
        }
        if line.starts_with("<enum ") {
            return Some(format!("constant {name} = {}\n", self.values.get(name)?));
        }
        match attribute(line, "category")? {
            "enum" => Some(format!("enum {name}\n")),
            "bitmask" if line.contains("VkFlags64") => Some(format!("flags64 {name}\n")),
            "bitmask" => Some(format!("flags {name}\n")),
            "handle" => {
                Some(format!("handle {name} = {}\n", self.values.get(attribute(line, "objtypeenum")?)?))
            }
            kind @ ("struct" | "union") => {
                let members = self.members(at + 1, "member", "</type>");
                if kind == "union" && members.iter().all(|m| m.contains('*')) {
                    return Some(format!("pointers {name}\n"));
                }
                let tagged =
                    attribute(self.lines[at + 1], "values").filter(|_| members[0].ends_with(" sType"));
                let number = match tagged {
                    Some(value) => format!(" = {}", self.values.get(value)?),
                    None => String::new(),
                };
                let skipped = if tagged.is_some() { 2 } else { 0 };
                let lines: String = members[skipped..].iter().map(|m| format!("    {m}\n")).collect();
                Some(format!("{kind} {name}{number} {{\n{lines}}}\n"))
            }
            _ => None,
        }
    }

    /// Returns the members or parameters from a line to the end of their declaration.
    fn members(&self, from: usize, tag: &str, end: &str) -> Vec<String> {
        let lines = self.lines[from..].iter().take_while(|line| **line != end);
        let of_vulkan = lines.filter(|line| attribute(line, "api").is_none_or(|api| api != "vulkansc"));
        let inside = of_vulkan.filter_map(|line| {
            let (_, text) = line.strip_prefix('<')?.strip_prefix(tag)?.split_once('>')?;
            Some(self.c(text.split_once(&format!("</{tag}>"))?.0))
        });
        inside.collect()
    }

    /// Removes the tags and comments of a declaration, and replaces names that stand for others.
    fn c(&self, text: &str) -> String {
        let text = text.split("<comment>").next().unwrap_or_default();
        let mut plain = String::new();
        for (i, part) in text.split('<').enumerate() {
            plain += if i == 0 { part } else { part.split_once('>').map_or("", |(_, rest)| rest) };
        }
        let words = plain.split_whitespace().map(|word| {
            let name = word.trim_end_matches('*');
            match self.aliases.get(name) {
                Some(other) => word.replace(name, other),
                None => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Returns the value of an attribute of the tag with which a line begins.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (tag, _) = line.split_once('>')?;
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// Returns the text of an element.
fn element<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = r#"
        #define <name>VK_HEADER_VERSION</name> 360</type>
        <type category="struct" name="VkRangeEXT" alias="VkRangeKHR"/>
        <type category="struct" name="VkRangeKHR">
            <member><type>VkDeviceAddress</type> <name>address</name></member>
        </type>
        <type requires="VkUseFlagBitsKHR" category="bitmask">typedef <type>VkFlags</type> <name>VkUseFlagsKHR</name>;</type>
        <type category="struct" name="VkUseInfoKHR">
            <member values="VK_STRUCTURE_TYPE_USE_INFO_KHR"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true">const <type>void</type>*   <name>pNext</name></member>
            <member><type>VkRangeEXT</type> <name>range</name><comment>Why.</comment></member>
            <member api="vulkansc"><type>uint32_t</type> <name>other</name></member>
            <member><type>uint8_t</type>  <name>key</name>[<enum>VK_MAX_KEY_KHR</enum>]</member>
        </type>
        <enum type="uint32_t" value="32" name="VK_MAX_KEY_KHR" />
        <command queues="VK_QUEUE_TRANSFER_BIT">
            <proto><type>void</type> <name>vkCmdUseKHR</name></proto>
            <param externsync="true"><type>VkCommandBuffer</type>   <name>commandBuffer</name></param>
            <param>const <type>VkUseInfoKHR</type>* <name>pInfo</name></param>
        </command>
        <extension name="VK_KHR_use" number="12" type="device">
            <enum offset="3" extends="VkStructureType" name="VK_STRUCTURE_TYPE_USE_INFO_KHR" />
            <type name="VkUseInfoKHR" />
        </extension>
    "#;

    /// A value of an extension is 1000000000 + 1000 * (number - 1) + offset. Spec: Vulkan, "Assigning Extension Token
    /// Values".
    #[test]
    fn declarations_are_picked() {
        let names = ["VkUseInfoKHR", "vkCmdUseKHR", "VK_MAX_KEY_KHR", "VkUseFlagsKHR", "VkRangeKHR"];
        let text = excerpt(REGISTRY, &names).unwrap();
        for part in [
            "// VK_KHR_use\nstruct VkUseInfoKHR = 1000011003 {\n    VkRangeKHR range\n    uint8_t key[VK_MAX_KEY_KHR]\n}\n",
            "void vkCmdUseKHR(VkCommandBuffer commandBuffer, const VkUseInfoKHR* pInfo)\n",
            "constant VK_MAX_KEY_KHR = 32\n",
            "flags VkUseFlagsKHR\n",
            "struct VkRangeKHR {\n    VkDeviceAddress address\n}\n",
        ] {
            assert!(text.contains(part), "{part}\nin\n{text}");
        }
        assert!(excerpt(REGISTRY, &["VkNoneKHR"]).is_err());
    }
}
