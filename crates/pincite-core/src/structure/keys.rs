//! Section keys: a name in plain letters that two revisions share where number and title agree.
//!
//! Deliberately not here: carrying a key across renumbering (the registry's work).

use super::locator::Locator;
use super::reading::fold_word;
use std::collections::BTreeMap;

/// Number and title in plain letters, one a document.
pub(super) fn key(locator: &Locator, title: Option<&str>, known: &mut BTreeMap<String, usize>) -> String {
    let mut words = locator.to_string();
    if let Some(title) = title {
        words.push(' ');
        words.push_str(title);
    }
    let mut slug = String::new();
    for character in fold_word(words.chars()).chars() {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() > 96 {
            break;
        }
    }
    let slug = if slug.is_empty() {
        "section".to_owned()
    } else {
        slug.trim_end_matches('-').to_owned()
    };
    let count = known.entry(slug.clone()).or_default();
    *count += 1;
    let count = *count;
    if count == 1 { slug } else { unique(known, &slug, count) }
}

fn unique(known: &mut BTreeMap<String, usize>, slug: &str, mut count: usize) -> String {
    loop {
        let key = format!("{slug}-{count}");
        if !known.contains_key(&key) {
            known.insert(key.clone(), 1);
            return key;
        }
        count += 1;
    }
}
