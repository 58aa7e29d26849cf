//! The order of reading on pages made here: columns, headings across them, tables, one column, anything at all.

use super::*;
use proptest::prelude::*;

/// A page written line by line: each line is a list of (x, words), set 5 points a letter, 10 high, 12 apart.
#[derive(Debug, Clone)]
struct Sheet {
    text: Vec<char>,
    boxes: Vec<Option<Rect>>,
}

impl Sheet {
    fn of(lines: &[(f32, Vec<(f32, &str)>)]) -> Self {
        let mut sheet = Self {
            text: Vec::new(),
            boxes: Vec::new(),
        };
        for (y, words) in lines {
            for (x, word) in words {
                sheet.word(*x, *y, word);
            }
            sheet.text.push('\n');
            sheet.boxes.push(None);
        }
        sheet
    }

    fn word(&mut self, mut x: f32, y: f32, word: &str) {
        for character in word.chars() {
            self.text.push(character);
            self.boxes.push((character != ' ').then_some(Rect {
                x0: x,
                y0: y,
                x1: x + 5.0,
                y1: y + 10.0,
            }));
            x += 5.0;
        }
        self.text.push(' ');
        self.boxes.push(None);
    }

    fn order(&self) -> Vec<Run> {
        reading_order(&self.text, &self.boxes, &[])
    }

    fn read(&self) -> String {
        let order = self.order();
        if order.is_empty() {
            return self.text.iter().collect();
        }
        order
            .iter()
            .flat_map(|run| &self.text[run.start as usize..run.end as usize])
            .collect()
    }
}

const LEFT: [&str; 6] = [
    "the contractor shall keep",
    "a record of each delivery",
    "and of each inspection of",
    "the goods that were taken",
    "until seven years passed",
    "since the last of them",
];
const RIGHT: [&str; 6] = [
    "payments are due within",
    "thirty days of the bill",
    "unless a defect has been",
    "reported in the meantime",
    "by either of the parties",
    "in writing and in time",
];

/// Two columns of which the layer has every line across, with a heading above and a foot below.
fn across_the_gutter() -> Sheet {
    let mut lines = vec![(
        0.0,
        vec![(0.0, "a heading that goes across both of the columns of the page")],
    )];
    for (at, (left, right)) in LEFT.iter().zip(RIGHT).enumerate() {
        lines.push((20.0 + 12.0 * at as f32, vec![(0.0, *left), (160.0, right)]));
    }
    lines.push((
        110.0,
        vec![(0.0, "a foot that goes across both of the columns of the page too")],
    ));
    Sheet::of(&lines)
}

#[test]
fn columns_that_the_layer_mixes_are_read_one_after_the_other() {
    let read = across_the_gutter().read();
    let words: Vec<&str> = read.split_whitespace().collect();
    let expected: String = [
        vec!["a heading that goes across both of the columns of the page"],
        LEFT.to_vec(),
        RIGHT.to_vec(),
        vec!["a foot that goes across both of the columns of the page too"],
    ]
    .concat()
    .join(" ");
    assert_eq!(words.join(" "), expected);
}

#[test]
fn columns_that_the_layer_keeps_apart_stay_as_they_are() {
    let column = |x: f32, lines: [&'static str; 6]| {
        lines
            .into_iter()
            .enumerate()
            .map(move |(at, line)| (12.0 * at as f32, vec![(x, line)]))
    };
    let lines: Vec<_> = column(0.0, LEFT).chain(column(160.0, RIGHT)).collect();
    assert_eq!(Sheet::of(&lines).order(), []);
}

#[test]
fn pages_from_right_to_left_begin_at_the_right() {
    let hebrew = "שלום לכולם זה טקסט בעברית";
    let other = "וזה הטור השני של אותו דף";
    let lines: Vec<_> = (0..6_u8)
        .map(|at| (12.0 * f32::from(at), vec![(0.0, other), (160.0, hebrew)]))
        .collect();
    let read = Sheet::of(&lines).read();
    assert!(read.starts_with("שלום"), "{read}");
    assert_eq!(read.matches("שלום").count(), 6);
    assert!(read.rfind("שלום") < read.find("וזה"), "{read}");
}

