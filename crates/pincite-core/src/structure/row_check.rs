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
use super::row_doubts::{irregular, lone_gap, panels, unknown};
use super::row_lines::{Line, Run, continues, is_open, lines, median, step};
use super::tables::paper::{Paper, read};
use super::tables::{RowCounts, Table};
use crate::text::{CharOffset, CharSpan, Rect};

/// How much further apart (font sizes, middle to middle) than this two lines may be and go on with each other.
const LEADING: f32 = 1.9;
/// How far (font sizes) the edges of two lines of one cell may differ.
const EDGE: f32 = 1.3;
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
    let twice = own
        .windows(2)
        .any(|pair| matches!(pair, [one, other] if other.start() < one.end()));
    let mut count = 0;
    let mut reasons: Vec<String> = Vec::new();
    let mut homeless = 0;
    let mut before: Option<Part> = None;
    for (part, paper) in papers.iter().enumerate() {
        let seen = Part::read(input, paper, table, &own, others);
        homeless += seen.homeless;
        if seen.past_edge {
            reasons.push(format!("text of it passes the edge of page {}", paper.page));
        }
        if seen.doubtful {
            reasons.push(format!("the text of page {} can't be trusted", paper.page));
        }
        // Where rows are drawn, an empty one is counted.
        if seen.gap && !table.ruled {
            reasons.push(format!(
                "on page {} a gap as high as a row has no text in it",
                paper.page
            ));
        }
        let characters = input.layer.characters();
        count += seen.rows(characters, part == 0);
        if before.is_some_and(|before| seen.goes_on_with(&before, characters)) {
            count -= 1;
        }
        before = Some(seen);
    }
    if papers.len() < table.pages.len() {
        reasons.push("a page of it has no text".to_owned());
    }
    table.row_counts.layout = table.rows;
    table.row_counts.text = u32::try_from(count).unwrap_or(u32::MAX);
    if irregular(table) {
        reasons.push("its rows are cut into different columns, as a form's are".to_owned());
    }
    if panels(table) {
        reasons.push(
            "lines over its whole width part rows that are cut into different columns: it may be two tables".to_owned(),
        );
    }
    if homeless > 0 {
        reasons.insert(0, format!("{homeless} words in its area belong to no cell"));
    }
    if twice {
        reasons.insert(0, "two cells hold the same text".to_owned());
    }
    if table.row_counts.text != table.row_counts.layout {
        let RowCounts { layout, text } = table.row_counts;
        reasons.insert(0, format!("the layout has {layout} rows, the text {text}"));
    }
    table.held = (!reasons.is_empty()).then(|| reasons.join("; "));
}

