//! The layers beside the text: what stands in a document's form fields, and what its annotations say.
//!
//! Each is a layer like any other, so that a value can be cited by offset: one value after another in the page's order,
//! a line break between two, pages joined as everywhere. Every code point of a value has the box of its field or note;
//! line breaks have none. Words are as the file has them, but for control characters, which stand as U+FFFD.
//!
//! Deliberately not here: the text itself; nothing of these layers is ever mixed into it.

use super::boxes::{LayerBoxes, Rect};
use super::detail::PageDetail;
use super::layer::PAGE_JOIN;

/// A layer in the making: its text, and a box or none for each code point.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The text.
    pub text: String,
    /// The boxes.
    pub boxes: LayerBoxes,
}

/// The values in the form fields of a document's pages; `None` where there is none.
#[must_use]
pub fn field_values(pages: &[PageDetail]) -> Option<Beside> {
    beside(pages, |page| {
        page.fields
            .iter()
            .map(|field| (field.value.as_str(), field.rect))
            .collect()
    })
}

/// The words of the annotations of a document's pages; `None` where there is none.
#[must_use]
pub fn annotation_words(pages: &[PageDetail]) -> Option<Beside> {
    beside(pages, |page| {
        page.annotations
            .iter()
            .map(|annotation| (annotation.text.as_str(), annotation.rect))
            .collect()
    })
}

fn beside<'a>(pages: &'a [PageDetail], values: impl Fn(&'a PageDetail) -> Vec<(&'a str, Rect)>) -> Option<Beside> {
    let mut text = String::new();
    let mut boxes = Vec::new();
    let mut any = false;
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            text.push(PAGE_JOIN);
            boxes.push(None);
        }
        for (position, (value, rect)) in values(page).into_iter().enumerate() {
            any = true;
            if position > 0 {
                text.push('\n');
                boxes.push(None);
            }
            for character in value.chars() {
                let (character, rect) = match character {
                    '\n' => ('\n', None),
                    control if control.is_control() => (char::REPLACEMENT_CHARACTER, Some(rect)),
                    other => (other, Some(rect)),
                };
                text.push(character);
                boxes.push(rect);
            }
        }
    }
    any.then(|| Beside {
        text,
        boxes: LayerBoxes::new(boxes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{FormField, Layer};

    fn page(values: &[&str]) -> PageDetail {
        let field = |(number, value): (usize, &&str)| FormField {
            name: format!("field.{number}"),
            value: (*value).to_owned(),
            rect: Rect {
                x0: 10.0,
                y0: 20.0 * number as f32,
                x1: 60.0,
                y1: 20.0 * number as f32 + 12.0,
            },
        };
        PageDetail {
            fields: values.iter().enumerate().map(field).collect(),
            ..PageDetail::default()
        }
    }

    #[test]
    fn values_are_a_layer_with_the_boxes_of_their_fields() {
        let pages = [page(&["Ada", "450.000,00 €"]), page(&[]), page(&["two\nlines\u{c}\t"])];
        let made = field_values(&pages).unwrap_or_else(|| unreachable!("there are values"));
        assert_eq!(made.text, "Ada\n450.000,00 €\u{c}\u{c}two\nlines\u{fffd}\u{fffd}");
        let layer = Layer::new(&made.text).unwrap_or_else(|error| unreachable!("{error}"));
        assert_eq!((layer.page_count(), layer.len()), (3, made.boxes.len()));
        let span = crate::text::CharSpan::of_indices(4, 16);
        let rects = made.boxes.rectangles(&layer, span);
        assert_eq!(rects.len(), 1);
        assert_eq!((rects[0].page, rects[0].rect), (1, pages[0].fields[1].rect));
        assert_eq!(annotation_words(&pages), None);
        assert_eq!(field_values(&[page(&[])]), None);
    }
}
