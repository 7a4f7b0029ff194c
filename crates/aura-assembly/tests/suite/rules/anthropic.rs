//! The Anthropic Messages API.

use super::{Case, case};

const HI: &str = r#"{"role":"user","content":"Hi"}"#;
const OK: &str = r#"{"role":"assistant","content":"Ok."}"#;
const CALL: &str =
    r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}"#;
const RESULT: &str =
    r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"12"}]}"#;

fn list(messages: &[&str]) -> String {
    format!(r#"{{"messages":[{}]}}"#, messages.join(","))
}

fn with(more: &str, messages: &[&str]) -> String {
    format!(r#"{{{more},"messages":[{}]}}"#, messages.join(","))
}

fn user(blocks: &str) -> String {
    format!(r#"{{"role":"user","content":[{blocks}]}}"#)
}

fn assistant(blocks: &str) -> String {
    format!(r#"{{"role":"assistant","content":[{blocks}]}}"#)
}

fn call(id: &str, name: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#)
}

fn result(id: &str) -> String {
    format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"12"}}"#)
}

/// A step of one call, with what else its messages hold.
fn step(before: &str, call: &str, results: &str) -> [String; 2] {
    [assistant(&format!("{before}{call}")), user(results)]
}

const THOUGHT: &str = r#"{"type":"thinking","thinking":"Hm.","signature":"c2ln"}"#;
const TEXT: &str = r#"{"type":"text","text":"Well."}"#;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |rule, path, broken: String, held: String| {
        cases.push(case(rule, path, &broken, &held));
    };
    lists(&mut add);
    pairs(&mut add);
    blocks(&mut add);
    thinking(&mut add);
    system(&mut add);
    limits(&mut add);
    cases
}

type Add<'a> = &'a mut dyn FnMut(&'static str, &'static str, String, String);

