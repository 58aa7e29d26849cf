//! Other programs' formats, in and out: their offsets are held against the text, what does not hold is not handed on,
//! and what is printed fits the schemas that are published.
//!
//! Deliberately not here: what each reader makes of each key (`pincite-app/src/formats`).

use crate::{assert_refused, claim, counts, decide_arguments, elements, number, text};
use pincite_tests::{World, tree};
use serde_json::{Value, json};

const SAYS: [&str; 4] = ["--model", "ext", "--prompt-version", "1"];
const QUOTE: &str = "A limit lapses after 90 days if it has not been drawn.";

/// A world with the policy, whose layer has a character outside of the first plane before everything that is quoted.
fn policy() -> (World, String) {
    let world = World::empty();
    let catalogue = tree::fixture("catalogue.toml").display().to_string();
    let _ = world.json(["catalogue", "set", &catalogue]);
    let path = tree::fixture("documents/lending-policy.md").display().to_string();
    let _ = world.lines(0, ["ingest", &path]);
    let layer = world.run(["document", "text", "lending-policy"]).out;
    assert!(
        layer.find('🏦') < layer.find(QUOTE),
        "the emoji stands before the quote"
    );
    (world, layer)
}

/// Where a part stands, in code points and in UTF-16 units.
fn place(layer: &str, part: &str) -> ((usize, usize), (usize, usize)) {
    let at = layer.find(part).unwrap_or_else(|| panic!("{part:?} is not there"));
    let before = &layer[..at];
    let (points, units) = (before.chars().count(), before.encode_utf16().count());
    assert!(units > points);
    (
        (points, points + part.chars().count()),
        (units, units + part.encode_utf16().count()),
    )
}

fn import(world: &World, code: i32, file: &Value, options: &[&str]) -> Vec<Value> {
    let path = world.file("foreign.json", file.to_string());
    world.lines(code, [&["record", "import", &path][..], options, &SAYS].concat())
}

/// Where the citations of every record are said to be, and what became of each.
fn citations(world: &World) -> Vec<(Value, Value, String)> {
    let listed = world.lines(0, ["record", "list"]);
    listed
        .iter()
        .flat_map(|record| elements(&record["provenance"]))
        .map(|citation| {
            (
                citation["char_start"].clone(),
                citation["char_end"].clone(),
                text(citation, "state").to_owned(),
            )
        })
        .collect()
}

fn holds((start, end): (usize, usize)) -> Vec<(Value, Value, String)> {
    vec![(json!(start), json!(end), "verified".to_owned())]
}

#[test]
fn each_format_is_read_in_its_own_units() {
    let (world, layer) = policy();
    let (points, units) = place(&layer, QUOTE);
    let region = |(start, end): (usize, usize)| {
        json!([{ "data": { "text": layer }, "predictions": [{ "model_version": "ner", "score": 0.9, "result": [
            { "id": "r", "type": "labels", "value": { "start": start, "end": end, "text": QUOTE, "labels": ["note"] } }] }] }])
    };
    let annotation = |(start, end): (usize, usize)| {
        json!({ "body": { "type": "TextualBody", "purpose": "tagging", "value": "note" },
            "target": { "source": "https://example.org/files/lending-policy.md", "selector": [
                { "type": "TextPositionSelector", "start": start, "end": end },
                { "type": "TextQuoteSelector", "exact": QUOTE }] } })
    };
    let extracted = json!({ "text": layer, "extractions": [{ "extraction_class": "note", "extraction_text": QUOTE,
        "char_interval": { "start_pos": points.0, "end_pos": points.1 }, "alignment_status": "match_exact" }] });
    let converted = json!({ "origin": { "filename": "lending-policy.md" }, "texts": [
        { "label": "text", "orig": QUOTE, "text": QUOTE, "prov": [{ "page_no": 1, "charspan": [0, 54] }] }] });
    let files: [(&str, Value, &[&str]); 6] = [
        ("label-studio", region(points), &["--doc", "lending-policy"]),
        ("label-studio", region(units), &["--doc", "lending-policy"]),
        ("langextract", extracted, &["--doc", "lending-policy"]),
        ("w3c", annotation(points), &[]),
        ("w3c", annotation(units), &["--utf16"]),
        ("docling", converted, &["--place", "--map", "text=note"]),
    ];
    drop(world);
    for (from, file, options) in files {
        let (world, _) = policy();
        let made = import(&world, 0, &file, &[&["--from", from][..], options].concat());
        assert_eq!(made.len(), 1, "{from}");
        assert_eq!(citations(&world), holds(points), "{from} {options:?}");
    }
}

