//! `layer`.
//!
//! Deliberately not here: carrying citations from one layer to another.

use crate::arguments::{LayerCommand, Options};
use crate::output::{Failure, Findings, Output};
use crate::workspace;
use pincite_app::layers;
use pincite_app::wire::{IngestOutcome, LayerView};

fn words(layer: &LayerView) -> String {
    let hash = layer.layer_sha256.get(..12).unwrap_or(&layer.layer_sha256);
    format!(
        "{hash}  {:<11}  {:>9} characters  {}{}",
        layer.kind,
        layer.chars,
        layer.extractor,
        if layer.default { "  (default)" } else { "" }
    )
}

pub(crate) async fn layer(options: &Options, output: &Output, command: &LayerCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        LayerCommand::Add { doc, text, name } => {
            let added = layers::add(&opened, doc, text, name).await?;
            output.value(&added, |added| {
                let verb = if added.outcome == IngestOutcome::Known {
                    "known"
                } else {
                    "added"
                };
                let remark = added.reason.as_deref().map(|reason| format!("\n  {reason}"));
                format!("{verb}  {}{}", words(&added.layer), remark.unwrap_or_default())
            })?;
        }
        LayerCommand::List { doc } => output.list(&layers::list(&opened, doc).await?, words, "no layers")?,
        LayerCommand::Default { doc, layer: None } => output.value(&layers::default(&opened, doc).await?, words)?,
        LayerCommand::Default {
            doc,
            layer: Some(layer),
        } => output.value(&layers::set_default(&opened, doc, layer).await?, words)?,
    }
    Ok(Findings::None)
}
