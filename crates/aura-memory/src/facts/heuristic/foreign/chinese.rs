//! Chinese, which is written without spaces: patterns over characters.

use super::super::book::{Book, Entries};
use super::super::wording::{self, Speaker};

/// What makes a sentence no statement of the speaker.
const DOUBTS: [&str; 30] = [
    "吗",
    "呢",
    "什么",
    "怎么",
    "如果",
    "要是",
    "可能",
    "也许",
    "假如",
    "希望",
    "打算",
    "想要",
    "他说",
    "她说",
    "听说",
    "应该",
    "会不会",
    "是不是",
    "哪",
    "多少",
    "曾经",
    "以前",
    "小时候",
    "梦",
    "准备",
    "计划",
    "或许",
    "据说",
    "为什么",
    "谁",
];

/// Adverbs that may stand between the speaker and the verb.
const ADVERBS: [&str; 34] = [
    "现在",
    "目前",
    "最近",
    "刚刚",
    "刚",
    "已经",
    "一直",
    "上个月",
    "上周",
    "去年",
    "今年",
    "就",
    "也",
    "还",
    "都",
    "终于",
    "最终",
    "真的",
    "非常",
    "特别",
    "很",
    "最",
    "其实",
    "平时",
    "上个星期",
    "昨天",
    "今天",
    "前天",
    "十分",
    "本人",
    "正",
    "又",
    "个人",
    "家",
];

/// What stands before a value, and what it says.
const VERBS: [(&str, &str, Kind); 20] = [
    ("住在", "home", Kind::Single),
    ("居住在", "home", Kind::Single),
    ("搬到了", "home", Kind::Change),
    ("搬到", "home", Kind::Change),
    ("搬去了", "home", Kind::Change),
    ("搬家到了", "home", Kind::Change),
    ("搬家到", "home", Kind::Change),
    ("叫做", "name", Kind::Single),
    ("叫", "name", Kind::Single),
    ("喜欢", "likes", Kind::Multi),
    ("热爱", "likes", Kind::Multi),
    ("讨厌", "dislikes", Kind::Multi),
    ("养了", "pets", Kind::Thing),
    ("养着", "pets", Kind::Thing),
    ("有", "pets", Kind::Thing),
    ("是一名", "job", Kind::Single),
    ("是一个", "job", Kind::Job),
    ("是一位", "job", Kind::Single),
    ("是个", "job", Kind::Job),
    ("不住在", "home", Kind::Ended),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Single,
    Change,
    Multi,
    /// Only animals, relatives and the like.
    Thing,
    /// Only occupations.
    Job,
    Ended,
}

