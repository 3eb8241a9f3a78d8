//! What derives from the rows of the table: lists of extensions, which structures are known, and the checks of what an
//! instance or a device enables. The look-up of commands is in `lookup`.

use std::ffi::c_char;

use ash::vk;

use crate::chain::{enumerate_from, fixed, slice, text};
use crate::guard::{VkResult, log};
use crate::row::{Extension, Kind, Row, Version};

/// What a physical device offers of the table.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The version that it names.
    pub version: u32,
    /// Extensions that it leaves out.
    pub hidden: &'static [Extension],
    /// The table.
    pub rows: &'static [Row],
}

fn number((major, minor): Version) -> u32 {
    vk::make_api_version(0, major, minor, 0)
}

impl Offer {
    /// Whether the version is this one or a later one.
    pub fn has(&self, version: Version) -> bool {
        number(version) <= self.version
    }

    /// Whether the version has all that a row brings.
    fn in_version(&self, row: &Row) -> bool {
        row.core.is_some_and(|core| self.has(core))
    }

    /// Whether an extension is offered by name.
    fn by_name(&self, row: &Row) -> bool {
        row.kind != Kind::Version && !self.hidden.contains(&row.name) && (row.offered)()
    }

    /// Whether a feature or property structure is that of the version or of an extension offered.
    pub fn structure(&self, structure: vk::StructureType) -> bool {
        let lists = |row: &Row| row.features.contains(&structure) || row.properties.contains(&structure);
        self.rows.iter().any(|row| lists(row) && (self.in_version(row) || self.by_name(row)))
    }

    /// The extensions of a kind.
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
        // SAFETY: the caller vouches for both.
        unsafe { enumerate_from(rows.clone().count(), rows.map(show), count, out) }
    }

    /// The extensions of a kind that are named, or the code for one that is not offered, or that needs another
    /// which is neither named, nor among those `enabled` before, nor part of the version.
    ///
    /// # Safety
    /// `names` is null or has `n` strings.
    pub unsafe fn enable(
        &self,
        kind: Kind,
        enabled: &[Extension],
        names: *const *const c_char,
        n: u32,
    ) -> VkResult<Vec<Extension>> {
        // SAFETY: the caller passes the array of a create info.
        let names = unsafe { slice(names, n) };
        let row = |name: &*const c_char| {
            // SAFETY: names of a create info end with a zero byte.
            let name = unsafe { text(*name) };
            let mut rows = self.rows.iter();
            rows.find(|row| row.kind == kind && row.name == name && self.by_name(row)).ok_or_else(|| {
                log(&format!("extension {name} is not offered"));
                vk::Result::ERROR_EXTENSION_NOT_PRESENT
            })
        };
        let rows: Vec<&Row> = names.iter().map(row).collect::<VkResult<_>>()?;
        let has = |name: &str| {
            enabled.contains(&name)
                || rows.iter().any(|row| row.name == name)
                || self.rows.iter().any(|row| row.name == name && self.in_version(row))
        };
        for row in &rows {
            if !satisfied(row.needs, has) {
                log(&format!("{} needs {}", row.name, row.needs));
                return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
            }
        }
        Ok(rows.iter().map(|row| row.name).collect())
    }
}

/// Whether an expression of names holds: `+` and `,` bind alike, from left to right, as in the registry.
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

    /// Spec: Vulkan registry, attribute `depends`.
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
        // SAFETY: an array of strings.
        unsafe { offer.enable(Kind::Device, &[], names.as_ptr(), names.len() as u32) }
    }

    #[test]
    fn extensions_need_others() {
        let missing = Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
        assert_eq!(enable(&ALL, &[c"VK_EXT_border_color_swizzle"]), missing);
        assert!(enable(&ALL, &[c"VK_EXT_border_color_swizzle", c"VK_EXT_custom_border_color"]).is_ok());
        // What it needs is part of 1.2.
        let old = Offer { version: vk::API_VERSION_1_1, ..ALL };
        assert_eq!(enable(&old, &[c"VK_KHR_spirv_1_4"]), missing);
        assert!(enable(&ALL, &[c"VK_KHR_spirv_1_4"]).is_ok());
        assert_eq!(enable(&ALL, &[c"VK_KHR_get_physical_device_properties2"]), missing, "of the instance");
        // An older loader hides what these need of the instance, and programs enable all there is for a device.
        let all: Vec<_> = ALL.extensions(Kind::Device).map(|row| fixed::<256>(row.name)).collect();
        let names: Vec<_> = all.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: an array of strings.
        unsafe { ALL.enable(Kind::Device, &[], names.as_ptr(), names.len() as u32) }.expect("all together");
        let hiding = Offer { hidden: &["VK_KHR_spirv_1_4"], ..ALL };
        assert_eq!(enable(&hiding, &[c"VK_KHR_spirv_1_4"]), missing);
    }

    #[test]
    fn rows_are_whole() {
        for row in ROWS {
            let same = ROWS.iter().filter(|other| other.name == row.name).count();
            assert_eq!(same, 1, "{} has one row", row.name);
            // Every name in `needs` has a row, so that the expression can hold.
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
