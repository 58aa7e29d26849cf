//! The text layer: code points, the offsets that count them, the boxes they own, and the fold that compares them.
//!
//! A layer is what one named extractor read from one version's bytes and is never changed afterwards: not dehyphenated,
//! reordered, de-duplicated or normalised. Comparing under normalisation is the fold's work ([`fold`]).
//!
//! Deliberately not here: reading a PDF (`pincite-pdf`), finding a quote again (`locate`).

pub mod beside;
pub mod boxes;
mod boxes_selection;
mod boxes_shares;
pub mod detail;
pub mod doubled;
pub mod fold;
pub mod layer;
pub mod match_fold;
pub mod offset;
pub mod order;
pub mod source;

pub use beside::{Beside, annotation_words, field_values};
pub use boxes::{LayerBoxes, PageRect, PageSize, Rect};
pub use detail::{Annotation, FormField, PageDetail, StyleRun, Tag, TagRun};
pub use doubled::doubled;
pub use fold::{VERIFY_FOLD, VerifyFolded, verify_fold, verify_fold_equal};
pub use layer::{Layer, PAGE_JOIN};
pub use match_fold::{MATCH_FOLD, MatchFolded, match_fold, match_fold_equal};
pub use offset::{CharOffset, CharSpan, Run};
pub use order::{dragged, reading_order};
pub use source::{SourceError, SourceText, TEXT_RULE, read_source};
