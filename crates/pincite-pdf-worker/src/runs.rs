//! Runs of code points that have something in common, collected while a page is read from its first to its last.
//!
//! Code points without a box (generated spaces and line breaks) are passed over: a run goes on behind them, so that a
//! paragraph in one style is one run. A list is bounded, because a page of a million styles is no page.
//!
//! Deliberately not here: what the runs are about (`style`, `tags`).

use pincite_core::text::Run;

/// The most runs a list holds. What comes after them is not recorded.
const MOST_RUNS: usize = 200_000;

/// A list of runs in the making.
pub(crate) struct Runs<T> {
    found: Vec<(Run, T)>,
    open: Option<(Run, T)>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            open: None,
        }
    }
}

impl<T: PartialEq> Runs<T> {
    /// The next code points in the page's order; `None` where they have nothing to say.
    pub(crate) fn push(&mut self, run: Run, value: Option<T>) {
        match (&mut self.open, value) {
            (Some((open, held)), Some(value)) if *held == value => open.end = run.end,
            (_, value) => {
                self.close();
                self.open = value.map(|value| (run, value));
            }
        }
    }

    /// Ends the open run: the next one begins anew, whatever it says.
    pub(crate) fn close(&mut self) {
        if let Some(done) = self.open.take()
            && self.found.len() < MOST_RUNS
        {
            self.found.push(done);
        }
    }

    /// All of them, in order.
    pub(crate) fn finish(mut self) -> Vec<(Run, T)> {
        self.close();
        self.found
    }
}

/// The runs alone.
pub(crate) fn bare(runs: Runs<()>) -> Vec<Run> {
    runs.finish().into_iter().map(|(run, ())| run).collect()
}
