//! Rule 7, seen from the schema: a table means the same on SQLite and on PostgreSQL, and both refuse the same changes in the
//! same words.
//!
//! What PostgreSQL writes is read as SQLite would write it, and then both must say the same. So whoever adds a column or a
//! trigger to one of them hears of the other.
//!
//! Deliberately not here: whether PostgreSQL takes the statements (a workspace is made there by other tests), and what only
//! one of them has: functions, policies, grants.

use crate::no_findings;
use pincite_tests::tree;

/// What is declared in another way, for a reason that the migration gives.
const DIFFERENT: [&str; 2] = ["CREATE TABLE sources ", "CREATE UNIQUE INDEX sources_once "];

/// The statements of all migrations for one database, in order: each on one line, without comments.
fn statements(database: &str) -> Vec<String> {
    let folder = format!("migrations/{database}/");
    let text: String = tree::sources()
        .into_iter()
        .filter(|source| source.path.starts_with(&folder) && source.extension() == "sql")
        .map(|source| source.text)
        .collect();
    assert!(!text.is_empty(), "{folder} is empty");
    let code: Vec<&str> = text
        .lines()
        .map(|line| line.split_once("--").map_or(line, |(code, _)| code))
        .collect();
    // What stands between the semicolons of a trigger or of a function is no statement of interest here.
    code.join(" ")
        .split(';')
        .map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Declarations of tables, columns and indexes.
fn declarations(statements: &[String]) -> Vec<String> {
    let declares = |statement: &&String| {
        ["CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX "]
            .iter()
            .any(|start| statement.starts_with(start))
            || (statement.starts_with("ALTER TABLE ") && statement.contains(" ADD COLUMN "))
    };
    statements
        .iter()
        .filter(declares)
        .filter(|statement| !DIFFERENT.iter().any(|start| statement.starts_with(start)))
        .map(|statement| {
            statement
                .replace(" COLLATE \"C\"", "")
                .replace(" BYTEA", " BLOB")
                .replace(
                    "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
                    "INTEGER PRIMARY KEY AUTOINCREMENT",
                )
                .replace(" WITHOUT ROWID", "")
        })
        .collect()
}

/// Triggers: all of one that refuses, and of the others when they act. A TRUNCATE's are left out.
fn triggers(statements: &[String]) -> Vec<String> {
    statements
        .iter()
        .filter(|statement| statement.starts_with("CREATE TRIGGER ") && !statement.contains(" BEFORE TRUNCATE ON "))
        .map(|statement| {
            let refuses = statement.replace(
                "FOR EACH ROW EXECUTE FUNCTION pincite_refuse(",
                "BEGIN SELECT RAISE(ABORT, ",
            );
            let acts = [" FOR EACH ROW ", " BEGIN "]
                .iter()
                .find_map(|start| refuses.split_once(start))
                .map(|(head, _)| head.to_owned());
            if refuses.contains("RAISE(ABORT") {
                refuses
            } else {
                acts.unwrap_or(refuses)
            }
        })
        .collect()
}

/// What only one of two lists has, and lines that stand in another place.
fn differences(sqlite: &[String], postgres: &[String]) -> Vec<String> {
    let only = |one: &[String], other: &[String], name: &str| -> Vec<String> {
        one.iter()
            .filter(|line| !other.contains(line))
            .map(|line| format!("only {name}: {line}"))
            .collect()
    };
    let mut findings = only(sqlite, postgres, "sqlite");
    findings.extend(only(postgres, sqlite, "postgres"));
    if findings.is_empty() && sqlite != postgres {
        findings.push("the same declarations stand in another order".to_owned());
    }
    findings
}

#[test]
fn both_databases_declare_the_same() {
    let (sqlite, postgres) = (statements("sqlite"), statements("postgres"));
    let declared = declarations(&sqlite);
    assert!(declared.len() > 50, "only {} declarations are found", declared.len());
    no_findings(
        &differences(&declared, &declarations(&postgres)),
        "declare it in both migrations of that number, alike but for the types",
    );
}

#[test]
fn both_databases_refuse_the_same() {
    let (sqlite, postgres) = (statements("sqlite"), statements("postgres"));
    let refused = triggers(&sqlite);
    assert!(refused.len() > 40, "only {} triggers are found", refused.len());
    no_findings(
        &differences(&refused, &triggers(&postgres)),
        "one trigger of that name on both, and the same message",
    );
}

#[test]
fn postgres_refuses_truncate_wherever_it_refuses_delete() {
    let postgres = statements("postgres");
    let mut findings = Vec::new();
    let deletes: Vec<(&str, &str)> = postgres
        .iter()
        .filter(|statement| statement.starts_with("CREATE TRIGGER "))
        .filter_map(|statement| {
            statement
                .split_once(" BEFORE DELETE ON ")?
                .1
                .split_once(" FOR EACH ROW ")
        })
        .collect();
    assert!(!deletes.is_empty(), "no trigger refuses DELETE");
    for (table, refuses) in deletes {
        let wanted = format!(" BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {refuses}");
        if !postgres.iter().any(|statement| statement.ends_with(&wanted)) {
            findings.push(format!("CREATE TRIGGER ...{wanted}"));
        }
    }
    no_findings(&findings, "TRUNCATE is a DELETE that fires no row's trigger: add these");
}

#[test]
fn postgres_orders_by_bytes_in_whatever_schema_it_is_called() {
    let mut findings = Vec::new();
    for statement in statements("postgres") {
        // A function that runs as the owner of the tables looks into this schema alone, whatever that is called.
        let statement = statement.replace("SET search_path FROM CURRENT", "").replace(
            "SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)",
            "",
        );
        // What a function says of types orders nothing; only columns do.
        let declares = ["CREATE TABLE ", "ALTER TABLE "]
            .iter()
            .any(|start| statement.starts_with(start));
        // 'TEXT' is a type wherever it stands in capitals; a column may be called text.
        if declares && statement.matches(" TEXT").count() != statement.matches(" TEXT COLLATE \"C\"").count() {
            findings.push(format!("TEXT without COLLATE \"C\": {statement}"));
        }
        for word in ["search_path", "CREATE EXTENSION", "CREATE SCHEMA", "public."] {
            if statement.contains(word) {
                findings.push(format!("{word}: {statement}"));
            }
        }
    }
    no_findings(
        &findings,
        "migrations/postgres/0001_workspace.sql says why: text is compared by bytes, and a workspace is any schema",
    );
}
