//! Where on a page tables are: lattices first, then areas between level lines of one width, then text that stands in
//! columns on its own. What one of them takes, the next does not see.
//!
//! Text alone makes a table only where it can hardly be anything else: prose in columns, lists, forms, contents and
//! references stand in columns as well.
//!
//! Deliberately not here: joining what continues on the next page (`continued`).

use super::columns::Entry;
use super::draft::Draft;
use super::lattice::{Mesh, meshes};
use super::lines::{Line, Segment, lines};
use super::ruled;
use super::rules::Ruling;
use super::stream::{Cut, Source, cut, table};
use crate::text::Rect;

/// Level lines shorter than this (points) bound no table.
const SHORTEST_RULE: f32 = 60.0;
/// How far the ends of two lines may differ and still bound one table.
const SAME_END: f32 = 5.0;
/// Lines of a table without rulings are no further apart than this many font sizes.
const FARTHEST: f32 = 3.2;
/// Half of the gaps between columns without rulings are at least so wide (font sizes).
const WIDE_GAP: f32 = 1.1;
/// A frame that is no table and higher than this share of a page may hold some.
const LABEL: f32 = 0.3;
/// Areas of text looked at on one page.
const MOST_AREAS: usize = 200;

/// The tables of a page, in no order.
pub(super) fn drafts(source: Source<'_>) -> Vec<Draft> {
    let mut free: Vec<bool> = vec![true; source.paper.words.len()];
    let mut found: Vec<Draft> = Vec::new();
    let whole = |mesh: Mesh| ruled::parted(source, &mesh, &free_words(source, &free, |at| ruled::holds(&mesh, at)));
    let mut meshes: Vec<Mesh> = meshes(source.paper).into_iter().flat_map(whole).collect();
    let size = |mesh: &Mesh| (mesh.area.x1 - mesh.area.x0) * (mesh.area.y1 - mesh.area.y0);
    meshes.sort_by(|one, other| size(one).total_cmp(&size(other)));
    meshes.retain(|mesh| mesh.level.len() >= 2 && size(mesh) > 400.0);
    for mesh in meshes.iter().take(MOST_AREAS) {
        let words = free_words(source, &free, |at| ruled::holds(mesh, at));
        if ruled::is_form(source, mesh, &words) || is_label(source, mesh, &words) {
            claim(&mut free, &words);
            continue;
        }
        let draft = ruled::table(source, mesh, &words).or_else(|| open_lattice(source, mesh, &words));
        take(&mut free, &mut found, draft, &words);
    }
    for (words, frame, bands) in between_rules(source, &free) {
        let words: Vec<usize> = words
            .into_iter()
            .filter(|word| free.get(*word) == Some(&true))
            .collect();
        let draft = cut(source, &words)
            .filter(|cut| stands_in_columns(source, cut, if bands > 1 { Asked::Rules } else { Asked::Frame }))
            .and_then(|cut| table(source, &cut, Some(frame)));
        take(&mut free, &mut found, draft, &words);
    }
    for words in aligned(source, &free) {
        let draft = cut(source, &words)
            .filter(|cut| stands_in_columns(source, cut, Asked::Text))
            .and_then(|cut| table(source, &cut, None));
        take(&mut free, &mut found, draft, &words);
    }
    found
}

fn take(free: &mut [bool], found: &mut Vec<Draft>, draft: Option<Draft>, words: &[usize]) {
    let Some(draft) = draft else { return };
    claim(free, words);
    found.push(draft);
}

/// Nothing that is looked for later sees these words.
fn claim(free: &mut [bool], words: &[usize]) {
    for word in words {
        if let Some(slot) = free.get_mut(*word) {
            *slot = false;
        }
    }
}

