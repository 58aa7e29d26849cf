//! What a tagged PDF says of its text: the structure tree of one page, and marks that call content an artifact.
//!
//! The tree names pieces of content by their numbers (marked content ids); a text object knows its number. PDFium maps
//! roles of the file's own ("Heading 1 numbered") to standard ones before it hands out a type.
//!
//! Deliberately not here: believing it. The section parser weighs it against the text.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::objects::Objects;
use crate::pdfium::{Library, Page};
use pincite_core::text::Tag;
use std::collections::HashMap;
use std::ffi::c_void;

/// How deep and how far a tree is followed. A page of a hostile file may name the same elements over and over.
const DEEPEST: u32 = 64;
const MOST_ELEMENTS: u32 = 100_000;
/// The longest type name that is read, in UTF-16 units with the closing zero; no standard one is longer.
const LONGEST_NAME: usize = 32;

/// What one piece of content is said to be, and which element of the page it belongs to.
pub(crate) type Said = (Tag, u32);

/// The tags of one page.
pub(crate) struct Tags<'a> {
    library: &'a Library,
    by_number: HashMap<i32, Said>,
    /// Marks seen so far, by address: the number given to an artifact, or `None` for another mark.
    marks: HashMap<usize, Option<u32>>,
    elements: u32,
}

impl<'a> Tags<'a> {
    /// Reads the page's part of the structure tree.
    pub(crate) fn of(page: &Page<'a>) -> Self {
        let mut tags = Self {
            library: page.library,
            by_number: HashMap::new(),
            marks: HashMap::new(),
            elements: 0,
        };
        let bindings = &page.library.bindings;
        // SAFETY: the page handle is alive; the tree is closed below and its elements are not used afterwards.
        unsafe {
            let tree = bindings.FPDF_StructTree_GetForPage(page.handle.cast());
            if tree.is_null() {
                return tags;
            }
            let mut left = MOST_ELEMENTS;
            for index in 0..bindings.FPDF_StructTree_CountChildren(tree) {
                let element = bindings.FPDF_StructTree_GetChildAtIndex(tree, index);
                tags.element(element.cast(), None, 0, &mut left);
            }
            bindings.FPDF_StructTree_Close(tree);
        }
        tags
    }

    /// Whether the tree says anything of this page.
    pub(crate) fn any(&self) -> bool {
        !self.by_number.is_empty()
    }

    fn element(&mut self, element: *mut c_void, outer: Option<Said>, depth: u32, left: &mut u32) {
        if element.is_null() || depth > DEEPEST || *left == 0 {
            return;
        }
        *left -= 1;
        let library = self.library;
        let bindings = &library.bindings;
        // SAFETY: elements live as long as the tree, which is open; the buffer holds as many bytes as are told.
        let kind = short_name(|buffer, length| unsafe {
            bindings.FPDF_StructElement_GetType(element.cast(), buffer.cast(), length)
        });
        let said = said(&kind, outer, || {
            self.elements += 1;
            self.elements
        });
        // SAFETY: as above.
        let children = unsafe { bindings.FPDF_StructElement_CountChildren(element.cast()) };
        for index in 0..children {
            if *left == 0 {
                return;
            }
            // SAFETY: as above.
            let number = unsafe { bindings.FPDF_StructElement_GetChildMarkedContentID(element.cast(), index) };
            if number >= 0 {
                *left -= 1;
                if let Some(said) = said {
                    self.by_number.entry(number).or_insert(said);
                }
                continue;
            }
            // SAFETY: as above.
            let child = unsafe { bindings.FPDF_StructElement_GetChildAtIndex(element.cast(), index) };
            self.element(child.cast(), said, depth + 1, left);
        }
    }

    /// What is said of a text object.
    pub(crate) fn of_object(&mut self, object: *mut c_void, objects: &Objects) -> Option<Said> {
        let holder = objects.inside.get(&object.addr()).copied();
        let bindings = &self.library.bindings;
        // SAFETY: objects live as long as their page, which is open.
        let number = unsafe { bindings.FPDFPageObj_GetMarkedContentID(holder.unwrap_or(object).cast()) };
        let by_tree = (number >= 0).then(|| self.by_number.get(&number).copied()).flatten();
        by_tree
            .or_else(|| self.artifact(object))
            .or_else(|| holder.and_then(|holder| self.artifact(holder)))
    }

