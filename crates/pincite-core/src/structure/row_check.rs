//! The row check: rows of a table counted a second time, from the text layer alone, and what else makes a table doubtful.
//!
//! The count leans on nothing that found the table but the place where it stands: no rulings, no columns, no rows. It
//! walks the words in the layer's order. A line of type belongs to the row above it where the layer goes back up after it
//! (cells are written one after the other, so a cell of two lines is left before its neighbour begins), or where it
//! goes on with the words just written. Every other line begins a row. A header counts one row, and one more each time
//! a line sets several labels under one.
//!
//! Lines right above and below that are set as the table's rows are count too, so that a row lost at an end is missed.
//!
//! Deliberately not here: repairing a table, and saying which count is right. A person does that, beside the page.

use super::ParseInput;
use super::row_lines::{Line, Run, lines};
use super::tables::paper::{Paper, read};
use super::tables::Table;
use crate::text::{CharSpan, Rect};

/// How much further apart (font sizes, middle to middle) than this two lines may be and go on with each other.
const LEADING: f32 = 1.9;
/// How far (font sizes) the edges of two lines of one cell may differ.
const EDGE: f32 = 1.3;
/// Words that a line may break after.
const OPEN_ENDS: [&str; 14] = ["and", "or", "of", "the", "for", "in", "to", "with", "by", "de", "del", "la", "y", "para"];

/// Counts the rows of a table again and says whether it is held.
pub fn check(input: &ParseInput<'_>, table: &mut Table) {
    let papers: Vec<Paper> = table.pages.iter().filter_map(|page| read(input, *page)).collect();
    let papers: Vec<&Paper> = papers.iter().collect();
    check_on(input, table, &papers, &[]);
}

/// The same with the pages read before and what the other tables hold.
pub(super) fn check_on(input: &ParseInput<'_>, table: &mut Table, papers: &[&Paper], others: &[CharSpan]) {
    let mut own: Vec<CharSpan> = table.cells.iter().flat_map(|cell| cell.spans.iter().copied()).collect();
    own.sort_by_key(|span| span.start());
    let twice = own.windows(2).any(|pair| matches!(pair, [one, other] if other.start() < one.end()));
    let mut count = 0;
    let mut reasons: Vec<String> = Vec::new();
    let mut homeless = 0;
    for (part, paper) in papers.iter().enumerate() {
        let seen = Part::read(input, paper, table, &own, others);
        homeless += seen.homeless;
        if seen.past_edge {
            reasons.push(format!("text of it passes the edge of page {}", paper.page));
        }
        if seen.gap {
            reasons.push(format!("on page {} a gap as high as a row has no text in it", paper.page));
        }
        count += seen.rows(input.layer.characters(), part == 0);
    }
    if papers.len() < table.pages.len() {
        reasons.push("a page of it has no text".to_owned());
    }
    table.row_counts.layout = table.rows;
    table.row_counts.text = u32::try_from(count).unwrap_or(u32::MAX);
    if homeless > 0 {
        reasons.insert(0, format!("{homeless} words in its area belong to no cell"));
    }
    if twice {
        reasons.insert(0, "two cells hold the same text".to_owned());
    }
    if table.row_counts.text != table.row_counts.layout {
        let RowsSaid(layout, text) = RowsSaid(table.row_counts.layout, table.row_counts.text);
        reasons.insert(0, format!("the layout has {layout} rows, the text {text}"));
    }
    table.held = (!reasons.is_empty()).then(|| reasons.join("; "));
}

struct RowsSaid(u32, u32);

/// What stands on one page of a table, in lines.
struct Part {
    lines: Vec<Line>,
    size: f32,
    homeless: usize,
    past_edge: bool,
    gap: bool,
}

