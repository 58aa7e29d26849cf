//! The commands under test, once for all suites: a workspace to do them in, their words, and how each is known to have
//! happened.
//!
//! Deliberately not here: doing them, and what may go wrong meanwhile.

use crate::check::wait_for;
use pincite_app::wire::ReadingEventKind::{Decided, Painted};
use pincite_app::wire::{DecideRequest, ReadingEvent, ReadingSegment, Verdict};
use pincite_app::{Workspace, queue};
use pincite_tests::{World, tree};
use serde_json::{Value, json};

/// One change that a command makes, and how to see it.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    /// What it is, for people.
    pub(crate) name: String,
    /// What the line says that acknowledges it.
    pub(crate) said: String,
    /// Counts its rows: one, or none.
    pub(crate) rows: String,
    /// Counts its audit entries; `None` where its writer makes none (a counter-example).
    pub(crate) entries: Option<String>,
}

/// What doing a command again does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It answers with what was done, under the key or the id that it names.
    Same,
    /// It says that it is done.
    Refused,
    /// It does it a second time: nothing in it says that it is the same.
    Twice,
}

/// A command under test.
#[derive(Debug, Clone)]
pub(crate) struct Deed {
    /// Its name in this suite.
    pub(crate) name: &'static str,
    /// Its words.
    pub(crate) arguments: Vec<String>,
    /// What it changes.
    pub(crate) facts: Vec<Fact>,
    /// What doing it again does.
    pub(crate) again: Again,
}

/// A workspace with everything that the deeds need, and the deeds.
#[derive(Debug)]
pub(crate) struct Bench {
    /// Where the workspace is that is copied for each try. It stays as it is.
    world: World,
    /// The commands under test: each can be done by itself in a copy, or all of them in this order in one.
    pub(crate) deeds: Vec<Deed>,
    /// Items that bea holds under token 1, for writers of another kind.
    pub(crate) held: Vec<String>,
}

/// A decision that is signed.
const SIGN: &str = "sign";
/// Texts with one item each.
const TEXTS: usize = 14;
/// So many accepts under the floor are an incident.
const HASTY: usize = 5;

impl Bench {
    /// Makes it.
    pub(crate) fn new() -> Self {
        let world = World::empty();
        let field = |name: &str| format!("[field.\"{name}\"]\ntype = \"number\"\n");
        let catalogue = world.file("catalogue.toml", field("slip.total") + &field("slip.count"));
        let _ = world.json(["catalogue", "set", &catalogue]);
        let (mut ingest, mut records, mut more) = (vec!["ingest".to_owned()], String::new(), String::new());
        for number in 0..TEXTS {
            let slip = format!("The total of this slip is {number}.\n");
            records.push_str(&record("slip.total", number, &slip));
            if number < 4 {
                more.push_str(&record("slip.count", number, &slip));
            }
            ingest.push(world.file(&format!("slip-{number:02}.txt"), slip));
        }
        let _ = world.lines(0, &ingest);
        let records = world.file("records.jsonl", records);
        let _ = world.lines(0, ["record", "import", "--place", &records]);
        let _ = world.json([
            "settings",
            "set",
            "lease_milliseconds",
            "86400000",
            "--why",
            "a long test",
        ]);
        let incident = incident(&world);
        let free: Vec<String> = elements(&world.json(["queue", "list"]))
            .iter()
            .map(|item| text(item, "item"))
            .collect();
        let claim = |item: &String| {
            let claim = world.json(["queue", "claim", item, "--as", "bea"]);
            assert_eq!(claim["token"], 1, "each item is new: {claim}");
            claim
        };
        let claims: Vec<Value> = free[1..].iter().map(claim).collect();
        let password = world.password_file().display().to_string();
        let _ = world.json(["user", "add", "bea", "--why", "to sign", "--password-file", &password]);
        let signed = [
            "--reject",
            "other",
            "--sign",
            "responsible",
            "--password-file",
            &password,
        ];
        let verdicts: [(&'static str, &[&str]); 4] = [
            ("decide: accept", &["--accept"]),
            ("decide: correct", &["--correct", "4711", "--note", "as the page says"]),
            ("decide: reject", &["--reject", "wrong_value"]),
            (SIGN, &signed),
        ];
        let mut deeds = vec![claim_deed(&free[0])];
        deeds.extend(
            verdicts
                .iter()
                .zip(&claims)
                .map(|((name, verdict), claim)| decide_deed(name, claim, verdict)),
        );
        deeds.extend([
            incident_deed(&incident),
            threshold_deed(),
            settings_deed(),
            ingest_deed(),
            import_deed(&world.file("more.jsonl", more)),
        ]);
        let held = claims[verdicts.len()..]
            .iter()
            .map(|claim| text(claim, "item"))
            .collect();
        fold_the_log(&world);
        Self { world, deeds, held }
    }

    /// The deed of this name.
    pub(crate) fn deed(&self, name: &str) -> &Deed {
        let deed = self.deeds.iter().find(|deed| deed.name == name);
        deed.unwrap_or_else(|| panic!("there is no deed {name}"))
    }

    /// A world of its own with a copy of the workspace.
    pub(crate) fn copy(&self) -> World {
        let world = World::new();
        crate::disk::write_image(&crate::disk::image_of(&self.world.workspace()), &world.workspace());
        world
    }
}

/// Ends with nothing in the write-ahead log, so that every copy begins alike. A command may end before it has done that.
fn fold_the_log(world: &World) {
    wait_for(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        workspace.store.close().await;
    });
    assert!(
        !world.workspace().join("pincite.sqlite-wal").exists(),
        "nobody else has it open"
    );
}

