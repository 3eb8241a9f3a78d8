//! From the excerpt to Rust: rows for the macros of the driver.

use std::collections::HashMap;
use std::fmt::Write;

/// Structures of the bindings that have a lifetime, among those that the excerpt uses.
const WITH_LIFETIME: [&str; 5] = [
    "AllocationCallbacks",
    "ImageViewCreateInfo",
    "MemoryRequirements2",
    "SamplerCreateInfo",
    "SamplerCustomBorderColorCreateInfoEXT",
];

/// Types that have another name in the bindings: the name from before their promotion, or that of a set of bits.
const OTHER_NAMES: [(&str, &str); 4] = [
    ("OpacityMicromapFormatKHR", "OpacityMicromapFormatEXT"),
    ("PipelineRobustnessBufferBehavior", "PipelineRobustnessBufferBehaviorEXT"),
    ("PipelineRobustnessImageBehavior", "PipelineRobustnessImageBehaviorEXT"),
    ("ResolveModeFlagBits", "ResolveModeFlags"),
];

const HEADER: &str = "\
//! Declarations of Vulkan that are newer than the bindings, written by `quadrille-conformance registry` from
//! `conformance/inventory/vulkan_newer.txt`.

use std::ffi::{c_char, c_void};

use ash::vk;
use ash::vk::TaggedStructure;

";

/// Returns the Rust declarations of an excerpt.
///
/// # Errors
/// A message with the first line that is not understood.
pub fn declarations(excerpt: &str) -> Result<String, String> {
    let known: HashMap<&str, &str> = heads(excerpt).map(|(kind, name)| (name, kind)).collect();
    let mut parts = Parts::default();
    let mut open: Option<Structure<'_>> = None;
    for line in excerpt.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let wrong = || format!("not understood: {line}");
        if let Some(extension) = line.strip_prefix("// ") {
            parts.extension = extension;
        } else if line == "}" {
            parts.structure(open.take().ok_or_else(wrong)?);
        } else if let Some(structure) = &mut open {
            let member = Declarator::of(line.trim()).ok_or_else(wrong)?;
            structure.members.push((field(member.name), member.rust(&known, "'static")));
        } else if let Some(head) = line.strip_suffix(" {") {
            open = Some(Structure::of(head).ok_or_else(wrong)?);
        } else if let Some((proto, parameters)) = line.split_once('(') {
            parts.command(proto, parameters, &known).ok_or_else(wrong)?;
        } else {
            parts.number(line).ok_or_else(wrong)?;
        }
    }
    Ok(parts.text())
}

/// Returns kind and name of each declaration: the first two words of its line. The kind of a command is its result.
fn heads(excerpt: &str) -> impl Iterator<Item = (&str, &str)> {
    let declarations = excerpt.lines().filter(|line| !line.starts_with(['#', '/', ' ', '}']));
    declarations.filter_map(|line| {
        let (kind, rest) = line.split_once(' ')?;
        rest.split([' ', '(']).next().map(|name| (kind, name))
    })
}

/// Returns the names that an excerpt declares.
pub fn declared(excerpt: &str) -> Vec<&str> {
    heads(excerpt).map(|(_, name)| name).collect()
}

/// A structure or union with its members.
struct Structure<'a> {
    kind: &'a str,
    name: &'a str,
    number: Option<u64>,
    members: Vec<(String, String)>,
}

impl<'a> Structure<'a> {
    fn of(head: &'a str) -> Option<Self> {
        let (kind, rest) = head.split_once(" Vk")?;
        let (name, number) = match rest.split_once(" = ") {
            Some((name, number)) => (name, Some(number.parse().ok()?)),
            None => (rest, None),
        };
        Some(Structure { kind, name, number, members: Vec::new() })
    }
}

/// Rows of each macro.
#[derive(Default)]
struct Parts<'a> {
    extension: &'a str,
    constants: String,
    handles: String,
    plain: String,
    unions: String,
    tagged: String,
    commands: String,
}

