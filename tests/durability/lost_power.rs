//! The power goes: images of the disk as it may be found then, opened by the program.
//!
//! Deliberately not here: what is lost and what lasts (`disk`).

use crate::check::{Finding, findings, found_inside};
use crate::deeds::{Again, Bench, Deed, Fact};
use crate::disk::write_image;
use crate::histories::{History, Recording};
use crate::killed::calls_of;
use crate::log;
use crate::shim::{CHANGES_AND_ANSWERS, Does, Fault, Shim, log_of};
use crate::{Failed, none, tried};
use pincite_tests::{Chance, World};

/// When the power goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    /// At a moment, and with losses, that are drawn from this seed.
    Drawn(u64),
    /// After so many calls, which something was acknowledged by; everything that is not durable is lost.
    JustSaid(usize),
}

/// One moment in one history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crash<'a> {
    pub(crate) history: &'a History,
    pub(crate) name: &'a str,
    pub(crate) moment: Moment,
}

impl Crash<'_> {
    /// What is wrong with what is found, and with going on from there.
    pub(crate) fn tried(&self) -> Option<Failed> {
        let (cut, image) = match self.moment {
            Moment::JustSaid(cut) => (cut, self.history.at(cut).durable()),
            Moment::Drawn(seed) => {
                let mut chance = Chance::new(seed);
                let cut = self.history.drawn_cut(&mut chance);
                (cut, self.history.at(cut).crashed(&mut chance))
            }
        };
        let world = World::new();
        write_image(&image, &world.workspace());
        let facts = self.history.facts_at(cut);
        let mut found = findings(&world, &facts);
        if found.is_empty() {
            found.extend(goes_on(&world, facts.iter().any(|(_, said)| *said)));
        }
        (!found.is_empty()).then(|| Failed {
            case: format!(
                "{}: {:?}, cut after {cut} calls, {image:?}",
                self.name,
                self.moment,
                image = named(&image)
            ),
            findings: found,
        })
    }
}

/// The names of an image with their lengths.
fn named(image: &crate::disk::Image) -> Vec<(&str, Option<usize>)> {
    let entries = image
        .iter()
        .filter(|(path, _)| !path.contains("blobs/") || path.contains("passing"));
    entries
        .map(|(path, bytes)| (path.as_str(), bytes.as_ref().map(Vec::len)))
        .collect()
}

/// A workspace that survived takes a document in and is whole afterwards. One that was never said to be there can be made.
fn goes_on(world: &World, was_said: bool) -> Vec<Finding> {
    let path = world.file("after.txt", "This was written after the power came back.\n");
    let mut taken = world.run(["ingest", &path, "--json"]);
    if taken.code != 0 && !was_said {
        let _ = world.run(["init"]);
        taken = world.run(["ingest", &path, "--json"]);
    }
    if taken.code != 0 {
        return vec![Finding::Damaged(format!("it does not go on: {taken:?}"))];
    }
    let fact = Fact {
        name: "the document after".to_owned(),
        said: String::new(),
        rows: "SELECT count(*) FROM versions WHERE doc_id = 'after'".to_owned(),
        entries: None,
    };
    found_inside(world, &[(&fact, true)])
}

/// A day's work: every command under test, one after another.
fn all_deeds(bench: &Bench, shim: &Shim) -> History {
    let mut recording = Recording::of(shim, bench.copy());
    for deed in &bench.deeds {
        let run = recording.run(&deed.arguments, &deed.facts, CHANGES_AND_ANSWERS, Does::Nothing);
        assert_eq!(run.answer.code, 0, "{}: {run:?}", deed.name);
    }
    recording.history()
}

/// From nothing: a workspace is made, and the first things are put in.
fn first_steps(shim: &Shim) -> History {
    let world = World::new();
    let catalogue = world.file("catalogue.toml", "[field.\"slip.total\"]\ntype = \"number\"\n");
    let text = world.file("text.txt", "The total of this slip is 7.\n");
    let mut recording = Recording::of(shim, world);
    let steps = [
        (vec!["init"], "\"workspace\":", "workspace", "workspace.init"),
        (
            vec!["catalogue", "set", &catalogue],
            "\"field\":",
            "catalogues",
            "catalogue.set",
        ),
        (
            vec!["ingest", &text],
            "\"doc_id\":\"text\"",
            "versions",
            "document.ingest",
        ),
    ];
    for (arguments, said, table, action) in steps {
        let entry = format!("SELECT count(*) FROM audit_entries WHERE action = '{action}'");
        let rows = match table {
            "workspace" => entry.clone(),
            _ => format!("SELECT count(*) FROM {table}"),
        };
        let fact = Fact {
            name: action.to_owned(),
            said: said.to_owned(),
            rows,
            entries: Some(entry),
        };
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        let run = recording.run(&arguments, &[fact], CHANGES_AND_ANSWERS, Does::Nothing);
        assert_eq!(run.answer.code, 0, "{arguments:?}: {run:?}");
    }
    recording.history()
}