fn text(value: &Value, key: &str) -> String {
    let text = value[key].as_str();
    text.unwrap_or_else(|| panic!("{key} is no text in {value}")).to_owned()
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

fn record(field: &str, number: usize, slip: &str) -> String {
    let record = json!({
        "record_id": format!("{field}-{number:02}"), "doc_id": format!("slip-{number:02}"),
        "doc_sha256": pincite_core::sha256_hex(slip.as_bytes()), "field": field, "value": number, "status": "present",
        "confidence": 0.5, "provenance": [{"quote": slip.trim()}],
        "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
    });
    format!("{record}\n")
}

/// Accepts in such haste as makes an incident. Only a window times decisions, so they are made as the window makes them.
fn incident(world: &World) -> String {
    wait_for(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        for number in 0..HASTY {
            let claim = queue::claim(&workspace, None, "ada").await.expect("a claim");
            let claim = claim.expect("an item is free");
            let event = |at, event| ReadingEvent { at, event };
            let segment = ReadingSegment {
                segment: format!("hasty {number}"),
                process: "window-1".to_owned(),
                events: vec![event(0, Painted), event(600, Decided)],
            };
            let request = DecideRequest {
                key: format!("hasty {number}"),
                record_id: None,
                verdict: Verdict::Accept,
                note: None,
                signature: None,
                segments: vec![segment],
                item_version: claim.item_version,
                token: claim.token,
                item: claim.item,
            };
            queue::decide(&workspace, &request, "ada").await.expect("a decision");
        }
        workspace.store.close().await;
    });
    let incidents = world.json(["incident", "list"]);
    text(
        elements(&incidents).first().expect("haste makes an incident"),
        "incident",
    )
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn entries(action: &str, more: &str) -> String {
    format!(
        "SELECT count(*) FROM audit_entries e JOIN audit_payloads p ON p.seq = e.seq WHERE e.action = '{action}' AND {more}"
    )
}

fn claim_deed(item: &str) -> Deed {
    let fact = Fact {
        name: format!("the lease of {item}"),
        said: "\"token\":1".to_owned(),
        rows: format!("SELECT count(*) FROM assignments WHERE item_id = '{item}' AND token = 1"),
        entries: Some(entries(
            "queue.claim",
            &format!("e.subject = '{item}' AND CAST(p.payload AS TEXT) = '{{\"token\":1}}'"),
        )),
    };
    Deed {
        name: "claim",
        arguments: words(&["queue", "claim", item, "--as", "cy"]),
        facts: vec![fact],
        again: Again::Same,
    }
}

/// How a decision under a key is seen.
pub(crate) fn decision_rows(key: &str) -> String {
    format!("SELECT count(*) FROM decisions WHERE caller_key = '{key}'")
}

fn decide_deed(name: &'static str, claim: &Value, verdict: &[&str]) -> Deed {
    let (item, key) = (text(claim, "item"), format!("key of {name}"));
    let version = claim["item_version"].to_string();
    let mut arguments = words(&[
        "queue",
        "decide",
        &item,
        "--as",
        "bea",
        "--token",
        "1",
        "--item-version",
    ]);
    arguments.extend([version, "--key".to_owned(), key.clone()]);
    arguments.extend(words(verdict));
    let rows = if name == SIGN {
        // Not without its signature.
        format!(
            "{} AND EXISTS (SELECT 1 FROM signatures s WHERE s.subject = decision_id)",
            decision_rows(&key)
        )
    } else {
        decision_rows(&key)
    };
    let fact = Fact {
        name: format!("the decision of {item}"),
        said: format!("\"item\":\"{item}\""),
        rows,
        entries: Some(entries(
            "queue.decide",
            &format!(
                "e.subject = '{item}' AND instr(CAST(p.payload AS TEXT), \
                 (SELECT decision_id FROM decisions WHERE caller_key = '{key}')) > 0"
            ),
        )),
    };
    Deed {
        name,
        arguments,
        facts: vec![fact],
        again: Again::Same,
    }
}

fn incident_deed(incident: &str) -> Deed {
    let fact = Fact {
        name: "the kept incident".to_owned(),
        said: "\"state\":\"kept\"".to_owned(),
        rows: format!("SELECT count(*) FROM incident_resolutions WHERE incident_id = '{incident}'"),
        entries: Some(entries("incident.keep", &format!("e.subject = '{incident}'"))),
    };
    Deed {
        name: "incident keep",
        arguments: words(&[
            "incident",
            "keep",
            incident,
            "--as",
            "bea",
            "--why",
            "asked and believed",
        ]),
        facts: vec![fact],
        again: Again::Refused,
    }
}

/// A setting or threshold, known by its reason.
fn reasoned(name: &'static str, table: &str, action: &str, said: &str, mut arguments: Vec<String>) -> Deed {
    let why = format!("why {name}");
    arguments.extend(words(&["--as", "bea", "--why", &why]));
    let fact = Fact {
        name: name.to_owned(),
        said: said.to_owned(),
        rows: format!("SELECT count(*) FROM {table} WHERE CAST(why AS TEXT) = '{why}'"),
        entries: Some(entries(
            action,
            &format!("instr(CAST(p.payload AS TEXT), '\"why\":\"{why}\"') > 0"),
        )),
    };
    Deed {
        name,
        arguments,
        facts: vec![fact],
        again: Again::Twice,
    }
}

fn threshold_deed() -> Deed {
    let of = [
        "threshold",
        "set",
        "slip.total",
        "--model",
        "m",
        "--prompt-version",
        "p",
    ];
    let to = ["--tau-show", "0.9", "--tau-flag", "0.4"];
    let arguments = words(&[&of[..], &to].concat());
    reasoned(
        "threshold set",
        "thresholds",
        "threshold.set",
        "\"tau_show\":0.9",
        arguments,
    )
}

fn settings_deed() -> Deed {
    let arguments = words(&["settings", "set", "seconds_per_item", "77"]);
    let said = "\"seconds_per_item\":77";
    reasoned("settings set", "settings", "settings.set", said, arguments)
}

fn ingest_deed() -> Deed {
    let files = ["complaints-procedure.txt", "slips/slip-001.pdf"];
    let paths = files.map(|file| tree::fixture("documents").join(file).display().to_string());
    let facts = ["complaints-procedure", "slip-001"].map(|id| Fact {
        name: format!("the document {id}"),
        said: format!("\"doc_id\":\"{id}\""),
        rows: format!("SELECT count(*) FROM versions WHERE doc_id = '{id}'"),
        entries: Some(entries("document.ingest", &format!("e.subject = '{id}'"))),
    });
    Deed {
        name: "ingest",
        arguments: words(&["ingest", &paths[0], &paths[1]]),
        facts: facts.to_vec(),
        again: Again::Same,
    }
}

fn import_deed(file: &str) -> Deed {
    let facts = (0..4).map(|number| {
        let id = format!("slip.count-{number:02}");
        Fact {
            name: format!("the record {id}"),
            said: format!("\"record_id\":\"{id}\""),
            rows: format!(
                "SELECT count(*) FROM records r JOIN citations c ON c.record_id = r.record_id \
                 JOIN routing_log l ON l.record_id = r.record_id WHERE r.record_id = '{id}'"
            ),
            entries: Some(entries("record.import", &format!("e.subject = '{id}'"))),
        }
    });
    Deed {
        name: "record import",
        arguments: words(&["record", "import", "--place", file]),
        facts: facts.collect(),
        again: Again::Same,
    }
}
