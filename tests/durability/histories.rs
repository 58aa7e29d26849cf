//! What commands did to the disk and said, one after another: the material of crash images.
//!
//! Deliberately not here: crashing (`lost_power`).

use crate::deeds::Fact;
use crate::disk::{Disk, image_of};
use crate::log::{self, Call, Noted};
use crate::shim::{Does, Run, Shim, log_of, whole_lines};
use pincite_tests::{Chance, World};
use std::collections::BTreeSet;

/// A disk as it was, everything that was done to it since, and what was said when.
#[derive(Debug)]
pub(crate) struct History {
    /// The world in which it happened: its own files are still read by commands that go on.
    pub(crate) world: World,
    before: Disk,
    calls: Vec<Noted>,
    facts: Vec<(Fact, Option<usize>)>,
}

/// Commands that run in a world while every call is written down.
#[derive(Debug)]
pub(crate) struct Recording<'a> {
    pub(crate) shim: &'a Shim,
    pub(crate) world: World,
    before: Disk,
    /// Each command's facts, and where its calls begin in the log's file.
    parts: Vec<(Vec<Fact>, usize)>,
}

impl<'a> Recording<'a> {
    /// Begins; what the world's workspace holds now lasts.
    pub(crate) fn of(shim: &'a Shim, world: World) -> Self {
        let before = Disk::of(&world.workspace());
        Self {
            shim,
            world,
            before,
            parts: Vec::new(),
        }
    }

    /// The next part's calls begin here.
    pub(crate) fn part(&mut self, facts: &[Fact]) {
        let length = std::fs::metadata(log_of(&self.world)).map_or(0, |log| log.len());
        self.parts.push((facts.to_vec(), usize::try_from(length).unwrap_or(0)));
    }

    /// Runs a command whose changes are these.
    pub(crate) fn run(&mut self, arguments: &[String], facts: &[Fact], counted: &str, does: Does) -> Run {
        self.part(facts);
        let log = log_of(&self.world);
        self.shim.run(&self.world, arguments, counted, does, Some(&log))
    }

    /// Ends, and makes sure that the log tells everything that happened.
    pub(crate) fn history(self) -> History {
        let calls = log::read(&log_of(&self.world));
        let place = |at: usize| calls.partition_point(|noted| noted.at < at);
        let mut facts = Vec::new();
        for (number, (of_part, at)) in self.parts.iter().enumerate() {
            let end = self.parts.get(number + 1).map_or(calls.len(), |(_, at)| place(*at));
            for fact in of_part {
                let said = said_at(&calls, place(*at), end, fact);
                facts.push((fact.clone(), said));
            }
        }
        let history = History {
            world: self.world,
            before: self.before,
            calls,
            facts,
        };
        let told = history.at(history.calls.len()).whole();
        let found = image_of(&history.world.workspace());
        let names = |image: &crate::disk::Image| image.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&told), names(&found), "the log tells of every name");
        for (path, bytes) in &found {
            assert!(
                told.get(path) == Some(bytes),
                "the log does not tell of all that {path} holds"
            );
        }
        history
    }
}

/// After which call a fact was acknowledged: that which ended the line.
fn said_at(calls: &[Noted], start: usize, end: usize, fact: &Fact) -> Option<usize> {
    let mut out = String::new();
    for (number, noted) in (start..end).zip(&calls[start..end]) {
        if let Some(Call::Said { text }) = &noted.call {
            out.push_str(text);
            if whole_lines(&out).any(|line| line.contains(&fact.said)) {
                return Some(number + 1);
            }
        }
    }
    None
}

impl History {
    /// How many calls there are.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// After how many calls something was acknowledged, each time once.
    pub(crate) fn said(&self) -> impl Iterator<Item = usize> {
        let said: BTreeSet<usize> = self.facts.iter().filter_map(|(_, at)| *at).collect();
        said.into_iter()
    }

    /// The disk after so many calls.
    pub(crate) fn at(&self, cut: usize) -> Disk {
        let mut disk = self.before.clone();
        self.calls[..cut]
            .iter()
            .filter_map(|noted| noted.call.as_ref())
            .for_each(|call| disk.apply(call));
        disk
    }

    /// Every fact, and whether it had been acknowledged after so many calls.
    pub(crate) fn facts_at(&self, cut: usize) -> Vec<(&Fact, bool)> {
        let said = |at: &Option<usize>| at.is_some_and(|at| at <= cut);
        self.facts.iter().map(|(fact, at)| (fact, said(at))).collect()
    }

    /// A moment at which the power goes: any, and often one soon after something was said, because then it must be there.
    pub(crate) fn drawn_cut(&self, chance: &mut Chance) -> usize {
        let said: Vec<usize> = self.facts.iter().filter_map(|(_, at)| *at).collect();
        let drawn = |chance: &mut Chance, end: usize| usize::try_from(chance.below(end as u64)).unwrap_or(0);
        match said.get(drawn(chance, said.len().max(1))) {
            Some(at) if chance.below(2) == 0 => (at + drawn(chance, 12)).min(self.len()),
            _ => drawn(chance, self.len() + 1),
        }
    }
}
