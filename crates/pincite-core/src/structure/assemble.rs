//! From headings to sections: the tree, the spans, the own text, the hashes, the keys.
//!
//! A section stack is carried through the document: a number closes what it doesn't lie in and opens itself below what
//! it does; a heading without a number lies in the last that the outline (or its type) puts above it.
//!
//! Deliberately not here: any judgement on what is a heading.

use super::items;
use super::keys::key;
use super::label::{Label, Scheme};
use super::lines::Layout;
use super::locator::{Keyword, Locator, Number};
use super::reading::collapse;
use super::schemes::Accepted;
use super::sections::Section;
use super::titles;
use crate::text::{CharSpan, verify_fold};
use std::collections::{BTreeMap, BTreeSet};

/// A heading without a number.
#[derive(Debug, Clone)]
pub(super) struct Titled {
    pub(super) line: usize,
    pub(super) until: usize,
    pub(super) title: String,
    pub(super) outline_level: Option<u32>,
    /// Belongs to no numbered section: references, a glossary.
    pub(super) top: bool,
}

/// A section while the tree grows.
struct Node {
    line: usize,
    /// The line after its last; set when the next section closes it.
    until: usize,
    parent: Option<usize>,
    locator: Locator,
    title: String,
    level: u32,
    outline_level: Option<u32>,
    label: Option<Label>,
    height: f32,
    /// Where the heading ends, in code points of the layer.
    heading_end: usize,
    /// Where the label ends, in code points of the layer; the section's start where there is none.
    label_end: usize,
    is_item: bool,
}

/// Builds the sections of a document from its headings.
pub(super) fn assemble(layout: &Layout<'_>, accepted: Vec<Accepted>, titled: Vec<Titled>) -> Vec<Section> {
    enum Opening {
        Numbered(Accepted),
        Titled(Titled),
    }
    let mut openings: BTreeMap<usize, Opening> = titled
        .into_iter()
        .map(|titled| (titled.line, Opening::Titled(titled)))
        .collect();
    openings.extend(
        accepted
            .into_iter()
            .map(|accepted| (accepted.heading.line, Opening::Numbered(accepted))),
    );
    let starts: Vec<usize> = openings.keys().copied().chain([layout.lines.len()]).collect();
    let mut tree = Tree {
        layout,
        nodes: Vec::new(),
        stack: Vec::new(),
        known: BTreeSet::new(),
        counts: BTreeMap::new(),
    };
    tree.items(0, starts.first().copied().unwrap_or(0));
    for (position, (line, opening)) in openings.into_iter().enumerate() {
        let after = match opening {
            Opening::Numbered(accepted) => tree.numbered(accepted),
            Opening::Titled(titled) => tree.titled(titled),
        };
        let next = starts.get(position + 1).copied().unwrap_or(layout.lines.len());
        tree.items(after.max(line + 1), next);
    }
    tree.close(0, layout.lines.len());
    sections(layout, &tree.nodes)
}

struct Tree<'a> {
    layout: &'a Layout<'a>,
    nodes: Vec<Node>,
    stack: Vec<usize>,
    known: BTreeSet<String>,
    counts: BTreeMap<String, u32>,
}