#[test]
fn offsets_of_another_text_are_not_believed() {
    let (world, layer) = policy();
    let (points, _) = place(&layer, QUOTE);
    let other = format!("Printed on Monday.\n{layer}");
    let file = json!({ "document_id": "lending-policy", "text": other, "extractions": [{ "extraction_class": "note",
        "extraction_text": QUOTE, "char_interval": { "start_pos": points.0 + 19, "end_pos": points.1 + 19 } }] });
    let made = import(&world, 1, &file, &["--from", "langextract"]);
    assert_eq!(made[0]["citations"][0]["reason"], json!("no_offsets"));
    let (world, _) = policy();
    let made = import(&world, 0, &file, &["--from", "langextract", "--place"]);
    assert_eq!(made[0]["citations"][0]["placing"], json!("placed"));
    assert_eq!(citations(&world), holds(points));
}

#[test]
fn each_bad_entry_is_one_line_and_the_rest_is_kept() {
    let (world, layer) = policy();
    let (points, _) = place(&layer, QUOTE);
    let good =
        json!({ "type": "labels", "value": { "start": points.0, "end": points.1, "text": QUOTE, "labels": ["note"] } });
    let bad = json!({ "type": "choices", "value": { "choices": ["a"] } });
    let file = json!([{ "data": { "text": layer }, "annotations": [{ "result": [bad, good] }] }, { "id": 7 }]);
    let path = world.file("tasks.json", file.to_string());
    let arguments = [
        "record",
        "import",
        &path,
        "--from",
        "label-studio",
        "--doc",
        "lending-policy",
    ];
    let before = counts(&world);
    let answer = world.run([&arguments[..], &SAYS, &["--strict"]].concat());
    assert_refused(
        &answer,
        2,
        &[&path, "task 1, annotation 1, region 1", "nothing of the file was kept"],
    );
    assert_eq!(counts(&world), before);
    let answer = world.run([&arguments[..], &SAYS].concat());
    assert_eq!(answer.code, 1, "{answer:?}");
    for words in [
        "task 1, annotation 1, region 1: it is no labelled span",
        "task 2: it has no `data`",
    ] {
        assert!(answer.err.contains(words), "{}", answer.err);
    }
    assert_eq!(citations(&world), holds(points));
    // The same again is known; without a model, a document, JSON, it is said what to say.
    let kept = counts(&world);
    let _ = world.run([&arguments[..], &SAYS].concat());
    assert_eq!(counts(&world), kept);
    let nameless = world.run(arguments);
    assert!(
        nameless.code == 1 && nameless.err.contains("--model NAME"),
        "{nameless:?}"
    );
    let unknown = world.run([&arguments[..5], &["--doc", "nothing"], &SAYS[..]].concat());
    assert!(
        unknown.code == 1 && unknown.err.contains("there is no document nothing"),
        "{unknown:?}"
    );
    let broken = world.file("broken.json", "[1, ");
    let answer = world.run(["record", "import", &broken, "--from", "w3c"]);
    assert_refused(&answer, 2, &[&broken, "line 1"]);
    let ours = world.run(["record", "import", &path, "--doc", "lending-policy"]);
    assert_refused(&ours, 2, &["--from"]);
    let several = json!(["a", "b"].map(
        |source| json!({ "tags": ["note"], "target": { "source": source, "selector":
        { "type": "TextQuoteSelector", "exact": QUOTE } } })
    ));
    let path = world.file("several.json", several.to_string());
    let answer = world.run(["record", "import", &path, "--from", "w3c", "--doc", "lending-policy"]);
    assert_refused(&answer, 2, &[&path, "2 documents", "NAME=DOC"]);
    assert_eq!(counts(&world), kept);
}

