//! The only program that loads PDFium: one process, one thread, one document.
//!
//! It is told where PDFium is and how much it may use, finds the document on a descriptor, answers framed requests on
//! its standard streams and ends when they end. It uses no system fonts: boxes and pictures must not differ between
//! machines. Once PDFium is loaded, and before a byte of the document is read, the process shuts itself in (`sandbox`).
//! When PDFium runs out of memory or time the process dies, and that is an ordinary error to the client.
//!
//! Deliberately not here: files, paths of documents, the network, and any decision about what a text means.

mod fields;
mod limits;
mod objects;
mod outline;
mod page;
mod pdfium;
mod picture;
#[cfg(target_os = "linux")]
mod probe;
mod rulings;
mod runs;
mod sandbox;
mod style;
mod tags;

use pincite_pdf::frame;
use pincite_pdf::protocol::{PROTOCOL, Request, Response, Sandbox};
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
    let document_seconds = number("--document-seconds")?;
    sandbox::close_strays();
    limits::set_memory(number("--memory")?)?;
    limits::keep_memory();
    let library = argument("--library")?;
    let pdfium = pdfium::Library::load(&library)?;
    #[cfg(target_os = "linux")]
    if let Ok(attempt) = argument("--probe") {
        eprintln!("{}", probe::run(&attempt, &argument("--probe-when")?, &library)?);
        return Ok(());
    }
    let sandbox = sandbox::enter()?;
    let mut requests = BufReader::new(stdin().lock());
    let mut answers = stdout().lock();
    let mut document = None;
    loop {
        let request = match frame::read::<Request>(&mut requests) {
            Ok((request, _)) => request,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(format!("a request can't be read: {error}")),
        };
        limits::allow_processor_seconds(processor_seconds, document_seconds)?;
        let (response, block) = answer(&pdfium, sandbox, &mut document, request);
        frame::write(&mut answers, &response, &block)
            .map_err(|error| format!("an answer can't be written: {error}"))?;
    }
}

fn answer<'a>(
    library: &'a pdfium::Library,
    sandbox: Sandbox,
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
                    sandbox,
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