    fn artifact(&mut self, object: *mut c_void) -> Option<Said> {
        let library = self.library;
        let bindings = &library.bindings;
        // SAFETY: as above; marks live as long as the objects that carry them.
        let count = unsafe { bindings.FPDFPageObj_CountMarks(object.cast()) };
        for index in 0..u32::try_from(count).unwrap_or(0).min(DEEPEST) {
            // SAFETY: as above.
            let mark: *mut c_void = unsafe { bindings.FPDFPageObj_GetMark(object.cast(), index.into()).cast() };
            if mark.is_null() {
                continue;
            }
            let next = self.elements + 1;
            let number = *self.marks.entry(mark.addr()).or_insert_with(|| {
                let name = short_name(|buffer, length| {
                    let mut needed = 0;
                    // SAFETY: as above; the buffer holds as many bytes as are told.
                    let known = unsafe {
                        bindings.FPDFPageObjMark_GetName(mark.cast(), buffer.cast(), length, &raw mut needed)
                    };
                    if known == 0 { 0 } else { needed }
                });
                (name == "Artifact").then_some(next)
            });
            if let Some(number) = number {
                self.elements = self.elements.max(number);
                return Some((Tag::Artifact, number));
            }
        }
        None
    }
}

/// A name that PDFium writes as UTF-16LE with a closing zero; empty where it is longer than any we know.
fn short_name(read: impl FnOnce(*mut u16, std::ffi::c_ulong) -> std::ffi::c_ulong) -> String {
    let mut buffer = [0_u16; LONGEST_NAME];
    let room = size_of_val(&buffer);
    let bytes = usize::try_from(read(buffer.as_mut_ptr(), room as std::ffi::c_ulong)).unwrap_or(usize::MAX);
    if bytes > room {
        return String::new();
    }
    let units = (bytes / 2).saturating_sub(1);
    String::from_utf16_lossy(buffer.get(..units).unwrap_or_default())
}

/// What content directly inside an element of this type is, `outer` being said of what is around it; `next` numbers a
/// new element.
///
/// What is inside a table, a table of contents or a note is that and nothing else; a heading stays one inside a list
/// item, since numbered headings are tagged so. Inline elements belong to the element around them.
fn said(kind: &str, outer: Option<Said>, mut next: impl FnMut() -> u32) -> Option<Said> {
    let around = outer.map(|(tag, _)| tag);
    let own = match kind {
        "Document" | "DocumentFragment" | "Part" | "Art" | "Article" | "Sect" | "Div" | "NonStruct" | "Private"
        | "Aside" | "StructTreeRoot" => return outer,
        "Span" | "Link" | "Reference" | "Quote" | "Code" | "Em" | "Strong" | "Sub" | "Annot" | "BibEntry" | "Ruby"
        | "RB" | "RT" | "RP" | "Warichu" | "WT" | "WP" | "Form" | "Lbl" | "LBody"
            if outer.is_some() =>
        {
            return outer;
        }
        "H" => Tag::Heading(0),
        "P" => match around {
            Some(Tag::ListItem) => Tag::ListItem,
            _ => Tag::Paragraph,
        },
        "L" | "LI" | "Lbl" | "LBody" => Tag::ListItem,
        "Table" | "THead" | "TBody" | "TFoot" | "TR" | "TH" | "TD" => Tag::Table,
        "TOC" | "TOCI" => Tag::Contents,
        "Note" | "FENote" => Tag::Note,
        "Artifact" => Tag::Artifact,
        _ => match kind.strip_prefix('H').map(str::parse::<u8>) {
            Some(Ok(level)) if level > 0 => Tag::Heading(level),
            _ => Tag::Other,
        },
    };
    let tag = match around {
        Some(whole @ (Tag::Table | Tag::Contents | Tag::Note | Tag::Artifact)) => whole,
        _ => own,
    };
    Some((tag, next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks down a path of element types and answers what content inside the last one is.
    fn inside(path: &[&str]) -> Option<Said> {
        let mut number = 0;
        path.iter().fold(None, |outer, kind| {
            said(kind, outer, || {
                number += 1;
                number
            })
        })
    }

    #[test]
    fn what_is_around_content_decides_what_it_is() {
        for (path, tag) in [
            (&["Document", "Sect", "H2"][..], Tag::Heading(2)),
            (&["Document", "H"], Tag::Heading(0)),
            (&["H12", "Span"], Tag::Heading(12)),
            (&["Document", "P", "Link"], Tag::Paragraph),
            (&["L", "LI", "LBody", "P"], Tag::ListItem),
            (&["L", "LI", "LBody", "H3"], Tag::Heading(3)),
            (&["Table", "TR", "TD", "P"], Tag::Table),
            (&["Table", "TR", "TH", "H1"], Tag::Table),
            (&["TOC", "TOCI", "Reference", "Link"], Tag::Contents),
            (&["P", "Note", "P"], Tag::Note),
            (&["Figure"], Tag::Other),
            (&["Hx"], Tag::Other),
            (&["Caption", "Span"], Tag::Other),
        ] {
            assert_eq!(inside(path).map(|(tag, _)| tag), Some(tag), "{path:?}");
        }
        assert_eq!(inside(&["Document", "Div"]), None);
        // Inline elements share the number of the element around them; a cell has its own.
        assert_eq!(inside(&["P", "Span", "Link"]), Some((Tag::Paragraph, 1)));
        assert_eq!(inside(&["Table", "TR", "TD"]), Some((Tag::Table, 3)));
    }
}
