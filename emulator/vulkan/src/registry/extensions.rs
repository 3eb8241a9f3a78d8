//! Queries and checks derived from the rows of the table: lists of extensions, known structures, and the extensions
//! that an instance or a device enables. Look-up of commands is in `loader::lookup`.

use std::ffi::c_char;

use ash::vk;

use super::row::{Extension, Kind, Row, Version};
use crate::interface::chain::{enumerate_from, fixed, slice, text};
use crate::interface::guard::{VkResult, log};

/// The versions and extensions that a physical device supports.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The supported version.
    pub version: u32,
    /// Extensions of the table that are hidden.
    pub hidden: &'static [Extension],
    /// The table.
    pub rows: &'static [Row],
}

fn number((major, minor): Version) -> u32 {
    vk::make_api_version(0, major, minor, 0)
}

impl Offer {
    /// `true` if `version` is supported.
    pub fn has(&self, version: Version) -> bool {
        number(version) <= self.version
    }

    /// `true` if the supported version includes a row.
    fn in_version(&self, row: &Row) -> bool {
        row.core.is_some_and(|core| self.has(core))
    }

    /// `true` if an extension is supported by name.
    fn by_name(&self, row: &Row) -> bool {
        row.kind != Kind::Version && !self.hidden.contains(&row.name) && (row.offered)()
    }

    /// `true` if a feature or property structure belongs to the supported version or to a supported extension.
    pub fn structure(&self, structure: vk::StructureType) -> bool {
        let lists = |row: &Row| row.features.contains(&structure) || row.properties.contains(&structure);
        self.rows.iter().any(|row| lists(row) && (self.in_version(row) || self.by_name(row)))
    }

    /// Returns the supported extensions of a kind.
    fn extensions(&self, kind: Kind) -> impl Iterator<Item = &'static Row> + Clone {
        self.rows.iter().filter(move |row| row.kind == kind && self.by_name(row))
    }

    /// Answers the commands that enumerate the extensions of a kind.
    ///
    /// # Safety
    /// `count` is valid; `out` is null or has room for `*count` elements.
    pub unsafe fn enumerate(
        &self,
        kind: Kind,
        count: *mut u32,
        out: *mut vk::ExtensionProperties,
    ) -> VkResult {
        let rows = self.extensions(kind);
        let show = |row: &Row| vk::ExtensionProperties {
            extension_name: fixed(row.name),
            spec_version: row.revision,
        };
        // SAFETY: the caller promises that `count` is valid and that `out` is null or has room for `*count` elements.
        unsafe { enumerate_from(rows.clone().count(), rows.map(show), count, out) }
    }

    /// Returns the named extensions of a kind, and those that they require: programs forget these, and other drivers
    /// accept that. Fails if an extension is not supported, or if it requires one that is not supported, not in
    /// `enabled`, and not part of the version.
    ///
    /// # Safety
    /// `names` is null or has `n` C strings.
    pub unsafe fn enable(
        &self,
        kind: Kind,
        enabled: &[Extension],
        names: *const *const c_char,
        n: u32,
    ) -> VkResult<Vec<Extension>> {
        // SAFETY: the caller promises that `names` is null or has `n` elements.
        let names = unsafe { slice(names, n) };
        let row = |name: &*const c_char| {
            // SAFETY: the caller promises that each name is a C string.
            let name = unsafe { text(*name) };
            let mut rows = self.rows.iter();
            rows.find(|row| row.kind == kind && row.name == name && self.by_name(row)).ok_or_else(|| {
                log(&format!("extension {name} is not supported"));
                vk::Result::ERROR_EXTENSION_NOT_PRESENT
            })
        };
        let mut rows: Vec<&'static Row> = names.iter().map(row).collect::<VkResult<_>>()?;
        let has = |rows: &[&Row], name: &str| {
            enabled.contains(&name)
                || rows.iter().any(|row| row.name == name)
                || self.rows.iter().any(|row| row.name == name && self.in_version(row))
        };
        let mut checked = 0;
        while let Some(&row) = rows.get(checked) {
            for name in row.needs.split(['(', ')', '+', ',']) {
                if satisfied(row.needs, |name| has(&rows, name)) {
                    break;
                }
                let missing = self.extensions(kind).find(|r| r.name == name && !has(&rows, name));
                if let Some(missing) = missing {
                    log(&format!("{} needs {name}, which is enabled, too", row.name));
                    rows.push(missing);
                }
            }
            if !satisfied(row.needs, |name| has(&rows, name)) {
                log(&format!("{} needs {}", row.name, row.needs));
                return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
            }
            checked += 1;
        }
        Ok(rows.iter().map(|row| row.name).collect())
    }
}