impl Part {
    fn read(input: &ParseInput<'_>, paper: &Paper, table: &Table, own: &[CharSpan], others: &[CharSpan]) -> Self {
        let holds = |spans: &[CharSpan], span: CharSpan| {
            let at = spans.partition_point(|other| other.start() <= span.start());
            at > 0 && spans.get(at - 1).is_some_and(|other| span.end() <= other.end())
        };
        let inside: Vec<usize> = (0..paper.words.len())
            .filter(|index| paper.words.get(*index).is_some_and(|word| holds(own, word.span)))
            .collect();
        let rect = |index: &usize| paper.words.get(*index).map(|word| word.rect);
        let area = inside.iter().filter_map(rect).reduce(Rect::union);
        let Some(area) = area else {
            return Self { lines: Vec::new(), size: paper.type_size, homeless: 0, past_edge: false, gap: false };
        };
        let free = |index: &usize| {
            paper.words.get(*index).is_some_and(|word| {
                !holds(own, word.span) && !holds(&table.repeated, word.span) && !holds(others, word.span)
            })
        };
        let lost: Vec<usize> = (0..paper.words.len())
            .filter(free)
            .filter(|index| {
                rect(index).is_some_and(|rect| {
                    let (x, y) = rect.centre();
                    area.x0 < x && x < area.x1 && area.y0 < y && y < area.y1
                })
            })
            .collect();
        let characters = input.layer.characters();
        let mut words = inside.clone();
        words.extend(&lost);
        words.sort_unstable();
        let mut set = lines(paper, characters, &words);
        let near: Vec<usize> = (0..paper.words.len())
            .filter(free)
            .filter(|index| {
                rect(index).is_some_and(|rect| {
                    let (x, y) = rect.centre();
                    let reach = 8.0 * paper.type_size;
                    area.x0 - 2.0 < x && x < area.x1 + 2.0 && (area.y0 - reach < y && y <= area.y0 || area.y1 <= y && y < area.y1 + reach)
                })
            })
            .collect();
        let beyond = lines(paper, characters, &near);
        let pitch = median(set.windows(2).map(|pair| drop(pair)).collect());
        let below: Vec<&Line> = beyond.iter().filter(|line| line.centre > area.y1 - 1.0).collect();
        let above: Vec<&Line> = beyond.iter().rev().filter(|line| line.centre < area.y0 + 1.0).collect();
        let mut added = Vec::new();
        for (side, end) in [(below, set.last().cloned()), (above, set.first().cloned())] {
            let mut last = end;
            if let (Some(last), Some(first)) = (&last, side.first())
                && first.centre < last.centre
                && last.centre - first.centre <= 2.4 * paper.type_size
                && over_columns(first, last)
            {
                added.push((*first).clone());
                continue;
            }
            for line in side {
                let goes_on = last.as_ref().is_some_and(|last| {
                    (line.centre - last.centre).abs() <= pitch.max(paper.type_size) * 1.5 && set_alike(last, line)
                });
                if !goes_on {
                    break;
                }
                added.push(line.clone());
                last = Some(line.clone());
            }
        }
        set.extend(added);
        set.sort_by(|one, other| one.centre.total_cmp(&other.centre));
        let past = |word: &usize| rect(word).is_some_and(|rect| {
            let slack = 0.35 * (rect.y1 - rect.y0);
            rect.y1 > paper.height + slack || rect.y0 < -slack || rect.x1 > paper.width + 2.0 || rect.x0 < -2.0
        });
        Self {
            size: paper.type_size,
            homeless: lost.len(),
            past_edge: inside.iter().any(past),
            gap: lone_gap(&set),
            lines: set,
        }
    }

    /// The rows of these lines; `first` where a header may stand at the top.
    fn rows(&self, characters: &[char], first: bool) -> usize {
        let header = if first { self.header_lines() } else { 0 };
        let (top, body) = self.lines.split_at(header.min(self.lines.len()));
        let levels = usize::from(header > 0) + levels(top);
        let by_order = self.body_rows(body, characters, true);
        // Written column by column, the order says nothing about rows.
        if body.len() >= 4 && by_order * 3 < body.len() {
            return levels + self.body_rows(body, characters, false);
        }
        levels + by_order
    }

