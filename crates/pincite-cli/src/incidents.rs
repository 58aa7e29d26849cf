//! `incident`.
//!
//! Deliberately not here: what makes a run of accepts an incident.

use crate::arguments::{IncidentCommand, Options, ResolveArguments};
use crate::output::{Failure, Findings, Output};
use crate::users::signature_of;
use crate::workspace;
use pincite_app::incidents as kept;
use pincite_app::wire::{
    CurveEffect, FieldTimes, IncidentDetail, IncidentResolved, IncidentState, IncidentView, LabelCount,
};

fn state_words(state: IncidentState) -> &'static str {
    match state {
        IncidentState::Open => "open",
        IncidentState::Kept => "kept",
        IncidentState::Voided => "voided",
    }
}

fn incident_words(incident: &IncidentView) -> String {
    let mut words = format!(
        "{}  {:<6}  {}  {} accepts under the floor in {} decisions  found {}",
        incident.incident,
        state_words(incident.state),
        incident.reviewer,
        incident.accepts,
        incident.decisions.len(),
        incident.opened_at
    );
    if let (Some(who), Some(why)) = (&incident.resolved_by, &incident.why) {
        words.push_str(&format!("  by {who}: {why}"));
    }
    for decision in &incident.decisions {
        let time = match (decision.active_milliseconds, decision.floor_milliseconds) {
            (Some(active), Some(floor)) => format!("{active} ms, floor {floor} ms"),
            (Some(active), None) => format!("{active} ms"),
            (None, _) => "not timed".to_owned(),
        };
        words.push_str(&format!(
            "\n  {}  {}  {:<8} {:<36} {time}",
            decision.decision, decision.recorded_at, decision.kind, decision.field
        ));
    }
    words
}

fn effect_words(title: &str, effects: &[CurveEffect]) -> String {
    let count = |count: &LabelCount| match count.right {
        Some(right) => format!("{} labels, {:.1} % right", count.n, right * 100.0),
        None => format!("{} labels", count.n),
    };
    if effects.is_empty() {
        return format!("\n  {title}: no curve is touched");
    }
    effects
        .iter()
        .map(|effect| {
            format!(
                "\n  {title}: {} {} {} {}: {} before, {} after",
                effect.field,
                effect.model,
                effect.prompt_version,
                effect.of,
                count(&effect.before),
                count(&effect.after)
            )
        })
        .collect()
}

fn times_words(times: &FieldTimes) -> String {
    let rests_on = if times.frozen {
        format!("baseline of {} times", times.times.len())
    } else {
        format!("no baseline yet, {} of {} times", times.times.len(), times.wanted)
    };
    let spread = times.spread.map_or_else(String::new, |spread| {
        format!(
            ": {} to {} ms, half between {} and {}, median {}",
            spread.least, spread.greatest, spread.lower_quartile, spread.upper_quartile, spread.median
        )
    });
    format!(
        "\n  {}: floor {} ms, {rests_on}{spread}",
        times.field, times.floor_milliseconds
    )
}

fn detail_words(detail: &IncidentDetail) -> String {
    incident_words(&detail.incident)
        + &detail.field_times.iter().map(times_words).collect::<String>()
        + &effect_words("if kept", &detail.if_kept)
        + &effect_words("if voided", &detail.if_voided)
}

fn resolved_words(resolved: &IncidentResolved) -> String {
    incident_words(&resolved.incident) + &effect_words(state_words(resolved.incident.state), &resolved.effect)
}

pub(crate) async fn incident(
    options: &Options,
    output: &Output,
    command: &IncidentCommand,
) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        IncidentCommand::List(list) => {
            let incidents = kept::list(&opened, list.limit(), list.after.as_deref()).await?;
            output.list(&incidents, incident_words, "no incidents")?;
        }
        IncidentCommand::Show { incident } => output.value(&kept::show(&opened, incident).await?, detail_words)?,
        IncidentCommand::Keep(arguments) => resolve(&opened, output, arguments, true).await?,
        IncidentCommand::Void(arguments) => resolve(&opened, output, arguments, false).await?,
    }
    Ok(Findings::None)
}

async fn resolve(
    opened: &pincite_app::Workspace,
    output: &Output,
    arguments: &ResolveArguments,
    counts: bool,
) -> Result<(), Failure> {
    let who = opened.store.reader();
    let signature = signature_of(&arguments.signature, who)?;
    let resolved = kept::resolve(
        opened,
        &arguments.incident,
        counts,
        &arguments.why,
        who,
        signature.as_ref(),
    )
    .await?;
    output.value(&resolved, resolved_words)
}
