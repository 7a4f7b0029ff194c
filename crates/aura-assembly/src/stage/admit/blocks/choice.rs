//! Which form of each block, if any, so that the value under a number of tokens is the greatest: the multiple-choice
//! knapsack, solved over a table of token counts. Up to [`CELLS`] tokens it is exact; above that counts are rounded up to
//! that many steps, what rounding leaves over is filled by the best exchanges, and a walk by value per token is taken
//! instead where it comes to more.

/// Steps that a table has at most.
const CELLS: u32 = 4096;
/// Entries of all tables together, about; more blocks make the steps coarser.
const ENTRIES: usize = 1 << 21;

/// A form that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    /// What it takes.
    pub(crate) tokens: u32,
    /// What it is worth; nothing worth 0 or less is chosen.
    pub(crate) value: f32,
}

/// Chooses at most one form of each group; gives its place in the group.
pub(crate) fn choose(groups: &[Vec<Choice>], room: u32) -> Vec<Option<usize>> {
    let best: Vec<Option<usize>> = groups.iter().map(|forms| best(forms)).collect();
    if tokens(groups, &best) <= u64::from(room) {
        return best;
    }
    let cells = u32::try_from(ENTRIES / groups.len().max(1)).unwrap_or(CELLS);
    let step = room.div_ceil(cells.clamp(64, CELLS)).max(1);
    let mut chosen = solve(groups, room / step, step);
    if step == 1 {
        return chosen;
    }
    fill(groups, &mut chosen, room);
    let mut walked = walk(groups, room);
    fill(groups, &mut walked, room);
    if worth(groups, &walked) > worth(groups, &chosen) {
        return walked;
    }
    chosen
}

/// The values of what is chosen together.
fn worth(groups: &[Vec<Choice>], chosen: &[Option<usize>]) -> f32 {
    let picked = groups.iter().zip(chosen);
    picked.fold(0.0, |sum, (forms, at)| {
        sum + form(forms, *at).map_or(0.0, |form| form.value)
    })
}

/// Takes what is worth most per token, as long as it fits.
fn walk(groups: &[Vec<Choice>], room: u32) -> Vec<Option<usize>> {
    let mut all: Vec<(f32, usize, usize, u32)> = Vec::new();
    for (group, forms) in groups.iter().enumerate() {
        let worthy = forms
            .iter()
            .enumerate()
            .filter(|(_, form)| form.value > 0.0);
        all.extend(worthy.map(|(at, form)| {
            let density = form.value / form.tokens.max(1) as f32;
            (density, group, at, form.tokens)
        }));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = room;
    let mut chosen = vec![None; groups.len()];
    for (_, group, at, tokens) in all {
        if let Some(slot @ None) = chosen.get_mut(group)
            && tokens <= left
        {
            *slot = Some(at);
            left -= tokens;
        }
    }
    chosen
}

/// The tokens of what is chosen.
pub(crate) fn tokens(groups: &[Vec<Choice>], chosen: &[Option<usize>]) -> u64 {
    let picked = groups.iter().zip(chosen);
    picked.fold(0, |sum, (forms, at)| sum + u64::from(taken(forms, *at)))
}

fn taken(forms: &[Choice], at: Option<usize>) -> u32 {
    form(forms, at).map_or(0, |form| form.tokens)
}

fn form(forms: &[Choice], at: Option<usize>) -> Option<&Choice> {
    at.and_then(|at| forms.get(at))
}

/// The form of the greatest value; of equals the smaller.
fn best(forms: &[Choice]) -> Option<usize> {
    let mut worthy = forms
        .iter()
        .enumerate()
        .filter(|(_, form)| form.value > 0.0);
    let first = worthy.next()?;
    let best = worthy.fold(first, |best, next| {
        let order = next.1.value.total_cmp(&best.1.value);
        if order.then(best.1.tokens.cmp(&next.1.tokens)).is_gt() {
            next
        } else {
            best
        }
    });
    Some(best.0)
}

/// The best choice under `room` steps.
fn solve(groups: &[Vec<Choice>], room: u32, step: u32) -> Vec<Option<usize>> {
    let room = usize::try_from(room).unwrap_or(0);
    // The greatest value under each number of steps, over the groups so far.
    let mut values = vec![0.0_f32; room + 1];
    // For each group and number of steps the form to take, one more than its place; 0 takes none.
    let mut picks: Vec<Vec<u8>> = Vec::with_capacity(groups.len());
    for forms in groups {
        let before = values.clone();
        let mut pick = vec![0_u8; room + 1];
        for (at, form) in (1_u8..).zip(forms).filter(|(_, form)| form.value > 0.0) {
            let steps = usize::try_from(form.tokens.div_ceil(step)).unwrap_or(usize::MAX);
            let slots = values.iter_mut().zip(&mut pick).skip(steps);
            for ((value, pick), without) in slots.zip(&before) {
                let with = without + form.value;
                if with > *value {
                    (*value, *pick) = (with, at);
                }
            }
        }
        picks.push(pick);
    }
    let mut left = room;
    let mut chosen: Vec<Option<usize>> = Vec::with_capacity(groups.len());
    for (forms, pick) in groups.iter().zip(&picks).rev() {
        let at = pick.get(left).copied().unwrap_or(0);
        let at = usize::from(at).checked_sub(1);
        let steps = taken(forms, at).div_ceil(step);
        left = left.saturating_sub(usize::try_from(steps).unwrap_or(left));
        chosen.push(at);
    }
    chosen.reverse();
    chosen
}

/// Uses what is left: the exchange that gains most, again and again.
fn fill(groups: &[Vec<Choice>], chosen: &mut [Option<usize>], room: u32) {
    let mut left = u64::from(room).saturating_sub(tokens(groups, chosen));
    loop {
        let mut best: Option<(f32, usize, usize, u64)> = None;
        for (group, (forms, now)) in groups.iter().zip(chosen.iter()).enumerate() {
            let (value, held) = match form(forms, *now) {
                Some(form) => (form.value, u64::from(form.tokens)),
                None => (0.0, 0),
            };
            for (at, form) in forms.iter().enumerate() {
                let gain = form.value - value;
                let rest = (left + held).checked_sub(u64::from(form.tokens));
                if let Some(rest) = rest
                    && gain > best.map_or(0.0, |best| best.0)
                {
                    best = Some((gain, group, at, rest));
                }
            }
        }
        let Some((_, group, at, rest)) = best else {
            return;
        };
        if let Some(slot) = chosen.get_mut(group) {
            *slot = Some(at);
        }
        left = rest;
    }
}

#[cfg(test)]
mod tests;