    /// Lines at the top without amounts, or with years alone, over lines with some.
    fn header_lines(&self) -> usize {
        let amounts = |line: &Line| line.runs.iter().skip(usize::from(line.runs.len() > 1)).filter(|run| run.amount && !run.year).count();
        let typical = median(self.lines.iter().map(|line| amounts(line) as f32).collect());
        if typical < 1.0 {
            // No amounts: the first line, and what goes on with it.
            return 0;
        }
        let first = self.lines.iter().position(|line| amounts(line) as f32 * 2.0 >= typical).unwrap_or(0);
        let mut until = first.min(10);
        while until > 1
            && let (Some(last), Some(above)) = (self.lines.get(until - 1), self.lines.get(until - 2))
            && last.runs.len() == 1
            && above.runs.len() > 1
            && last.rect.x0 <= self.left() + EDGE * self.size
        {
            until -= 1;
        }
        until
    }

    fn left(&self) -> f32 {
        self.lines.iter().map(|line| line.rect.x0).fold(f32::INFINITY, f32::min)
    }

    fn body_rows(&self, lines: &[Line], characters: &[char], ordered: bool) -> usize {
        let mut rows = 0;
        let mut row: &[Line] = &[];
        for (at, line) in lines.iter().enumerate() {
            let from = at - row.len();
            if row.is_empty() || !self.goes_on(row, line, lines.get(at + 1), characters, ordered) {
                rows += 1;
                row = lines.get(at..=at).unwrap_or_default();
            } else {
                row = lines.get(from..=at).unwrap_or_default();
            }
        }
        rows
    }

    /// Whether a line belongs to the row above it.
    fn goes_on(&self, row: &[Line], line: &Line, next: Option<&Line>, characters: &[char], ordered: bool) -> bool {
        let Some(last_line) = row.last() else { return false };
        let runs = || row.iter().flat_map(|line| &line.runs);
        let latest = runs().map(|run| run.span.start()).max();
        // The layer goes back up: some of the row is written after some of this line.
        if ordered && line.runs.iter().any(|run| Some(run.span.start()) < latest) {
            return true;
        }
        let drop = line.centre - last_line.centre;
        if drop > LEADING * self.size || line.runs.iter().any(|run| run.amount) && line.runs.len() > 1 {
            return false;
        }
        let Some(written) = runs().max_by_key(|run| run.span.start()) else { return false };
        let same_place = |run: &Run, other: &Run| {
            let (mine, theirs) = (run.rect, other.rect);
            mine.x0 < theirs.x1
                && theirs.x0 < mine.x1
                && ((mine.x0 - theirs.x0).abs() <= EDGE * self.size
                    || (mine.x1 - theirs.x1).abs() <= EDGE * self.size
                    || (mine.centre().0 - theirs.centre().0).abs() <= EDGE * self.size)
        };
        let reads_on = |run: &Run, other: &Run| continues(characters, other.span, run.span);
        match line.runs.as_slice() {
            [only] => {
                let keyed = only.rect.x0 <= self.left() + EDGE * self.size;
                let clash = only.amount && written.amount;
                if keyed {
                    return row.iter().flat_map(|line| &line.runs).any(|other| same_place(only, other) && reads_on(only, other));
                }
                let opens_left = next.is_none_or(|next| next.rect.x0 < only.rect.x0 - self.size || next.runs.len() > 1 || next.runs.first().is_some_and(|run| same_place(run, only)));
                same_place(only, written) && !clash && opens_left
            }
            several => {
                let small = several.iter().filter(|run| row.iter().flat_map(|line| &line.runs).any(|other| same_place(run, other) && reads_on(run, other))).count();
                several.iter().all(|run| runs().any(|other| same_place(run, other))) && small * 2 >= several.len()
            }
        }
    }
}