/// Evaluates an expression of names: `+` and `,` have the same precedence, from left to right, as in the registry.
fn satisfied(needs: &str, has: impl Fn(&str) -> bool) -> bool {
    fn term<'a>(text: &'a str, has: &dyn Fn(&str) -> bool) -> (bool, &'a str) {
        if let Some(inner) = text.strip_prefix('(') {
            let (value, rest) = expression(inner, has);
            return (value, rest.strip_prefix(')').unwrap_or(rest));
        }
        let end = text.find(['(', ')', '+', ',']).unwrap_or(text.len());
        (has(&text[..end]), &text[end..])
    }
    fn expression<'a>(text: &'a str, has: &dyn Fn(&str) -> bool) -> (bool, &'a str) {
        let (mut value, mut rest) = term(text, has);
        while let Some(operator @ ('+' | ',')) = rest.chars().next() {
            let (right, after) = term(&rest[1..], has);
            value = if operator == '+' { value && right } else { value || right };
            rest = after;
        }
        (value, rest)
    }
    needs.is_empty() || expression(needs, &has).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ROWS;

    const ALL: Offer = Offer { version: vk::make_api_version(0, 1, 4, 0), hidden: &[], rows: ROWS };

    /// Dependencies are expressions. Spec: Vulkan registry, attribute `depends`.
    #[test]
    fn needs_are_expressions() {
        let has = |names: &'static [&str]| move |name: &str| names.contains(&name);
        assert!(satisfied("", has(&[])));
        assert!(satisfied("(a+b),c", has(&["c"])));
        assert!(satisfied("(a+b),c", has(&["a", "b"])));
        assert!(!satisfied("(a+b),c", has(&["a"])));
        assert!(!satisfied("(a,b)+c", has(&["a"])));
        assert!(!satisfied("a,b+c", has(&["a"])), "from left to right");
    }

    fn enable(offer: &Offer, names: &[&std::ffi::CStr]) -> VkResult<Vec<Extension>> {
        let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
        // SAFETY: `names` is an array of C strings.
        unsafe { offer.enable(Kind::Device, &[], names.as_ptr(), names.len() as u32) }
    }

    #[test]
    fn extensions_need_others() {
        let missing = Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
        let both = Ok(vec!["VK_EXT_border_color_swizzle", "VK_EXT_custom_border_color"]);
        assert_eq!(enable(&ALL, &[c"VK_EXT_border_color_swizzle"]), both);
        assert_eq!(enable(&ALL, &[c"VK_EXT_border_color_swizzle", c"VK_EXT_custom_border_color"]), both);
        // Its dependencies are part of 1.2. Programs that use wgpu below 1.2 enable it alone.
        let old = Offer { version: vk::API_VERSION_1_1, ..ALL };
        assert_eq!(
            enable(&old, &[c"VK_KHR_spirv_1_4"]),
            Ok(vec!["VK_KHR_spirv_1_4", "VK_KHR_shader_float_controls"])
        );
        assert_eq!(enable(&ALL, &[c"VK_KHR_spirv_1_4"]), Ok(vec!["VK_KHR_spirv_1_4"]));
        let hiding = Offer { hidden: &["VK_KHR_shader_float_controls"], ..old };
        assert_eq!(enable(&hiding, &[c"VK_KHR_spirv_1_4"]), missing);
        assert_eq!(enable(&ALL, &[c"VK_KHR_get_physical_device_properties2"]), missing, "of the instance");
        // An older loader hides the instance extensions that these require, and programs enable every device extension.
        let all: Vec<_> = ALL.extensions(Kind::Device).map(|row| fixed::<256>(row.name)).collect();
        let names: Vec<_> = all.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: `names` is an array of C strings.
        unsafe { ALL.enable(Kind::Device, &[], names.as_ptr(), names.len() as u32) }
            .expect("all extensions can be enabled");
        let hiding = Offer { hidden: &["VK_KHR_spirv_1_4"], ..ALL };
        assert_eq!(enable(&hiding, &[c"VK_KHR_spirv_1_4"]), missing);
    }

    #[test]
    fn rows_are_whole() {
        for row in ROWS {
            let same = ROWS.iter().filter(|other| other.name == row.name).count();
            assert_eq!(same, 1, "{} has one row", row.name);
            // Every name in `needs` has a row, so that the expression can be true.
            satisfied(row.needs, |name| {
                assert!(ROWS.iter().any(|other| other.name == name), "{} needs {name}", row.name);
                true
            });
            // All extensions of the table can be enabled together.
            let all: Vec<Extension> = ROWS.iter().map(|r| r.name).collect();
            assert!(satisfied(row.needs, |name| all.contains(&name)), "{}", row.name);
        }
    }
}
