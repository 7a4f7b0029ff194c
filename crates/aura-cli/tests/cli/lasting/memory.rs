//! `aura memory`.

use serde_json::json;

use crate::workshop::{Workshop, chat, lines};

fn proposal(source_type: &str, text: &str) -> String {
    let source = match source_type {
        "verified-setting" => json!({"setting": "diet"}),
        _ => json!({"uri": "https://example.org/menu"}),
    };
    json!({
        "kind": "profile", "text": text, "subject": "user/diet", "user": "ann",
        "source_type": source_type, "source": source, "correction": "owner",
        "expires_at": match source_type {
            "verified-setting" => serde_json::Value::Null,
            _ => json!(in_a_year()),
        },
    })
    .to_string()
}

fn in_a_year() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let year = now.unwrap().as_secs() / 31_556_952 + 1971;
    format!("{year}-01-01T00:00:00Z")
}

#[test]
fn a_memory_is_proposed_listed_and_ended() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s1", 1)));
    let good = workshop.file("good.json", proposal("verified-setting", "Eats no peanuts"));
    let bad = workshop.file("bad.json", proposal("document", "Eats only peanuts"));
    let verb =
        |arguments: &[&str]| workshop.json(&[&["memory", "--user", "ann"], arguments].concat());
    let proposed = verb(&["propose", good.to_str().unwrap()]);
    assert_eq!(proposed[0]["state"], "active");
    let refused = workshop.run(&["memory", "--user", "ann", "propose", bad.to_str().unwrap()]);
    refused
        .code(4)
        .stderr(predicates::str::contains("source-type"));
    let waiting = verb(&["candidates"]);
    assert_eq!(waiting.as_array().unwrap().len(), 1);
    let id = waiting[0]["memory_id"].as_str().unwrap();
    assert_eq!(verb(&["reject", id])[0]["state"], "rejected");
    let id = proposed[0]["memory_id"].as_str().unwrap();
    let corrected = verb(&["correct", id, "Eats no nuts"]);
    assert_eq!(corrected[0]["proposal"]["text"], "Eats no nuts");
    assert_eq!(verb(&["review"]).as_array().unwrap().len(), 1);
    let id = corrected[0]["memory_id"].as_str().unwrap();
    assert_eq!(verb(&["expire", id])[0]["state"], "expired");
    let states: Vec<_> = verb(&["list"])
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(states, ["corrected", "rejected", "expired"]);
    workshop
        .run(&["delete", "--memory", id])
        .success()
        .stdout(predicates::str::contains("memories"));
}
