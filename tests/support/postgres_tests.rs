//! Whether a test's PostgreSQL is what `postgres.rs` says: apart from other tests', no superuser's, gone with its user.

use super::{Server, alter, as_superuser, ask, refusal, schema, workspace_url};
use std::path::Path;

/// The folder of a server's socket and files.
fn folder(url: &str) -> &str {
    url.split_once("host=")
        .and_then(|(_, rest)| rest.split('&').next())
        .expect("a socket's folder")
}

#[test]
fn a_workspace_is_a_schema_of_its_own() {
    let Some(one) = workspace_url() else { return };
    let other = workspace_url().expect("the same server");
    assert_ne!(schema(&one), schema(&other));
    alter(
        &one,
        "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('here');",
    );
    assert_eq!(ask(&one, "SELECT text FROM notes"), "here");
    assert_eq!(
        refusal(&other, "SELECT text FROM notes"),
        "relation \"notes\" does not exist"
    );
    assert_eq!(ask(&other, "SELECT current_schema()"), schema(&other));
    assert_eq!(
        refusal(&one, "SELECT text FROM notes"),
        "",
        "a query that is answered is not refused"
    );
}

#[test]
fn all_statements_are_run_or_none() {
    let Some(url) = workspace_url() else { return };
    let failed = std::panic::catch_unwind(|| alter(&url, "CREATE TABLE notes (text TEXT); SELECT 1 / 0;"));
    assert!(failed.is_err());
    assert_eq!(
        ask(
            &url,
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        ),
        "0"
    );
}

#[test]
fn the_role_of_a_workspace_is_no_superuser() {
    let Some(url) = workspace_url() else { return };
    let query = "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user";
    assert_eq!(ask(&url, query), "pincite|f|f|f");
    assert_eq!(
        ask(&as_superuser(&url), "SELECT current_user, current_schema()"),
        format!("postgres|{}", schema(&url))
    );
}

#[test]
fn a_server_listens_on_no_port_and_sorts_as_people_do() {
    let Some(url) = workspace_url() else { return };
    assert_eq!(ask(&url, "SHOW listen_addresses"), "");
    assert_eq!(ask(&url, "SHOW server_encoding"), "UTF8");
    // So that an ORDER BY which means bytes, and does not say so, is found out.
    assert_eq!(
        ask(
            &url,
            "SELECT string_agg(word, '' ORDER BY word) FROM (VALUES ('B'), ('a'), ('C')) AS words (word)"
        ),
        "aBC"
    );
}

#[test]
fn a_durable_server_keeps_what_it_acknowledged_and_ends_with_its_owner() {
    let Some(mut server) = Server::durable() else { return };
    let url = server.workspace_url();
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(ask(&url, &format!("SHOW {setting}")), "on");
    }
    alter(
        &url,
        "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('kept');",
    );
    server.crash();
    assert!(ask_fails(&url), "nobody serves after a crash");
    server.start();
    assert_eq!(ask(&url, "SELECT text FROM notes"), "kept");
    server.stop();
    assert!(ask_fails(&url), "nobody serves after a stop");
    server.start();
    assert_eq!(ask(&url, "SELECT text FROM notes"), "kept");
    let place = folder(&url);
    assert!(Path::new(place).is_dir());
    drop(server);
    assert!(!Path::new(place).exists(), "its files went with it");
}

fn ask_fails(url: &str) -> bool {
    !super::psql(url, &[], "SELECT 1").status.success()
}
