//! Commands of VK_EXT_present_timing. The times are left to [`super::times`].

use ash::vk;

use super::swapchain::Swapchain;
use super::times::DOMAINS;
use crate::device::Device;
use crate::interface::chain::slice_mut;
use crate::interface::guard::{check_lost, commands};
use crate::interface::handle::get;
use crate::newer::{
    PastPresentationTimingInfoEXT, PastPresentationTimingPropertiesEXT, SwapchainTimeDomainPropertiesEXT,
    SwapchainTimingPropertiesEXT,
};

/// Counter of the list of domains and of the timing properties, neither of which changes.
const COUNTER: u64 = 1;

commands! {
    fn set_swapchain_present_timing_queue_size(
        _d: vk::Device,
        swapchain: vk::SwapchainKHR,
        size: u32,
    ) -> vk::Result {
        get::<Swapchain>(swapchain).presenter().results(|results| results.resize(size as usize))?
    }

    fn get_swapchain_timing_properties(
        _d: vk::Device,
        swapchain: vk::SwapchainKHR,
        out: *mut SwapchainTimingPropertiesEXT,
        counter: *mut u64,
    ) -> vk::Result {
        let period = get::<Swapchain>(swapchain).presenter().period();
        let period = period.map_or(0, |period| period.as_nanos() as u64);
        ((*out).refresh_duration, (*out).refresh_interval) = (period, period);
        if let Some(counter) = counter.as_mut() {
            *counter = COUNTER;
        }
        // Compositors do not say how often they show images.
        if period == 0 { Err(vk::Result::NOT_READY) } else { Ok(()) }
    }

    fn get_swapchain_time_domain_properties(
        _d: vk::Device,
        _swapchain: vk::SwapchainKHR,
        out: *mut SwapchainTimeDomainPropertiesEXT,
        counter: *mut u64,
    ) -> vk::Result {
        let out = &mut *out;
        if let Some(counter) = counter.as_mut() {
            *counter = COUNTER;
        }
        if out.p_time_domains.is_null() || out.p_time_domain_ids.is_null() {
            out.time_domain_count = DOMAINS.len() as u32;
            return Ok(());
        }
        let n = DOMAINS.len().min(out.time_domain_count as usize);
        for (i, &domain) in DOMAINS[..n].iter().enumerate() {
            out.p_time_domains.add(i).write(domain);
            out.p_time_domain_ids.add(i).write(i as u64);
        }
        out.time_domain_count = n as u32;
        if n < DOMAINS.len() { Err(vk::Result::INCOMPLETE) } else { Ok(()) }
    }

    fn get_past_presentation_timing(
        device: vk::Device,
        info: *const PastPresentationTimingInfoEXT,
        out: *mut PastPresentationTimingPropertiesEXT,
    ) -> vk::Result {
        let (info, out) = (&*info, &mut *out);
        check_lost(&get::<Device>(device).device)?;
        (out.timing_properties_counter, out.time_domains_counter) = (COUNTER, COUNTER);
        let presenter = get::<Swapchain>(info.swapchain).presenter();
        if out.p_presentation_timings.is_null() {
            out.presentation_timing_count = presenter.results(|results| results.available(info.flags).len())? as u32;
            return Ok(());
        }
        let list = slice_mut(out.p_presentation_timings, out.presentation_timing_count);
        let (n, more) = presenter.results(|results| results.take(info.flags, list))?;
        out.presentation_timing_count = n as u32;
        if more { Err(vk::Result::INCOMPLETE) } else { Ok(()) }
    }
}
