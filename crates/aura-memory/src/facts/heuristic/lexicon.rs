//! What the extractor knows of single words.

mod nouns;
mod particles;
mod verbs;

use std::collections::HashMap;
use std::sync::LazyLock;

use rustc_hash::FxBuildHasher;

use super::patterns::mark;

/// A set of word classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Class(u64);

impl Class {
    /// Whether the sets share a class.
    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident)*) => {
        #[expect(clippy::upper_case_acronyms, reason = "only numbers the classes")]
        enum Order { $($name),* }
        impl Class {
            $($(#[$doc])* pub(super) const $name: Self = Self(1 << Order::$name as u64);)*
        }
    };
}

classes! {
    /// The speaker alone.
    I
    /// The speaker and others.
    WE
    /// Persons that are not the speaker.
    OTHER
    /// Things.
    IT
    /// Of the speaker.
    MY
    /// Of others.
    THEIR
    DET
    BE
    HAVE
    DO
    WILL
    /// Not a statement of fact: `would`, `might`.
    MODAL
    /// An obligation or ability: `must`, `can`.
    CAN
    NOT
    /// May stand inside a verb group and says nothing here.
    ADV
    DOUBT
    /// The statement is of now, in contrast to before.
    NOW
    /// The statement comes on top of others.
    ALSO
    WH
    PREP
    /// Joins clauses or items.
    AND
    /// Begins a clause that explains another.
    BECAUSE
    /// Begins a clause of time or place.
    WHILE
    IF
    /// Saying and thinking.
    REPORT
    /// Wishing and imagining.
    WISH
    /// What one asks an assistant to do.
    REQUEST
    MONTH
    DAY
    /// A unit of time.
    UNIT
    /// A number in words.
    NUM
    TITLE
    KIN
    PARTNER
    ANIMAL
    VEHICLE
    /// A dwelling, or a kind of place to live in.
    HOUSE
    JOB
    /// A property that has one value at a time.
    ATTR
    /// What one has without owning it.
    VAGUE
    /// A product one can move to.
    TOOL
    /// A lasting state of a person.
    STATE
    NATION
    VERB
    RESIDE
    MOVE
    CHANGE
    LEAD
    ACQUIRE
    DISPOSE
    QUIT
    LIKE
    DISLIKE
    CHOOSE
    REMOVE
    ADD
    NEED
    COST
    HABIT
    /// A list one adds to and removes from.
    LIST
    /// A thing that takes place at a date.
    EVENT
    GREETING
    /// Could begin a clause in another language than English.
    FOREIGN
}

/// Forms of a verb, as bits of [`Entry::forms`].
pub(super) mod form {
    pub(in super::super) const BASE: u8 = 1;
    pub(in super::super) const THIRD: u8 = 2;
    pub(in super::super) const PAST: u8 = 4;
    pub(in super::super) const PARTICIPLE: u8 = 8;
    pub(in super::super) const ING: u8 = 16;
}

/// What is known of a word: nothing, by default.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// The dictionary form of a verb, else empty.
    pub(super) lemma: &'static str,
    pub(super) class: Class,
    pub(super) forms: u8,
    /// The mark of the dictionary form, for [`Patterns`](super::patterns::Patterns).
    pub(super) mark: u16,
}

type Table = HashMap<&'static str, Entry, FxBuildHasher>;

static WORDS: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    let groups = [particles::WORDS, nouns::WORDS];
    for (class, words) in groups.into_iter().flatten() {
        for word in words.split_whitespace() {
            let entry = table.entry(word).or_default();
            entry.class = entry.class.with(*class);
        }
    }
    // Where it is a verb: `the engagement's off`.
    let be = table.entry("'s").or_default();
    be.lemma = "be";
    be.mark = mark(b"be");
    for (class, verbs) in verbs::VERBS {
        for line in verbs.split(',') {
            add_verb(&mut table, *class, line);
        }
    }
    table
});

/// The dictionary form of a verb by its third person, and the other way round.
static THIRD: LazyLock<HashMap<&'static str, &'static str, FxBuildHasher>> = LazyLock::new(|| {
    let lines = verbs::VERBS.iter().flat_map(|(_, verbs)| verbs.split(','));
    lines
        .filter_map(|line| {
            let mut forms = line.split_whitespace();
            Some((forms.next()?, forms.next()?))
        })
        .collect()
});

fn add_verb(table: &mut Table, class: Class, line: &'static str) {
    use form::{BASE, ING, PARTICIPLE, PAST, THIRD};
    let mut forms = line.split_whitespace();
    let Some(lemma) = forms.next() else { return };
    let kinds = [THIRD, PAST, PARTICIPLE, ING];
    for (word, kind) in std::iter::once((lemma, BASE)).chain(forms.zip(kinds)) {
        let entry = table.entry(word).or_default();
        if entry.lemma.is_empty() || kind == BASE {
            entry.lemma = lemma;
            entry.mark = mark(lemma.as_bytes());
        }
        entry.class = entry.class.with(class).with(Class::VERB);
        entry.forms |= kind;
    }
}