/// An ingest is killed right after its bytes got their name, and done again: the second one finds them there.
fn killed_then_again(bench: &Bench, shim: &Shim) -> History {
    let ingest = bench.deed("ingest");
    let calm = bench.copy();
    let log = log_of(&calm);
    let _ = shim.run(&calm, &ingest.arguments, CHANGES_AND_ANSWERS, Does::Nothing, Some(&log));
    let renamed = log::read(&log)
        .iter()
        .find(|noted| noted.kind == 'R')
        .map(|noted| noted.number);
    let renamed = renamed.expect("bytes get their name by a rename");
    let mut recording = Recording::of(shim, bench.copy());
    let killed = recording.run(&ingest.arguments, &[], CHANGES_AND_ANSWERS, Does::Kill(renamed + 1));
    assert_eq!(killed.answer.code, -1, "{killed:?}");
    let again = recording.run(&ingest.arguments, &ingest.facts, CHANGES_AND_ANSWERS, Does::Nothing);
    assert_eq!(again.answer.code, 0, "{again:?}");
    recording.history()
}

/// Each sync of each command fails in turn, or the command is killed in its place; the command is done again, and then the
/// power goes. What the second one finds done was never made durable by the first.
fn unsynced_then_again(bench: &Bench, shim: &Shim, deeds: &[Deed]) -> Vec<(String, History)> {
    let mut all = Vec::new();
    for deed in deeds {
        for at in 1..=calls_of(bench, shim, deed, "s") {
            all.extend([(deed, Does::Kill(at)), (deed, Does::Fail(at, Fault::Input))]);
        }
    }
    all.into_iter()
        .map(|(deed, does)| {
            let mut recording = Recording::of(shim, bench.copy());
            let _ = recording.run(&deed.arguments, &deed.facts, "s", does);
            if deed.again != Again::Twice {
                let _ = recording.run(&deed.arguments, &deed.facts, "s", Does::Nothing);
            }
            (
                format!("{} with {does:?} of its syncs, then again", deed.name),
                recording.history(),
            )
        })
        .collect()
}

/// So many images drawn of each history, and one of each moment at which something was acknowledged. A sync is missing for
/// this command or for all.
fn lose_power(seed: u64, images: [u64; 4], unsynced: Option<&str>) {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let histories = [
        ("every command in turn".to_owned(), all_deeds(&bench, &shim)),
        ("the first steps".to_owned(), first_steps(&shim)),
        (
            "an ingest killed, then done again".to_owned(),
            killed_then_again(&bench, &shim),
        ),
    ];
    let unsynced = match unsynced {
        Some(name) => std::slice::from_ref(bench.deed(name)),
        None => &bench.deeds,
    };
    let unsynced = unsynced_then_again(&bench, &shim, unsynced);
    for ((name, history), images) in histories.iter().zip(images) {
        eprintln!("{name}: {} calls, {images} images", history.len());
    }
    eprintln!(
        "{} histories in which a sync is missing, {} images of each",
        unsynced.len(),
        images[3]
    );
    let of_unsynced = unsynced.iter().map(|history| (history, images[3]));
    let mut crashes = Vec::new();
    for ((name, history), images) in histories.iter().zip(images).chain(of_unsynced) {
        let drawn = (0..images).map(|number| Moment::Drawn(seed + number));
        let moments = drawn.chain(history.said().map(Moment::JustSaid));
        crashes.extend(moments.map(|moment| Crash { history, name, moment }));
    }
    eprintln!("{} images in all", crashes.len());
    none(&tried(&crashes, Crash::tried), crashes.len());
}

#[test]
fn nothing_that_was_said_is_lost_when_the_power_goes() {
    lose_power(1_000, [16, 8, 6, 0], Some("decide: accept"));
}

#[test]
#[ignore = "2,000 crash images and more: make soak"]
fn soak_crash_images() {
    lose_power(1_000_000, [1_200, 300, 300, 5], None);
}