/// Reads a sentence written in Chinese characters; `false` when it is none.
pub(in super::super) fn read(
    sentence: &str,
    asks: bool,
    speaker: &Speaker,
    book: &mut Book<'_>,
) -> bool {
    if !sentence.contains('我') && !sentence.contains(['是', '换', '改'])
        || !sentence.chars().any(is_han)
    {
        return false;
    }
    if asks
        || DOUBTS.iter().any(|word| sentence.contains(word))
        || sentence.contains(['“', '"', '「', '？', '?'])
    {
        return true;
    }
    if contrast(sentence, book) {
        return true;
    }
    for clause in sentence.split(['，', ',', '；', ';', '。', '！', '!']) {
        let clause = clause.trim();
        let Some(rest) = clause.strip_prefix('我') else {
            continue;
        };
        // `我们` is more than the speaker, `我的` what is theirs.
        let rest = rest.strip_prefix("的名字").unwrap_or(rest);
        if !rest.starts_with(['的', '们']) {
            statement(clause, without_adverbs(rest), speaker, book);
        }
    }
    true
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn without_adverbs(mut rest: &str) -> &str {
    while let Some(shorter) = ADVERBS.iter().find_map(|adverb| rest.strip_prefix(adverb)) {
        rest = shorter;
    }
    rest
}

fn statement(clause: &str, rest: &str, speaker: &Speaker, book: &mut Book<'_>) {
    if let Some(place) = rest.strip_prefix('在').and_then(|rest| {
        rest.strip_suffix("工作")
            .or_else(|| rest.strip_suffix("上班"))
    }) {
        return state(Kind::Single, "employer", place, clause, speaker, book);
    }
    if let Some(food) = rest
        .strip_prefix('对')
        .and_then(|rest| rest.strip_suffix("过敏"))
    {
        return state(Kind::Multi, "allergy", food, clause, speaker, book);
    }
    let rest = rest
        .strip_prefix('是')
        .filter(|rest| rest.starts_with(['叫']))
        .unwrap_or(rest);
    for (verb, property, kind) in VERBS {
        if let Some(value) = rest.strip_prefix(verb) {
            return state(kind, property, value, clause, speaker, book);
        }
    }
}

fn state(
    kind: Kind,
    property: &str,
    value: &str,
    clause: &str,
    speaker: &Speaker,
    book: &mut Book<'_>,
) {
    let value = value
        .trim_end_matches(['了', '啊', '呀', '哦', '。', '吧', '的'])
        .trim();
    let length = value.chars().count();
    let vague = [
        "这",
        "那",
        "你",
        "他",
        "她",
        "它",
        "和你",
        "一些",
        "什么",
        "点",
        "时间",
        "一个问题",
    ]
    .iter()
    .any(|word| value.starts_with(word));
    if length == 0 || length > 20 || vague || value.contains(['我', '你']) {
        return;
    }
    let short = matches!(property, "home" | "name" | "employer");
    if short && length > 12 || property == "name" && length > 5 {
        return;
    }
    let thing = [
        "猫", "狗", "兔", "鸟", "孩子", "儿子", "女儿", "车", "房子", "仓鼠", "乌龟", "弟弟",
        "妹妹", "哥哥", "姐姐", "宠物",
    ];
    let job = [
        "师",
        "员",
        "医生",
        "生",
        "家",
        "工人",
        "警察",
        "经理",
        "护士",
        "律师",
        "教授",
        "程序员",
        "司机",
        "厨师",
        "农民",
        "作家",
    ];
    let fits = match kind {
        Kind::Thing => thing.iter().any(|word| value.ends_with(word)),
        Kind::Job => job.iter().any(|word| value.ends_with(word)),
        Kind::Single if property == "job" => job.iter().any(|word| value.ends_with(word)),
        _ => true,
    };
    if !fits {
        return;
    }
    let subject = format!("{}/{property}", speaker.entity);
    let text = speaker.says(wording::clip(clause, wording::LONGEST));
    let before: Entries = book.of_subject(&subject);
    match kind {
        Kind::Multi | Kind::Thing => {
            book.add(&subject, &text);
        }
        Kind::Ended => {
            let gone: Entries = before
                .into_iter()
                .filter(|fact| book.text(*fact).contains(value))
                .collect();
            if !gone.is_empty() {
                let note = book.add(&format!("{subject}:ended"), &text);
                for fact in gone {
                    book.end(fact, note);
                }
            }
        }
        Kind::Single | Kind::Change | Kind::Job => {
            if kind != Kind::Change && before.iter().any(|fact| book.text(*fact).contains(value)) {
                return;
            }
            let Some(new) = book.add(&subject, &text) else {
                return;
            };
            let notes = book.of_subject(&format!("{subject}:ended"));
            for old in before.into_iter().chain(notes) {
                book.end(old, Some(new));
            }
        }
    }
}

/// `不是橡木，是石英`, `把橡木换成石英`, `从橡木改成石英`: the newest fact that holds the old value.
fn contrast(sentence: &str, book: &mut Book<'_>) -> bool {
    let between = |begin: &str, middle: &[&str]| -> Option<(String, String)> {
        let rest = sentence.split_once(begin)?.1;
        let (old, rest) = middle.iter().find_map(|word| rest.split_once(word))?;
        let new: String = rest
            .trim_start_matches('了')
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        let old = old.trim_matches(['，', ',', ' ', '而']).to_owned();
        let new = new.trim_end_matches('了').to_owned();
        let short = |text: &str| (1..=12).contains(&text.chars().count());
        (short(&old) && short(&new)).then_some((old, new))
    };
    let found = between("不是", &["而是", "，是", ",是"])
        .or_else(|| between("把", &["换成", "改成", "改为", "换为"]))
        .or_else(|| between("从", &["换成", "改成", "改为", "换到", "改到"]));
    let Some((old, new)) = found else {
        return false;
    };
    let facts: Vec<_> = book
        .live()
        .filter(|(_, text, _)| text.contains(old.as_str()))
        .map(|(entry, text, subject)| (entry, text.to_owned(), subject.to_owned()))
        .collect();
    let Some((entry, text, subject)) = facts.last() else {
        return false;
    };
    let added = book.add(subject, &text.replacen(old.as_str(), &new, 1));
    book.end(*entry, added);
    true
}
