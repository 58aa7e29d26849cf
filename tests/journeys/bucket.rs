//! A team whose documents are in a bucket: kept, read, found damaged, put back, copied and restored as in a folder; and a server
//! that is away, or lets nobody in, is told from bytes that are gone.
//!
//! Deliberately not here: a bucket of a real provider, and TLS on the way there.

use crate::moved::{backup, by_owner, command, copy, done, ingest, new_team, restore, working_world};
use crate::{assert_refused, number, text};
use pincite_tests::bucket::Server;
use pincite_tests::{World, postgres, tree};
use std::fs;

#[test]
fn documents_in_a_bucket_are_kept_read_and_put_back_as_in_a_folder() {
    let Some(url) = postgres::workspace_url() else { return };
    let server = Server::with(&["documents"]);
    let world = World::on(url).with_bucket("s3://documents/reviews", server.variables());
    let _ = world.json(["init"]);
    let pdf = tree::fixture("documents/sop-114-rev-a.pdf").display().to_string();
    let taken = world.lines(0, ["ingest", &pdf]);
    let hash = text(taken.first().expect("an answer"), "doc_sha256").to_owned();
    let kept = server.file(
        "documents",
        &format!("reviews/{}/{hash}", hash.get(..2).expect("a hash")),
    );
    assert_eq!(fs::read(&kept).expect("an object"), fs::read(&pdf).expect("a fixture"));
    assert!(server.file("documents", "reviews/pincite").exists());
    // Its address is the workspace's, whatever a command says later.
    assert_eq!(
        postgres::ask(
            &world.database().expect("a database"),
            "SELECT value FROM workspace WHERE name = 'blobs'"
        ),
        "s3://documents/reviews"
    );
    let drawn = world.path("page.png");
    let draw = |world: &World| {
        world.run([
            "document",
            "render",
            "sop-114-rev-a",
            "--page",
            "1",
            "--out",
            &drawn.display().to_string(),
        ])
    };
    let answer = draw(&world);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(fs::metadata(&drawn).expect("a picture").len() > 10_000);

    fs::write(&kept, "something else").expect("damage");
    assert_refused(
        &draw(&world),
        2,
        &["s3://documents/reviews/", &hash, "damaged", "ingesting that file again"],
    );
    let again = world.lines(0, ["ingest", &pdf]);
    assert_eq!(text(again.first().expect("an answer"), "outcome"), "known");
    assert_eq!(fs::read(&kept).expect("an object"), fs::read(&pdf).expect("a fixture"));
    assert!(
        world
            .lines(0, ["audit", "log"])
            .iter()
            .any(|entry| entry["action"] == "blob.restore")
    );

    // More than goes in one piece: it is put there in parts, and never as a part.
    let large = world.file("large.txt", "a line of a large document\n".repeat(500_000));
    let large = world.lines(0, ["ingest", &large]);
    let large = text(large.first().expect("an answer"), "doc_sha256").to_owned();
    let kept = server.file(
        "documents",
        &format!("reviews/{}/{large}", large.get(..2).expect("a hash")),
    );
    assert_eq!(fs::metadata(kept).expect("an object").len(), 13_500_000);
    let left: Vec<_> = fs::read_dir(world.temporary()).expect("a folder").flatten().collect();
    assert!(left.is_empty(), "what passed through is gone: {left:?}");
}

#[test]
fn a_bucket_that_is_away_loses_nothing_and_is_no_damage() {
    let Some(url) = postgres::workspace_url() else { return };
    let mut server = Server::with(&["documents"]);
    let world = World::on(url).with_bucket("s3://documents", server.variables());
    let _ = world.json(["init", "--demo"]);
    let checked = world.run(["verify", "--all"]);
    assert!(!checked.out.contains("bytes_corrupt"), "{}", checked.out);
    server.stop();
    let one = world.file("one.txt", "a document for later\n");
    let refused = world.run(["ingest", &one]);
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert!(refused.err.contains("s3://documents/"), "{}", refused.err);
    assert!(refused.err.contains("does not answer"), "{}", refused.err);
    assert!(!world.run(["document", "list"]).out.contains("one"));
    // Nobody can tell whether the citations hold; so nobody is told that they do not.
    let away = world.run(["verify", "--all", "--json"]);
    assert_eq!(away.code, 3, "{}", away.out);
    assert!(!away.out.contains("bytes_corrupt"), "{}", away.out);
    server.start();
    let _ = world.json(["ingest", &one]);
    assert_eq!(world.run(["verify", "--all"]).out, checked.out);
}

#[test]
fn a_bucket_is_backed_up_restored_and_copied_like_a_folder() {
    let Some(url) = postgres::workspace_url() else { return };
    let server = Server::with(&["documents", "more"]);
    let world = working_world(World::on(url).with_bucket("s3://documents/one", server.variables()));
    for at in 10..14 {
        ingest(&world, at);
    }
    let folder = world.path("kept");
    let made = done(backup(&world, &folder));
    let other = new_team().with_bucket("s3://more/two/below", server.variables());
    let restored = done(restore(&folder, &other));
    assert_eq!(restored["head"], made["head"]);
    assert_eq!(restored["files"], made["files"]);
    let alone = World::in_a_folder();
    let mut to_a_folder = command(&other, &["workspace".as_ref(), "copy".as_ref(), "--to".as_ref()]);
    let copied = done({
        to_a_folder.arg(by_owner(&alone));
        to_a_folder
    });
    let third = new_team().with_bucket("s3://more/three", server.variables());
    let back = done({
        let mut back = copy(&alone, &third);
        back.envs(server.variables());
        back
    });
    for key in ["content", "blobs", "bytes", "rows"] {
        assert_eq!(back[key], copied[key], "{key}");
    }
    assert!(number(&back, "blobs") >= 4);
    assert_eq!(third.json(["document", "list"]), world.json(["document", "list"]));
}

#[test]
fn a_bucket_that_can_t_be_used_is_named_with_the_remedy() {
    let Some(url) = postgres::workspace_url() else { return };
    let server = Server::with(&["documents"]);
    let wrong = |address: &str, variables: Vec<(&'static str, String)>| {
        let world = World::on(url.clone()).with_bucket(address, variables);
        world.run(["init"])
    };
    assert_refused(
        &wrong("s3://", server.variables()),
        2,
        &["s3://", "no bucket is named", "s3://bucket/name"],
    );
    let mut other = server.variables();
    other.retain(|(name, _)| *name != "AWS_SECRET_ACCESS_KEY");
    other.push(("AWS_SECRET_ACCESS_KEY", "another".into()));
    assert_refused(
        &wrong("s3://documents/x", other),
        3,
        &["s3://documents/x", "AWS_SECRET_ACCESS_KEY"],
    );
    // Refused before anything was made.
    assert_eq!(postgres::ask(&url, "SELECT to_regclass('workspace') IS NULL"), "t");
    let alone = World::in_a_folder();
    assert_refused(
        &alone.run(["init", "--blobs", "s3://documents"]),
        2,
        &["--blobs", "postgres://"],
    );
}
