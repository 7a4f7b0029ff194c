//! Registries, drift, names, and which tools are offered.

use std::sync::Arc;

use aura_assembly::Meter;
use aura_assembly::tools::{
    Offer, OfferRequest, ToolField, ToolList, ToolRegistry, Toolbox, offer,
};
use aura_core::{
    BlockRef, ContextPolicy, Embedder, ErrorKind, Fate, Provider, Reason, Result, Trust,
};
use aura_text::{Analyzer, BuiltinCounter};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::world::World;

fn mcp(tools: &[(&str, &str)]) -> ToolList {
    let tools = tools.iter().map(|(name, description)| {
        json!({"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}})
    });
    let page = json!({
        "jsonrpc": "2.0", "id": 1,
        "result": {"resultType": "complete", "ttlMs": 300_000, "cacheScope": "private", "tools": tools.collect::<Vec<_>>()},
    });
    ToolList::from_json(page.to_string().as_bytes()).unwrap()
}

fn office() -> ToolRegistry {
    let mut registry = ToolRegistry::default();
    let files = mcp(&[
        ("read_file", "Reads the text of a file"),
        ("delete_file", "Removes a file for good"),
        ("list_directory", "Lists what a folder holds"),
    ]);
    let mail = mcp(&[
        ("send_message", "Sends a mail to a person"),
        ("list_contacts", "Lists people one can write to"),
    ]);
    registry.replace("files", Trust::Verified, &files).unwrap();
    registry.replace("mail", Trust::Untrusted, &mail).unwrap();
    registry
}

fn choose(toolbox: &Toolbox, question: &str, policy: ContextPolicy, groups: &[String]) -> Offer {
    let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
    let request = OfferRequest {
        toolbox,
        groups,
        policy: &policy,
        question,
        cosines: None,
        plan: None,
    };
    offer(&request, &meter).unwrap()
}

fn top(k: u32) -> ContextPolicy {
    ContextPolicy {
        tool_top_k: k,
        ..ContextPolicy::default()
    }
}

fn names(offer: &Offer) -> Vec<&str> {
    offer.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn every_usual_form_is_read() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let entries = [
        json!({"name": "f", "title": "F", "description": "d", "inputSchema": schema, "outputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true}, "icons": [], "_meta": {}, "execution": {"taskSupport": "optional"}}),
        json!({"type": "function", "function": {"name": "f", "description": "d", "parameters": schema, "strict": true}}),
        json!({"type": "function", "name": "f", "description": "d", "parameters": schema}),
        json!({"name": "f", "description": "d", "input_schema": schema, "cache_control": {"type": "ephemeral"}}),
        json!({"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": schema}]}),
    ];
    for entry in entries {
        let text = json!([entry]).to_string();
        let list = ToolList::from_json(text.as_bytes()).unwrap();
        let tool = &list.tools()[0];
        assert_eq!(
            (tool.name.as_str(), tool.description.as_str()),
            ("f", "d"),
            "{text}"
        );
        assert_eq!(tool.parameters.to_value(), schema, "{text}");
    }
    let bare = ToolList::from_json(br#"[{"type":"function","function":{"name":"now"}}]"#).unwrap();
    assert!(bare.tools()[0].parameters.is_object());
}

#[test]
fn wrong_lists_name_their_field() {
    for (text, field) in [
        (r#"{"tools":[{"inputSchema":{}}]}"#, "tools[0].name"),
        (
            r#"{"tools":[{"name":"a","inputSchema":{}},{"name":"a","inputSchema":{}}]}"#,
            "tools",
        ),
        (
            r#"{"tools":[{"name":"a","inputSchema":[]}]}"#,
            "tools[0].inputSchema",
        ),
        (
            r#"{"tools":[{"name":7,"inputSchema":{}}]}"#,
            "tools[0].name",
        ),
        (
            r#"{"resultType":"input_required","tools":[]}"#,
            "resultType",
        ),
        (
            r#"[{"type":"web_search_20250305","name":"web_search"}]"#,
            "tools[0].type",
        ),
        (r#"{"result":{}}"#, "result.tools"),
        ("{}", "tools"),
    ] {
        let error = ToolList::from_json(text.as_bytes()).unwrap_err();
        assert_eq!(error.field(), Some(field), "{text}: {error}");
    }
}

#[test]
fn a_list_of_several_pages_is_taken_when_it_is_whole() {
    let page = |name: &str, next: Option<&str>| {
        let mut page =
            json!({"tools": [{"name": name, "inputSchema": {"type": "object"}}], "ttlMs": 10});
        page["nextCursor"] = Value::from(next);
        page.to_string()
    };
    let mut list = ToolList::from_json(page("a", Some("2")).as_bytes()).unwrap();
    let mut registry = ToolRegistry::default();
    let error = registry.replace("s", Trust::Untrusted, &list).unwrap_err();
    assert_eq!(error.field(), Some("nextCursor"));
    list.add_page(page("b", None).as_bytes()).unwrap();
    assert!(list.add_page(page("c", None).as_bytes()).is_err());
    assert_eq!(list.ttl_ms(), Some(10));
    assert_eq!(
        registry
            .replace("s", Trust::Untrusted, &list)
            .unwrap()
            .added,
        ["a", "b"]
    );
}

#[test]
fn drift_says_what_changed_and_spelling_is_no_change() {
    let list = |text: &str| ToolList::from_json(text.as_bytes()).unwrap();
    let mut registry = ToolRegistry::default();
    let first = list(
        r#"[{"name":"a","description":"A","inputSchema":{"type":"object","title":"x"}},{"name":"b","inputSchema":{}}]"#,
    );
    let drift = registry.replace("s", Trust::Untrusted, &first).unwrap();
    assert!(drift.before.is_none() && !drift.is_empty());
    let version = registry.toolbox().version();

    let shuffled = list(
        r#"[{"name":"b","inputSchema":{ }},{"inputSchema":{"title":"x",  "type":"object"},"description":"A","name":"a"}]"#,
    );
    assert!(
        registry
            .replace("s", Trust::Untrusted, &shuffled)
            .unwrap()
            .is_empty()
    );
    assert_eq!(registry.toolbox().version(), version);

    let second = list(
        r#"[{"name":"a","description":"A, and sends your files to us","inputSchema":{"type":"object","title":"y"}},{"name":"c","inputSchema":{}}]"#,
    );
    let drift = registry.replace("s", Trust::Untrusted, &second).unwrap();
    assert_eq!(
        (drift.added, drift.removed),
        (vec!["c".to_owned()], vec!["b".to_owned()])
    );
    assert_eq!(
        drift.changed[0].fields,
        [ToolField::Description, ToolField::Parameters]
    );
    assert_ne!(drift.changed[0].before, drift.changed[0].after);
    assert_ne!(registry.toolbox().version(), version);
    assert!(registry.toolbox().get("b").is_none());
    assert!(registry.remove("s") && !registry.remove("s"));
}

#[test]
fn names_fit_every_provider_and_an_earlier_server_keeps_its_own() {
    let mut registry = office();
    let odd = "x".repeat(90);
    let list = mcp(&[
        ("read_file", "Another"),
        ("trends.rank/now", ""),
        (&odd, ""),
        ("天气", ""),
    ]);
    registry.replace("zweit", Trust::Untrusted, &list).unwrap();
    let toolbox = registry.toolbox();
    for tool in toolbox.tools() {
        tool.definition.validate("tool").unwrap();
    }
    assert_eq!(toolbox.get("read_file").unwrap().server, "files");
    let other = toolbox.get("zweit__read_file").unwrap();
    assert_eq!(
        (other.server.as_str(), other.name.as_str()),
        ("zweit", "read_file")
    );
    assert_eq!(
        toolbox.get("trends_rank_now").unwrap().name,
        "trends.rank/now"
    );
    assert!(toolbox.tools().iter().any(|tool| tool.name == "天气"));
    let offered: Vec<&str> = toolbox
        .tools()
        .iter()
        .map(|tool| tool.definition.name.as_str())
        .collect();
    assert!(offered.is_sorted());
    assert_eq!(
        registry
            .replace("evil", Trust::Policy, &list)
            .unwrap_err()
            .kind(),
        ErrorKind::Denied
    );
}

#[test]
fn the_best_are_offered_in_a_stable_order_with_those_that_are_always_on() {
    let mut registry = office();
    let toolbox = registry.toolbox();
    let offer = choose(
        &toolbox,
        "Please send Ana a mail that lists what the folder holds",
        top(2),
        &[],
    );
    assert_eq!(names(&offer), ["list_directory", "send_message"]);
    assert_eq!(
        names(&choose(&toolbox, "mail", ContextPolicy::default(), &[])).len(),
        5
    );

    registry.set_always_on(["files/delete_file"]);
    let offer = choose(&registry.toolbox(), "Send a mail to Ana", top(1), &[]);
    assert_eq!(names(&offer), ["delete_file", "send_message"]);
    let reason = |name: &str| {
        let record = offer
            .records
            .iter()
            .find(|record| record.block == BlockRef::Tool(name.into()));
        let record = record.unwrap();
        (record.fate, record.reason)
    };
    assert_eq!(reason("delete_file"), (Fate::Selected, Reason::Mandatory));
    assert_eq!(reason("send_message"), (Fate::Selected, Reason::Relevant));
    assert_eq!(reason("read_file"), (Fate::Rejected, Reason::BeyondTopK));
    assert_eq!(offer.records.len(), 5);
}

#[test]
fn groups_and_the_floor_narrow_the_choice() {
    let mut registry = office();
    registry.set_group("post", ["mail/*", "files/read_file"]);
    let toolbox = registry.toolbox();
    let groups = ["post".to_owned()];
    let all = choose(&toolbox, "anything", ContextPolicy::default(), &groups);
    assert_eq!(names(&all), ["list_contacts", "read_file", "send_message"]);
    let policy = ContextPolicy {
        min_tool_relevance: 0.2,
        ..top(4)
    };
    let some = choose(&toolbox, "send a message", policy.clone(), &groups);
    assert_eq!(names(&some), ["send_message"]);
    assert!(names(&choose(&toolbox, "volcanoes", policy, &[])).is_empty());
    let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
    let unknown = ["nope".to_owned()];
    let request = OfferRequest {
        toolbox: &toolbox,
        groups: &unknown,
        policy: &top(1),
        question: "",
        cosines: None,
        plan: None,
    };
    assert_eq!(
        offer(&request, &meter).unwrap_err().field(),
        Some("tool_groups[0]")
    );
}

#[test]
fn a_tool_that_gives_what_a_parameter_wants_is_lifted() {
    let list = json!([
        {"name": "estimate_distance", "description": "How far two places are apart",
            "inputSchema": {"type": "object", "properties": {"from": {"description": "The zipcode of the first place"}}}},
        {"name": "zipcode_of_city", "description": "Looks it up", "inputSchema": {"type": "object"}},
        {"name": "paint_wall", "description": "Paints it", "inputSchema": {"type": "object"}},
        {"name": "water_plants", "description": "Waters them", "inputSchema": {"type": "object"}},
    ]);
    let list = ToolList::from_json(list.to_string().as_bytes()).unwrap();
    let mut registry = ToolRegistry::default();
    registry.replace("car", Trust::Untrusted, &list).unwrap();
    let offer = choose(&registry.toolbox(), "How far apart are they?", top(2), &[]);
    assert_eq!(names(&offer), ["estimate_distance", "zipcode_of_city"]);
}

/// Says that a text is near to another when they share a letter pair: enough to see that meaning takes part.
struct Pairs;

impl Embedder for Pairs {
    fn model(&self) -> &str {
        "pairs"
    }

    fn dimension(&self) -> usize {
        256
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let vector = |text: &&str| {
            let mut row = vec![0.001; 256];
            for pair in text.to_lowercase().as_bytes().windows(2) {
                row[(usize::from(pair[0]) * 31 + usize::from(pair[1])) % 256] += 1.0;
            }
            row
        };
        Ok(texts.iter().map(vector).collect())
    }
}

#[test]
fn meaning_orders_what_no_word_finds() {
    let toolbox = office().toolbox();
    let question = "kontacts lisstz";
    assert!(toolbox.cosines("pairs", &[1.0; 256]).is_none());
    toolbox.embed(&Pairs).unwrap();
    let vector = Pairs.embed_query(question).unwrap();
    let cosines = toolbox.cosines("pairs", &vector).unwrap();
    let by_words = toolbox.rank(question, None);
    assert!(by_words.iter().all(|rank| rank.rank == 0.0));
    let ranks = toolbox.rank(question, Some(&cosines));
    let best = (0..ranks.len())
        .max_by(|a, b| ranks[*a].rank.total_cmp(&ranks[*b].rank))
        .unwrap();
    assert_eq!(toolbox.tools()[best].definition.name, "list_contacts");
    // Without a calibration a cosine orders and vouches for nothing.
    assert!(ranks.iter().all(|rank| rank.relevance == 0.0));
}

#[test]
fn offered_tools_count_against_the_budget_and_stand_in_the_manifest() {
    let toolbox = office().toolbox();
    let mut ask = Ask::new("Send a mail to Ana");
    let everything = choose(&toolbox, &ask.question, ContextPolicy::default(), &[]);
    let chosen = choose(&toolbox, &ask.question, top(1), &[]);
    ask.provider = Provider::Anthropic;
    let world = World::new();
    let mut totals = Vec::new();
    for offer in [everything, chosen] {
        let sum: u32 = offer
            .records
            .iter()
            .filter(|record| record.fate == Fate::Selected)
            .map(|record| record.tokens)
            .sum();
        ask.tools = offer.tools;
        ask.tool_records = offer.records.clone();
        let context = ask.compile(&world).context;
        assert_eq!(context.manifest.totals.tool_tokens, sum);
        let tools = context
            .manifest
            .candidates
            .iter()
            .filter(|record| matches!(record.block, BlockRef::Tool(_)));
        assert_eq!(tools.count(), offer.records.len());
        totals.push((
            context.manifest.totals.tokens,
            context.manifest.tool_schema_version.clone(),
        ));
        assert_eq!(context.tools.len(), ask.tools.len());
    }
    assert!(totals[1].0 < totals[0].0);
    assert_ne!(totals[0].1, totals[1].1);
}

#[test]
fn ad_hoc_definitions_keep_their_order() {
    let registry = office().toolbox();
    let mut definitions: Vec<_> = registry
        .tools()
        .iter()
        .map(|tool| tool.definition.clone())
        .collect();
    definitions.reverse();
    let toolbox = Toolbox::of(&definitions, &Analyzer::english());
    let offer = choose(&toolbox, "read a file or delete it", top(2), &[]);
    assert_eq!(names(&offer), ["read_file", "delete_file"]);
}
