//! How far reviewers agree, field by field: nominal alpha over what was entered before the candidate was seen, and the plain
//! share of second reviews that said the same.
//!
//! Two numbers on purpose. A second reviewer who was shown the candidate agrees with it as easily as the first did, so that
//! share flatters; only values entered blind are independent readings, and alpha is over those alone.
//!
//! Deliberately not here: the formula (`pincite-core::agreement`), and anything about one person: agreement is the field's.

use crate::documents::count;
use crate::enter_first::read_back;
use crate::error::AppError;
use crate::settings;
use crate::wire::AgreementView;
use crate::workspace::Workspace;
use pincite_core::agreement::{Agreement, LEAST_PAIRS, nominal_alpha};
use pincite_core::queue::{Stated, says_the_same};
use pincite_core::record::Catalogue;
use pincite_store::{blind_entries, second_reviews};
use std::collections::BTreeMap;

/// What there is of a field.
#[derive(Debug, Default)]
struct Gathered {
    /// What was entered blind, by item.
    entries: BTreeMap<String, Vec<Stated>>,
    /// How many draws are in each state.
    draws: BTreeMap<String, i64>,
}

/// Agreement in every field in which something was entered blind twice or reviewed twice, or in one.
///
/// # Errors
/// A field that neither the catalogue nor a record knows; the store.
pub async fn agreement(workspace: &Workspace, field: Option<&str>) -> Result<Vec<AgreementView>, AppError> {
    if let Some(field) = field {
        settings::known_field(workspace, field).await?;
    }
    let mut reading = workspace.store.read().await?;
    let catalogue = settings::catalogue_in(&mut reading).await?;
    let mut fields: BTreeMap<String, Gathered> = BTreeMap::new();
    for (name, item_id, value) in blind_entries::of_field(&mut reading, field).await? {
        let stated = read_back(value.as_deref())?.map_or(Stated::NotStated, Stated::Value);
        let field = fields.entry(name).or_default();
        field.entries.entry(item_id).or_default().push(stated);
    }
    for (name, state, number) in second_reviews::draws_by_state(&mut reading, field).await? {
        *fields.entry(name).or_default().draws.entry(state).or_default() += number;
    }
    Ok(fields
        .into_iter()
        .map(|(field, gathered)| view(field, gathered, &catalogue))
        .filter(|view| view.pairs + view.second_reviews + view.waiting > 0)
        .collect())
}

fn view(field: String, gathered: Gathered, catalogue: &Catalogue) -> AgreementView {
    let definition = catalogue.get(&field);
    let units: Vec<Vec<Stated>> = gathered.entries.into_values().collect();
    let blind: Agreement = nominal_alpha(&units, |one, other| says_the_same(definition, one, other));
    let of = |state: &str| count(gathered.draws.get(state).copied().unwrap_or(0));
    let (agreed, differ, adjudicated) = (of("agreed"), of("differ"), of("adjudicated"));
    let second_reviews = agreed + differ + adjudicated;
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    AgreementView {
        title: definition.map_or_else(|| field.clone(), |definition| definition.title.clone()),
        field,
        alpha: blind.stated(),
        pairs: small(blind.pairs),
        pairs_same: small(blind.same),
        pairs_short: small(LEAST_PAIRS.saturating_sub(blind.pairs)),
        second_reviews,
        agreed,
        share_agreed: (second_reviews > 0).then(|| f64::from(agreed) / f64::from(second_reviews)),
        adjudicated,
        to_adjudicate: differ,
        waiting: of("waiting"),
    }
}
