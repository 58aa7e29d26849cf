//! A workspace that an older Pincite made: it is backed up first and then brought to this version, or left as it is.
//!
//! Deliberately not here: what each migration changes, and newer workspaces (`tampered`).

use crate::assert_refused;
use pincite_tests::{Answer, World, database, postgres, tree};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The schema that the older one knew.
const OLDER: i64 = 5;

/// Makes a workspace as an older program left it: its tables, and a row that must not be lost.
fn made_by_an_older_one(world: &World) {
    let rows = "INSERT INTO workspace (name, value) VALUES ('workspace_id', 'an-older-one'); \
         INSERT INTO reviewers (name, recorded_at) VALUES ('ada', 1)";
    let blobs = world.workspace().join("blobs");
    std::fs::create_dir_all(&blobs).expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let which = if world.database().is_some() {
            "postgres"
        } else {
            "sqlite"
        };
        let migrations = tree::root().join("migrations").join(which);
        let migrations = Migrator::new(migrations).await.expect("migrations");
        if let Some(url) = world.database() {
            let mut connection = PgConnection::connect(&url).await.expect("the database");
            migrations.run_to(OLDER, &mut connection).await.expect("its tables");
            let blobs = blobs.display();
            let rows = format!("{rows}; INSERT INTO workspace (name, value) VALUES ('blobs', '{blobs}')");
            sqlx::raw_sql(AssertSqlSafe(rows))
                .execute(&mut connection)
                .await
                .expect("rows");
            connection.close().await.expect("closed");
        } else {
            let file = world.workspace().join("pincite.sqlite");
            let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
            let mut connection = SqliteConnection::connect_with(&options).await.expect("the database");
            migrations.run_to(OLDER, &mut connection).await.expect("its tables");
            sqlx::raw_sql(rows).execute(&mut connection).await.expect("rows");
            connection.close().await.expect("closed");
        }
    });
}

/// Where its own backups are.
fn backups(world: &World) -> PathBuf {
    if world.database().is_some() {
        world.workspace().join("blobs/backups")
    } else {
        world.workspace().join("backups")
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn opened(world: &World, variable: Option<(&str, &OsStr)>) -> Answer {
    // A team's is brought to this version by the owner of its tables, on purpose.
    let mut command = match world.database() {
        Some(_) => world.command(["init", "--json"]),
        None => world.command(["document", "list", "--json"]),
    };
    command.envs(variable);
    Answer::of(command.output().expect("pincite starts"))
}

fn schema(world: &World) -> i64 {
    database::ask(world, "SELECT max(version) FROM _sqlx_migrations")
        .parse()
        .expect("a number")
}

#[test]
fn an_upgrade_makes_a_backup_first_and_only_then() {
    let world = World::new();
    made_by_an_older_one(&world);
    // Where it can't be made, nothing is changed.
    let folder = backups(&world);
    std::fs::write(&folder, "in the way").expect("a file");
    assert_refused(
        &opened(&world, None),
        2,
        &["schema 5", "no backup", "nothing was changed", "backups"],
    );
    assert_eq!(schema(&world), OLDER);
    std::fs::remove_file(&folder).expect("out of the way");
    if world.database().is_some() {
        let nowhere = world.path("nowhere");
        let without = opened(&world, Some(("PINCITE_POSTGRES_PROGRAMS", nowhere.as_os_str())));
        assert_refused(
            &without,
            2,
            &["nothing was changed", "pg_dump is not installed", "postgresql-client"],
        );
        assert_eq!(schema(&world), OLDER);
        assert_eq!(names(&folder), Vec::<String>::new());
    }
    assert_eq!(opened(&world, None).code, 0);
    let newest = schema(&world);
    assert!(newest > OLDER);
    let made = names(&folder);
    assert_eq!(made.len(), 1, "{made:?}");
    let start = format!("before-{newest:04}-2");
    assert!(made[0].starts_with(&start), "{made:?}");
    let kept = folder.join(&made[0]);
    if world.database().is_some() {
        let listed = Command::new(postgres::program("pg_restore"))
            .args(["--data-only", "--file=-"])
            .arg(&kept)
            .output();
        let listed = String::from_utf8_lossy(&listed.expect("pg_restore starts").stdout).into_owned();
        assert!(
            listed.contains("\nada\t1\n") && !listed.contains("reading_segments"),
            "{listed}"
        );
    } else {
        let whole = World::in_a_folder();
        std::fs::create_dir(whole.workspace()).expect("a folder");
        std::fs::copy(&kept, whole.workspace().join("pincite.sqlite")).expect("put in its place");
        assert_eq!(schema(&whole), OLDER);
        assert_eq!(database::ask(&whole, "SELECT name FROM reviewers"), "ada");
        assert_eq!(database::ask(&whole, "PRAGMA integrity_check"), "ok");
    }
    // Once, and of no workspace that is new.
    assert_eq!(opened(&world, None).code, 0);
    assert_eq!(names(&folder).len(), 1);
    let new = World::empty();
    assert!(!backups(&new).exists());
}