/// What stands on one page of a table, in lines.
struct Part {
    lines: Vec<Line>,
    /// The drop from line to line inside a cell, where rows are drawn and enough lines read on from the one above.
    leading: Option<f32>,
    size: f32,
    homeless: usize,
    past_edge: bool,
    gap: bool,
    /// Too much of its text has no known code points.
    doubtful: bool,
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
            return Self {
                lines: Vec::new(),
                leading: None,
                size: paper.type_size,
                homeless: 0,
                past_edge: false,
                gap: false,
                doubtful: false,
            };
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
                    area.x0 - 2.0 < x
                        && x < area.x1 + 2.0
                        && (area.y0 - reach < y && y <= area.y0 || area.y1 <= y && y < area.y1 + reach)
                })
            })
            .collect();
        let beyond = lines(paper, characters, &near);
        let full: Vec<Line> = set.iter().filter(|line| line.runs.len() > 1).cloned().collect();
        let pitch = median(full.windows(2).map(step).collect());
        let below: Vec<&Line> = beyond.iter().filter(|line| line.centre > area.y1 - 1.0).collect();
        // Over a header that stands again there is the page's head, and no row.
        let again = paper.words.iter().filter(|word| holds(&table.repeated, word.span));
        let top = again.map(|word| word.rect.y0).fold(f32::INFINITY, f32::min);
        let top = if top < area.y0 { top } else { f32::NEG_INFINITY };
        let above = beyond.iter().rev();
        let above: Vec<&Line> = above
            .filter(|line| line.centre < area.y0 + 1.0 && line.centre > top)
            .collect();
        let mut added = Vec::new();
        let ends: [Vec<Line>; 2] = [
            set.iter().rev().take(4).cloned().collect(),
            set.iter().take(4).cloned().collect(),
        ];
        for (side, ends) in [below, above].into_iter().zip(ends) {
            let end = ends.first().cloned();
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
                    (line.centre - last.centre).abs() <= (pitch * 2.6).max(paper.type_size * 1.5)
                        && ends.iter().any(|end| set_alike(end, line))
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
        let past = |word: &usize| {
            rect(word).is_some_and(|rect| {
                let slack = 0.35 * (rect.y1 - rect.y0);
                rect.y1 > paper.height - 1.0 || rect.y0 < -slack || rect.x1 > paper.width + 2.0 || rect.x0 < -2.0
            })
        };
        Self {
            size: paper.type_size,
            homeless: lost.len(),
            past_edge: inside.iter().any(past),
            gap: lone_gap(&set),
            doubtful: unknown(input, paper.page, own),
            leading: leading(&set, characters).filter(|_| table.ruled),
            lines: set,
        }
    }

    /// The rows of these lines; `first` where a header may stand at the top.
    fn rows(&self, characters: &[char], first: bool) -> usize {
        let header = if first { self.header_lines() } else { 0 };
        let (top, body) = self.lines.split_at(header.min(self.lines.len()));
        let levels = usize::from(header > 0) + levels(top);
        let rows = pieces(body).into_iter().map(|piece| {
            let (rows, against) = self.body_rows(piece, characters);
            // Written column by column, or drawn in no order: the order says nothing about rows.
            if against * 4 > rows {
                self.anchored_rows(piece)
            } else {
                rows
            }
        });
        levels + rows.sum::<usize>()
    }

    /// Whether the first of it goes on with the last of the page before: a row that the page break cuts.
    fn goes_on_with(&self, before: &Self, characters: &[char]) -> bool {
        let written = before
            .lines
            .iter()
            .flat_map(|line| &line.runs)
            .max_by_key(|run| run.span.start());
        let next = self
            .lines
            .iter()
            .flat_map(|line| &line.runs)
            .min_by_key(|run| run.span.start());
        let at_top = |next: &Run| {
            let top = self.lines.first();
            top.is_some_and(|line| line.runs.iter().any(|run| run.span == next.span))
        };
        written.zip(next).is_some_and(|(written, next)| {
            !written.amount && !next.amount && at_top(next) && continues(characters, written.span, next.span)
        })
    }

    /// Rows where the order of writing says nothing: lines with amounts, and labels that stand apart from them.
    fn anchored_rows(&self, lines: &[Line]) -> usize {
        let amounts = |line: &Line| line.runs.iter().filter(|run| run.amount).count();
        let anchor = |at: usize| {
            lines
                .get(at)
                .is_some_and(|line| amounts(line) > 0 && amounts(line) * 2 >= line.runs.len().saturating_sub(1))
        };
        let anchors = (0..lines.len()).filter(|at| anchor(*at)).count();
        let near = |at: usize, other: Option<usize>| {
            other
                .filter(|other| anchor(*other))
                .and_then(|other| Some((lines.get(at)?, lines.get(other)?)))
                .is_some_and(|(line, other)| {
                    (line.centre - other.centre).abs() <= 0.85 * self.size && line.runs.len() <= 2
                })
        };
        let apart =
            (0..lines.len()).filter(|at| !anchor(*at) && !near(*at, at.checked_sub(1)) && !near(*at, Some(at + 1)));
        anchors + apart.count()
    }

    /// Lines at the top without amounts, or with years alone, over lines with some.
    fn header_lines(&self) -> usize {
        let amounts = |line: &Line| {
            line.runs
                .iter()
                .skip(usize::from(line.runs.len() > 1))
                .filter(|run| run.amount && !run.year)
                .count()
        };
        let typical = median(self.lines.iter().map(|line| amounts(line) as f32).collect());
        if typical < 1.0 {
            // No amounts: the first line, and what goes on with it.
            return 0;
        }
        let first = self
            .lines
            .iter()
            .position(|line| amounts(line) as f32 * 2.0 >= typical)
            .unwrap_or(0);
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

    /// Rows of lines without a header, and how often the amounts spoke against the order of writing.
    fn body_rows(&self, lines: &[Line], characters: &[char]) -> (usize, usize) {
        let runs = |line: &Line| line.runs.iter().map(|run| run.span.start()).collect::<Vec<_>>();
        // For each line, the first code point of it and of those below.
        let mut first_below = vec![None; lines.len() + 1];
        for (at, line) in lines.iter().enumerate().rev() {
            let below = first_below.get(at + 1).copied().flatten();
            if let Some(slot) = first_below.get_mut(at) {
                *slot = runs(line).into_iter().chain(below).min();
            }
        }
        let (mut rows, mut against) = (0, 0);
        let mut latest = None;
        let mut from = 0;
        for (at, line) in lines.iter().enumerate() {
            let row = lines.get(from..at).unwrap_or_default();
            let goes_back = latest > first_below.get(at).copied().flatten();
            let below = lines.get(at..lines.len().min(at + 12)).unwrap_or_default();
            let amounts = self.same_amounts(row, line, characters);
            against += usize::from(amounts && goes_back);
            let one_row = !row.is_empty()
                && !amounts
                && (goes_back || self.is_tight(row, line) || self.goes_on(row, below, characters));
            if !one_row {
                rows += 1;
                from = at;
            }
            latest = latest.max(runs(line).into_iter().max());
        }
        (rows, against)
    }

    /// Whether all of a line stands under something of the row, as far below it as the lines of one cell are.
    fn is_tight(&self, row: &[Line], line: &Line) -> bool {
        let close = |drop: f32, leading: f32| (drop - leading).abs() <= 0.02 * leading;
        self.leading.is_some_and(|leading| {
            line.runs.iter().all(|run| {
                row.iter().rev().take(3).flat_map(|line| &line.runs).any(|above| {
                    close(run.rect.centre().1 - above.rect.centre().1, leading)
                        && above.rect.x0 < run.rect.x1
                        && run.rect.x0 < above.rect.x1
                })
            })
        })
    }

    fn same_place(&self, one: &Run, other: &Run) -> bool {
        let (mine, theirs) = (one.rect, other.rect);
        let near = |a: f32, b: f32| (a - b).abs() <= EDGE * self.size;
        mine.x0 < theirs.x1
            && theirs.x0 < mine.x1
            && (near(mine.x0, theirs.x0) || near(mine.x1, theirs.x1) || near(mine.centre().0, theirs.centre().0))
    }

    /// Whether two columns or more hold an amount both on the row's last line and on this one: two rows, however the
    /// label beside them is set.
    fn same_amounts(&self, row: &[Line], line: &Line, characters: &[char]) -> bool {
        let Some(last) = row.last() else { return false };
        let twice = line.runs.iter().filter(|run| run.amount).filter(|run| {
            last.runs.iter().any(|other| {
                other.amount && self.same_place(run, other) && !continues(characters, other.span, run.span)
            })
        });
        twice.count() >= 2
    }

    /// Whether what is written next goes on with what was written last: the same cell, one line lower.
    fn goes_on(&self, row: &[Line], below: &[Line], characters: &[char]) -> bool {
        let Some(line) = below.first() else { return false };
        let written = row
            .iter()
            .flat_map(|line| &line.runs)
            .max_by_key(|run| run.span.start());
        let next = below
            .iter()
            .flat_map(|line| &line.runs)
            .min_by_key(|run| run.span.start());
        let Some((written, next)) = written.zip(next) else {
            return false;
        };
        let here = line.runs.iter().any(|run| run.span == next.span);
        let reads_on = |run: &Run, other: &Run| continues(characters, other.span, run.span);
        let alone = |run: &Run| {
            below
                .iter()
                .any(|line| line.runs.len() == 1 && line.runs.first().is_some_and(|only| only.span == run.span))
        };
        let drop = next.rect.centre().1 - written.rect.centre().1;
        let keyed = next.rect.x0 <= self.left() + EDGE * self.size;
        if drop > 0.0
            && drop <= LEADING * self.size
            && self.same_place(next, written)
            && !(next.amount && written.amount)
        {
            // Set further apart than the lines of cells are, it goes on only where the words do.
            if self
                .leading
                .is_some_and(|leading| (drop - leading).abs() > 0.02 * leading)
            {
                return reads_on(next, written);
            }
            // With something beside it in between, it is one cell whose neighbour stands at its middle.
            return reads_on(next, written) || !keyed && alone(next) || !here && drop <= 1.6 * self.size;
        }
        if !here {
            return false;
        }
        // Written line by line: every part goes on with a part above, and the words say so.
        let above: Vec<&Run> = row.last().iter().flat_map(|line| &line.runs).collect();
        let parted = |run: &Run| above.iter().any(|other| self.same_place(run, other));
        let goes = |run: &Run| {
            above
                .iter()
                .any(|other| self.same_place(run, other) && reads_on(run, other))
        };
        let reading = line.runs.iter().filter(|run| goes(run));
        // What stands where rows are named must read on itself.
        let named = |run: &Run| run.rect.x0 <= self.left() + EDGE * self.size && line.runs.len() > 1;
        if line.runs.iter().any(|run| named(run) && !goes(run)) {
            return false;
        }
        let tight = row
            .last()
            .is_some_and(|last| line.centre - last.centre <= LEADING * self.size);
        tight
            && line.runs.iter().all(parted)
            && !line.runs.iter().any(|run| run.amount)
            && reading.count() * 2 >= line.runs.len()
    }
}