#[test]
fn a_table_is_read_by_its_rows() {
    // Figures; short cells; cells of two lines with a gap between the rows.
    let figures: Vec<_> = (0..8_u8)
        .map(|at| {
            (
                12.0 * f32::from(at),
                vec![
                    (0.0, "revenue of the year before"),
                    (160.0, "1,234,567.00 1,234,567.89"),
                ],
            )
        })
        .collect();
    assert_eq!(Sheet::of(&figures).order(), []);
    let short: Vec<_> = (0..8_u8)
        .map(|at| {
            (
                12.0 * f32::from(at),
                vec![(0.0, "term"), (160.0, "what the term means here")],
            )
        })
        .collect();
    assert_eq!(Sheet::of(&short).order(), []);
    let mut rows = Vec::new();
    for at in 0..4_u8 {
        let y = 36.0 * f32::from(at);
        rows.push((y, vec![(0.0, LEFT[0]), (160.0, RIGHT[0])]));
        rows.push((y + 12.0, vec![(0.0, LEFT[1]), (160.0, RIGHT[1])]));
    }
    assert_eq!(Sheet::of(&rows).order(), []);
}

#[test]
fn a_column_beside_short_cells_is_a_table() {
    // Three columns of which the first has a few short labels only: a row goes across.
    let mut lines = Vec::new();
    for (at, (left, right)) in LEFT.iter().zip(RIGHT).enumerate() {
        let mut words = vec![(100.0, *left), (260.0, right)];
        if at % 3 == 0 {
            words.insert(0, (0.0, "a label that names"));
        }
        lines.push((12.0 * at as f32, words));
    }
    assert_eq!(Sheet::of(&lines).order(), []);
}

#[test]
fn three_columns_are_read_one_after_the_other() {
    let lines: Vec<_> = (LEFT.iter().zip(RIGHT).enumerate())
        .map(|(at, (left, right))| (12.0 * at as f32, vec![(0.0, *left), (160.0, right), (320.0, *left)]))
        .collect();
    let read = Sheet::of(&lines).read();
    let words: Vec<&str> = read.split_whitespace().collect();
    assert_eq!(words.join(" "), [LEFT, RIGHT, LEFT].concat().join(" "));
}

#[test]
fn a_foot_that_is_drawn_first_is_read_where_it_stands() {
    let mut lines = vec![(130.0, vec![(0.0, "page 1 of 2")])];
    for (at, (left, right)) in LEFT.iter().zip(RIGHT).enumerate() {
        lines.push((20.0 + 12.0 * at as f32, vec![(0.0, *left), (160.0, right)]));
    }
    let read = Sheet::of(&lines).read();
    assert!(read.starts_with(LEFT[0]), "{read}");
    assert!(read.find(LEFT[5]) < read.find("page 1"), "{read}");
}

#[test]
fn rulings_across_the_gutter_say_that_it_is_a_table() {
    let sheet = across_the_gutter();
    let ruling = |y: f32| Rect {
        x0: 0.0,
        y0: y,
        x1: 300.0,
        y1: y + 0.5,
    };
    assert_ne!(sheet.order(), []);
    let rulings = [ruling(43.0), ruling(67.0)];
    assert_eq!(reading_order(&sheet.text, &sheet.boxes, &rulings), []);
}