impl Tree<'_> {
    fn close(&mut self, depth: usize, line: usize) {
        for index in self.stack.drain(depth.min(self.stack.len())..) {
            if let Some(node) = self.nodes.get_mut(index) {
                node.until = line;
            }
        }
    }

    fn top(&self, depth: usize) -> Option<&Node> {
        self.nodes.get(*self.stack.get(depth.checked_sub(1)?)?)
    }

    fn level_below(&self, parent: Option<usize>) -> u32 {
        parent
            .and_then(|index| self.nodes.get(index))
            .map_or(1, |node| node.level + 1)
    }

    /// How many of the stack stay open for a number.
    fn depth_for(&self, label: &Label, outline_level: Option<u32>, height: f32) -> usize {
        let mut depth = self.stack.len();
        while let Some(top) = self.top(depth) {
            let paragraph = Scheme::Worded(Keyword::Paragraph);
            let deeper = |above: &Label| {
                above.number.steps.len() < label.number.steps.len() && lies_in(&label.sequence, &above.sequence)
            };
            let stays = match (&top.label, label.scheme.rank()) {
                (Some(above), Some(narrower)) => match above.scheme.rank() {
                    Some(wider) => {
                        wider < narrower || label.scheme == paragraph && (above.scheme != paragraph || deeper(above))
                    }
                    None => false,
                },
                (Some(above), None) => {
                    above.scheme.rank().is_some()
                        || above.scheme == label.scheme && lies_in(&label.sequence, &above.sequence)
                }
                (None, _) if label.is_marginal() && outline_level.is_none() => top.height > height + 0.1,
                (None, _) => top
                    .outline_level
                    .zip(outline_level)
                    .is_some_and(|(above, own)| above < own),
            };
            if stays {
                break;
            }
            depth -= 1;
        }
        depth
    }

    /// Opens a numbered section; the line after its heading.
    fn numbered(&mut self, accepted: Accepted) -> usize {
        let heading = accepted.heading;
        let outline_level = heading.outline.as_ref().map(|(_, level)| *level);
        let height = self.layout.lines.get(heading.line).map_or(0.0, |line| line.height);
        let depth = self.depth_for(&heading.label, outline_level, height);
        self.close(depth, heading.line);
        let parent = self.stack.last().copied();
        let division = self
            .stack
            .iter()
            .rev()
            .filter_map(|index| self.nodes.get(*index))
            .find(|node| node.label.as_ref().is_some_and(|label| label.scheme.rank().is_some()));
        let number = heading.label.number.clone();
        // What an annex holds takes the annex's name wherever the divisions in it do.
        let annexed = division.is_some_and(|node| {
            node.locator.is_below_another()
                && self
                    .stack
                    .iter()
                    .filter_map(|index| self.nodes.get(*index))
                    .any(|above| above.label.as_ref().is_some_and(|label| label.scheme.rank() == Some(0)))
        });
        let locator = match division.filter(|_| accepted.restarts || annexed) {
            Some(division) => division.locator.with_number(number),
            None => Locator::of_number(number),
        };
        let words = titles::words(self.layout, heading.line, heading.until, heading.label.length);
        let title = heading
            .outline
            .as_ref()
            .map(|(title, _)| without_label(title))
            .filter(|title| !title.is_empty())
            .unwrap_or(words.title);
        let until = heading.until;
        let line = heading.line;
        let label_end = self
            .layout
            .lines
            .get(line)
            .map_or(0, |entry| (entry.words + heading.label.length).min(entry.end));
        self.open(Node {
            outline_level,
            label: Some(heading.label),
            heading_end: words.end,
            label_end,
            ..self.node(line, parent, locator, title)
        });
        if words.run_in { line + 1 } else { until }
    }

    /// Opens a section without a number; the line after its heading.
    fn titled(&mut self, titled: Titled) -> usize {
        let height = self.layout.lines.get(titled.line).map_or(0.0, |line| line.height);
        let mut depth = self.stack.len();
        while let Some(top) = self.top(depth) {
            let stays = match titled.outline_level {
                Some(level) => top.outline_level.unwrap_or(top.level) < level,
                None if titled.top => false,
                None => top.height > height + 0.1,
            };
            if stays {
                break;
            }
            depth -= 1;
        }
        if depth == 0 && titled.outline_level.is_none() && !titled.top {
            // All headings are set alike: below the deepest numbered one that is not set smaller.
            let numbered = |index: &usize| {
                self.nodes
                    .get(*index)
                    .filter(|node| node.label.as_ref().is_some_and(|label| !label.is_marginal()))
                    .is_some_and(|node| node.height > height - 0.1)
            };
            depth = self.stack.iter().rposition(numbered).map_or(0, |at| at + 1);
        }
        self.close(depth, titled.line);
        let parent = self.stack.last().copied();
        let above = parent
            .and_then(|index| self.nodes.get(index))
            .map(|parent| parent.locator.clone());
        let place = |title: &str| {
            above
                .as_ref()
                .map_or_else(|| Locator::of_title(title), |above| Some(above.with_title(title)))
        };
        let Some(mut locator) = place(&titled.title) else {
            return titled.until;
        };
        let base = locator.to_string();
        while self.known.contains(&locator.to_string()) {
            let count = self.next_count(&base);
            locator = place(&format!("{} ({count})", titled.title)).unwrap_or(locator);
        }
        let words = titles::words(self.layout, titled.line, titled.until, 0);
        let until = titled.until;
        self.open(Node {
            outline_level: titled.outline_level,
            heading_end: words.end.max(titles::end_of(self.layout, titled.line, until)),
            ..self.node(titled.line, parent, locator, titled.title)
        });
        until
    }

    fn node(&self, line: usize, parent: Option<usize>, locator: Locator, title: String) -> Node {
        let entry = self.layout.lines.get(line);
        let start = entry.map_or(0, |entry| entry.start);
        Node {
            line,
            until: self.layout.lines.len(),
            parent,
            locator,
            title,
            level: self.level_below(parent),
            outline_level: None,
            label: None,
            height: entry.map_or(0.0, |entry| entry.height),
            heading_end: start,
            label_end: entry.map_or(start, |entry| entry.words),
            is_item: false,
        }
    }

    /// 2, 3, ... for places that would be named alike.
    fn next_count(&mut self, base: &str) -> u32 {
        let count = self.counts.entry(base.to_owned()).or_insert(1);
        *count += 1;
        *count
    }

    fn open(&mut self, mut node: Node) {
        let base = node.locator.clone();
        while !self.known.insert(node.locator.to_string()) {
            let count = self.next_count(&base.to_string());
            node.locator = base.with_title(&format!("no. {count}"));
        }
        self.stack.push(self.nodes.len());
        self.nodes.push(node);
    }

    /// Items between two lines, below the section that is open. Before the first section only steps like `(1.)` are items.
    fn items(&mut self, from: usize, to: usize) {
        let section = self.stack.last().copied();
        let owner = section.and_then(|section| self.nodes.get(section));
        let sequence = owner
            .and_then(|owner| owner.label.as_ref())
            .filter(|label| label.scheme == Scheme::Decimal)
            .map(|label| label.sequence.clone())
            .unwrap_or_default();
        let base = owner.map(|owner| owner.locator.clone());
        let mut placed: Vec<Option<usize>> = Vec::new();
        for item in items::find(self.layout, from, to, &sequence) {
            let parent = match item.parent {
                None => (base.is_some() || item.sure).then(|| (section, base.clone())),
                Some(parent) => placed
                    .get(parent)
                    .copied()
                    .flatten()
                    .and_then(|index| Some((Some(index), Some(self.nodes.get(index)?.locator.clone())))),
            };
            let step = || item.step.clone();
            let located = parent
                .map(|(parent, above)| match above {
                    Some(above) => (parent, above.with_step(step())),
                    None => (
                        parent,
                        Locator::of_number(Number {
                            keyword: None,
                            steps: vec![step()],
                        }),
                    ),
                })
                .filter(|(_, locator)| self.known.insert(locator.to_string()));
            let Some((parent, locator)) = located else {
                placed.push(None);
                continue;
            };
            placed.push(Some(self.nodes.len()));
            let words = titles::words(self.layout, item.line, item.line + 1, item.length);
            let title = if words.run_in { words.title } else { String::new() };
            let label_end = self
                .layout
                .lines
                .get(item.line)
                .map_or(0, |entry| (entry.words + item.length).min(entry.end));
            let heading_end = if title.is_empty() { label_end } else { words.end };
            let node = self.node(item.line, parent, locator, title);
            self.nodes.push(Node {
                until: item.until,
                heading_end,
                label_end,
                is_item: true,
                ..node
            });
        }
    }
}