/// Text and a line to sign in a low frame of their own, where nothing stands in columns.
fn is_label(source: Source<'_>, mesh: &Mesh, words: &[usize]) -> bool {
    let area = mesh.area;
    let closed = [area.x0, area.x1].iter().all(|end| {
        let at_end = mesh.upright.iter().filter(|ruling| (ruling.at - end).abs() <= 4.0);
        at_end.map(|ruling| ruling.length()).sum::<f32>() >= 0.8 * (area.y1 - area.y0)
    });
    let inside = mesh
        .upright
        .iter()
        .any(|ruling| area.x0 + 4.0 < ruling.at && ruling.at < area.x1 - 4.0);
    closed
        && !inside
        && area.y1 - area.y0 <= LABEL * source.paper.height
        && cut(source, words)
            .is_some_and(|cut| !lines_agree(&cut) || cut.lines.iter().any(|(_, line)| to_fill_in(source, line)))
}

/// Whether a line has two labels with their colon and nothing after it: `Date:   Sign:`.
fn to_fill_in(source: Source<'_>, line: &[Entry]) -> bool {
    let ends = |entry: &&Entry| {
        let last = entry.words.last().and_then(|word| source.paper.words.get(*word));
        last.is_some_and(|word| source.characters.get(word.span.end().index().wrapping_sub(1)) == Some(&':'))
    };
    line.iter().filter(ends).count() >= 2
}

/// Whether two lines or more have two entries each that agree with another line's on an edge or on the middle.
fn lines_agree(cut: &Cut) -> bool {
    let near = |one: f32, other: f32| (one - other).abs() <= 2.5;
    let agree = |one: &Entry, other: &Entry| {
        one.first == other.first
            && one.last == other.last
            && (near(one.rect.x0, other.rect.x0)
                || near(one.rect.x1, other.rect.x1)
                || near(one.rect.centre().0, other.rect.centre().0))
    };
    let agreeing = |at: usize, entries: &[Entry]| {
        let others = || {
            cut.lines
                .iter()
                .enumerate()
                .filter(move |(other, _)| *other != at)
                .map(|(_, line)| &line.1)
        };
        let counted = entries
            .iter()
            .filter(|entry| others().any(|line| line.len() > 1 && line.iter().any(|other| agree(entry, other))));
        counted.count() >= 2
    };
    let lines = cut
        .lines
        .iter()
        .enumerate()
        .filter(|(at, (_, entries))| agreeing(*at, entries));
    lines.take(2).count() == 2
}

fn free_words(source: Source<'_>, free: &[bool], holds: impl Fn((f32, f32)) -> bool) -> Vec<usize> {
    let words = source.paper.words.iter().enumerate();
    words
        .filter(|(index, word)| free.get(*index) == Some(&true) && holds(word.rect.centre()))
        .map(|(index, _)| index)
        .collect()
}

/// A frame with level lines inside and no upright ones, or hardly: columns come from the text.
fn open_lattice(source: Source<'_>, mesh: &Mesh, words: &[usize]) -> Option<Draft> {
    let cut = cut(source, words)?;
    let bands = mesh.level.len();
    (bands >= 3 && stands_in_columns(source, &cut, Asked::Rules))
        .then(|| table(source, &cut, Some(mesh.area)))
        .flatten()
}