/// The lines cut where the layer turns back for good: what stands at an end and was written before or after both lines
/// beside it is a piece of its own (notes under the rows that are written before them, say).
fn pieces(lines: &[Line]) -> Vec<&[Line]> {
    let first = |at: usize| {
        lines
            .get(at)
            .and_then(|line| line.runs.iter().map(|run| run.span.start()).min())
    };
    let last = |at: usize| {
        lines
            .get(at)
            .and_then(|line| line.runs.iter().map(|run| run.span.start()).max())
    };
    let mut cuts = vec![lines.len()];
    let mut latest = None;
    for at in (2..lines.len()).rev() {
        latest = latest.max(last(at));
        if latest < first(at - 1).min(first(at - 2)) {
            cuts.push(at);
            latest = None;
        }
    }
    let (mut earliest, until) = (None, cuts.last().copied().unwrap_or(0));
    for at in 0..until.saturating_sub(2) {
        earliest = earliest.map_or(first(at), |earliest: CharOffset| first(at).map(|own| own.min(earliest)));
        if earliest > last(at + 1).max(last(at + 2)) {
            cuts.push(at + 1);
            earliest = None;
        }
    }
    cuts.push(0);
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |ends: &[usize]| lines.get(*ends.first()?..*ends.last()?);
    cuts.windows(2).filter_map(piece).collect()
}

