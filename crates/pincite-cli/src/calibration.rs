//! `calibrate`, `threshold`, `workload`.
//!
//! Deliberately not here: a number that was not computed by the core.

use crate::arguments::{Options, ThresholdCommand};
use crate::output::{Failure, Findings, Output};
use crate::users::signature_of;
use crate::workspace;
use pincite_app::AppError;
use pincite_app::calibrate as curves;
use pincite_app::thresholds::{self, NewThresholds};
use pincite_app::wire::{BinDifferenceView, CurveView, ThresholdView};

fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "     -".to_owned(), |value| format!("{:>5.1}%", value * 100.0))
}

fn curve_words(curve: &CurveView) -> String {
    let mut words = format!(
        "{}  {} {}  {}  {} labels ({:.1} effective, {} derived), {} pending, {:?}",
        curve.field,
        curve.model,
        curve.prompt_version,
        curve.of,
        curve.labels,
        curve.labels_effective,
        curve.derived,
        curve.pending,
        curve.state
    );
    let open = match &curve.open_since {
        Some(since) => format!(
            "{} open since {since}, {} labels wait there",
            curve.open_cohorts, curve.labels_waiting
        ),
        None => "none open".to_owned(),
    };
    let closed = match curve.closed_cohorts {
        0 => "no closed week yet: estimated over what is decided".to_owned(),
        closed => format!("{closed} closed weeks"),
    };
    words.push_str(&format!("\n  {closed}; {open}"));
    for bin in &curve.bins {
        let closed = if bin.to >= 1.0 { ']' } else { ')' };
        words.push_str(&format!(
            "\n  [{:.2}, {:.2}{closed}  n {:>4}  right {}  between {} and {}",
            bin.from,
            bin.to,
            bin.n,
            share(bin.right),
            share(bin.low),
            share(bin.high)
        ));
    }
    words
}

fn threshold_words(view: &ThresholdView) -> String {
    let tau = |tau: Option<f64>| tau.map_or_else(|| "none yet".to_owned(), |tau| format!("{tau:.2}"));
    let mut words = format!(
        "{}  {} {}  show {}  flag {}",
        view.field,
        view.model,
        view.prompt_version,
        tau(view.tau_show),
        tau(view.tau_flag)
    );
    if let Some(upper) = view.error_upper {
        words.push_str(&format!(
            "  error at most {:.1} % at level {}",
            upper * 100.0,
            view.level
        ));
    }
    if let Some(needed) = view.labels_needed {
        words.push_str(&format!("  about {needed} more labels"));
    }
    if view.stale {
        words.push_str("  stale: measured on another model or prompt version");
    }
    words
}

async fn known(opened: &pincite_app::Workspace, field: Option<&str>) -> Result<(), Failure> {
    match field {
        Some(field) => Ok(pincite_app::settings::known_field(opened, field).await?),
        None => Ok(()),
    }
}

pub(crate) async fn calibrate(options: &Options, output: &Output, field: Option<&str>) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    known(&opened, field).await?;
    let views = curves::curve_views(&opened, field).await?;
    output.list(&views, curve_words, "no curves yet: import records and decide items")?;
    for (state, count) in curves::summary(&views) {
        eprintln!("{count} {state}");
    }
    Ok(Findings::None)
}

/// `MODEL/PROMPT,MODEL/PROMPT`. A model's name may hold a slash, a prompt version none.
fn extractors(pair: &str) -> Option<[(&str, &str); 2]> {
    let (first, second) = pair.split_once(',')?;
    Some([first.trim().rsplit_once('/')?, second.trim().rsplit_once('/')?])
}

pub(crate) async fn compare(
    options: &Options,
    output: &Output,
    field: &str,
    pair: &str,
    of: &str,
) -> Result<Findings, Failure> {
    let [first, second] = extractors(pair).ok_or_else(|| {
        AppError::bad_input(format!(
            "--compare {pair:?} does not name two extractors; write MODEL/PROMPT,MODEL/PROMPT"
        ))
    })?;
    let opened = workspace::open(options).await?;
    known(&opened, Some(field)).await?;
    let first = curves::curve_key(field, first.0, first.1, of)?;
    let second = curves::curve_key(field, second.0, second.1, of)?;
    let views = pincite_app::comparison::comparison(&opened, &first, &second).await?;
    output.list(&views, difference_words, "no bins")?;
    Ok(Findings::None)
}

fn difference_words(view: &BinDifferenceView) -> String {
    let closed = if view.to >= 1.0 { ']' } else { ')' };
    let points = |value: f64| format!("{:+.1}", value * 100.0);
    let said = match (view.difference, view.low, view.high) {
        (Some(difference), Some(low), Some(high)) => format!(
            "{} points  between {} and {}",
            points(difference),
            points(low),
            points(high)
        ),
        _ => "not comparable: empty on one side".to_owned(),
    };
    format!("[{:.2}, {:.2}{closed}  {said}", view.from, view.to)
}

pub(crate) async fn threshold(
    options: &Options,
    output: &Output,
    command: &ThresholdCommand,
) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        ThresholdCommand::Show { field } => {
            known(&opened, field.as_deref()).await?;
            let views = thresholds::show(&opened, field.as_deref()).await?;
            output.list(
                &views,
                threshold_words,
                "no thresholds are set: every present value is reviewed",
            )?;
        }
        ThresholdCommand::Suggest {
            field,
            model,
            prompt_version,
        } => {
            output.value(
                &thresholds::suggested(&opened, field, model, prompt_version).await?,
                threshold_words,
            )?;
        }
        ThresholdCommand::Set {
            field,
            model,
            prompt_version,
            tau_show,
            tau_flag,
            why,
            signature,
        } => {
            let signature = signature_of(signature, opened.store.reader())?;
            let new = NewThresholds {
                field,
                model,
                prompt_version,
                tau_show: *tau_show,
                tau_flag: *tau_flag,
                why,
                signature: signature.as_ref(),
            };
            output.value(
                &thresholds::set(&opened, &new, opened.store.reader()).await?,
                threshold_words,
            )?;
        }
    }
    Ok(Findings::None)
}

pub(crate) async fn workload(options: &Options, output: &Output, field: Option<&str>) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    known(&opened, field).await?;
    let rows = curves::workload_views(&opened, field, None, None).await?;
    output.list(
        &rows,
        |row| {
            format!(
                "tau {:.3}  queued {:>5.1} %  {:>8.1} items a day  {:>6.1} h a day  {:>8.1} errors shown a day  {:>8} past due in 14 days",
                row.tau,
                row.share * 100.0,
                row.items_per_day,
                row.hours_per_day,
                row.errors_per_day,
                row.past_due_in_14_days.map_or_else(|| "-".to_owned(), |items| format!("{items:.0}"))
            )
        },
        "no records yet",
    )?;
    Ok(Findings::None)
}
