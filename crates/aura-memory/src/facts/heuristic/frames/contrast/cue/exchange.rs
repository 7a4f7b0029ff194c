//! One thing for another: `replaced OLD with NEW`, `swapped OLD for NEW`, `OLD → NEW`.

use super::super::Contrast;
use super::{following, skip_article};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::frames::after;
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::{Kind, Tokens};

/// `replaced OLD with NEW`, `swapped OLD for NEW`, `substitute NEW for OLD`, `renamed OLD to NEW`, `OLD is now called NEW`.
pub(in super::super) fn exchanged(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let lemma = clause.lemma(tokens);
    if clause.verb_is(tokens, Class::ACQUIRE) && clause.is_real() {
        return bought_instead(tokens, clause);
    }
    let told = !matches!(clause.tense, Tense::Present) || clause.marks.passive;
    let links: &[&str] = match lemma {
        "replace" => &["with", "by"],
        "swap" | "trade" | "exchange" => &["for", "with"],
        "switch" => &["for", "with"],
        "substitute" => &["for", "with"],
        "dump" | "ditch" | "drop" | "scrap" | "abandon" | "give" => &["favour", "favor", "for"],
        "rename" | "rebrand" => &["to", "as", "into"],
        "call" | "name" if clause.marks.passive && clause.marks.now => &[],
        // `Carl is spelled Karl`
        "spell" if clause.marks.passive && tokens.at(clause.body).capital => &[],
        _ => return None,
    };
    if !told {
        return None;
    }
    let whole = Contrast {
        old: (0, 0),
        new: None,
        cut: clause.start,
        change: true,
    };
    if clause.marks.passive {
        let at = if links.contains(&tokens.fold(clause.body)) {
            clause.body + 1
        } else {
            clause.body
        };
        let new = following(tokens, at, clause.end)?;
        if matches!(lemma, "call" | "name") && clause.subject != Subject::Name {
            return None;
        }
        let named =
            matches!(lemma, "rename" | "rebrand" | "call" | "name" | "spell") || at > clause.body;
        return named.then_some(Contrast {
            old: clause.np,
            new: Some(new),
            ..whole
        });
    }
    let at = after(tokens, clause.body, words!["out"]).unwrap_or(clause.body);
    let link = (at..clause.end).find(|i| links.contains(&tokens.fold(*i)));
    let Some(link) = link else {
        // `rename it Wayfarer`, `Quartz replaces oak`
        if matches!(lemma, "replace") && matches!(clause.subject, Subject::Thing) {
            return Some(Contrast {
                old: (at, phrase::object_end(tokens, at, clause.end, false)),
                new: Some((skip_article(tokens, clause.np.0, clause.np.1), clause.np.1)),
                ..whole
            });
        }
        return None;
    };
    // `dumped React in favour of Svelte`
    let favour = matches!(tokens.fold(link), "favour" | "favor");
    if favour && tokens.fold(link + 1) != "of" {
        return None;
    }
    let (link, link_start) = if favour {
        (link + 1, link - 1)
    } else {
        (link, link)
    };
    let mut first = link_start;
    while first > at && matches!(tokens.fold(first - 1), "out" | "over") {
        first -= 1;
    }
    let first = (skip_article(tokens, at, first), first);
    let second = following(tokens, link + 1, clause.end)?;
    if first.0 >= first.1 {
        return None;
    }
    if lemma == "substitute" && tokens.fold(link) == "for" {
        return Some(Contrast {
            old: second,
            new: Some(first),
            ..whole
        });
    }
    Some(Contrast {
        old: first,
        new: Some(second),
        ..whole
    })
}

/// `I bought a Volvo to replace the Toyota`.
fn bought_instead(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let to =
        (clause.body + 1..clause.end).find(|i| tokens.any(*i, words!["to replace"]).is_some())?;
    let old = (
        skip_article(tokens, to + 2, clause.end),
        phrase::object_end(tokens, to + 2, clause.end, false),
    );
    let new = (skip_article(tokens, clause.body, to), to);
    (old.0 < old.1 && new.0 < new.1 && new.1 - new.0 <= 6).then_some(Contrast {
        old,
        new: Some(new),
        cut: clause.start,
        change: true,
    })
}

/// `oak → quartz`.
pub(super) fn arrow(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let at = (clause.start..clause.end).find(|i| tokens.kind(*i) == Kind::Arrow)?;
    let mut start = at;
    while start > clause.start
        && tokens.at(start - 1).is_wordy()
        && !tokens.has(start - 1, Class::PREP.with(Class::BE))
    {
        start -= 1;
    }
    let new = following(tokens, at + 1, clause.end)?;
    (start < at).then_some(Contrast {
        old: (start, at),
        new: Some(new),
        cut: clause.start,
        change: true,
    })
}
