//! Destroyed objects that submitted commands use: reports them to the device's watcher at submission.

use quadrille_check::events::Event;

use super::super::list::CommandList;
use crate::object::names::Names;
use crate::observation::watching::Watching;

/// Reports the destroyed objects that the commands of a list use, before the list is submitted.
pub(crate) fn destroyed(watch: &Watching, names: Option<&Names>, list: &CommandList) {
    let place = list
        .name
        .as_deref()
        .map_or_else(|| "a command buffer".into(), |name| format!("command buffer {name:?}"));
    let tell = |what: Option<String>, kind: &str| {
        let what = what.unwrap_or_else(|| kind.to_owned());
        watch.tell(&Event::Destroyed { what: &what, place: &place });
    };
    for buffer in list.buffers.objects.0.iter().filter(|b| b.is_destroyed()) {
        tell(names.map(|names| names.of(buffer)), "a buffer");
    }
    for image in list.images.objects.0.iter().filter(|i| i.is_destroyed()) {
        tell(names.map(|names| names.of(image)), "an image");
    }
    list.nested.0.iter().for_each(|list| destroyed(watch, names, list));
}
