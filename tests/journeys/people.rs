//! Who may do what: accounts and roles in a team, signing in and out.
//!
//! Deliberately not here: who may read what (`readers`), which role allows which deed (tested in the core), the window (e2e).

use crate::{Answer, assert_refused, text};
use pincite_tests::world::TESTER;
use pincite_tests::{World, database, postgres, tree};
use serde_json::Value;
use std::collections::BTreeSet;

/// A team's workspace, wherever the other tests are run; `None` where no PostgreSQL is installed.
pub(crate) fn team() -> Option<World> {
    Some(World::on(postgres::workspace_url()?))
}

/// An account with these roles alone.
pub(crate) fn account(world: &World, name: &str, roles: &[&str]) {
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
const GIVEN: [(&str, &str); 87] = [
    ("alarm acknowledge", "a --why x"),
    ("alarm list", ""),
    ("answer gate", ""),
    ("answer import", "answers.jsonl"),
    ("answer label", "a --faithful yes --correct yes --why x"),
    ("answer matrix", ""),
    ("answer show", ""),
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
    ("gate", "citations.jsonl"),
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
    ("registry add", "sop-114 --revision A --why x"),
    ("registry approve", "sop-114 --seq 1 --why x"),
    ("registry archive", "sop-114 --seq 1 --why x"),
    ("registry as-of", "sop-114 1"),
    ("registry confirm", "sop-114 --why x"),
    ("registry diff", "sop-114 sop-114"),
    ("registry differences", ""),
    ("registry groups", ""),
    ("registry history", "sop-114 1"),
    ("registry import", "manifest.csv --why x"),
    ("registry indexed", "indexed.jsonl --build b"),
    ("registry lag", ""),
    ("registry rates", ""),
    ("registry propose", "."),
    ("registry settle", "sop-114 --seq 1 --why x"),
    ("registry show", ""),
    ("registry withdraw", "sop-114 --seq 1 --why x"),
    ("review agreement", ""),
    ("review list", ""),
    ("sample plan", "--answers 5"),
    ("settings set", "audit_shares {} --why x"),
    ("settings show", ""),
    ("sweep findings", "s"),
    ("sweep list", ""),
    ("sweep run", ""),
    ("sweep show", ""),
    ("sweep uncited", ""),
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
