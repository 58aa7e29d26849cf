//! Who may read what: groups of readers on both databases, and what a team's database refuses by itself.
//!
//! Deliberately not here: accounts and roles (`people`), the window (e2e).

use crate::people::team;
use crate::{assert_refused, claim, decide_arguments, elements, text};
use pincite_tests::{World, postgres, tree};
use serde_json::Value;

/// Everything that tells of documents, as one person sees it: a line a question.
fn seen(world: &World, who: &str) -> Vec<String> {
    let ask = |arguments: &[&str]| {
        let answer = world.run(arguments.iter().copied().chain(["--json", "--as", who]));
        assert!(answer.code < 2, "{arguments:?}: {}", answer.err);
        answer.out
    };
    [
        &["document", "list"][..],
        &["record", "list"],
        &["record", "export", "--resolved"],
        &["citation", "export"],
        &["verify", "--all"],
        &["queue", "list", "--unblind"],
        &["queue", "holds"],
        &["decision", "list"],
        &["review", "list"],
        &["watch", "--behind", "citations_resolving"],
        &["audit", "log"],
    ]
    .into_iter()
    .map(ask)
    .collect()
}

#[test]
fn what_is_closed_to_somebody_is_nowhere_for_them() {
    let world = World::demo();
    let held = claim(&world, "bea").expect("an item");
    let _ = world.json(decide_arguments(&held, "bea", "one", &["--accept"]));
    let all = world.json(["queue", "stats", "--as", "ada"]);
    let curves = world.json(["calibrate", "--as", "ada"]);
    let _ = world.json(["user", "group", "add", "tenders", "--why", "a test"]);
    let _ = world.json(["user", "group", "join", "tenders", "bea", "--why", "a test"]);
    if world.database().is_some() {
        // Nobody belongs to a group who has no account.
        let _ = world.session("ada");
    }
    let _ = world.json([
        "user",
        "group",
        "join",
        "tenders",
        "ada",
        "--from",
        "2020-01-01",
        "--until",
        "2020-12-31",
        "--why",
        "was once",
    ]);
    let close = [
        "document",
        "groups",
        "pliego-2026-014",
        "--set",
        "tenders",
        "--why",
        "confidential",
        "--as",
        "bea",
    ];
    let closed = world.json(close);
    assert_eq!(closed["groups"][0], "tenders");

    let (hers, his) = (seen(&world, "ada"), seen(&world, "bea"));
    for (ada, bea) in hers.iter().zip(&his) {
        assert!(!ada.contains("pliego") || ada.contains("document.groups"), "{ada}");
        assert!(ada.len() <= bea.len());
    }
    assert!(his.first().is_some_and(|list| list.contains("pliego-2026-014")));
    // An entry of the chain is there for everybody, so that it can be followed; what it says is not.
    let entries = |seen: &[String]| seen.last().map(|log| log.lines().count());
    assert_eq!(entries(&hers), entries(&his));
    let quote = "450.000";
    assert!(his.iter().any(|answer| answer.contains(quote)), "the tender says it");
    assert!(!hers.iter().any(|answer| answer.contains(quote)));

    // By name it is as if it were not there.
    for arguments in [
        &["document", "show", "pliego-2026-014"][..],
        &["document", "text", "pliego-2026-014"],
        &["document", "boxes", "pliego-2026-014", "--start", "0", "--end", "5"],
        &[
            "document",
            "hit",
            "pliego-2026-014",
            "--page",
            "1",
            "--rect",
            "0,0,600,800",
        ],
        &["document", "sections", "pliego-2026-014"],
        &["document", "tables", "pliego-2026-014"],
        &[
            "document",
            "render",
            "pliego-2026-014",
            "--page",
            "1",
            "--out",
            "page.png",
        ],
        &["document", "groups", "pliego-2026-014"],
        &["layer", "list", "pliego-2026-014"],
    ] {
        let as_whom = |who: &str| world.run(arguments.iter().copied().chain(["--as", who]));
        assert_refused(&as_whom("ada"), 2, &["there is no document pliego-2026-014"]);
        assert_eq!(as_whom("bea").code, 0, "{arguments:?}");
    }

    // Taking it in again is refused, and takes nothing away.
    let file = tree::fixture("documents")
        .join("pliego-2026-014.pdf")
        .display()
        .to_string();
    for doc in ["pliego-2026-014", "another"] {
        assert_refused(
            &world.run(["ingest", "--doc-id", doc, &file, "--as", "ada"]),
            2,
            &["is closed to you"],
        );
    }
    assert_eq!(
        world
            .run([
                "document",
                "render",
                "pliego-2026-014",
                "--page",
                "1",
                "--out",
                "page.png",
                "--as",
                "bea"
            ])
            .code,
        0
    );
    let catalogue = tree::fixture("catalogue.toml").display().to_string();
    assert_refused(
        &world.run(["catalogue", "set", &catalogue, "--as", "ada"]),
        2,
        &["some are closed to you"],
    );

    // Counts are of what one may read.
    let (few, many) = (
        world.json(["queue", "stats", "--as", "ada"]),
        world.json(["queue", "stats", "--as", "bea"]),
    );
    assert!(few["open"].as_i64() < many["open"].as_i64(), "{few} {many}");
    assert_eq!(many["open"], all["open"]);
    let total = |curves: &Value| -> i64 {
        elements(curves)
            .iter()
            .filter_map(|curve| curve["pending"].as_i64())
            .sum()
    };
    assert!(total(&world.json(["calibrate", "--as", "ada"])) < total(&curves));
    assert_eq!(world.json(["calibrate", "--as", "bea"]), curves);

    // Nothing in it can be claimed, held or decided: neither as the next nor by name.
    let items = world.json(["queue", "list", "--as", "bea"]);
    let inside = elements(&items)
        .iter()
        .find(|item| item["doc_id"] == "pliego-2026-014")
        .expect("an open item of the tender");
    let item = text(inside, "item");
    assert_refused(
        &world.run(["queue", "show", item, "--as", "ada"]),
        2,
        &["there is no item"],
    );
    assert_refused(
        &world.run(["queue", "claim", item, "--as", "ada"]),
        2,
        &["there is no item"],
    );
    assert_refused(
        &world.run(["queue", "hold", item, "--as", "ada", "--note", "mine"]),
        2,
        &["there is no item"],
    );
    let lease = world.json(["queue", "claim", item, "--as", "bea"]);
    let decide = decide_arguments(&lease, "ada", "two", &["--accept"]);
    assert_refused(&world.run(decide), 2, &["there is no item"]);
    let mut claimed = Vec::new();
    while claimed.len() < 20
        && let Some(next) = claim(&world, "ada")
    {
        let decided = world.json(decide_arguments(
            &next,
            "ada",
            text(&next, "item"),
            &["--reject", "other"],
        ));
        claimed.push(text(&decided, "doc_id").to_owned());
    }
    assert!(!claimed.is_empty() && !claimed.iter().any(|doc_id| doc_id == "pliego-2026-014"));
    assert_eq!(world.json(["audit", "verify", "--as", "ada"])["fault"], Value::Null);

    // A new version of a closed document is closed as well, and a membership that ended opens nothing.
    let _ = world.json(["user", "group", "leave", "tenders", "bea", "--why", "over"]);
    assert_refused(
        &world.run(["document", "show", "pliego-2026-014", "--as", "bea"]),
        2,
        &["there is no document"],
    );
    let _ = world.json(["user", "group", "join", "tenders", "ada", "--why", "again"]);
    assert_eq!(
        world.run(["document", "show", "pliego-2026-014", "--as", "ada"]).code,
        0
    );
    let _ = world.json([
        "document",
        "groups",
        "pliego-2026-014",
        "--everybody",
        "--why",
        "published",
        "--as",
        "ada",
    ]);
    assert_eq!(seen(&world, "bea").len(), hers.len());
    assert_eq!(
        world.run(["document", "show", "pliego-2026-014", "--as", "bea"]).code,
        0
    );
}