/// How often a line sets several labels under one label of the lines above.
fn levels(lines: &[Line]) -> usize {
    let mut deeper = 0;
    let mut at = 0;
    while let Some(upper) = lines.get(at) {
        let territory = |index: usize| {
            let left = index.checked_sub(1).and_then(|left| upper.runs.get(left)).zip(upper.runs.get(index));
            let right = upper.runs.get(index).zip(upper.runs.get(index + 1));
            let middle = |pair: Option<(&Run, &Run)>| pair.map(|(one, other)| f32::midpoint(one.rect.x1, other.rect.x0));
            (middle(left).unwrap_or(f32::NEG_INFINITY), middle(right).unwrap_or(f32::INFINITY))
        };
        let divides = |lower: &&Line| {
            (0..upper.runs.len()).any(|index| {
                let (from, to) = territory(index);
                let Some(label) = upper.runs.get(index) else { return false };
                let under: Vec<&Run> = lower.runs.iter().filter(|run| {
                    let x = run.rect.centre().0;
                    from < x && x < to
                }).collect();
                let reach = under.iter().map(|run| run.rect).reduce(Rect::union);
                under.len() > 1 && reach.is_some_and(|reach| reach.x0 < label.rect.x1 && label.rect.x0 < reach.x1)
            })
        };
        let Some(lower) = lines.iter().skip(at + 1).position(|line| divides(&line)) else { break };
        deeper += 1;
        at += 1 + lower;
    }
    deeper
}

/// Whether two lines hold runs at the same places, amounts under amounts: the one could be the other's next row.
fn set_alike(one: &Line, other: &Line) -> bool {
    let under = |run: &&Run| {
        one.runs.iter().any(|above| above.rect.x0 < run.rect.x1 && run.rect.x0 < above.rect.x1 && above.amount == run.amount)
    };
    let alike = other.runs.iter().filter(under).count();
    alike >= 2 && alike * 3 >= other.runs.len() * 2 && alike * 2 >= one.runs.len()
}

/// Whether a line sets three labels or more over runs of the other: a header that was left out.
fn over_columns(one: &Line, other: &Line) -> bool {
    let over = |run: &&Run| other.runs.iter().any(|below| below.rect.x0 < run.rect.x1 && run.rect.x0 < below.rect.x1);
    one.runs.len() >= 3 && one.runs.iter().filter(over).count() * 3 >= one.runs.len() * 2
}

fn drop(pair: &[Line]) -> f32 {
    match pair {
        [one, other] => other.centre - one.centre,
        _ => 0.0,
    }
}

/// Where all lines but two follow each other evenly, and those two leave room for just one or two more.
fn lone_gap(lines: &[Line]) -> bool {
    let drops: Vec<f32> = lines.windows(2).map(drop).collect();
    let pitch = median(drops.clone());
    let even = drops.iter().filter(|drop| (**drop - pitch).abs() <= 0.08 * pitch).count();
    let gaps: Vec<usize> = (0..drops.len())
        .filter(|at| drops.get(*at).is_some_and(|drop| [2.0, 3.0].iter().any(|times| (drop / pitch - times).abs() < 0.12)))
        .collect();
    let [gap] = gaps.as_slice() else { return false };
    // Before the last row stands a sum, after the first a header: air there is style.
    drops.len() >= 5 && even + 1 >= drops.len() && *gap > 0 && gap + 1 < drops.len()
        && lines.get(gap + 1).is_some_and(|line| line.runs.len() > 1)
}

fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

/// Whether a text reads on from another: a small letter, or after an open end.
fn continues(characters: &[char], above: CharSpan, below: CharSpan) -> bool {
    let text = |span: CharSpan| characters.get(span.range()).unwrap_or_default();
    let before: String = text(above).iter().collect();
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let first = text(below).iter().find(|character| !character.is_whitespace());
    let open = before.trim_end().ends_with(['-', '\u{ad}', ',', '/', '(', '&']) || OPEN_ENDS.contains(&last.as_str());
    !before.trim_end().ends_with(':') && (open || first.is_some_and(|first| first.is_lowercase() || *first == '('))
}
