//! Who may do what, and who may read what: accounts and roles in a team, groups of readers on both databases.
//!
//! Deliberately not here: which role allows which deed (tested in the core), and the window (e2e).

use crate::{Answer, assert_refused, claim, decide_arguments, elements, text};
use pincite_tests::world::TESTER;
use pincite_tests::{World, database, postgres, tree};
use serde_json::Value;
use std::collections::BTreeSet;

/// A team's workspace, wherever the other tests are run; `None` where no PostgreSQL is installed.
fn team() -> Option<World> {
    Some(World::on(postgres::workspace_url()?))
}

/// An account with these roles alone.
fn account(world: &World, name: &str, roles: &[&str]) {
    let password = world.password_file().display().to_string();
    let mut arguments = vec!["user", "add", name, "--why", "a test", "--password-file", &password];
    roles.iter().for_each(|role| arguments.extend(["--role", role]));
    let _ = world.json(arguments);
}

/// Every command that does something, as its own help names them: the words of each.
fn commands(world: &World) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let mut open = vec![Vec::<String>::new()];
    while let Some(words) = open.pop() {
        let mut command = world.bare_command();
        let help = Answer::of(command.args(&words).arg("--help").output().expect("pincite starts")).out;
        let below: Vec<String> = help
            .lines()
            .skip_while(|line| *line != "Commands:")
            .skip(1)
            .take_while(|line| !line.is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help")
            .map(str::to_owned)
            .collect();
        if below.is_empty() {
            found.insert(words);
            continue;
        }
        open.extend(below.into_iter().map(|name| [words.clone(), vec![name]].concat()));
    }
    found
}

/// What a command is given so that it is whole; what it names need not be there.
const GIVEN: [(&str, &str); 56] = [
    ("audit export", ""),
    ("audit log", ""),
    ("audit signatures", ""),
    ("audit verify", ""),
    ("backup", "kept"),
    ("calibrate", ""),
    ("catalogue set", "CATALOGUE"),
    ("catalogue show", ""),
    ("citation export", ""),
    ("decision events", ""),
    ("decision list", ""),
    ("decision times", ""),
    ("document boxes", "sop-114 --start 0 --end 1"),
    ("document groups", "sop-114 --everybody --why x"),
    ("document hit", "sop-114 --page 1 --rect 0,0,1,1"),
    ("document list", ""),
    ("document render", "sop-114 --page 1 --out page.png"),
    ("document sections", "sop-114"),
    ("document show", "sop-114"),
    ("document tables", "sop-114"),
    ("document text", "sop-114"),
    ("incident keep", "i --why x"),
    ("incident list", ""),
    ("incident show", "i"),
    ("incident void", "i --why x"),
    ("ingest", "CATALOGUE"),
    ("layer add", "sop-114 --text CATALOGUE --name other"),
    ("layer default", "sop-114 other"),
    ("layer list", "sop-114"),
    ("queue claim", ""),
    ("queue decide", "i --token 1 --item-version 1 --key k --accept"),
    ("queue enter", "i --token 1 --item-version 1 --not-stated"),
    ("queue hold", "i --note x"),
    ("queue holds", ""),
    ("queue list", ""),
    ("queue next", ""),
    ("queue release", "i --token 1"),
    ("queue renew", "i --token 1"),
    ("queue show", "i"),
    ("queue stats", ""),
    ("queue undo", "d --key k"),
    ("record export", ""),
    ("record import", "CATALOGUE"),
    ("record list", ""),
    ("record show", "r"),
    ("review agreement", ""),
    ("review list", ""),
    ("settings set", "audit_shares {} --why x"),
    ("settings show", ""),
    (
        "threshold set",
        "f --model m --prompt-version p --tau-show 0.9 --tau-flag 0.8 --why x",
    ),
    ("threshold show", ""),
    ("threshold suggest", "f --model m --prompt-version p"),
    ("verify", "--all"),
    ("watch", ""),
    ("workload", ""),
    ("workspace copy", "--to copied"),
];

/// What is no deed in a workspace, or concerns oneself alone.
const FREE: [&str; 9] = [
    "init",
    "restore",
    "catalogue check",
    "completions",
    "locate",
    "user sign-in",
    "user sign-out",
    "user whoami",
    "user password",
];

/// Of accounts and groups; all for administrators.
const ADMINISTERING: [(&str, &str); 10] = [
    ("user add", "x --why x --password-file PASSWORD"),
    ("user close", "x --why x"),
    ("user grant", "x auditor --why x"),
    ("user group add", "g --why x"),
    ("user group join", "g x --why x"),
    ("user group leave", "g x --why x"),
    ("user group list", ""),
    ("user list", ""),
    ("user open", "x --why x"),
    ("user withdraw", "x auditor --why x"),
];