/// How often a line sets several labels under one label of the lines above.
fn levels(lines: &[Line]) -> usize {
    let mut deeper = 0;
    let mut at = 0;
    while let Some(upper) = lines.get(at) {
        let territory = |index: usize| {
            let left = index
                .checked_sub(1)
                .and_then(|left| upper.runs.get(left))
                .zip(upper.runs.get(index));
            let right = upper.runs.get(index).zip(upper.runs.get(index + 1));
            let middle =
                |pair: Option<(&Run, &Run)>| pair.map(|(one, other)| f32::midpoint(one.rect.x1, other.rect.x0));
            (
                middle(left).unwrap_or(f32::NEG_INFINITY),
                middle(right).unwrap_or(f32::INFINITY),
            )
        };
        let divides = |lower: &&Line| {
            (0..upper.runs.len()).any(|index| {
                let (from, to) = territory(index);
                let Some(label) = upper.runs.get(index) else {
                    return false;
                };
                let under: Vec<&Run> = lower
                    .runs
                    .iter()
                    .filter(|run| {
                        let x = run.rect.centre().0;
                        from < x && x < to
                    })
                    .collect();
                let reach = under.iter().map(|run| run.rect).reduce(Rect::union);
                // Of two, the one right under it is the label's own second line.
                let own = under.len() == 2
                    && under.iter().any(|run| {
                        (run.rect.centre().0 - label.rect.centre().0).abs() <= 0.5 * (label.rect.y1 - label.rect.y0)
                    });
                under.len() > 1
                    && !own
                    && reach.is_some_and(|reach| reach.x0 < label.rect.x1 && label.rect.x0 < reach.x1)
            })
        };
        let Some(lower) = lines.iter().skip(at + 1).position(|line| divides(&line)) else {
            break;
        };
        deeper += 1;
        at += 1 + lower;
    }
    deeper
}

