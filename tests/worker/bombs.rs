//! Small documents that would eat a machine: each costs a worker at most, and the next document opens.
//!
//! Deliberately not here: documents that were damaged by chance (mutants).

use crate::documents::{Look, file_of, look, pdf, peak_of, stream};
use flate2::{Compress, Compression, FlushCompress, write::ZlibEncoder};
use pincite_pdf::Limits;
use pincite_tests::World;
use std::io::Write as _;
use std::time::{Duration, Instant};

const MEMORY: u64 = 1 << 30;

const fn limits() -> Limits {
    Limits {
        memory: MEMORY,
        processor_seconds: 1,
        document_seconds: 20,
        patience: Duration::from_secs(120),
    }
}

/// So many MiB of spaces, packed: one packed MiB that refers to nothing before it, again and again.
fn packed_spaces(mebibytes: u32) -> Vec<u8> {
    let mut packed = Vec::with_capacity(1 << 16);
    Compress::new(Compression::best(), false)
        .compress_vec(&vec![b' '; 1 << 20], &mut packed, FlushCompress::Full)
        .expect("it packs");
    let mut whole = vec![0x78, 0xda];
    for _ in 0..mebibytes {
        whole.extend_from_slice(&packed);
    }
    // An empty last block; then Adler-32 (RFC 1950), whose second half is a sum of sums.
    whole.extend_from_slice(&[1, 0, 0, 0xff, 0xff]);
    let length = u128::from(mebibytes) << 20;
    let sum = (1 + length * 32) % 65_521;
    let sums = (length + 32 * length * (length + 1) / 2) % 65_521;
    whole.extend_from_slice(&u32::try_from(sums << 16 | sum).expect("32 bits").to_be_bytes());
    whole
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut coder = ZlibEncoder::new(Vec::new(), Compression::best());
    coder.write_all(bytes).expect("it packs");
    coder.finish().expect("it packs")
}

/// Forms that each draw the next ten times, so many levels deep.
fn nested_forms(levels: usize) -> Vec<u8> {
    let calls = "/X Do ".repeat(10);
    let entries: Vec<String> = (0..levels)
        .map(|level| {
            let next = 6 + (level + 1).min(levels - 1) - 1;
            format!("/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /XObject << /X {next} 0 R >> >>")
        })
        .collect();
    let last = b"0 0 1 1 re f".to_vec();
    let forms: Vec<(&str, &[u8])> = (0..levels)
        .map(|level| {
            let content = if level + 1 == levels {
                last.as_slice()
            } else {
                calls.as_bytes()
            };
            (entries[level].as_str(), content)
        })
        .collect();
    pdf("", calls.as_bytes(), "/XObject << /X 5 0 R >>", &forms)
}

/// A page of one line, with these entries in the page's and the catalogue's dictionary, and further objects from number 5.
fn odd(page: &str, catalogue: &str, further: Vec<Vec<u8>>) -> Vec<u8> {
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalogue} >>").into_bytes(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R {page} >>").into_bytes(),
        stream("", b"0 0 100 100 re f"),
    ];
    objects.extend(further);
    file_of(&objects)
}

fn tried(name: &str, bytes: &[u8]) -> Look {
    let began = Instant::now();
    let look = look(bytes, limits(), 1, 2.0);
    let took = began.elapsed();
    // The next document, after a death or not.
    let began = Instant::now();
    let next = crate::documents::look(&pdf("", b"", "", &[]), limits(), 1, 0.1);
    eprintln!(
        "{name}: {} bytes, {took:.1?}, {} MiB, {}; the next in {:.0?}",
        bytes.len(),
        look.peak >> 10,
        look.died
            .as_deref()
            .or(look.failed.first().map(String::as_str))
            .unwrap_or("read"),
        began.elapsed()
    );
    assert!(next.opened && next.died.is_none() && next.failed.is_empty(), "{next:?}");
    assert!(look.peak <= MEMORY >> 10, "{name}: {} KiB", look.peak);
    let own = peak_of(std::process::id());
    assert!(own <= MEMORY >> 10, "{name}: this process held {own} KiB");
    let reason = look.died.as_deref().unwrap_or_default();
    assert!(
        !reason.contains("forbids") && !reason.contains("no answer in time"),
        "{name}: {reason}"
    );
    look
}

#[test]
fn what_never_ends_uses_up_its_time() {
    let tile = (
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.0001 /YStep 0.0001 /Resources << >>",
        &b"0 0 1 1 re f"[..],
    );
    let paint = b"/Pattern cs /P1 scn 0 0 20000000 20000000 re f";
    let tiles = tried("endless tiling", &pdf("", paint, "/Pattern << /P1 5 0 R >>", &[tile]));
    let forms = tried("nested forms", &nested_forms(24));
    for (name, look) in [("tiling", tiles), ("forms", forms)] {
        let reason = look.died.unwrap_or_default();
        assert!(reason.contains("processor time"), "{name}: {reason}");
    }
}