#[test]
fn without_a_role_every_command_is_denied() {
    let Some(world) = team() else { return };
    let _ = world.json(["init"]);
    account(&world, "nobody", &[]);
    let (catalogue, password) = (tree::fixture("catalogue.toml"), world.password_file());
    for words in commands(&world) {
        let name = words.join(" ");
        if FREE.contains(&name.as_str()) {
            continue;
        }
        let given = GIVEN
            .iter()
            .chain(&ADMINISTERING)
            .find_map(|(command, given)| (*command == name).then_some(*given))
            .unwrap_or_else(|| panic!("`{name}` is new: say here what it is given, and in `deeds.rs` what it does"));
        let given = given
            .replace("CATALOGUE", &catalogue.display().to_string())
            .replace("PASSWORD", &password.display().to_string());
        let arguments = words
            .iter()
            .cloned()
            .chain(given.split_whitespace().map(str::to_owned))
            .chain(["--as".to_owned(), "nobody".to_owned()]);
        assert_refused(&world.run(arguments), 2, &["nobody may not", "pincite user grant"]);
    }
    assert_eq!(database::ask(&world, "SELECT count(*) FROM documents"), "0");
}

#[test]
fn a_team_knows_who_is_signed_in() {
    let Some(world) = team() else { return };
    let _ = world.json(["init"]);
    let address = world.workspace_argument();
    let bare = |session: Option<&str>, arguments: &[&str]| {
        let mut command = world.bare_command();
        command.arg("--workspace").arg(&address).args(arguments);
        session.iter().for_each(|token| {
            command.env("PINCITE_SESSION", token);
        });
        Answer::of(command.output().expect("pincite starts"))
    };
    assert_refused(
        &bare(None, &["queue", "stats"]),
        2,
        &["nobody is signed in", "user sign-in"],
    );
    assert_refused(&bare(Some("0000"), &["queue", "stats"]), 2, &["nobody is signed in"]);
    account(&world, "ada", &["reviewer"]);
    let session = world.session("ada").expect("a session");
    let person: Value = serde_json::from_str(&bare(Some(&session), &["user", "whoami", "--json"]).out).expect("JSON");
    assert_eq!(
        (text(&person, "name"), person["roles"].as_array().map(Vec::len)),
        ("ada", Some(1))
    );
    // Whoever is signed in is nobody else.
    assert_refused(
        &bare(Some(&session), &["queue", "stats", "--as", "bea"]),
        2,
        &["--as bea", "ada is signed in"],
    );
    assert_eq!(bare(Some(&session), &["queue", "stats", "--as", "ada"]).code, 0);
    // A new password ends every other session, and the old one is asked for.
    let wrong = world.file("wrong", "not the password");
    let new = world.file("new", "quite another password");
    let old = world.password_file().display().to_string();
    let change = |old: &str| {
        ["user", "password", "--password-file", &new, "--old-password-file", old]
            .map(str::to_owned)
            .to_vec()
    };
    let words = |arguments: &[String]| -> Answer {
        bare(
            Some(&session),
            &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    assert_refused(&words(&change(&wrong)), 2, &["ada's password stays"]);
    let other = bare(
        None,
        &["user", "sign-in", "ada", "--print-token", "--password-file", &old],
    );
    assert_eq!(words(&change(&old)).code, 0);
    assert_refused(
        &bare(Some(other.out.trim()), &["queue", "stats"]),
        2,
        &["nobody is signed in"],
    );
    assert_eq!(
        bare(Some(&session), &["queue", "stats"]).code,
        0,
        "one's own session goes on"
    );
    assert_refused(
        &bare(
            None,
            &["user", "sign-in", "ada", "--print-token", "--password-file", &old],
        ),
        2,
        &["don't belong together"],
    );
    // Signing out ends the session, and closing the account every one.
    assert_eq!(bare(Some(&session), &["user", "sign-out"]).code, 0);
    assert_refused(&bare(Some(&session), &["queue", "stats"]), 2, &["nobody is signed in"]);
    let again = bare(
        None,
        &["user", "sign-in", "ada", "--print-token", "--password-file", &new],
    );
    let again = again.out.trim().to_owned();
    assert_eq!(bare(Some(&again), &["queue", "stats"]).code, 0);
    let _ = world.json(["user", "close", "ada", "--why", "left"]);
    assert_refused(&bare(Some(&again), &["queue", "stats"]), 2, &["nobody is signed in"]);
    assert_refused(
        &bare(
            None,
            &["user", "sign-in", "ada", "--print-token", "--password-file", &new],
        ),
        2,
        &["don't belong together", "closed"],
    );
    // Guessing is slowed down, and nobody learns which names there are.
    account(&world, "bea", &["reviewer"]);
    for _ in 0..10 {
        assert_refused(
            &bare(
                None,
                &["user", "sign-in", "bea", "--print-token", "--password-file", &wrong],
            ),
            2,
            &["don't belong together"],
        );
    }
    assert_refused(
        &bare(
            None,
            &["user", "sign-in", "bea", "--print-token", "--password-file", &old],
        ),
        2,
        &["ten wrong passwords"],
    );
    assert_refused(
        &bare(
            None,
            &["user", "sign-in", "carl", "--print-token", "--password-file", &old],
        ),
        2,
        &["don't belong together"],
    );
    let who: BTreeSet<String> = world
        .lines(0, ["audit", "log"])
        .iter()
        .map(|entry| format!("{} {}", text(entry, "who"), text(entry, "role")))
        .collect();
    assert_eq!(
        who,
        [format!("{TESTER} administrator"), "ada reviewer".to_owned()]
            .into_iter()
            .collect()
    );
}

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
