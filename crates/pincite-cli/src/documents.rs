//! `ingest` and `document`.
//!
//! Deliberately not here: reading a PDF.

use crate::arguments::{DocumentCommand, IngestArguments, Options};
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use crate::trust;
use crate::whole_file;
use crate::workspace;
use pincite_app::wire::{DocumentView, IngestOutcome, IngestedFile, RectView, SectionView, TableView};
use pincite_app::{Progress, documents, groups, ingest as intake, quarantine, render};
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn password_in(file: &Path) -> Result<String, Failure> {
    let named = |cause: String| Failure::input(format!("{}: {cause}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| named(format!("the password can't be read: {error}")))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

pub(crate) async fn ingest(
    options: &Options,
    output: &Output,
    arguments: &IngestArguments,
) -> Result<Findings, Failure> {
    if arguments.doc_id.is_some() && arguments.paths.len() > 1 {
        eprintln!(
            "all of these become versions of {}",
            arguments.doc_id.as_deref().unwrap_or_default()
        );
    }
    let password = arguments.password_file.as_deref().map(password_in).transpose()?;
    let opened = workspace::open(options).await?;
    let bar = Bar::new();
    let progress: Arc<dyn Progress> = bar.clone();
    let mut refused = false;
    for path in &arguments.paths {
        if arguments.try_again {
            intake::try_again(&opened, path, opened.store.reader()).await?;
        }
        let mut file = intake::ingest(
            &opened,
            path,
            arguments.doc_id.as_deref(),
            password.as_deref(),
            &progress,
        )
        .await?;
        if file.password_needed && password.is_none() && std::io::stdin().is_terminal() {
            bar.finish();
            let typed = rpassword::prompt_password(format!("Password of {}: ", path.display()))
                .map_err(|error| Failure::input(format!("the password can't be read: {error}")))?;
            file = intake::ingest(&opened, path, arguments.doc_id.as_deref(), Some(&typed), &progress).await?;
        }
        refused |= file.outcome == IngestOutcome::Refused;
        bar.finish();
        output.value(&file, ingested_words)?;
    }
    Ok(Findings::when(refused))
}

fn ingested_words(file: &IngestedFile) -> String {
    match file.outcome {
        IngestOutcome::Refused => format!("refused  {}", file.reason.as_deref().unwrap_or(&file.path)),
        outcome => {
            let verb = if outcome == IngestOutcome::Added {
                "added"
            } else {
                "known"
            };
            let hash = file
                .doc_sha256
                .as_deref()
                .and_then(|hash| hash.get(..12))
                .unwrap_or_default();
            let mut words = format!(
                "{verb:<8} {}@{hash}  {} {}, {} characters",
                file.doc_id.as_deref().unwrap_or_default(),
                file.pages,
                if file.pages == 1 { "page" } else { "pages" },
                file.chars
            );
            if !file.untrusted_pages.is_empty() {
                words.push_str(&format!(
                    "; the text of pages {:?} can't be trusted",
                    file.untrusted_pages
                ));
            }
            if let Some(reason) = &file.reason {
                words.push_str(&format!("; {reason}"));
            }
            words
        }
    }
}

fn document_words(view: &DocumentView) -> String {
    let hash = view.doc_sha256.get(..12).unwrap_or(&view.doc_sha256);
    format!(
        "{}@{hash}  {:>4} pages  {:>8} characters  {}",
        view.doc_id, view.pages, view.chars, view.title
    )
}

fn shown_words(view: &DocumentView) -> String {
    format!(
        "{}\n  title        {}\n  kind         {}\n  version      {}\n  layer        {}\n  structure    {}\n  extractor    {}\n  pages        {}\n  characters   {}{}",
        view.doc_id,
        view.title,
        view.media_type,
        view.doc_sha256,
        view.layer_sha256,
        view.structure_id,
        view.extractor,
        view.pages,
        view.chars,
        trust::words(&view.trust)
    )
}

fn rect_words(rect: &RectView) -> String {
    format!(
        "page {}  {:.2},{:.2},{:.2},{:.2}",
        rect.page, rect.x0, rect.y0, rect.x1, rect.y1
    )
}

fn section_words(section: &SectionView) -> String {
    let indent = "  ".repeat(section.level.saturating_sub(1) as usize);
    format!(
        "{:>5}  {indent}{}  {}  [{}, {})",
        section.page, section.locator, section.title, section.start, section.end
    )
}

fn table_words(table: &TableView) -> String {
    let pages: Vec<String> = table.pages.iter().map(u32::to_string).collect();
    let mut words = format!(
        "{:>5}  {}  {} rows, {} columns",
        pages.join(","),
        table.locator,
        table.rows,
        table.columns
    );
    if let Some(reason) = &table.reason {
        words.push_str(&format!("  HELD: {reason}"));
    }
    words
}

pub(crate) async fn document(
    options: &Options,
    output: &Output,
    command: &DocumentCommand,
) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        DocumentCommand::List(list) => {
            let views = documents::list(&opened, list.limit(), list.after.as_deref().unwrap_or_default()).await?;
            let empty = if list.after.is_some() {
                "no documents after that one"
            } else {
                "no documents yet: take some in with `pincite ingest`"
            };
            output.list(&views, document_words, empty)?;
        }
        DocumentCommand::Show { doc } => output.value(&documents::show(&opened, doc).await?, shown_words)?,
        DocumentCommand::Text { doc, layer } => {
            output.bytes(&documents::text(&opened, doc, layer.as_deref()).await?)?
        }
        DocumentCommand::Boxes { doc, start, end } => {
            let boxes = documents::boxes(&opened, doc, *start, *end).await?;
            output.value(&boxes, |boxes| {
                let lines: Vec<String> = boxes.rects.iter().map(rect_words).collect();
                format!("{}\n{} code points without a box", lines.join("\n"), boxes.unboxed)
            })?;
        }
        DocumentCommand::Hit { doc, page, rect } => {
            let [x0, y0, x1, y1] = *rect;
            let area = documents::area(x0, y0, x1, y1);
            let hit = documents::hit(&opened, doc, *page, area).await?;
            output.value(
                &json!({ "start": hit.start, "end": hit.end, "text": hit.text, "spans": hit.spans }),
                |_| format!("[{}, {})\n{}", hit.start, hit.end, hit.text),
            )?;
        }
        DocumentCommand::Sections { doc, without_outline } => {
            let sections = documents::sections(&opened, doc, *without_outline).await?;
            output.list(&sections, section_words, "no sections found")?;
        }
        DocumentCommand::Tables { doc } => {
            let tables = documents::tables(&opened, doc).await?;
            output.list(&tables, table_words, "no tables found")?;
        }
        DocumentCommand::Groups {
            doc,
            set,
            everybody,
            why,
        } => {
            let view = match why {
                None => groups::of_document(&opened, doc).await?,
                Some(_) if set.is_empty() && !everybody => {
                    return Err(Failure::input(
                        "--why says why of a change: name one with --set or --everybody",
                    ));
                }
                Some(why) => groups::set_of_document(&opened, doc, set, why, opened.store.reader()).await?,
            };
            output.value(&view, |view| match view.groups.as_slice() {
                [] => format!("{}: everybody who may read documents", view.doc_id),
                groups => format!("{}: {}", view.doc_id, groups.join(", ")),
            })?;
        }
        DocumentCommand::Render {
            doc,
            page,
            dpi,
            out,
            password_file,
            try_again,
        } => {
            let view = documents::pictured(&opened, doc).await?;
            if *try_again {
                quarantine::try_again(&opened, &view.doc_sha256, opened.store.reader()).await?;
            }
            if let Some(file) = password_file {
                opened.remember_password(&view.doc_sha256, &password_in(file)?);
            }
            let pixels = render::page(&opened, &view.doc_sha256, *page, *dpi / 72.0).await?;
            write_png(out, pixels.width, pixels.height, &pixels.bgrx)?;
            let answer = json!({ "width": pixels.width, "height": pixels.height });
            output.value(&answer, |_| {
                format!("{}: {} by {} pixels", out.display(), pixels.width, pixels.height)
            })?;
        }
    }
    Ok(Findings::None)
}

/// Writes a PNG file, whole or not at all.
fn write_png(path: &Path, width: u32, height: u32, bgrx: &[u8]) -> Result<(), Failure> {
    let failed = |cause: String| Failure::input(format!("{}: the picture can't be written: {cause}", path.display()));
    let mut coded = Vec::new();
    {
        let mut encoder = png::Encoder::new(&mut coded, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let rgb: Vec<u8> = bgrx
            .chunks_exact(4)
            .flat_map(|pixel| pixel.iter().take(3).rev().copied())
            .collect();
        let mut writer = encoder.write_header().map_err(|error| failed(error.to_string()))?;
        writer
            .write_image_data(&rgb)
            .map_err(|error| failed(error.to_string()))?;
    }
    whole_file::write(path, "the picture", |file| file.write_all(&coded))
}
