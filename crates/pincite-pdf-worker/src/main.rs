//! The only program that loads PDFium: one process, one thread, one document.
//!
//! It is told where PDFium is and how much it may use, finds the document on a descriptor, answers framed requests on
//! its standard streams and ends when they end. It uses no system fonts: boxes and pictures must not differ between
//! machines. When PDFium runs out of memory or time the process dies, and that is an ordinary error to the client.
//!
//! Deliberately not here: files, paths of documents, the network, and any decision about what a text means.

mod fields;
mod limits;
mod objects;
mod outline;
mod page;
mod pdfium;
mod picture;
mod runs;
mod style;
mod tags;

use pincite_pdf::frame;
use pincite_pdf::protocol::{PROTOCOL, Request, Response};
use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("pincite-pdf-worker: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Reads `--name value` pairs; there is nothing else to say to this program.
fn argument(name: &str) -> Result<String, String> {
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == name {
            return arguments.next().ok_or_else(|| format!("{name} wants a value"));
        }
    }
    Err(format!(
        "{name} is missing: this program is started by Pincite, not by hand"
    ))
}

fn number(name: &str) -> Result<u64, String> {
    argument(name)?
        .parse()
        .map_err(|_| format!("{name} wants a whole number"))
}

fn run() -> Result<(), String> {
    let processor_seconds = number("--processor-seconds")?;
    limits::set_memory(number("--memory")?)?;
    let pdfium = pdfium::Library::load(&argument("--library")?)?;
    let mut requests = BufReader::new(stdin().lock());
    let mut answers = stdout().lock();
    let mut document = None;
    loop {
        let request = match frame::read::<Request>(&mut requests) {
            Ok((request, _)) => request,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(format!("a request can't be read: {error}")),
        };
        limits::allow_processor_seconds(processor_seconds)?;
        let (response, block) = answer(&pdfium, &mut document, request);
        frame::write(&mut answers, &response, &block)
            .map_err(|error| format!("an answer can't be written: {error}"))?;
    }
}

fn answer<'a>(
    library: &'a pdfium::Library,
    open: &mut Option<pdfium::Document<'a>>,
    request: Request,
) -> (Response, Vec<u8>) {
    let response = match request {
        Request::Hello { .. } => Response::Hello { protocol: PROTOCOL },
        Request::Open { password } => match pdfium::Document::open(library, password.as_deref()) {
            Ok(document) => {
                let opened = Response::Opened {
                    pages: document.pages(),
                    title: document.title(),
                };
                *open = Some(document);
                opened
            }
            Err(refusal) => Response::Refused(refusal),
        },
        other => match open.as_ref() {
            None => Response::Failed("no document is open".into()),
            Some(document) => match other {
                Request::Outline => Response::Outline(outline::read(document)),
                Request::Page { index } => match page::read(document, index) {
                    Ok((text, block)) => return (Response::Page(Box::new(text)), block),
                    Err(reason) => Response::Failed(reason),
                },
                Request::Render { index, scale } => match picture::render(document, index, scale) {
                    Ok((width, height, pixels)) => return (Response::Pixels { width, height }, pixels),
                    Err(reason) => Response::Failed(reason),
                },
                Request::Hello { .. } | Request::Open { .. } => Response::Failed("said twice".into()),
            },
        },
    };
    (response, Vec::new())
}