/// Words between level lines of one width, where all of what stands there stands in columns.
fn between_rules(source: Source<'_>, free: &[bool]) -> Vec<(Vec<usize>, Rect, usize)> {
    let mut groups: Vec<Vec<Ruling>> = Vec::new();
    for ruling in source
        .paper
        .level
        .iter()
        .filter(|ruling| ruling.length() >= SHORTEST_RULE)
    {
        let same = |group: &&mut Vec<Ruling>| {
            group.last().is_some_and(|last| {
                (last.from - ruling.from).abs() <= SAME_END && (last.to - ruling.to).abs() <= SAME_END
            })
        };
        match groups.iter_mut().rev().take(60).find(same) {
            Some(group) => group.push(*ruling),
            None => groups.push(vec![*ruling]),
        }
    }
    let mut found = Vec::new();
    for group in groups.iter().filter(|group| group.len() >= 2).take(MOST_AREAS) {
        let mut chain: Vec<(Vec<usize>, Rect, usize)> = Vec::new();
        let mut flush = |chain: &mut Vec<(Vec<usize>, Rect, usize)>| {
            let many: usize = chain.iter().map(|(_, _, lines)| lines).sum();
            if many >= 3 || chain.len() >= 3 {
                let words = chain.iter().flat_map(|(words, _, _)| words.iter().copied()).collect();
                if let Some(area) = chain.iter().map(|(_, area, _)| *area).reduce(Rect::union) {
                    found.push((words, area, chain.len()));
                }
            }
            chain.clear();
        };
        for pair in group.windows(2) {
            let [upper, lower] = pair else { continue };
            let area = Rect {
                x0: upper.from.min(lower.from) - 2.0,
                y0: upper.at,
                x1: upper.to.max(lower.to) + 2.0,
                y1: lower.at,
            };
            let words = free_words(source, free, |(x, y)| {
                area.x0 <= x && x <= area.x1 && area.y0 < y && y < area.y1
            });
            let set = lines(source.paper, &words);
            let several = set.iter().filter(|line| line.segments.len() >= 2).count();
            let prose = set
                .iter()
                .flat_map(|line| &line.segments)
                .filter(|segment| segment.words.len() >= 9)
                .count();
            if set.is_empty() {
                // Two lines drawn close together, or an empty row.
                if area.y1 - area.y0 > 3.0 * source.paper.type_size {
                    flush(&mut chain);
                }
            } else if prose * 4 <= set.len()
                && (several * 10 >= set.len() * 3 || set.len() <= 8 && set.iter().any(|line| line.segments.len() >= 4))
            {
                chain.push((words, area, several));
            } else if set.len() == 1 && !chain.is_empty() && several == 0 && prose == 0 {
                chain.push((words, area, 0));
            } else {
                flush(&mut chain);
            }
        }
        flush(&mut chain);
    }
    found
}

/// Ends an area: lines with one segment at its end are left out, and an area of few lines is.
fn close<'a>(open: &mut Vec<(&'a Line, Vec<&'a Segment>)>, areas: &mut Vec<Vec<&'a Segment>>) {
    while open.last().is_some_and(|(_, segments)| segments.len() < 2) {
        open.pop();
    }
    if open.iter().filter(|(_, segments)| segments.len() >= 2).count() >= 3 {
        areas.push(open.iter().flat_map(|(_, segments)| segments.iter().copied()).collect());
    }
    open.clear();
}

/// Groups of words in lines that stand in columns, with prose left out.
fn aligned(source: Source<'_>, free: &[bool]) -> Vec<Vec<usize>> {
    let words = free_words(source, free, |_| true);
    let set = lines(source.paper, &words);
    let prose = prose(source, &set);
    let mut areas: Vec<Vec<&Segment>> = Vec::new();
    let mut open: Vec<(&Line, Vec<&Segment>)> = Vec::new();
    let size = source.paper.type_size;
    for (number, line) in set.iter().enumerate() {
        let kept: Vec<&Segment> = line
            .segments
            .iter()
            .enumerate()
            .filter(|(at, _)| prose.get(number).and_then(|marks| marks.get(*at)) != Some(&true))
            .map(|(_, segment)| segment)
            .collect();
        if kept.is_empty() {
            if line.segments.len() == 1 {
                close(&mut open, &mut areas);
            }
            continue;
        }
        let far = open
            .last()
            .is_some_and(|(last, _)| line.centre - last.centre > FARTHEST * size);
        let ones = open.iter().rev().take_while(|(_, segments)| segments.len() < 2).count();
        if far || ones >= 4 {
            close(&mut open, &mut areas);
        }
        if open.is_empty() && kept.len() < 2 {
            continue;
        }
        open.push((line, kept));
    }
    close(&mut open, &mut areas);
    areas
        .into_iter()
        .take(MOST_AREAS)
        .map(|segments| {
            segments
                .into_iter()
                .flat_map(|segment| segment.words.iter().copied())
                .collect()
        })
        .collect()
}

