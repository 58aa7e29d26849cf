//! Progress on standard error: a bar on a terminal, plain lines elsewhere. Ctrl-C cancels; what was reported stays.
//!
//! Deliberately not here: the answer.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pincite_app::Progress;
use pincite_app::wire::ImportCounts;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A bar, or nothing but findings.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    cancelled: AtomicBool,
}

impl Bar {
    /// A bar over bytes that hears Ctrl-C.
    pub(crate) fn new() -> Arc<Self> {
        Self::over("{bytes}/{total_bytes}")
    }

    /// One over documents.
    pub(crate) fn of_documents() -> Arc<Self> {
        Self::over("{pos} of {len} documents")
    }

    fn over(what: &str) -> Arc<Self> {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{bar:30}} {{percent:>3}} %  {what}  {{eta}} left  {{msg}}"))
        {
            bar.set_style(style);
        }
        let progress = Arc::new(Self {
            bar,
            cancelled: AtomicBool::new(false),
        });
        let heard = Arc::clone(&progress);
        tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                heard.cancelled.store(true, Ordering::Relaxed);
            }
        });
        progress
    }

    /// Takes the bar away before the answer is printed.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn at(&self, file: &str, done: u64, total: u64, _counts: &ImportCounts) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(file.to_owned());
    }

    fn finding(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