impl Parts<'_> {
    fn structure(&mut self, s: Structure<'_>) {
        let members: Vec<String> = s.members.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let (to, head) = match (s.kind, s.number) {
            ("union", _) => (&mut self.unions, format!("    {}", s.name)),
            (_, None) => (&mut self.plain, format!("    {}", s.name)),
            (_, Some(number)) => (&mut self.tagged, format!("    {} = {}", s.name, digits(number))),
        };
        let _ = writeln!(to, "    /// {}.", self.extension);
        let one = format!("{head} {{ {} }}", members.join(", "));
        if members.is_empty() {
            let _ = writeln!(to, "{head} {{}}");
        } else if one.len() <= 110 {
            let _ = writeln!(to, "{one}");
        } else {
            let lines: String = members.iter().map(|m| format!("        {m},\n")).collect();
            let _ = writeln!(to, "{head} {{\n{lines}    }}");
        }
    }

    fn command(&mut self, proto: &str, parameters: &str, known: &HashMap<&str, &str>) -> Option<()> {
        let proto = Declarator::of(proto)?;
        let parameters = parameters.strip_suffix(')')?.split(", ");
        let types = parameters.map(|p| Some(Declarator::of(p)?.rust(known, "'_")));
        let types = types.collect::<Option<Vec<_>>>()?;
        let result = match proto.ty {
            "void" => String::new(),
            _ => format!(" -> {}", proto.rust(known, "'_")),
        };
        let one = format!("    PFN_{}({}){result};", proto.name, types.join(", "));
        let lines = types.join(",\n        ");
        match one.len() <= 110 {
            true => _ = writeln!(self.commands, "{one}"),
            false => _ = writeln!(self.commands, "    PFN_{}(\n        {lines}\n    ){result};", proto.name),
        }
        Some(())
    }

    /// A declaration in one line: only constants and handles are declared in Rust.
    fn number(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        match (kind, rest.split_once(" = ")) {
            ("enum" | "flags" | "flags64" | "pointers", None) => {}
            ("constant", Some((name, value))) => {
                let rust = name.strip_prefix("VK_")?;
                let _ = writeln!(self.constants, "/// {name}.\npub const {rust}: usize = {value};\n");
            }
            ("handle", Some((name, value))) => {
                let (rust, value) = (name.strip_prefix("Vk")?, digits(value.parse().ok()?));
                let _ = writeln!(self.handles, "    /// {}.\n    {rust} = {value};", self.extension);
            }
            _ => return None,
        }
        Some(())
    }

    fn text(&self) -> String {
        let part = |name: &str, rows: &str| format!("{name}! {{\n{rows}}}\n");
        let parts = [
            part("handles", &self.handles),
            part("plain_structures", &self.plain),
            part("unions", &self.unions),
            part("structures", &self.tagged),
            part("command_types", &self.commands),
        ];
        format!("{HEADER}{}{}", self.constants, parts.join("\n"))
    }
}

/// A type of C with the name that it is given to.
struct Declarator<'a> {
    constant: bool,
    ty: &'a str,
    /// Number of pointers on the way to the type; more than one are constant.
    pointers: usize,
    name: &'a str,
    array: Option<&'a str>,
}

impl<'a> Declarator<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (before, name) = text.rsplit_once(' ')?;
        let (name, array) = match name.split_once('[') {
            Some((name, length)) => (name, Some(length.strip_suffix(']')?)),
            None => (name, None),
        };
        // Other lengths than constants, several dimensions, and members of some bits.
        let word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !word(name) || !array.is_none_or(|length| length.starts_with("VK_") && word(length)) {
            return None;
        }
        let pointers = before.matches('*').count();
        let constant = before.starts_with("const ");
        if pointers > 2 || pointers == 2 && !(constant && before.ends_with("* const*")) {
            return None;
        }
        let ty = before.trim_start_matches("const ").split(['*', ' ']).next()?;
        Some(Declarator { constant, ty, pointers, name, array })
    }

    fn rust(&self, known: &HashMap<&str, &str>, lifetime: &str) -> String {
        let name = self.ty.strip_prefix("Vk").unwrap_or(self.ty);
        let plain = match (self.ty, known.get(self.ty).copied()) {
            ("void", _) => "c_void".into(),
            ("char", _) => "c_char".into(),
            ("float", _) => "f32".into(),
            ("size_t", _) => "usize".into(),
            (number, _) if number.ends_with("_t") => {
                number.trim_end_matches("_t").replace("uint", "u").replace("int", "i")
            }
            (_, Some("enum")) => "i32".into(),
            (_, Some("flags")) => "u32".into(),
            (_, Some("flags64")) => "u64".into(),
            // The type or another member says which structure the pointer points to.
            (_, Some("pointers")) => "*const c_void".into(),
            (_, Some(_)) => name.to_owned(),
            _ if WITH_LIFETIME.contains(&name) => format!("vk::{name}<{lifetime}>"),
            _ => {
                let other = OTHER_NAMES.iter().find(|(here, _)| *here == name);
                format!("vk::{}", other.map_or(name, |(_, there)| there))
            }
        };
        let pointed = match self.constant {
            true => format!("{}{plain}", "*const ".repeat(self.pointers)),
            false => format!("{}{plain}", "*mut ".repeat(self.pointers)),
        };
        match self.array.and_then(|length| length.strip_prefix("VK_")) {
            Some(length) if known.contains_key(&*format!("VK_{length}")) => format!("[{pointed}; {length}]"),
            Some(length) => format!("[{pointed}; vk::{length}]"),
            None => pointed,
        }
    }
}