#[test]
fn what_grows_without_end_stays_within_the_memory() {
    let once = packed_spaces(1024);
    let twice = packed(&once);
    assert!(twice.len() < 10_000, "{} bytes", twice.len());
    let bomb = tried(
        "double Flate of 1 GiB",
        &pdf("/Filter [/FlateDecode /FlateDecode]", &twice, "", &[]),
    );
    assert!(bomb.opened, "{bomb:?}");
    // The proof that this is the bomb it says it is: with little memory the same bytes end the worker or are given up early.
    tried("Flate of 1 GiB", &pdf("/Filter /FlateDecode", &once, "", &[]));
    let picture = (
        "/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/FlateDecode /FlateDecode]",
        twice.as_slice(),
    );
    tried(
        "huge picture",
        &pdf("", b"200 0 0 200 0 0 cm /I Do", "/XObject << /I 5 0 R >>", &[picture]),
    );
}

#[test]
fn huge_pages_are_not_drawn_at_any_size() {
    for size in [
        "1000000000 1000000000",
        "16000 16000",
        "1e38 1e38",
        "0.0000001 1e9",
        "-5 -5",
    ] {
        let look = tried(
            &format!("page of {size}"),
            &odd(&format!("/MediaBox [0 0 {size}]"), "", Vec::new()),
        );
        assert!(look.opened && look.died.is_none(), "{look:?}");
    }
}

#[test]
fn a_million_pages_that_are_only_promised_are_refused() {
    let world = World::empty();
    let promise = file_of(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 1000000 >>".to_vec(),
    ]);
    let path = world.file("promise.pdf", promise);
    let answers = world.lines(1, ["ingest", &path]);
    let reason = answers[0]["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("promise.pdf") && reason.contains("1000000 pages"),
        "{reason}"
    );
}

#[test]
fn what_is_nested_or_refers_to_itself_comes_to_an_end() {
    let depth = 1_000_000;
    let arrays = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let dictionaries = format!("{}{}", "<</A ".repeat(depth), ">>".repeat(depth));
    tried(
        "arrays in the page",
        &odd(&format!("/MediaBox [0 0 200 200] /Annots {arrays}"), "", Vec::new()),
    );
    tried(
        "dictionaries in the page",
        &odd(&format!("/MediaBox [0 0 200 200] /A {dictionaries}"), "", Vec::new()),
    );
    tried("arrays in the content", &pdf("", arrays.as_bytes(), "", &[]));
    tried(
        "dictionaries in the content",
        &pdf("", dictionaries.as_bytes(), "", &[]),
    );
    tried("saved states", &pdf("", "q ".repeat(3_000_000).as_bytes(), "", &[]));

    let size = "/MediaBox [0 0 200 200]";
    let outline = |objects: &[&str]| {
        let further = objects.iter().map(|object| object.as_bytes().to_vec()).collect();
        odd(size, "/Outlines 5 0 R", further)
    };
    tried(
        "an outline whose entry follows itself",
        &outline(&[
            "<< /First 6 0 R /Last 6 0 R >>",
            "<< /Title (a) /Parent 5 0 R /Next 6 0 R >>",
        ]),
    );
    tried(
        "an outline within itself",
        &outline(&[
            "<< /First 6 0 R /Last 6 0 R >>",
            "<< /Title (a) /Parent 5 0 R /First 5 0 R /Next 7 0 R >>",
            "<< /Title (b) /Parent 5 0 R /First 6 0 R /Next 6 0 R >>",
        ]),
    );
    let deep: Vec<String> = std::iter::once("<< /First 6 0 R >>".to_owned())
        .chain((6..20_006).map(|number| format!("<< /Title (a) /First {} 0 R >>", number + 1)))
        .collect();
    tried(
        "a deep outline",
        &outline(&deep.iter().map(String::as_str).collect::<Vec<_>>()),
    );

    tried(
        "pages within themselves",
        &file_of(&[
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 1000000 >>".to_vec(),
        ]),
    );
    tried(
        "a length that is its own",
        &file_of(&[
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>".to_vec(),
            b"<< /Length 4 0 R >>\nstream\n0 0 1 1 re f\nendstream".to_vec(),
        ]),
    );
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Group << /S /Transparency >> /Resources << /ExtGState << /G 6 0 R >> /XObject << /X 5 0 R >> >>";
    let mask = odd(
        &format!("{size} /Resources << /ExtGState << /G 6 0 R >> /XObject << /X 5 0 R >> >>"),
        "",
        vec![
            stream(form, b"/G gs /X Do 0 0 1 1 re f"),
            b"<< /Type /ExtGState /SMask << /S /Luminosity /G 5 0 R >> >>".to_vec(),
        ],
    );
    let mask = String::from_utf8_lossy(&mask).replace("0 0 100 100 re f", "/G gs /X Do 1 re");
    tried("a mask that masks itself", mask.as_bytes());
    let glyph = "/Resources << /Font << /F 6 0 R >> >>";
    let font = b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 5 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [9] /Resources << /Font << /F 6 0 R >> >> >>";
    let drawn = odd(
        &format!("{size} /Resources << /Font << /F 6 0 R >> >>"),
        "",
        vec![stream(glyph, b"BT /F 9 Tf (aa) Tj ET"), font.to_vec()],
    );
    let drawn = String::from_utf8_lossy(&drawn).replace("0 0 100 100 re f", "BT/F 9Tf(a)Tj ET");
    tried("a glyph drawn with itself", drawn.as_bytes());
}
