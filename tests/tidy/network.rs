//! Rule 6: the window's own programming interface has one door, and no port is opened, ever. And what must not be in the
//! tree at all: this machine's paths and registries.
//!
//! Deliberately not here: what tests and the build do with ports of their own (WebKitWebDriver).

use crate::code::{code_only, lines_with};
use crate::no_findings;
use pincite_tests::tree;

#[test]
fn tauri_is_reached_through_one_folder_of_the_window() {
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.path.starts_with("ui/") && !source.path.starts_with("ui/src/lib/platform/"))
    {
        if matches!(source.path.as_str(), "ui/package.json" | "ui/package-lock.json") {
            continue;
        }
        for line in lines_with(&source.text, "@tauri-apps") {
            findings.push(format!("{}:{line}", source.path));
        }
    }
    no_findings(
        &findings,
        "call it through ui/src/lib/platform, so that the window also runs without Tauri",
    );
}

#[test]
fn no_port_is_opened() {
    let doors = [
        "TcpListener",
        "TcpStream",
        "TcpSocket",
        "UdpSocket",
        "UnixListener",
        "UnixDatagram",
        "SocketAddr",
        "std::net",
        "tokio::net",
        "ToSocketAddrs",
        // Asked by nobody but object_store, which asks the bucket that a team names.
        "reqwest::",
    ];
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.extension() == "rs" && !source.path.starts_with("tests/"))
    {
        let code = code_only(&source.text);
        for name in doors {
            for line in lines_with(&code, name) {
                findings.push(format!("{}:{line}: {name}", source.path));
            }
        }
    }
    let workspace = std::fs::read_to_string(tree::root().join("Cargo.toml")).expect("the workspace's Cargo.toml");
    let workspace: toml::Table = workspace.parse().expect("a Cargo.toml is TOML");
    let parts = workspace
        .get("workspace")
        .and_then(|table| table.get("dependencies")?.as_table())
        .expect("dependencies are listed");
    for (name, part) in parts {
        if matches!(
            name.as_str(),
            "axum"
                | "actix-web"
                | "hyper"
                | "warp"
                | "rocket"
                | "tiny_http"
                | "ureq"
                | "tonic"
                | "tauri-plugin-localhost"
                | "tauri-plugin-shell"
                | "tauri-plugin-fs"
        ) {
            findings.push(format!("Cargo.toml: {name}"));
        }
        let features = part
            .get("features")
            .and_then(toml::Value::as_array)
            .into_iter()
            .flatten();
        for feature in features
            .filter_map(toml::Value::as_str)
            .filter(|feature| name == "tokio" && matches!(*feature, "net" | "full"))
        {
            findings.push(format!("Cargo.toml: {name} with the feature {feature}"));
        }
    }
    no_findings(
        &findings,
        "the page protocol and the commands are all that the window needs; nothing listens",
    );
}

/// Whether a path of this kind begins here, and not in the middle of another one or of a word.
fn begins_path(line: &str, at: usize) -> bool {
    let before = line.get(..at).and_then(|before| before.chars().next_back());
    !before.is_some_and(|before| {
        before.is_alphanumeric() || matches!(before, '.' | '_' | '-' | '/' | '}' | ')' | '$' | '~')
    })
}

#[test]
fn the_tree_knows_no_machine() {
    // Taken apart, so that this file is not a finding itself.
    let paths: Vec<String> = ["root", "work", "home", "Users"]
        .iter()
        .map(|folder| format!("/{folder}/"))
        .collect();
    // People in pictures and examples.
    let examples = [format!("{}mara/", paths.get(2).cloned().unwrap_or_default())];
    let mut findings = Vec::new();
    for source in tree::sources() {
        for (number, line) in (1..).zip(source.text.lines()) {
            for path in &paths {
                let found = line.match_indices(path.as_str()).any(|(at, _)| {
                    let rest = line.get(at..).unwrap_or_default();
                    begins_path(line, at) && !examples.iter().any(|example| rest.starts_with(example.as_str()))
                });
                if found {
                    findings.push(format!("{}:{number}: {path}", source.path));
                }
            }
        }
    }
    no_findings(
        &findings,
        "write it relative to the tree, or take it from the environment",
    );
}

#[test]
fn the_tree_names_no_registry() {
    let hosts: Vec<String> = [
        ("registry", "npmjs.org"),
        ("registry", "yarnpkg.com"),
        ("files", "pythonhosted.org"),
        ("static", "crates.io"),
        ("index", "crates.io"),
        ("proxy", "golang.org"),
        ("://pypi", "org"),
    ]
    .iter()
    .map(|(host, domain)| format!("{host}.{domain}"))
    .collect();
    let mut findings = Vec::new();
    for source in tree::sources() {
        for (number, line) in (1..).zip(source.text.lines()) {
            if hosts.iter().any(|host| line.contains(host.as_str())) {
                findings.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
        if source.path.ends_with("package-lock.json") {
            for line in lines_with(&source.text, "\"resolved\"") {
                findings.push(format!("{}:{line}: resolved", source.path));
            }
        }
    }
    no_findings(
        &findings,
        "name the package and its hash; which registry to ask is the machine's affair (npm: omit-lockfile-registry-resolved)",
    );
}
