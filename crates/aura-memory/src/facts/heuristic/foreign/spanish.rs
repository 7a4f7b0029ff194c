//! Spanish.

use super::Language;
use super::Says::{Becomes, Ended, GivesWay, Has, Is, Replaces};

pub(super) static LANGUAGE: Language = Language {
    markers: &["yo", "vivo", "tengo", "trabajo", "mi", "mis", "nuestro", "nuestra", "soy", "estoy", "ahora", "en", "y", "el", "la", "los", "mudé", "llamo", "gusta", "una", "un", "mudar"],
    doubts: &[
        "si", "podría", "gustaría", "quisiera", "ojalá", "quizá", "quizás", "tal vez", "dice", "dijo", "creo", "espero", "sueño", "cuando",
        "era", "imagina", "supongamos", "debería", "querría", "pienso",
    ],
    denials: &["no", "nunca", "jamás"],
    joins: &["y", "e", "pero", "porque", "sino", "o"],
    now: &["ahora", "actualmente", "desde", "hoy", "recientemente"],
    stops: &["con", "desde", "y", "pero", "porque", "donde", "ahora"],
    patterns: &[
        ("<> en vez|lugar de <>", Replaces),
        ("no <> sino <>", GivesWay),
        ("no <> , sino <>", GivesWay),
        ("ya no vivo en <>", Ended("home")),
        ("me mudé ~ a <>", Becomes("home")),
        ("nos mudamos ~ a <>", Becomes("home")),
        ("me he mudado ~ a <>", Becomes("home")),
        ("nos hemos mudado ~ a <>", Becomes("home")),
        ("me acabo de mudar a <>", Becomes("home")),
        ("acabo de mudarme a <>", Becomes("home")),
        ("vivo ~ en <>", Is("home")),
        ("vivimos ~ en <>", Is("home")),
        ("resido ~ en <>", Is("home")),
        ("ya no trabajo como|de <>", Ended("job")),
        ("ya no trabajo en|para <>", Ended("employer")),
        ("trabajo ~ como|de <>", Is("job")),
        ("trabajo ~ en|para <>", Is("employer")),
        ("me llamo <>", Is("name")),
        ("mi nombre es <>", Is("name")),
        ("ya no soy <>", Ended("diet")),
        ("soy ~ vegetariano|vegetariana|vegano|vegana", Is("diet")),
        ("soy ~ alérgico|alérgica a <>", Has("allergy")),
        ("ya no tengo <>", Ended("pets")),
        ("tengo <>", Has("has")),
        ("tenemos <>", Has("has")),
        ("me gusta|gustan|encanta|encantan <>", Has("likes")),
        ("hablo <>", Has("speak")),
        ("el|nuestro|mi presupuesto es de <>", Is("budget")),
    ],
    things: &[
        "gato", "gatos", "gata", "gatas", "perro", "perros", "perra", "hijo", "hijos", "hija", "hijas", "coche", "carro", "bicicleta", "moto",
        "casa", "piso", "apartamento", "conejo", "conejos", "caballo", "pájaro", "hermano", "hermana", "barco",
    ],
};