#[test]
fn what_is_exported_is_read_back_at_the_same_places() {
    for (format, options) in [
        ("w3c", &[][..]),
        ("w3c", &["--utf16"]),
        ("label-studio", &[]),
        ("label-studio", &["--utf16"]),
    ] {
        let (world, layer) = policy();
        let (points, units) = place(&layer, QUOTE);
        let shown = world.json(["document", "show", "lending-policy"]);
        let record = json!({ "record_id": "r1", "doc_id": "lending-policy", "doc_sha256": shown["doc_sha256"], "field": "note",
            "value": { "days": 90 }, "status": "present", "confidence": 0.75, "extractor": { "model": "m", "prompt_version": "p" },
            "provenance": [{ "char_start": points.0, "char_end": points.1, "quote": QUOTE }] });
        let path = world.file("ours.jsonl", record.to_string());
        let _ = world.lines(0, ["record", "import", &path]);
        let answer = world.run([&["record", "export", "--format", format][..], options].concat());
        assert_eq!(answer.code, 0, "{answer:?}");
        let wanted = if options.is_empty() { points } else { units };
        for key in [format!("\"start\":{}", wanted.0), format!("\"end\":{}", wanted.1)] {
            assert!(answer.out.contains(&key), "{format} {options:?}: {key}: {}", answer.out);
        }
        let (other, _) = policy();
        let path = other.file("exported.json", &answer.out);
        let _ = other.lines(
            0,
            [&["record", "import", &path, "--from", format][..], options].concat(),
        );
        assert_eq!(citations(&other), holds(points), "{format} {options:?}");
        let back = other.lines(0, ["record", "list"]).remove(0);
        for key in [
            "doc_id",
            "doc_sha256",
            "field",
            "value",
            "status",
            "confidence",
            "extractor",
        ] {
            assert_eq!(back[key], record[key], "{format}: {key}");
        }
    }
}

#[test]
fn an_export_whose_slice_differs_from_its_quote_is_refused() {
    let world = World::with_documents();
    let traps = tree::fixture("records/traps.jsonl").display().to_string();
    let right = tree::fixture("records/right.jsonl").display().to_string();
    let _ = world.lines(0, ["record", "import", &right]);
    let _ = world.lines(1, ["record", "import", &traps]);
    let listed = world.lines(0, ["record", "list"]);
    let holds = |record: &&Value| {
        let provenance = elements(&record["provenance"]);
        let verified = provenance.iter().all(|citation| text(citation, "state") == "verified");
        text(record, "status") == "absent" || (verified && !provenance.is_empty())
    };
    let wanted: Vec<&str> = listed
        .iter()
        .filter(holds)
        .map(|record| text(record, "record_id"))
        .collect();
    assert!(wanted.len() >= 32 && wanted.len() < listed.len(), "{}", wanted.len());
    let answer = world.run(["record", "export", "--format", "w3c"]);
    assert_eq!(answer.code, 1, "{}", answer.err);
    let written = answer.lines();
    let names: Vec<&str> = written.iter().map(|line| text(line, "pincite:record_id")).collect();
    assert_eq!(names, wanted);
    assert_eq!(
        answer.err.lines().count(),
        listed.len() - wanted.len(),
        "{}",
        answer.err
    );
    for record in listed.iter().filter(|record| !holds(record)) {
        let says = format!("record {}: not written: ", text(record, "record_id"));
        assert!(answer.err.contains(&says), "{says}: {}", answer.err);
    }
    // Each pointer that was written encloses its quote, counted by a way of the test's own.
    for line in &written {
        let targets = match &line["target"] {
            Value::Array(targets) => targets.clone(),
            one => vec![one.clone()],
        };
        for target in targets.iter().filter(|target| target["selector"].is_array()) {
            let source = &target["source"];
            let document = format!(
                "{}@{}",
                text(source, "pincite:doc_id"),
                text(source, "pincite:doc_sha256")
            );
            let layer: Vec<char> = world.run(["document", "text", &document]).out.chars().collect();
            let (quote, position) = (&target["selector"][0], &target["selector"][1]);
            let at = |key: &str| usize::try_from(number(position, key)).expect("an offset");
            let slice: String = layer[at("start")..at("end")].iter().collect();
            assert_eq!(slice, text(quote, "exact"));
        }
    }
    let tasks = world.run(["record", "export", "--format", "label-studio"]);
    assert_eq!(tasks.code, 1);
    let tasks: Value = serde_json::from_str(&tasks.out).expect("one list of tasks");
    for task in elements(&tasks) {
        let layer: Vec<char> = text(&task["data"], "text").chars().collect();
        for region in elements(&task["predictions"])
            .iter()
            .flat_map(|prediction| elements(&prediction["result"]))
        {
            let value = &region["value"];
            let at = |key: &str| usize::try_from(number(value, key)).expect("an offset");
            let slice: String = layer[at("start")..at("end")].iter().collect();
            assert!(
                text(region, "type") == "textarea" || slice == text(value, "text"),
                "{region}"
            );
        }
    }
    for format in ["ours", "w3c"] {
        let answer = world.run(["citation", "export", "--format", format]);
        assert_eq!(answer.code, 1);
        assert!(
            answer.lines().len() >= 30 && answer.err.contains("does not hold (quote_mismatch)"),
            "{}",
            answer.err
        );
    }
}

