//! Small words: pronouns, auxiliaries, adverbs, conjunctions, words of time.

use super::Class;

/// Classes with their words.
pub(super) const WORDS: &[(Class, &str)] = &[
    (Class::I, "i"),
    (Class::WE, "we"),
    (
        Class::OTHER,
        "he she they you someone somebody everyone everybody people one who",
    ),
    (Class::IT, "it this that these those there"),
    (Class::MY, "my our mine ours"),
    (Class::THEIR, "his her their your its theirs yours hers"),
    (
        Class::DET,
        "the a an this that these those some any each every both all no another either neither what which",
    ),
    (Class::BE, "am is are was were be been being ain 're"),
    (Class::HAVE, "have has had having"),
    (Class::DO, "do does did"),
    (Class::WILL, "will shall gonna"),
    (Class::MODAL, "would could should might may ought"),
    (Class::CAN, "can must"),
    (Class::NOT, "not never neither n't nor hardly barely"),
    (
        Class::ADV,
        "just recently finally officially actually already still really only simply basically literally \
         currently presently nowadays definitely certainly totally fully completely gladly happily sadly unfortunately \
         luckily honestly obviously apparently generally usually normally often always sometimes mostly mainly \
         eventually initially originally formally legally permanently temporarily suddenly newly long ever once again \
         even quite very pretty so kinda kind sorta rather almost nearly about approximately roughly exactly now also \
         since then instead both all each yesterday today tonight lately soon ultimately personally probably maybe perhaps \
         possibly never rarely seldom proudly quietly absolutely deeply extremely super truly indeed unexpectedly",
    ),
    (
        Class::DOUBT,
        "maybe perhaps probably possibly hypothetically supposedly allegedly potentially presumably likely",
    ),
    (
        Class::NOW,
        "now nowadays currently presently instead anymore today",
    ),
    (
        Class::ALSO,
        "also too another additionally plus extra more besides third fourth",
    ),
    (Class::WH, "what where when why how which who whom whose"),
    (
        Class::PREP,
        "in at on to from for with without by of near outside inside into onto over under through during about around \
         as off up out down after before between among against across behind beyond via per than until till like \
         toward towards within along",
    ),
    (Class::AND, "and or but so then yet & nor"),
    (Class::BECAUSE, "because since cause cuz so"),
    (
        Class::WHILE,
        "when while whenever until till before after where whereas wherever once although though",
    ),
    (
        Class::IF,
        "if unless whether suppose supposing assuming provided imagine otherwise",
    ),
    (
        Class::MONTH,
        "january february march april may june july august september october november december jan feb mar apr jun jul aug sept sep oct nov dec",
    ),
    (
        Class::DAY,
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun tomorrow tonight weekend",
    ),
    (
        Class::UNIT,
        "second seconds minute minutes hour hours day days week weeks month months year years night nights quarter \
         semester term decade morning afternoon evening noon midnight fortnight spring summer autumn fall winter \
         am pm o'clock",
    ),
    (
        Class::NUM,
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
         eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half \
         couple both",
    ),
    (
        Class::TITLE,
        "dr dr. mr mr. mrs mrs. ms ms. prof prof. st st. professor doctor captain sir coach chef aunt uncle auntie",
    ),
    (
        Class::GREETING,
        "hi hey hello hiya yo ok okay alright well oh ah yes yeah yep yup nope so anyway anyways btw fyi sorry hmm hm um \
         uh please thanks wow ps oops whoops ugh aww phew yay haha lol dude honestly sadly unfortunately luckily actually \
         and but also plus finally recently lately currently nowadays yesterday today obviously apparently fortunately \
         basically hopefully anyhow however meanwhile eventually initially then now therefore additionally ultimately",
    ),
    (
        Class::FOREIGN,
        "ich wir mein meine unser unsere je j nous notre yo vivo vivimos resido tengo tenemos trabajo mi mis nuestro \
         nuestra soy estoy ahora llamo mudé mudado mudar mudarme gusta gustan encanta encantan hablo",
    ),
];
