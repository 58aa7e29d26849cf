//! Page pictures over a protocol of the window's own, never base64 in JSON.
//!
//! `pincite-page://localhost/TOKEN/SHA256/PAGE?scale=S` answers a BMP file: a header in front of the worker's raw pixels,
//! so nothing is coded or compressed on the way. Every webview can reach every custom protocol, so the window's label and
//! the session's token are checked. The handler runs on the interface's thread and hands the work on at once.
//!
//! Deliberately not here: pictures on disk.

use crate::desktop::Desktop;
use crate::window::MAIN;
use pincite_app::access::Deed;
use pincite_app::wire::ErrorCode;
use pincite_app::{AppError, render};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tauri::http::{Request, Response, StatusCode};
use tauri::{Manager as _, Runtime, UriSchemeContext, UriSchemeResponder};

/// The protocol's scheme.
pub(crate) const SCHEME: &str = "pincite-page";

/// Pictures drawn lately, so that going back is at once. At most this many bytes.
const KEPT_BYTES: usize = 96 << 20;

/// The pictures drawn lately, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pictures(Mutex<VecDeque<(String, Arc<Vec<u8>>)>>);

impl Pictures {
    fn find(&self, key: &str) -> Option<Arc<Vec<u8>>> {
        self.0
            .lock()
            .ok()?
            .iter()
            .find(|(held, _)| held == key)
            .map(|(_, picture)| Arc::clone(picture))
    }

    fn keep(&self, key: String, picture: Arc<Vec<u8>>) {
        if let Ok(mut kept) = self.0.lock() {
            kept.push_back((key, picture));
            while kept.len() > 1 && kept.iter().map(|(_, picture)| picture.len()).sum::<usize>() > KEPT_BYTES {
                kept.pop_front();
            }
        }
    }
}

struct Wanted {
    doc_sha256: String,
    page: u32,
    scale: f32,
}

/// Reads `/TOKEN/SHA256/PAGE` and `scale=S`; `None` where the token is not this session's or a part can't be read.
fn wanted(path: &str, query: &str, token: &str) -> Option<Wanted> {
    let mut parts = path.trim_start_matches('/').split('/');
    if parts.next()? != token {
        return None;
    }
    let doc_sha256 = parts
        .next()
        .filter(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let page = parts.next()?.parse().ok()?;
    let scale = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("scale="))?
        .parse()
        .ok()?;
    Some(Wanted {
        doc_sha256: doc_sha256.to_owned(),
        page,
        scale,
    })
}

/// Answers a request for a picture, off the interface's thread.
pub(crate) fn answer<R: Runtime>(
    context: UriSchemeContext<'_, R>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let desktop = context.app_handle().state::<Desktop>().inner().clone();
    let uri = request.uri();
    let wanted = (context.webview_label() == MAIN)
        .then(|| wanted(uri.path(), uri.query().unwrap_or_default(), &desktop.page_token))
        .flatten();
    let key = uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    tauri::async_runtime::spawn(async move {
        let Some(wanted) = wanted else {
            responder.respond(refusal(StatusCode::FORBIDDEN, "not a picture of this session"));
            return;
        };
        let picture = picture(&desktop, &wanted, key).await;
        responder.respond(match picture {
            Ok(picture) => picture_response(picture.as_ref().clone()),
            Err(error) if error.code == ErrorCode::PasswordNeeded => refusal(StatusCode::UNAUTHORIZED, &error.message),
            Err(error) => refusal(StatusCode::NOT_FOUND, &error.message),
        });
    });
}

/// The picture, drawn now or before: only ever for whoever may see the document now.
async fn picture(desktop: &Desktop, wanted: &Wanted, key: String) -> Result<Arc<Vec<u8>>, AppError> {
    let workspace = desktop.may(Deed::ReadDocuments).await?;
    render::is_open(&workspace, &wanted.doc_sha256).await?;
    if let Some(picture) = desktop.pictures.find(&key) {
        return Ok(picture);
    }
    let pixels = render::page(&workspace, &wanted.doc_sha256, wanted.page, wanted.scale).await?;
    let picture = Arc::new(bmp(pixels.width, pixels.height, &pixels.bgrx));
    desktop.pictures.keep(key, Arc::clone(&picture));
    Ok(picture)
}

/// A BMP file: BITMAPFILEHEADER, BITMAPINFOHEADER with a negative height (rows from the top), 32 bits a pixel.
fn bmp(width: u32, height: u32, bgrx: &[u8]) -> Vec<u8> {
    const HEADERS: u32 = 14 + 40;
    let size = HEADERS + u32::try_from(bgrx.len()).unwrap_or(u32::MAX - HEADERS);
    let mut file = Vec::with_capacity(size as usize);
    file.extend_from_slice(b"BM");
    file.extend_from_slice(&size.to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&HEADERS.to_le_bytes());
    file.extend_from_slice(&40_u32.to_le_bytes());
    file.extend_from_slice(&width.to_le_bytes());
    file.extend_from_slice(&height.wrapping_neg().to_le_bytes());
    file.extend_from_slice(&1_u16.to_le_bytes());
    file.extend_from_slice(&32_u16.to_le_bytes());
    file.extend_from_slice(&[0; 24]);
    file.extend_from_slice(bgrx);
    file
}

fn picture_response(picture: Vec<u8>) -> Response<Vec<u8>> {
    Response::builder()
        .header("Content-Type", "image/bmp")
        // Drawn from bytes named by their hash: it never changes. The cache is the webview's own, in memory.
        .header("Cache-Control", "private, max-age=86400, immutable")
        .body(picture)
        .unwrap_or_default()
}

fn refusal(status: StatusCode, reason: &str) -> Response<Vec<u8>> {
    Response::builder()
        .status(status)
        .header("Content-Type", "text/plain; charset=utf-8")
        .body(reason.as_bytes().to_vec())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_sessions_requests_are_read() {
        let hash = "ab".repeat(32);
        let good = wanted(&format!("/token/{hash}/3"), "scale=1.5", "token");
        assert_eq!(
            good.map(|wanted| (wanted.page, wanted.scale.to_bits())),
            Some((3, 1.5_f32.to_bits()))
        );
        for (path, query) in [
            (format!("/other/{hash}/3"), "scale=1.5"),
            (format!("/token/{hash}/x"), "scale=1.5"),
            ("/token/../../3".to_owned(), "scale=1.5"),
            (format!("/token/{hash}/3"), ""),
        ] {
            assert!(wanted(&path, query, "token").is_none(), "{path}?{query}");
        }
    }

    #[test]
    fn a_picture_is_a_whole_bmp_file() {
        let file = bmp(2, 1, &[1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(file.len(), 54 + 8);
        assert_eq!(file.get(22..26), Some((-1_i32).to_le_bytes().as_slice()));
    }
}