/// A schema of docs/formats.
fn schema(name: &str) -> jsonschema::Validator {
    let path = tree::root().join("docs/formats").join(name);
    let document = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let document: Value = serde_json::from_str(&document).unwrap_or_else(|error| panic!("{name}: {error}"));
    jsonschema::draft202012::new(&document).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn assert_fits(schema: &jsonschema::Validator, line: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(line)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}: {line}");
}

#[test]
fn what_is_printed_fits_the_published_schemas() {
    let world = World::with_documents();
    let right = tree::fixture("records/right.jsonl").display().to_string();
    let _ = world.lines(0, ["record", "import", &right]);
    for (count, verdict) in [
        &["--accept"][..],
        &["--reject", "wrong_value"],
        &["--abstain", "not_stated"],
    ]
    .iter()
    .enumerate()
    {
        let Some(claimed) = claim(&world, "ada") else { break };
        let decided = world.json(decide_arguments(&claimed, "ada", &format!("k{count}"), verdict));
        if count == 1 {
            let _ = world.json(["queue", "undo", text(&decided, "decision"), "--as", "ada", "--key", "u"]);
        }
    }
    let (records, decisions, citations) = (
        schema("record.schema.json"),
        schema("decision.schema.json"),
        schema("citation.schema.json"),
    );
    let lines = world.lines(0, ["record", "export"]);
    assert_eq!(lines.len(), 32);
    lines.iter().for_each(|line| assert_fits(&records, line));
    let lines = world.lines(0, ["decision", "list"]);
    assert_eq!(lines.len(), 4);
    lines.iter().for_each(|line| assert_fits(&decisions, line));
    let lines = world.lines(0, ["citation", "export"]);
    assert_eq!(lines.len(), 30);
    lines.iter().for_each(|line| assert_fits(&citations, line));
    // They can refuse.
    let mut wrong = lines[0].clone();
    wrong["char_start"] = json!(-1);
    assert!(!citations.is_valid(&wrong));
    wrong = world.lines(0, ["record", "list"]).remove(0);
    wrong["status"] = json!("perhaps");
    assert!(!records.is_valid(&wrong));
    // What was exported is read again.
    let path = world.file(
        "citations.jsonl",
        lines.iter().map(|line| format!("{line}\n")).collect::<String>(),
    );
    assert!(
        world
            .lines(0, ["verify", &path])
            .iter()
            .all(|answer| text(answer, "state") == "verified")
    );
}