/// Whether a number lies in another: 2.1 in 2, and 2.1 in 2.0.
fn lies_in(sequence: &[u32], above: &[u32]) -> bool {
    match above {
        [whole @ .., 0] if !whole.is_empty() => {
            sequence.len() >= above.len() && sequence.starts_with(whole) && !sequence.starts_with(above)
        }
        _ => above.len() < sequence.len() && sequence.starts_with(above),
    }
}

fn without_label(title: &str) -> String {
    let characters: Vec<char> = title.chars().collect();
    let length = super::label::read(&characters).map_or(0, |label| label.length);
    collapse(&characters.iter().skip(length).collect::<String>())
}

fn sections(layout: &Layout<'_>, nodes: &[Node]) -> Vec<Section> {
    let limit = layout.characters.len();
    let start_of = |line: usize| layout.lines.get(line).map_or(limit, |entry| entry.start);
    let spans: Vec<CharSpan> = nodes
        .iter()
        .map(|node| CharSpan::of_indices(start_of(node.line), start_of(node.until.max(node.line + 1))))
        .collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(children) = node.parent.and_then(|parent| children.get_mut(parent)) {
            children.push(index);
        }
    }
    // Labels of numbered sections are left out of every hash; those of items out of their own.
    let labels: Vec<(usize, usize)> = nodes
        .iter()
        .filter(|node| !node.is_item)
        .map(|node| (start_of(node.line), node.label_end))
        .collect();
    let mut keys: BTreeMap<String, usize> = BTreeMap::new();
    nodes
        .iter()
        .zip(&spans)
        .zip(&children)
        .map(|((node, span), below)| {
            let mut own = Vec::new();
            let mut from = span.start();
            for child in below.iter().filter_map(|child| spans.get(*child)) {
                own.extend(CharSpan::new(from, child.start()).filter(|gap| !gap.is_empty()));
                from = child.end().max(from);
            }
            own.extend(CharSpan::new(from, span.end()).filter(|gap| !gap.is_empty()));
            let hash = |parts: &[CharSpan]| {
                let text = parts.iter().fold(String::new(), |text, part| {
                    plain(layout, *part, &labels, node.label_end, text)
                });
                crate::sha256_hex(verify_fold(&text).as_bytes())
            };
            let own_sha256 = hash(&own);
            let content_sha256 = if below.is_empty() {
                own_sha256.clone()
            } else {
                hash(&[*span])
            };
            Section {
                locator: node.locator.clone(),
                title: node.title.clone(),
                level: node.level,
                page: layout.lines.get(node.line).map_or(1, |entry| entry.page),
                span: *span,
                heading: CharSpan::of_indices(
                    span.start().index(),
                    node.heading_end.clamp(span.start().index(), span.end().index()),
                ),
                own,
                parent: node.parent,
                section_key: key(
                    &node.locator,
                    node.label.is_some().then_some(node.title.as_str()),
                    &mut keys,
                ),
                own_sha256,
                content_sha256,
            }
        })
        .collect()
}

/// Appends the text of a part, line by line, without furniture, contents and labels.
fn plain(
    layout: &Layout<'_>,
    part: CharSpan,
    labels: &[(usize, usize)],
    own_label_end: usize,
    mut text: String,
) -> String {
    let range = part.range();
    let first = layout.lines.partition_point(|line| line.end <= range.start);
    for line in layout.lines.get(first..).unwrap_or_default() {
        if line.start >= range.end {
            break;
        }
        if !line.is_text() {
            continue;
        }
        let mut from = line.start.max(range.start);
        if let Ok(at) = labels.binary_search_by_key(&from, |(start, _)| *start) {
            from = labels.get(at).map_or(from, |(_, end)| *end);
        } else if from == range.start {
            from = from.max(own_label_end.min(line.end));
        }
        text.extend(layout.characters.get(from..line.end.min(range.end)).unwrap_or_default());
        text.push('\n');
    }
    text
}
