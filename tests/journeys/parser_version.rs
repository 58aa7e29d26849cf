//! A newer parser reads known bytes again: its structure goes beside the older one, and what was cited by the older one
//! still holds.
//!
//! Deliberately not here: what either parser finds.

use crate::text;
use pincite_core::structure::{PARSER, Structure};
use pincite_core::text::LayerBoxes;
use pincite_store::Store;
use pincite_store::documents::{LayerKind, NewExtraction, NewStructure, NewVersion};
use pincite_tests::{World, tree};
use serde_json::json;
use std::ffi::OsStr;

const FILE: &str = "sop-114-rev-a.pdf";

/// A workspace as an older Pincite left it: the document with the structure of an older parser. Answers that structure's
/// id.
fn older_workspace(world: &World, today: &World) -> String {
    let path = tree::fixture("documents").join(FILE);
    let layer = today.run(["document", "text", "sop"]).out;
    let version = today.json(["document", "show", "sop"]);
    let boxes: Vec<_> = layer.chars().map(|_| None).collect();
    let page = json!({
        "size": { "width": 595.0, "height": 842.0 }, "replaced": 0, "unmapped": 0, "scanned": false,
        "untrusted": false, "damaged": false,
    });
    let pages: Vec<_> = layer.split('\u{c}').map(|_| &page).collect();
    let older = Structure {
        parser: "sections-0".to_owned(),
        sections: Vec::new(),
        tables: Vec::new(),
    };
    let structure_id = older.id();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(world.place()).await.expect("a workspace");
        let intake = store
            .blobs()
            .take_in(&mut std::fs::File::open(&path).expect("a fixture"))
            .expect("its bytes");
        let sha256 = intake.sha256.clone();
        store.blobs().keep(intake).expect("kept bytes");
        let mut write = store.write().await.expect("a writer");
        write
            .add_version(&NewVersion {
                doc_id: "sop",
                doc_sha256: &sha256,
                bytes: 1,
                media_type: "application/pdf",
                title: "sop",
                path: "sop.pdf",
                extraction: NewExtraction {
                    extractor: "an older extractor",
                    layer_sha256: text(&version, "layer_sha256"),
                    text: layer.as_bytes(),
                    chars: i64::try_from(layer.chars().count()).expect("a count"),
                    boxes: &LayerBoxes::new(boxes).to_bytes(),
                    boxed: 0,
                    pages: &serde_json::to_vec(&pages).expect("JSON"),
                    kind: LayerKind::Text,
                    details: &[],
                },
                structure: NewStructure {
                    structure_id: &structure_id,
                    parser: &older.parser,
                    content: &serde_json::to_vec(&older).expect("JSON"),
                },
            })
            .await
            .expect("a version");
        write.commit().await.expect("a commit");
    });
    structure_id
}

#[test]
fn a_newer_parser_adds_its_structure_and_stored_citations_keep_theirs() {
    let (today, world) = (World::empty(), World::empty());
    let path = tree::fixture("documents").join(FILE);
    let ingest = [
        OsStr::new("ingest"),
        OsStr::new("--doc-id"),
        OsStr::new("sop"),
        path.as_os_str(),
    ];
    let first = today.json(ingest);
    let older = older_workspace(&world, &today);
    let layer: Vec<char> = world.run(["document", "text", "sop"]).out.chars().collect();
    let citation = json!({
        "id": "by-the-older", "doc_id": "sop", "doc_sha256": text(&first, "doc_sha256"), "structure_id": older,
        "layer_sha256": text(&first, "layer_sha256"), "page": 1, "char_start": 0, "char_end": 20,
        "quote": layer[..20].iter().collect::<String>(),
    });
    let file = world.file("citations.jsonl", format!("{citation}\n"));
    assert_eq!(text(&world.lines(0, ["verify", &file])[0], "state"), "verified");

    let again = world.json(ingest);
    assert_eq!(text(&again, "outcome"), "known");
    assert_ne!(
        text(&again, "structure_id"),
        older,
        "a {PARSER} structure is in use now"
    );
    assert_eq!(text(&again, "structure_id"), text(&first, "structure_id"));
    assert_eq!(text(&world.lines(0, ["verify", &file])[0], "state"), "verified");
    let added = world.json(["document", "sections", "sop"]);
    assert!(added.as_array().is_some_and(|sections| sections.len() > 10), "{added}");
    // Once is enough.
    let entries = world.json(["audit", "verify"])["entries"].clone();
    let third = world.json(ingest);
    assert_eq!(text(&third, "structure_id"), text(&again, "structure_id"));
    assert_eq!(world.json(["audit", "verify"])["entries"], entries);
}
