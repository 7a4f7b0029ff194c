//! Cache breakpoints and forced tools.

use crate::provider::repair::list::Log;
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::{
    BREAKPOINTS, Breakpoint, Step, breakpoints, is_forced_wrongly, is_late_long,
};
use crate::provider::verify::rule::{A_CACHE, A_TOOLCHOICE};

/// Keeps breakpoints within their number and order, and lets go of forced tools.
pub(super) fn mend(body: &mut Tree<'_>, log: &mut Log) {
    let all = breakpoints(body);
    let surplus = all.len().saturating_sub(BREAKPOINTS);
    // Tools and system text are worth the most, then what is newest.
    let in_messages =
        |breakpoint: &&Breakpoint| matches!(breakpoint.at.first(), Some(Step::Key("messages")));
    let (oldest, others): (Vec<_>, Vec<_>) = all.iter().partition(in_messages);
    for breakpoint in oldest.into_iter().chain(others).take(surplus) {
        if let Some(place) = find(body, &breakpoint.at) {
            place.remove("cache_control");
        }
        log.note(
            &A_CACHE,
            breakpoint.path(),
            "a cache breakpoint too many taken out",
        );
    }
    let all = breakpoints(body);
    for at in 0..all.len() {
        let Some(breakpoint) = all.get(at).filter(|_| is_late_long(&all, at)) else {
            continue;
        };
        let place = find(body, &breakpoint.at);
        if let Some(control) = place.and_then(|place| place.get_mut("cache_control")) {
            control.remove("ttl");
        }
        log.note(
            &A_CACHE,
            breakpoint.path(),
            "its lifetime shortened to that before it",
        );
    }
    if is_forced_wrongly(body)
        && let Some(choice) = body.get_mut("tool_choice")
    {
        choice.set("type", Tree::text("auto"));
        choice.remove("name");
        log.note(
            &A_TOOLCHOICE,
            "/tool_choice",
            "the choice left to the model",
        );
    }
}

fn find<'t, 'a>(body: &'t mut Tree<'a>, path: &[Step]) -> Option<&'t mut Tree<'a>> {
    path.iter().try_fold(body, |tree, step| match step {
        Step::Key(key) => tree.get_mut(key),
        Step::At(at) => match tree {
            Tree::Array(items) => items.get_mut(*at),
            _ => None,
        },
    })
}