/// Which segments are running text: long ones, and stacks of several that fill their width.
fn prose(source: Source<'_>, set: &[Line]) -> Vec<Vec<bool>> {
    let size = source.paper.type_size;
    let mut marks: Vec<Vec<bool>> = set.iter().map(|line| vec![false; line.segments.len()]).collect();
    let wordy = |segment: &Segment| {
        let amounts = segment
            .words
            .iter()
            .filter(|word| source.paper.words.get(**word).is_some_and(|word| word.amount))
            .count();
        segment.words.len() >= 4 && amounts * 3 <= segment.words.len()
    };
    // Stacks: each segment goes on with the one right above it, where the edges on the left agree.
    let mut stack_of: Vec<Vec<usize>> = Vec::new();
    let mut stacks: Vec<Vec<(usize, usize)>> = Vec::new();
    for (number, line) in set.iter().enumerate() {
        let mut own = Vec::new();
        for (at, segment) in line.segments.iter().enumerate() {
            let above = (number.saturating_sub(4)..number).rev().find_map(|upper| {
                let other = set.get(upper)?;
                if line.centre - other.centre > 1.9 * size {
                    return None;
                }
                let fits = |candidate: &&Segment| {
                    (candidate.rect.x0 - segment.rect.x0).abs() <= 2.2 * size
                        && candidate.rect.x0 < segment.rect.x1
                        && segment.rect.x0 < candidate.rect.x1
                };
                let index = other.segments.iter().position(|candidate| fits(&candidate))?;
                stack_of.get(upper)?.get(index).copied()
            });
            let stack = above.unwrap_or_else(|| {
                stacks.push(Vec::new());
                stacks.len() - 1
            });
            if let Some(members) = stacks.get_mut(stack) {
                members.push((number, at));
            }
            own.push(stack);
        }
        stack_of.push(own);
    }
    let segment = |(line, at): &(usize, usize)| set.get(*line).and_then(|line| line.segments.get(*at));
    for stack in &stacks {
        let segments: Vec<&Segment> = stack.iter().filter_map(segment).collect();
        let widest = segments
            .iter()
            .map(|segment| segment.rect.x1 - segment.rect.x0)
            .fold(0.0, f32::max);
        let filling = segments
            .iter()
            .filter(|segment| wordy(segment) && segment.rect.x1 - segment.rect.x0 >= 0.72 * widest)
            .count();
        let is_prose = segments.len() >= 3 && filling * 3 >= segments.len() * 2 && widest >= 12.0 * size;
        for (member, segment) in stack.iter().zip(&segments) {
            let long = segment.words.len() >= 10 && wordy(segment);
            if let Some(slot) = marks.get_mut(member.0).and_then(|marks| marks.get_mut(member.1)) {
                *slot = is_prose || long;
            }
        }
    }
    marks
}

/// What must be shown for a table, by what rulings there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Several level lines.
    Rules,
    /// One above and one below.
    Frame,
    /// None.
    Text,
}

