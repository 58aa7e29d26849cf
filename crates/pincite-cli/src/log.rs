//! Diagnostics on standard error, off unless asked for with `PINCITE_LOG`. Never document text.
//!
//! Deliberately not here: the answer (`output`).

/// Starts logging where `PINCITE_LOG` asks for it, such as `PINCITE_LOG=debug`.
pub(crate) fn start() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("PINCITE_LOG") {
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .init();
    }
}
