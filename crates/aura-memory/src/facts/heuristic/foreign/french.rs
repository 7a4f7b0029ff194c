//! French.

use super::Language;
use super::Says::{Becomes, Ended, GivesWay, Has, Is, Replaces};

pub(super) static LANGUAGE: Language = Language {
    markers: &["je", "j", "nous", "mon", "ma", "mes", "notre", "et", "suis", "ai", "habite", "vis", "est", "le", "les", "pas", "au", "plus"],
    doubts: &[
        "si", "serait", "pourrait", "pourrais", "voudrais", "aimerais", "peut-être", "dit", "disait", "espère", "rêve", "pense", "quand",
        "était", "étais", "imagine", "supposons", "devrais", "devrait", "envisage",
    ],
    denials: &["ne", "n", "pas", "jamais", "plus"],
    joins: &["et", "mais", "car", "donc", "ou"],
    now: &["maintenant", "désormais", "actuellement", "depuis", "viens"],
    stops: &["avec", "depuis", "et", "mais", "parce", "car", "où", "maintenant", "désormais", "plus"],
    patterns: &[
        ("<> au lieu de|du|des <>", Replaces),
        ("<> plutôt que <>", Replaces),
        ("pas <> mais <>", GivesWay),
        ("pas <> , mais <>", GivesWay),
        ("je n habite plus à|en|au|aux|dans <>", Ended("home")),
        ("je ne vis|loge plus à|en|au|aux|dans <>", Ended("home")),
        ("j ai ~ déménagé à|en|au|aux <>", Becomes("home")),
        ("nous avons ~ déménagé à|en|au|aux <>", Becomes("home")),
        ("je viens de déménager à|en|au|aux <>", Becomes("home")),
        ("je me suis ~ installé|installée à|en|au|aux <>", Becomes("home")),
        ("j habite ~ à|en|au|aux <>", Is("home")),
        ("je vis ~ à|en|au|aux <>", Is("home")),
        ("nous habitons ~ à|en|au|aux <>", Is("home")),
        ("je ne travaille plus chez|pour|à <>", Ended("employer")),
        ("je ne travaille plus comme <>", Ended("job")),
        ("je travaille ~ comme <>", Is("job")),
        ("je travaille ~ en tant que <>", Is("job")),
        ("je travaille ~ chez|pour <>", Is("employer")),
        ("je m appelle <>", Is("name")),
        ("mon nom est <>", Is("name")),
        ("je ne suis plus <>", Ended("diet")),
        ("je suis ~ végétarien|végétarienne|végétalien|végétalienne|vegan|végane", Is("diet")),
        ("je suis ~ allergique à|au|aux <>", Has("allergy")),
        ("je n ai plus de|d <>", Ended("pets")),
        ("j ai <>", Has("has")),
        ("nous avons <>", Has("has")),
        ("j aime|adore <>", Has("likes")),
        ("je parle <>", Has("speak")),
        ("le|notre|mon budget est de <>", Is("budget")),
    ],
    things: &[
        "chat", "chats", "chatte", "chien", "chiens", "chienne", "enfant", "enfants", "fils", "fille", "filles", "voiture", "vélo", "moto",
        "maison", "appartement", "lapin", "lapins", "cheval", "chevaux", "oiseau", "frère", "sœur", "soeur", "bateau",
    ],
};
