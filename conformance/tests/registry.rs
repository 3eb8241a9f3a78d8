//! The driver's declarations of newer Vulkan, and its extensions, are those of the registry.

use std::fs;
use std::path::Path;

use ash::vk;
use quadrille_conformance::client::Host;
use quadrille_conformance::registry::{
    EXCERPT, EXTENSIONS, EXTENSIONS_PAGE, GENERATED, TESTS, VERSION, declarations, declared, differences,
    excerpt, page, rows, version, witnesses,
};
use quadrille_jit::env;
use quadrille_jit::testing::{Requirement, skipped};

#[test]
fn generated_declarations_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let excerpt = fs::read_to_string(root.join(EXCERPT)).unwrap();
    let new = declarations(&excerpt).unwrap();
    if env::bless() {
        fs::write(root.join(GENERATED), &new).unwrap();
    }
    let old = fs::read_to_string(root.join(GENERATED)).unwrap();
    assert!(
        new == old,
        "{GENERATED} is not what {EXCERPT} says; `quadrille-conformance registry` writes it anew"
    );
}

/// Returns the names of the extensions that the driver offers, for devices and for instances.
#[expect(unsafe_code, reason = "a Vulkan client")]
fn offered() -> [Vec<String>; 2] {
    let host = Host::new(vk_quadrille::entry(), vk::API_VERSION_1_3, &[]).unwrap();
    let names = |list: Vec<vk::ExtensionProperties>| -> Vec<String> {
        list.iter().map(|e| e.extension_name_as_c_str().unwrap().to_str().unwrap().to_owned()).collect()
    };
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    unsafe {
        let device = host.instance.enumerate_device_extension_properties(host.physical).unwrap();
        let instance = host.entry.enumerate_instance_extension_properties(None).unwrap();
        [names(device), names(instance)]
    }
}

/// Every extension of the registry is offered, or has a reason why not; the driver offers no other.
#[test]
fn extensions_are_offered_or_have_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = fs::read_to_string(root.join(EXTENSIONS)).unwrap();
    let rows = rows(&table).unwrap();
    let [devices, instances] = offered();
    for row in &rows {
        assert!(row.reason != "unknown", "{} needs a reason, or an empty one if it is offered", row.name);
        let offered = match row.kind {
            "device" => &devices,
            _ => &instances,
        };
        // The window systems and some kinds of memory depend on the host.
        if !row.is_conditional() {
            let is = offered.iter().any(|name| name == row.name);
            assert_eq!(is, row.is_offered(), "{}: offered, or reason {:?}", row.name, row.reason);
        }
    }
    for name in devices.iter().chain(&instances) {
        assert!(rows.iter().any(|row| row.name == *name), "{name} is not in {EXTENSIONS}");
    }
    let new = page(&rows);
    if env::bless() {
        fs::write(root.join(EXTENSIONS_PAGE), &new).unwrap();
    }
    let old = fs::read_to_string(root.join(EXTENSIONS_PAGE)).unwrap_or_default();
    assert!(new == old, "{EXTENSIONS_PAGE} is not what {EXTENSIONS} says; QUADRILLE_BLESS=1 writes it anew");
    // The README counts the device extensions of hosts that offer all, and of those without dma-bufs.
    let all =
        rows.iter().filter(|row| row.kind == "device" && (row.is_offered() || row.is_conditional())).count();
    let always = all - 1;
    let count = format!("{all} device extensions ({always} without `/dev/udmabuf`)");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains(&count), "README.md does not say {count:?}");
}

/// Registry that packages of Vulkan's headers install.
const INSTALLED: &str = "/usr/share/vulkan/registry/vk.xml";

/// Each extension of the registry has a row, and each row is right. The declarations are those of the registry, too. Without a
/// registry of the table's version, one of a later version shows that no row is wrong.
#[test]
fn tables_are_those_of_the_registry() {
    let (path, is_named) = match env::REGISTRY.get() {
        Some(path) => (path, true),
        None => (INSTALLED.into(), false),
    };
    let xml = match fs::read_to_string(&path) {
        Ok(xml) => xml,
        Err(e) if is_named => panic!("{}: {e}", path.display()),
        Err(_) => return skipped(Requirement::Registry, "no registry of Vulkan"),
    };
    let found = version(&xml).unwrap_or_else(|| panic!("{} has no version", path.display()));
    if found < VERSION {
        let why = format!("the registry of Vulkan has the version {found}, not {VERSION}");
        assert!(!is_named, "{}: {why}", path.display());
        return skipped(Requirement::Registry, &why);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = fs::read_to_string(root.join(EXTENSIONS)).unwrap();
    let wrong = differences(&xml, &rows(&table).unwrap(), is_named || found == VERSION);
    let write = "`quadrille-conformance registry --xml` writes the tables anew";
    assert!(wrong.is_empty(), "{EXTENSIONS} by version {found}: {wrong:#?}; {write}");
    if found == VERSION {
        let old = fs::read_to_string(root.join(EXCERPT)).unwrap();
        let new = excerpt(&xml, &declared(&old)).unwrap();
        assert!(new == old, "{EXCERPT} is not what the registry says; {write}");
    }
}

/// Every extension that the driver offers has a test, which exists; so have the items of Roadmap 2026, which the driver's own
/// test compares with the table.
#[test]
fn extensions_have_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = fs::read_to_string(root.join(TESTS)).unwrap();
    let tests = witnesses(&table).unwrap();
    let wrong: Vec<String> = tests.iter().filter_map(|test| test.check(&root).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let extensions = fs::read_to_string(root.join(EXTENSIONS)).unwrap();
    let rows = rows(&extensions).unwrap();
    let offered: Vec<&str> =
        rows.iter().filter(|row| row.is_offered() || row.is_conditional()).map(|row| row.name).collect();
    let tested = |name: &str| tests.iter().any(|test| test.item == name);
    let without: Vec<&str> = offered.iter().copied().filter(|name| !tested(name)).collect();
    assert_eq!(without, [""; 0], "extensions without a row in {TESTS}");
    let extensions = tests.iter().map(|test| test.item).filter(|item| item.starts_with("VK_"));
    let gone: Vec<&str> = extensions.filter(|name| !offered.contains(name)).collect();
    assert_eq!(gone, [""; 0], "{TESTS} names extensions that the driver does not offer");
}