/// The drop from a line to one that reads on from it, where three or more do and most drop alike.
fn leading(lines: &[Line], characters: &[char]) -> Option<f32> {
    let mut drops: Vec<f32> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for above in lines.get(at.saturating_sub(3)..at).unwrap_or_default() {
            let goes_on = line.runs.iter().any(|run| {
                above.runs.iter().any(|other| {
                    other.rect.x0 < run.rect.x1
                        && run.rect.x0 < other.rect.x1
                        && run.span.start() > other.span.start()
                        && characters
                            .get(other.span.end().index()..run.span.start().index())
                            .is_some_and(|text| text.len() <= 3)
                        && (!run.amount || is_open(characters, other.span))
                        && continues(characters, other.span, run.span)
                })
            });
            drops.extend(goes_on.then_some(line.centre - above.centre));
        }
    }
    let typical = median(drops.clone());
    let alike = drops
        .iter()
        .filter(|drop| (**drop - typical).abs() <= 0.02 * typical)
        .count();
    (alike >= 3 && alike * 3 >= drops.len() * 2).then_some(typical)
}

/// Whether two lines hold runs at the same places, amounts under amounts: the one could be the other's next row.
fn set_alike(one: &Line, other: &Line) -> bool {
    let under = |run: &&Run| {
        one.runs
            .iter()
            .any(|above| above.rect.x0 < run.rect.x1 && run.rect.x0 < above.rect.x1 && above.amount == run.amount)
    };
    let over = |above: &&Run| {
        other
            .runs
            .iter()
            .any(|run| above.rect.x0 < run.rect.x1 && run.rect.x0 < above.rect.x1 && above.amount == run.amount)
    };
    let alike = other
        .runs
        .iter()
        .filter(under)
        .count()
        .min(one.runs.iter().filter(over).count());
    alike >= 2 && alike * 3 >= other.runs.len() * 2 && alike * 2 >= one.runs.len()
}

/// Whether a line sets three labels or more over runs of the other: a header that was left out.
fn over_columns(one: &Line, other: &Line) -> bool {
    let over = |run: &&Run| {
        other
            .runs
            .iter()
            .any(|below| below.rect.x0 < run.rect.x1 && run.rect.x0 < below.rect.x1)
    };
    one.runs.len() >= 3 && one.runs.iter().filter(over).count() * 3 >= one.runs.len() * 2
}