/// Whether lines and columns agree well enough for a table. Between rulings less is asked.
fn stands_in_columns(source: Source<'_>, cut: &Cut, asked: Asked) -> bool {
    let ruled = asked != Asked::Text;
    let (lines, columns) = (&cut.lines, cut.columns.len());
    let several: Vec<&Vec<Entry>> = lines
        .iter()
        .map(|(_, entries)| entries)
        .filter(|entries| entries.len() >= 2)
        .collect();
    let spanning = several
        .iter()
        .flat_map(|entries| entries.iter())
        .filter(|entry| entry.spans())
        .count();
    let all: usize = several.iter().map(|entries| entries.len()).sum();
    if several.len() < 2 || spanning * 3 > all || !lines_agree(cut) {
        return false;
    }
    let text = |entry: &Entry| -> String {
        entry
            .words
            .iter()
            .filter_map(|word| source.characters.get(source.paper.words.get(*word)?.span.range()))
            .flatten()
            .collect()
    };
    let column = |wanted: usize| {
        several
            .iter()
            .flat_map(|entries| entries.iter())
            .filter(move |entry| entry.first == wanted && !entry.spans())
    };
    let share = |wanted: usize, holds: &dyn Fn(&Entry) -> bool| {
        let (mut all, mut those) = (0_usize, 0_usize);
        for entry in column(wanted) {
            all += 1;
            those += usize::from(holds(entry));
        }
        (all, those)
    };
    let leaders = lines
        .iter()
        .flat_map(|(_, entries)| entries)
        .filter(|entry| is_leader(&text(entry)))
        .count();
    if leaders * 3 >= lines.len() {
        return false;
    }
    let (all_first, markers) = share(0, &|entry| is_marker(&text(entry)));
    if markers * 2 > all_first && columns <= 3 && !ruled {
        return false;
    }
    let amounts = (1..columns)
        .filter(|at| {
            let (all, those) = share(*at, &|entry| entry.amount);
            all >= 2 && those * 10 >= all * 6
        })
        .count();
    if ruled {
        let enough = match asked {
            Asked::Rules => several.len() >= 2,
            _ => amounts > 0 && several.len() >= 3,
        };
        return several.len() * 4 >= lines.len() && enough && edges_agree(cut) >= 0.45;
    }
    let full = several
        .iter()
        .filter(|entries| entries.len() * 10 >= columns * 6)
        .count();
    let long = several
        .iter()
        .flat_map(|entries| entries.iter())
        .filter(|entry| entry.words.len() > 8)
        .count();
    edges_agree(cut) >= 0.6
        && usual_gap(&several) >= WIDE_GAP * source.paper.type_size
        && (several.len() * 10 >= lines.len() * 5 || amounts >= 2 && several.len() * 10 >= lines.len() * 3)
        && full * 2 >= several.len()
        && long * 5 <= all
        && (amounts > 0 && several.len() >= 3 && (columns >= 3 || several.len() >= 4)
            || columns >= 4 && several.len() >= 5 && full * 10 >= several.len() * 8)
}

/// The middle one of the gaps between neighbours on a line. Justified lines of a narrow column leave gaps, too.
fn usual_gap(lines: &[&Vec<Entry>]) -> f32 {
    let pairs = lines.iter().flat_map(|line| line.windows(2));
    let mut gaps: Vec<f32> = pairs
        .filter_map(|pair| Some(pair.get(1)?.rect.x0 - pair.first()?.rect.x1))
        .collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 2).copied().unwrap_or(0.0)
}

/// The share of entries that agree with others of their column on an edge or on the middle. In justified prose that
/// happens to leave gaps, few do.
fn edges_agree(cut: &Cut) -> f32 {
    let (mut all, mut agree) = (0_usize, 0_usize);
    for column in 0..cut.columns.len() {
        let entries: Vec<&Entry> = cut
            .lines
            .iter()
            .flat_map(|(_, entries)| entries)
            .filter(|entry| entry.first == column && !entry.spans())
            .collect();
        let most = |at: &dyn Fn(&Rect) -> f32| {
            let mut places: Vec<f32> = entries.iter().map(|entry| at(&entry.rect)).collect();
            places.sort_by(f32::total_cmp);
            let mut best = 0;
            for (number, place) in places.iter().enumerate() {
                best = best.max(places.partition_point(|other| *other <= place + 2.5) - number);
            }
            best
        };
        let best = most(&|rect| rect.x0)
            .max(most(&|rect| rect.x1))
            .max(most(&|rect| f32::midpoint(rect.x0, rect.x1)));
        all += entries.len();
        agree += if best > 1 { best } else { 0 };
    }
    agree as f32 / all.max(1) as f32
}

/// A row of dots to a page number.
fn is_leader(text: &str) -> bool {
    let dots = text
        .chars()
        .filter(|character| matches!(character, '.' | '·' | '…' | '_'))
        .count();
    dots >= 5 && dots * 2 > text.chars().count() || text.contains("....") || text.contains("_____")
}

/// What opens an item of a list: a bullet, a number or a letter with its dot or parentheses.
fn is_marker(text: &str) -> bool {
    let length = text.chars().count();
    let ends = text.ends_with(['.', ')', ']', ':']);
    length <= 2 && text.chars().all(|character| !character.is_alphanumeric())
        || length <= 6 && ends && text.chars().filter(|character| character.is_alphanumeric()).count() <= 4
}