fn lists(add: Add<'_>) {
    add("A-SHAPE", "/messages", list(&[]), list(&[HI]));
    add(
        "A-SHAPE",
        "/messages/1",
        list(&[HI, r#"{"role":"user","content":7}"#]),
        list(&[HI, HI]),
    );
    add(
        "A-SHAPE",
        "/messages/1/content/0",
        list(&[HI, &user(r#"{"text":"no type"}"#)]),
        list(&[HI, &user(TEXT)]),
    );
    add(
        "A-ALT",
        "/messages/0",
        list(&[OK, HI]),
        list(&[HI, OK, OK, HI, HI]),
    );
    add(
        "A-ALT",
        "/messages/1",
        list(&[HI, r#"{"role":"tool","content":"x"}"#]),
        list(&[HI]),
    );
    add(
        "A-ALT",
        "/messages",
        list(&vec![HI; 100_001]),
        list(&vec![HI; 100_000]),
    );
    add(
        "A-PREFILL",
        "/messages/1",
        list(&[HI, OK]),
        list(&[HI, OK, HI]),
    );
    let old = r#""model":"claude-sonnet-4-5-20250929""#;
    let prefill = r#"{"role":"assistant","content":"The answer is "}"#;
    add(
        "A-PREFILL",
        "/messages/1",
        with(old, &[HI, prefill]),
        with(old, &[HI, OK]),
    );
    let new = r#""model":"claude-opus-4-6""#;
    add(
        "A-PREFILL",
        "/messages/1",
        with(new, &[HI, OK]),
        with(new, &[HI]),
    );
}

fn pairs(add: Add<'_>) {
    let whole = list(&[HI, CALL, RESULT]);
    add(
        "A-PAIR",
        "/messages/1/content/0",
        list(&[HI, CALL, HI]),
        whole.clone(),
    );
    add(
        "A-PAIR",
        "/messages/1/content/0",
        list(&[HI, CALL, OK, RESULT]),
        whole.clone(),
    );
    add(
        "A-PAIR",
        "/messages/1/content/0",
        list(&[HI, RESULT, HI]),
        whole.clone(),
    );
    let [two, both] = step(
        "",
        &[call("a", "f"), call("b", "f")].join(","),
        &[result("b"), result("a")].join(","),
    );
    let (first, second) = (user(&result("a")), user(&result("b")));
    add(
        "A-PAIR",
        "/messages/1/content/1",
        list(&[HI, &two, &first, &second]),
        list(&[HI, &two, &both]),
    );
    let behind = user(&format!("{TEXT},{}", result("t1")));
    let before = user(&format!("{},{TEXT}", result("t1")));
    add(
        "A-PAIR",
        "/messages/2/content/1",
        list(&[HI, CALL, &behind]),
        list(&[HI, CALL, &before]),
    );
    let server = r#"{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},"#;
    let [pending, beside] = step(
        server,
        &call("t1", "f"),
        &format!("{},{TEXT}", result("t1")),
    );
    add(
        "A-PAIR",
        "/messages/2/content/1",
        list(&[HI, &pending, &beside]),
        list(&[HI, &pending, RESULT]),
    );
    for (bad, path) in [
        ("t 1", "/messages/1/content/0/id"),
        ("", "/messages/1/content/0/id"),
    ] {
        let [call, result] = step("", &call(bad, "f"), &result(bad));
        add("A-IDS", path, list(&[HI, &call, &result]), whole.clone());
    }
    let [named, answer] = step("", &call("t1", "a.b"), &result("t1"));
    add(
        "A-IDS",
        "/messages/1/content/0/name",
        list(&[HI, &named, &answer]),
        whole.clone(),
    );
    add(
        "A-IDS",
        "/messages/3/content/0/id",
        list(&[HI, CALL, RESULT, CALL, RESULT]),
        whole,
    );
    let tools = |name: &str| format!(r#""tools":[{{"name":"{name}","input_schema":{{}}}}]"#);
    let long = "x".repeat(65);
    add(
        "A-IDS",
        "/tools/0/name",
        with(&tools(&long), &[HI]),
        with(&tools("x"), &[HI]),
    );
}

fn blocks(add: Add<'_>) {
    let empty = |text: &str| user(&format!(r#"{{"type":"text","text":"{text}"}}"#));
    add(
        "A-EMPTY",
        "/messages/0/content/0",
        list(&[&empty(""), HI]),
        list(&[&empty("x"), HI]),
    );
    add(
        "A-EMPTY",
        "/messages/0/content/0",
        list(&[&empty(" \\n"), HI]),
        list(&[HI]),
    );
    add(
        "A-EMPTY",
        "/messages/0/content",
        list(&[r#"{"role":"user","content":""}"#, HI]),
        list(&[HI]),
    );
    add(
        "A-EMPTY",
        "/messages/1/content",
        list(&[HI, &assistant(""), HI]),
        list(&[HI, OK, HI]),
    );
    let blank = format!(r#"{TEXT},{{"type":"text","text":" "}}"#);
    add(
        "A-EMPTY",
        "/system/0",
        with(r#""system":[{"type":"text","text":""}]"#, &[HI]),
        list(&[&user(&blank)]),
    );
    let number = user(r#"{"type":"tool_result","tool_use_id":"t1","content":12}"#);
    let nothing = user(r#"{"type":"tool_result","tool_use_id":"t1"}"#);
    add(
        "A-RESULT",
        "/messages/2/content/0/content",
        list(&[HI, CALL, &number]),
        list(&[HI, CALL, &nothing]),
    );
    let inner = |block: &str| {
        user(&format!(
            r#"{{"type":"tool_result","tool_use_id":"t1","content":[{block}]}}"#
        ))
    };
    let image = r#"{"type":"image","source":{"type":"url","url":"https://example.org/x.png"}}"#;
    add(
        "A-RESULT",
        "/messages/2/content/0/content/0",
        list(&[HI, CALL, &inner(&call("x", "f"))]),
        list(&[HI, CALL, &inner(image)]),
    );
    add(
        "A-MULTI",
        "/messages/1/content/0",
        list(&[HI, &assistant(&format!("{image},{TEXT}")), HI]),
        list(&[&user(image), OK, HI]),
    );
}

fn thinking(add: Add<'_>) {
    let turn = |blocks: &str| list(&[HI, &assistant(blocks), RESULT]);
    let called = call("t1", "f");
    let whole = turn(&format!("{THOUGHT},{called}"));
    let unsigned = THOUGHT.replace("c2ln", "");
    add(
        "A-THINK",
        "/messages/1/content/0",
        turn(&format!("{unsigned},{called}")),
        whole.clone(),
    );
    add(
        "A-THINK",
        "/messages/1/content/1",
        turn(&format!("{called},{THOUGHT}")),
        whole.clone(),
    );
    add(
        "A-THINK",
        "/messages/0/content/0",
        list(&[&user(&format!("{THOUGHT},{TEXT}"))]),
        whole,
    );
    let redacted = r#"{"type":"redacted_thinking","data":"x"}"#;
    add(
        "A-THINK",
        "/messages/1/content/0",
        turn(&format!(r#"{{"type":"redacted_thinking"}},{called}"#)),
        turn(&format!("{redacted},{called}")),
    );
    let on = r#""thinking":{"type":"enabled","budget_tokens":2000}"#;
    let thought = assistant(&format!("{THOUGHT},{called}"));
    add(
        "A-THINK",
        "/messages/1",
        with(on, &[HI, CALL, RESULT]),
        with(on, &[HI, &thought, RESULT]),
    );
}

fn system(add: Add<'_>) {
    const SYSTEM: &str = r#"{"role":"system","content":"Be brief."}"#;
    add(
        "A-SYS",
        "/system",
        with(r#""system":7"#, &[HI]),
        with(r#""system":"Be brief.""#, &[HI]),
    );
    let image = r#"{"type":"image","source":{"type":"file","file_id":"x"}}"#;
    let prompt = |block: &str| format!(r#""system":[{block}]"#);
    add(
        "A-SYS",
        "/system/0",
        with(&prompt(image), &[HI]),
        with(&prompt(TEXT), &[HI]),
    );
    let right = list(&[HI, SYSTEM, SYSTEM, OK, CALL, RESULT, SYSTEM]);
    add(
        "A-MIDSYS",
        "/messages/0",
        list(&[SYSTEM, HI]),
        right.clone(),
    );
    add(
        "A-MIDSYS",
        "/messages/1",
        list(&[HI, SYSTEM, HI]),
        right.clone(),
    );
    add(
        "A-MIDSYS",
        "/messages/2",
        list(&[HI, OK, SYSTEM, HI]),
        right.clone(),
    );
    add(
        "A-MIDSYS",
        "/messages/2",
        list(&[HI, CALL, SYSTEM, RESULT]),
        right,
    );
    for (old, new) in [
        ("sonnet-5", "opus-5"),
        ("opus-4-7", "opus-4-8"),
        ("haiku-4-5", "fable-5"),
    ] {
        let model = |name: &str| with(&format!(r#""model":"claude-{name}""#), &[HI, SYSTEM]);
        add("A-MIDSYS", "/messages/1", model(old), model(new));
    }
    let scoped = |more: &str| {
        format!(
            r#"{{"role":"system","clear_at":"next_user_message","content":[{{"type":"text","text":"x"{more}}}]}}"#
        )
    };
    add(
        "A-MIDSYS",
        "/messages/1",
        list(&[HI, &scoped(r#","cache_control":{"type":"ephemeral"}"#)]),
        list(&[HI, &scoped("")]),
    );
}

fn limits(add: Add<'_>) {
    let marked = |ttl: &str| {
        format!(r#"{{"type":"text","text":"x","cache_control":{{"type":"ephemeral"{ttl}}}}}"#)
    };
    let many = |count: usize| user(&vec![marked(""); count].join(","));
    add(
        "A-CACHE",
        "/messages/0/content/4",
        list(&[&many(5)]),
        list(&[&many(4)]),
    );
    let automatic = r#""cache_control":{"type":"ephemeral"}"#;
    add(
        "A-CACHE",
        "",
        with(automatic, &[&many(4)]),
        with(automatic, &[&many(3)]),
    );
    let long = marked(r#","ttl":"1h""#);
    let short = marked(r#","ttl":"5m""#);
    add(
        "A-CACHE",
        "/messages/0/content/1",
        list(&[&user(&format!("{short},{long}"))]),
        list(&[&user(&format!("{long},{short}"))]),
    );
    let summary = |more: &str| {
        assistant(&format!(
            r#"{{"type":"compaction","content":"So far."{more}}}"#
        ))
    };
    let signed = summary(r#","signature":"c2ln""#);
    add(
        "A-COMPACT",
        "/messages/1/content/0",
        list(&[HI, &signed, HI]),
        list(&[&signed, HI]),
    );
    add(
        "A-COMPACT",
        "/messages/0/content/0",
        list(&[&signed, &summary(""), HI]),
        list(&[&summary(""), HI]),
    );
    let empty = assistant(r#"{"type":"compaction","content":""},{"type":"text","text":"x"}"#);
    let failed = assistant(r#"{"type":"compaction","content":null}"#);
    add(
        "A-COMPACT",
        "/messages/1/content/0",
        list(&[HI, &empty, HI]),
        list(&[HI, &failed, HI]),
    );
    let forced = r#""tool_choice":{"type":"tool","name":"f"}"#;
    let on = r#""thinking":{"type":"enabled","budget_tokens":2000}"#;
    let choice = |more: &str, choice: &str| with(&format!("{more},{choice}"), &[HI]);
    add(
        "A-TOOLCHOICE",
        "/tool_choice",
        choice(on, forced),
        choice(on, r#""tool_choice":{"type":"auto"}"#),
    );
    let model = |name: &str| format!(r#""model":"claude-{name}""#);
    add(
        "A-TOOLCHOICE",
        "/tool_choice",
        choice(&model("fable-5-1"), r#""tool_choice":{"type":"any"}"#),
        choice(&model("fable-5"), forced),
    );
}
