//! German.

use super::Language;
use super::Says::{Becomes, Ended, GivesWay, Has, Is, Replaces};

pub(super) static LANGUAGE: Language = Language {
    markers: &["ich", "wir", "mein", "meine", "meinen", "unser", "unsere", "bin", "habe", "wohne", "jetzt", "und", "nicht", "der", "das", "ist", "statt", "heiße"],
    doubts: &[
        "wenn", "falls", "ob", "würde", "würden", "könnte", "könnten", "möchte", "möchten", "vielleicht", "hätte", "wäre", "sagt", "sagte",
        "meint", "dass", "daß", "wünschte", "träume", "hoffe", "überlege", "soll", "sollte", "früher", "damals", "als kind", "stell", "angenommen",
    ],
    denials: &["nicht", "kein", "keine", "keinen", "nie", "niemals"],
    joins: &["und", "aber", "doch", "sondern", "oder", "denn"],
    now: &["jetzt", "nun", "inzwischen", "mittlerweile", "neuerdings", "seit"],
    stops: &["mit", "seit", "und", "aber", "weil", "wo", "wegen", "bei", "jetzt", "mehr", "zusammen"],
    patterns: &[
        ("nicht <> , sondern <>", GivesWay),
        ("<> statt|anstatt|anstelle <>", Replaces),
        ("von <> auf|zu <> gewechselt|umgestiegen|umgestellt|geändert", GivesWay),
        ("ich wohne|lebe ~ nicht mehr in <>", Ended("home")),
        ("ich bin ~ nach <> gezogen|umgezogen|übersiedelt", Becomes("home")),
        ("bin ich ~ nach <> gezogen|umgezogen|übersiedelt", Becomes("home")),
        ("wir sind ~ nach <> gezogen|umgezogen|übersiedelt", Becomes("home")),
        ("ich wohne|lebe ~ in <>", Is("home")),
        ("wohne|lebe ich ~ in <>", Is("home")),
        ("wir wohnen|leben ~ in <>", Is("home")),
        ("ich arbeite ~ nicht mehr als <>", Ended("job")),
        ("ich arbeite ~ nicht mehr bei|für <>", Ended("employer")),
        ("ich arbeite ~ als <>", Is("job")),
        ("arbeite ich ~ als <>", Is("job")),
        ("arbeite als <>", Is("job")),
        ("ich arbeite ~ bei|für <>", Is("employer")),
        ("arbeite ich ~ bei|für <>", Is("employer")),
        ("arbeite bei|für <>", Is("employer")),
        ("ich heiße|heisse <>", Is("name")),
        ("mein name ist <>", Is("name")),
        ("ich bin kein|keine <> mehr", Ended("diet")),
        ("ich bin ~ vegetarier|vegetarierin|veganer|veganerin|vegan|vegetarisch", Is("diet")),
        ("ich bin ~ allergisch gegen|auf <>", Has("allergy")),
        ("ich habe ~ kein|keine|keinen <> mehr", Ended("pets")),
        ("ich habe <>", Has("has")),
        ("habe ich <>", Has("has")),
        ("habe <>", Has("has")),
        ("wir haben <>", Has("has")),
        ("ich mag|liebe <>", Has("likes")),
        ("ich spreche <>", Has("speak")),
        ("das|unser|mein budget ist|beträgt|liegt ~ <>", Is("budget")),
        ("die|unsere|meine frist|deadline ist|endet ~ am <>", Is("deadline")),
    ],
    things: &[
        "katze", "katzen", "kater", "hund", "hunde", "hündin", "kind", "kinder", "sohn", "tochter", "söhne", "töchter", "auto", "fahrrad",
        "motorrad", "haus", "wohnung", "hasen", "kaninchen", "pferd", "pferde", "vogel", "vögel", "bruder", "schwester", "boot", "hamster",
    ],
};
