//! A version as a comparison takes it: its layer, its sections, and what of its text is no words of its own.
//!
//! Deliberately not here: comparing (`pincite_core::registry`).

use crate::documents;
use crate::error::AppError;
use crate::loaded::{self, Cache, Loaded};
use crate::markdown;
use crate::markup::markup;
use crate::text_source::Medium;
use pincite_core::registry::Side;
use pincite_core::structure::{LeftOut, Marks, ParseInput, Structure, left_out};
use pincite_core::text::{CharSpan, Layer, LayerBoxes, PageSize};
use pincite_store::Connection;
use pincite_store::documents::VersionRow;
use std::sync::Arc;

/// What a [`Side`] rests on.
#[derive(Debug)]
pub(crate) struct Compared {
    loaded: Arc<Loaded>,
    pub(crate) structure_id: String,
    pub(crate) structure: Arc<Structure>,
    lost_pages: Vec<u32>,
    left_out: LeftOut,
    markup: Vec<CharSpan>,
}

impl Compared {
    /// A version, as its text and its sections are by default; its sections as a structure has them, where one is named.
    ///
    /// # Errors
    /// A damaged workspace; the store.
    pub(crate) async fn of(
        cache: &Cache,
        connection: &mut Connection,
        version: &VersionRow,
        structure_id: Option<&str>,
    ) -> Result<Self, AppError> {
        let (hash, layer) = (&version.doc_sha256, &version.layer_sha256);
        let loaded = loaded::layer(cache, connection, hash, layer).await?;
        let structure = loaded::structure(cache, connection, hash, layer, structure_id).await?;
        // A structure of another layer than today's says where sections stood there; today's own is what can be shown.
        let structure = match structure {
            None => loaded::structure(cache, connection, hash, layer, None).await?,
            some => some,
        };
        let (Some(loaded), Some((structure_id, structure))) = (loaded, structure) else {
            return Err(AppError::internal(format!(
                "the workspace is damaged: {} has no text or no sections",
                version.doc_id
            )));
        };
        let pages = documents::pages(version)?;
        let text = loaded.layer.text();
        let marked = Medium::of(&version.media_type) == Medium::Markdown;
        let marks = if marked {
            markdown::marks(&text)
        } else {
            markdown::MarkdownMarks::default()
        };
        let sizes: Vec<PageSize> = pages.iter().map(|page| page.size).collect();
        let input = ParseInput {
            layer: &loaded.layer,
            boxes: &loaded.boxes,
            page_sizes: &sizes,
            details: &loaded.details,
            outline: &[],
        };
        let left_out = left_out(
            &input,
            &Marks {
                headings: &marks.headings,
                quiet: &marks.quiet,
            },
        );
        let without_text = |page: &u32| {
            let span = loaded.layer.page_span(*page);
            span.is_none_or(|span| loaded.layer.slice(span).is_none_or(|text| text.trim().is_empty()))
        };
        let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
        Ok(Self {
            lost_pages: (1..=count).filter(without_text).collect(),
            markup: if marked { markup(&text) } else { Vec::new() },
            loaded,
            structure_id,
            structure,
            left_out,
        })
    }

    /// Its text, and where that stands.
    pub(crate) fn layer_and_boxes(&self) -> (&Layer, &LayerBoxes) {
        (&self.loaded.layer, &self.loaded.boxes)
    }

    /// Spans of the text without what is furniture of their pages.
    pub(crate) fn without_furniture(&self, spans: &[CharSpan]) -> Vec<CharSpan> {
        let mut left = Vec::new();
        for span in spans {
            let mut from = span.start().index();
            for beside in &self.left_out.furniture {
                let (start, end) = (beside.start().index(), beside.end().index());
                if start >= span.end().index() || end <= from {
                    continue;
                }
                if start > from {
                    left.push(CharSpan::of_indices(from, start));
                }
                from = end;
            }
            if from < span.end().index() {
                left.push(CharSpan::of_indices(from, span.end().index()));
            }
        }
        left
    }

    /// As the comparison takes it.
    pub(crate) fn side(&self) -> Side<'_> {
        Side {
            layer: &self.loaded.layer,
            structure: &self.structure,
            lost_pages: &self.lost_pages,
            furniture: &self.left_out.furniture,
            contents: &self.left_out.contents,
            markup: &self.markup,
        }
    }
}