#[test]
fn a_drag_down_one_column_leaves_the_other_alone() {
    let sheet = across_the_gutter();
    let order = sheet.order();
    let layer = Layer::new(&sheet.text.iter().collect::<String>()).unwrap_or_else(|error| unreachable!("{error}"));
    let boxes = LayerBoxes::new(sheet.boxes.clone());
    let text = |from, to| -> String {
        dragged(&layer, &boxes, &order, 1, from, to)
            .into_iter()
            .filter_map(|span| layer.slice(span))
            .collect::<String>()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    // From the second line's start to far right of the last line's end, still left of the gutter.
    let down = text((1.0, 37.0), (122.0, 85.0));
    assert_eq!(down, LEFT[1..].join(" "));
    // Dragged the other way it is the same.
    assert_eq!(text((122.0, 85.0), (1.0, 37.0)), down);
    // From one column into the next: the rest of the first, then the beginning of the second.
    let over = text((1.0, 73.0), (284.0, 25.0));
    assert_eq!(over, format!("{} {} {}", LEFT[4], LEFT[5], RIGHT[0]));
    assert!(dragged(&layer, &boxes, &order, 2, (0.0, 0.0), (1.0, 1.0)).is_empty());
}

fn any_rect() -> impl Strategy<Value = Option<Rect>> {
    let side = 0.0_f32..600.0;
    proptest::option::weighted(
        0.9,
        (side.clone(), side, 0.0_f32..40.0, 0.0_f32..20.0).prop_map(|(x0, y0, width, height)| Rect {
            x0,
            y0,
            x1: x0 + width,
            y1: y0 + height,
        }),
    )
}

/// Lines of words in one or two columns, with the layer mixing them or not.
fn any_sheet() -> impl Strategy<Value = Sheet> {
    let line = (0_usize..24, "[a-z]{2,9}( [a-z]{2,9}){0,5}", proptest::bool::ANY);
    proptest::collection::vec(line, 0..60).prop_map(|lines| {
        let lines: Vec<(f32, Vec<(f32, String)>)> = lines
            .into_iter()
            .map(|(row, words, right)| (12.0 * row as f32, vec![(if right { 330.0 } else { 0.0 }, words)]))
            .collect();
        let borrowed: Vec<_> = lines
            .iter()
            .map(|(y, words)| (*y, words.iter().map(|(x, word)| (*x, word.as_str())).collect()))
            .collect();
        Sheet::of(&borrowed)
    })
}

proptest! {
    #[test]
    fn an_order_holds_every_code_point_once(boxes in proptest::collection::vec(any_rect(), 0..200)) {
        let text: Vec<char> = "lorem ipsum\n".chars().cycle().take(boxes.len()).collect();
        check_permutation(&text, &boxes)?;
    }

    #[test]
    fn an_order_of_lines_holds_every_code_point_once(sheet in any_sheet()) {
        check_permutation(&sheet.text, &sheet.boxes)?;
    }

    #[test]
    fn one_column_keeps_its_order(lines in proptest::collection::vec("[a-z]{2,9}( [a-z]{2,9}){0,9}", 0..40)) {
        let lines: Vec<_> = lines.iter().enumerate().map(|(at, line)| (12.0 * at as f32, vec![(0.0, line.as_str())])).collect();
        prop_assert_eq!(Sheet::of(&lines).order(), []);
    }

    #[test]
    fn a_drag_from_corner_to_corner_takes_no_code_point_twice(
        sheet in any_sheet(),
        from in (0.0_f32..600.0, 0.0_f32..300.0),
        to in (0.0_f32..600.0, 0.0_f32..300.0),
    ) {
        let order = sheet.order();
        let layer = Layer::new(&sheet.text.iter().collect::<String>()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let boxes = LayerBoxes::new(sheet.boxes);
        let mut taken: Vec<usize> = dragged(&layer, &boxes, &order, 1, from, to).into_iter().flat_map(CharSpan::range).collect();
        let all = taken.len();
        taken.sort_unstable();
        taken.dedup();
        prop_assert_eq!(taken.len(), all);
    }
}

fn check_permutation(text: &[char], boxes: &[Option<Rect>]) -> Result<(), TestCaseError> {
    let order = reading_order(text, boxes, &[]);
    if order.is_empty() {
        return Ok(());
    }
    let mut all: Vec<u32> = order.iter().flat_map(|run| run.start..run.end).collect();
    prop_assert!(order.iter().all(|run| run.start < run.end));
    all.sort_unstable();
    let whole: Vec<u32> = (0..CharOffset::from_index(text.len()).0).collect();
    prop_assert_eq!(all, whole);
    Ok(())
}