/// What is known of a folded word.
pub(super) fn look_up(word: &str) -> Entry {
    WORDS.get(word).copied().unwrap_or_default()
}

/// The third person singular of a verb's dictionary form.
pub(super) fn third_person(lemma: &str) -> String {
    if let Some(third) = THIRD.get(lemma) {
        return (*third).to_owned();
    }
    let sibilant = ["s", "x", "z", "ch", "sh", "o"];
    if sibilant.iter().any(|end| lemma.ends_with(end)) {
        return format!("{lemma}es");
    }
    match lemma.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{lemma}s"),
    }
}

/// The two words of a contraction written without its apostrophe.
pub(super) fn contraction(word: &str) -> Option<(&'static str, &'static str)> {
    const CONTRACTIONS: [(&str, &str, &str); 27] = [
        ("im", "i", "am"),
        ("ive", "i", "have"),
        ("dont", "do", "not"),
        ("doesnt", "does", "not"),
        ("didnt", "did", "not"),
        ("isnt", "is", "not"),
        ("arent", "are", "not"),
        ("wasnt", "was", "not"),
        ("cant", "can", "not"),
        ("wont", "will", "not"),
        ("lets", "let", "us"),
        ("cannot", "can", "not"),
        ("hes", "he", "'s"),
        ("shes", "she", "'s"),
        ("thats", "that", "'s"),
        ("whats", "what", "'s"),
        ("theres", "there", "'s"),
        ("theyre", "they", "are"),
        ("youre", "you", "are"),
        ("weve", "we", "have"),
        ("theyve", "they", "have"),
        ("hasnt", "has", "not"),
        ("havent", "have", "not"),
        ("werent", "were", "not"),
        ("wouldnt", "would", "not"),
        ("shouldnt", "should", "not"),
        ("couldnt", "could", "not"),
    ];
    // All end in one of these; most words do not.
    if !word.ends_with(['m', 'e', 't', 's', 'M', 'E', 'T', 'S']) {
        return None;
    }
    CONTRACTIONS
        .iter()
        .find(|(whole, ..)| whole.eq_ignore_ascii_case(word))
        .map(|(_, first, second)| (*first, *second))
}

/// Whether a full stop after the word belongs to it.
pub(super) fn is_abbreviation(word: &str) -> bool {
    let mut letters = word.chars();
    let single = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    single && word != "I"
        || matches!(
            word,
            "Dr" | "Mr"
                | "Mrs"
                | "Ms"
                | "St"
                | "Prof"
                | "Jr"
                | "Sr"
                | "Inc"
                | "Ltd"
                | "Co"
                | "vs"
                | "approx"
                | "etc"
        )
}

/// A word without its endings, for comparing: `nursing` and `nurse`, `chairs` and `chair`.
pub(super) fn stem(word: &str) -> &str {
    let mut stem = word;
    match stem.as_bytes().last() {
        Some(b'.') => stem = stem.strip_suffix('.').unwrap_or(stem),
        Some(b's' | b'g' | b'd' | b'e' | b'y') => {}
        _ => return stem,
    }
    for end in ["'s", "ies", "es", "s"] {
        if let Some(shorter) = stem.strip_suffix(end)
            && shorter.len() >= 2
            && !shorter.ends_with(['s', 'u', 'i'])
        {
            stem = shorter;
            break;
        }
    }
    for end in ["ing", "ed", "ie", "e", "y"] {
        if let Some(shorter) = stem.strip_suffix(end)
            && shorter.len() >= 3
        {
            return shorter;
        }
    }
    stem
}

/// Words that can take each other's place: a preference for one is no preference for another of its kind.
pub(super) fn kind_of(word: &str) -> Option<usize> {
    KIND_OF
        .get(word)
        .or_else(|| KIND_OF.get(stem(word)))
        .copied()
}

/// The words of [`nouns::KINDS`] and their stems, with the number of their kind.
static KIND_OF: LazyLock<HashMap<&'static str, usize, FxBuildHasher>> = LazyLock::new(|| {
    let mut kinds = HashMap::default();
    for (kind, words) in nouns::KINDS.iter().enumerate() {
        for word in words.split_whitespace() {
            kinds.entry(word).or_insert(kind);
            kinds.entry(stem(word)).or_insert(kind);
        }
    }
    kinds
});

/// One spelling for properties that go by several names.
pub(super) fn attribute_name(word: &str) -> &str {
    match word {
        "color" => "colour",
        "favorite" | "fave" | "fav" => "favourite",
        "cost" | "fee" | "fees" | "fare" | "costs" => "price",
        "headcount" | "number" => "count",
        "maximum" | "ceiling" | "cap" => "budget",
        "lead" | "leader" | "owner" | "ownership" | "responsibility" => "owner",
        "place" | "location" => "venue",
        "mail" | "e-mail" => "email",
        "database" | "db" => "database",
        "due" => "deadline",
        "boss" | "supervisor" => "boss",
        "wage" | "pay" | "income" => "salary",
        _ => word,
    }
}