#[test]
fn the_database_refuses_what_a_program_could_forget() {
    let Some(world) = team() else { return };
    let _ = world.json(["init", "--demo"]);
    let _ = world.json(["user", "group", "add", "tenders", "--why", "a test"]);
    let session = world.session("ada").expect("a session");
    let _ = world.json([
        "document",
        "groups",
        "pliego-2026-014",
        "--set",
        "tenders",
        "--why",
        "a test",
    ]);
    let owner = world.database().expect("a database");
    let member = world.workspace_argument().into_string().expect("an address");
    let ada = format!("{member}%20-c%20pincite.session%3D{session}");
    let count = |url: &str, table: &str| postgres::ask(url, &format!("SELECT count(*) FROM {table}"));
    // Nobody signed in sees anything, the owner of the tables neither (without a word of his own for it).
    let plain = owner.replace("%20-c%20pincite.inside%3Don", "");
    for table in [
        "documents",
        "versions",
        "layers",
        "records",
        "citations",
        "items",
        "routing_log",
        "audit_payloads",
    ] {
        assert_eq!(
            (count(&plain, table), count(&member, table)),
            ("0".into(), "0".into()),
            "{table}"
        );
        assert_ne!(count(&owner, table), "0", "{table}");
        let (hers, all) = (count(&ada, table), count(&owner, table));
        assert!(
            hers.parse::<i64>().expect("a count") < all.parse().expect("a count"),
            "{table}: {hers} of {all}"
        );
        assert_ne!(hers, "0", "{table}");
    }
    // Nobody who only works here sees more by saying so.
    assert_eq!(
        count(&format!("{ada}%20-c%20pincite.inside%3Don"), "documents"),
        count(&ada, "documents")
    );
    for (statement, refused) in [
        ("SELECT * FROM account_passwords", "permission denied"),
        ("SELECT * FROM sessions", "permission denied"),
        ("UPDATE audit_entries SET who = 'ada'", "permission denied"),
        ("DELETE FROM audit_entries", "permission denied"),
        ("TRUNCATE audit_entries", "permission denied"),
        ("UPDATE decisions SET reviewer = 'ada'", "permission denied"),
        ("DELETE FROM documents", "permission denied"),
        ("CREATE TABLE notes (text TEXT)", "permission denied"),
        ("ALTER TABLE documents NO FORCE ROW LEVEL SECURITY", "must be owner"),
        (
            "INSERT INTO held_for_later (item_id, event, note, who, recorded_at) SELECT item_id, 'held', '', 'bea', 1 FROM items LIMIT 1",
            "row-level security",
        ),
        (
            "INSERT INTO audit_entries VALUES (100000, 1, 'Z', 'bea', 'auditor', 'a', 's', '', '')",
            "row-level security",
        ),
        (
            "INSERT INTO account_keys (account, public_key, recorded_at) VALUES ('ada', '', 1)",
            "row-level security",
        ),
        ("UPDATE items SET field = 'another'", "permission denied"),
        // Whoever guesses a hash gets no way in by it.
        (
            "INSERT INTO extractions (doc_sha256, extractor, layer_sha256, boxes, pages, boxed, recorded_at) \
             SELECT doc_sha256, 'x', (SELECT pincite_closed('layer') LIMIT 1), '', '', 0, 0 FROM versions LIMIT 1",
            "row-level security",
        ),
        (
            "INSERT INTO document_groups (doc_id, why, who, recorded_at) VALUES ('sop-114', '', 'tester', 1)",
            "row-level security",
        ),
    ] {
        let said = postgres::refusal(&ada, statement);
        assert!(said.contains(refused), "{statement}: {said}");
    }
    // Every table that hangs on a document is behind a policy, forced on its owner; what is not is named here.
    let open = postgres::ask(
        &owner,
        "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = current_schema() AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)",
    );
    assert_eq!(open, "_sqlx_migrations account_passwords sessions sign_ins workspace");
    // Both databases leave out the same.
    let behind = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_policies \
                  WHERE schemaname = current_schema() AND policyname = 'of_open_documents'";
    let mut tables = pincite_store::reader::TABLES.map(|(table, _, _)| table);
    tables.sort_unstable();
    assert_eq!(postgres::ask(&owner, behind), tables.join(" "));
    let admit = postgres::refusal(&member, "SELECT pincite_admit('pincite_team')");
    assert!(
        admit.contains("permission denied"),
        "only the owner lets a role in: {admit}"
    );
}
