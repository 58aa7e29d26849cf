//! PDFs made by hand, object by object, so that a test knows exactly what stands in them.
//!
//! Deliberately not here: anything a test wants to see; it writes its content streams itself.

use std::fmt::Write as _;

/// A PDF under construction. Objects 1 and 2 are the catalog and the page tree.
#[derive(Default)]
pub(crate) struct Paper {
    /// From number 3 on.
    pub(crate) objects: Vec<Vec<u8>>,
    /// Numbers of the pages.
    pub(crate) pages: Vec<usize>,
    /// Further entries of the catalog.
    pub(crate) catalog: String,
    /// Further entries of the page tree: what pages inherit.
    pub(crate) tree: String,
}

/// Helvetica as every reader has it, under the name F1.
pub(crate) const HELVETICA: &str =
    "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";

impl Paper {
    /// Adds an object; answers its number.
    pub(crate) fn add(&mut self, object: impl Into<Vec<u8>>) -> usize {
        self.objects.push(object.into());
        self.objects.len() + 2
    }

    /// Adds a stream; answers its number.
    pub(crate) fn stream(&mut self, entries: &str, bytes: &[u8]) -> usize {
        let mut object = format!("<< /Length {} {entries} >>\nstream\n", bytes.len()).into_bytes();
        object.extend_from_slice(bytes);
        object.extend_from_slice(b"\nendstream");
        self.add(object)
    }

    /// Adds a page with this content and these entries; answers its number.
    pub(crate) fn page(&mut self, entries: &str, content: &str) -> usize {
        let content = self.stream("", content.as_bytes());
        let page = self.add(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R {entries} >>"
        ));
        self.pages.push(page);
        page
    }

    /// The number that the next object will have.
    pub(crate) fn next(&self) -> usize {
        self.objects.len() + 3
    }

    /// A simple font of our own: each code of `meanings` is a solid block 0.5 em wide and 0.7 em high that a ToUnicode
    /// map turns into these UTF-16 units (in hexadecimal; empty: the map leaves the code out).
    pub(crate) fn blocks(&mut self, meanings: &[&str]) -> usize {
        let block = self.stream("", b"600 0 0 0 500 700 d1 0 0 500 700 re f");
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n\
             1 begincodespacerange <00> <ff> endcodespacerange\n",
        );
        for (code, meaning) in (0x41..).zip(meanings) {
            if !meaning.is_empty() {
                let _ = writeln!(map, "1 beginbfchar <{code:02x}> <{meaning}> endbfchar");
            }
        }
        map.push_str("endcmap end end");
        let map = self.stream("", map.as_bytes());
        let names: String = (0..meanings.len()).map(|index| format!("/g{index} ")).collect();
        let procedures: String = (0..meanings.len())
            .map(|index| format!("/g{index} {block} 0 R "))
            .collect();
        let widths = "600 ".repeat(meanings.len());
        self.add(format!(
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 \
             /LastChar {} /Widths [{widths}] /Encoding << /Type /Encoding /Differences [65 {names}] >> \
             /CharProcs << {procedures} >> /ToUnicode {map} 0 R /Resources << >> >>",
            64 + meanings.len()
        ))
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let kids: String = self.pages.iter().map(|page| format!("{page} 0 R ")).collect();
        let mut file = b"%PDF-1.7\n".to_vec();
        let mut places = Vec::new();
        let first = [
            format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog).into_bytes(),
            format!(
                "<< /Type /Pages /Kids [{kids}] /Count {} {} >>",
                self.pages.len(),
                self.tree
            )
            .into_bytes(),
        ];
        for (number, object) in (1..).zip(first.iter().chain(&self.objects)) {
            places.push(file.len());
            file.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
            file.extend_from_slice(object);
            file.extend_from_slice(b"\nendobj\n");
        }
        let start = file.len();
        let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1);
        for place in &places {
            let _ = writeln!(end, "{place:010} 00000 n ");
        }
        let _ = write!(
            end,
            "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
            places.len() + 1
        );
        file.extend_from_slice(end.as_bytes());
        file
    }
}