/// Returns a name of a member as the bindings write it: `image2DViewOf3D` is `image2_d_view_of3_d`.
fn field(name: &str) -> String {
    if name == "type" {
        return "ty".into();
    }
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, c) in letters.iter().enumerate() {
        let after = i > 0 && !letters[i - 1].is_uppercase();
        let before = i > 0 && letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after || before) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Returns a number with separators between groups of three digits.
fn digits(number: u64) -> String {
    let text = number.to_string();
    let groups: Vec<&[u8]> = text.as_bytes().rchunks(3).rev().collect();
    let groups = groups.iter().map(|g| String::from_utf8_lossy(g).into_owned());
    let separator = if text.len() > 4 { "_" } else { "" };
    groups.collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_names_are_those_of_the_bindings() {
        assert_eq!(field("image2DViewOf3DSparse"), "image2_d_view_of3_d_sparse");
        assert_eq!(field("optimalTilingLayoutUUID"), "optimal_tiling_layout_uuid");
        assert_eq!(field("resolveSRGBFormat"), "resolve_srgb_format");
        assert_eq!(field("pNext"), "p_next");
        let known =
            HashMap::from([("VkUseKHR", "struct"), ("VkModeKHR", "enum"), ("VK_MAX_KEY", "constant")]);
        let rust = |c| Declarator::of(c).unwrap().rust(&known, "'_");
        assert_eq!(rust("const VkUseKHR* pUse"), "*const UseKHR");
        assert_eq!(rust("const VkUseKHR* const* ppUses"), "*const *const UseKHR");
        assert_eq!(rust("void* pData"), "*mut c_void");
        assert_eq!(rust("VkModeKHR mode"), "i32");
        assert_eq!(rust("uint8_t key[VK_MAX_KEY]"), "[u8; MAX_KEY]");
        assert_eq!(rust("uint8_t id[VK_UUID_SIZE]"), "[u8; vk::UUID_SIZE]");
        assert_eq!(rust("const VkAllocationCallbacks* pAllocator"), "*const vk::AllocationCallbacks<'_>");
        assert_eq!(digits(1_000_584_002), "1_000_584_002");
        assert_eq!(digits(55), "55");
    }

    #[test]
    fn unknown_lines_are_refused() {
        assert!(
            declarations("struct VkUseKHR = 12 {\n    uint32_t a\n}\n")
                .unwrap()
                .contains("UseKHR = 12 { a: u32 }")
        );
        assert!(declarations("class VkUseKHR\n").is_err());
        assert!(declarations("struct VkUseKHR = x {\n}\n").is_err());
        assert!(declarations("struct VkUseKHR {\n    VkRangeKHR** ranges\n}\n").is_err());
        for member in ["float matrix[3][4]", "uint8_t key[16]", "uint8_t key[VK_A][VK_B]", "uint32_t mask:8"]
        {
            assert!(declarations(&format!("struct VkUseKHR {{\n    {member}\n}}\n")).is_err(), "{member}");
        }
        assert!(declarations("struct VkUseKHR {\n    const VkRangeKHR* const* const* ranges\n}\n").is_err());
    }
}
