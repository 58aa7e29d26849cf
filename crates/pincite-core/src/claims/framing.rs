//! Telling sentences that claim from sentences that frame.
//!
//! A sentence claims unless a rule says that it frames, because a claim that is taken for framing is a hole that nobody sees, and
//! framing that is taken for a claim is one sentence too many marked as uncited. In this order:
//! 1. No letter and no digit: framing.
//! 2. What leads in and says nothing by itself is taken off the front: "Certainly:", "In short,", "Please note that", "Hello,". Nothing
//!    left: framing.
//! 3. It ends with a question mark: framing. It is asked, not said.
//! 4. It ends with a colon: framing. It announces, and what it announces is judged by itself.
//! 5. It speaks of the search or of the conversation ("I found ...", "Let me know ...", "Below you will find ..."): framing. What the
//!    documents say, or do not say, is a claim, also where somebody says that they found it: "I found that ...".
//! 6. It only points ("See the attached list.", "For details, see ..."): framing.
//! 7. No digit and no verb among its few words, as a heading has none: framing. Answers such as "Yes." and "No." claim.
//!
//! Deliberately not here: a model, and a learned weight. Every rule can be read, and its cost counted.

/// What a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A source has to carry it.
    Claim,
    /// It needs no source.
    Framing,
}

/// What may stand before the sentence proper. Folded to lower case; the longest that fits is taken off, again and again.
const LEADS: &str = "\
    hello|hi|hi there|good morning|good afternoon|dear colleague|hallo|guten tag|guten morgen|certainly|sure|\
    of course|absolutely|gladly|happy to help|thanks|thank you|thank you for your question|thanks for your question|\
    thanks for asking|thanks for reaching out|good question|great question|gern|gerne|natürlich|selbstverständlich|\
    vielen dank|vielen dank für ihre frage|danke|danke für ihre frage|in short|in summary|to summarise|to summarize|\
    to sum up|in brief|kurz gesagt|kurz|zusammengefasst|zusammenfassend|please note that|please note|note that|note|\
    please be aware that|keep in mind that|bitte beachten sie, dass|bitte beachten sie|hinweis|well|so|ok|okay|\
    first|second|third|finally|lastly|erstens|zweitens|drittens|zuletzt";

/// How a sentence about the search or the conversation begins. "that" or "dass" behind some of them makes a claim of it.
const ABOUT_THE_TALK: &str = "\
    here is|here are|here's|here you|here comes|below is|below are|below you|the following|following is|i found|i have found|i looked|\
    i checked|i searched|i reviewed|i read|i went through|i compared|i can|i cannot|i can't|i could|i couldn't|i am|\
    i'm|i'll|i will|i hope|i've|i have|i would|i'd|i was|i only|i also|i did|let me|let us|let's|please let me|\
    please feel|please tell|please ask|please contact me|feel free|hope this|hope that|if you need|if you want|\
    if you have|if you would|if you'd|if you like|if anything|happy to|glad to|just ask|just let|you can ask|\
    you can find|you will find|you'll find|based on|we looked|we searched|we checked|now to|now for|next,|\
    turning to|moving on|as for|that is all|that's all|that's it|that should|does this|did this|is there anything|\
    anything else|have a|best regards|kind regards|regards|you asked|your question|to answer your|with that|\
    first, some|ich habe|ich konnte|ich kann|ich hoffe|ich bin|ich werde|ich melde|ich helfe|ich suche|ich schaue|\
    hier ist|hier sind|hier finden|hier die|hier das|hier der|nachfolgend|im folgenden|anbei|unten finden|\
    melden sie sich|lassen sie mich|sagen sie mir|geben sie mir|fragen sie|bei fragen|bei rückfragen|falls sie|\
    wenn sie möchten|wenn sie noch|wenn sie wünschen|sollten sie|nun zu|jetzt zu|kommen wir|zu ihrer frage|\
    zu den ausnahmen|sie finden|mit freundlichen|viele grüße|das war|das wäre|thank|thanks|vielen dank|sorry|\
    apologies|my apologies|send me|tell me|please send|please contact|what i can|gerne helfe|leider kann ich|\
    entschuldigung|unfortunately, i|unfortunately i";

/// Sentences about the search that say what was, or was not, found: claims all the same.
const FOUND: &str = "\
    i found that|i have found that|i've found that|i found no|i found nothing|i could not find|i couldn't find|i can't find|i cannot find|\
    i can confirm|i would recommend|i recommend|i'd recommend|i see that|i can see that|based on|ich habe nichts|ich habe keine|ich konnte keine|ich konnte nichts|\
    i checked and";

/// Beginnings that lead to a claim as often: with a number in it, the sentence claims.
const MAY_CLAIM: &str = "if you|if you'd|falls sie|wenn sie|sollten sie|as for|here is|here's|the following|following is|have a|hier ist|hier sind";

/// How a sentence that only points begins.
const POINTS: &str = "\
    see |see also|refer to|please see|please refer|for details|for more|for further|for the full|for full|more on|\
    more details|details are|details can|the full text|the details|siehe|vgl.|für details|für weitere|\
    weitere informationen|näheres|mehr dazu|einzelheiten";

/// What a sentence holds that points at something handed over with it.
const POINTS_AT_THE_END: &str = ": see | is attached| are attached| is enclosed| are enclosed| finden sie | ist beigefügt| sind beigefügt| liegt bei";

/// Short answers that claim.
const ANSWERS: &str = "\
    yes|no|ja|nein|never|always|both|neither|correct|nie|immer|beides";

/// Words that make a short sentence a claim: verbs, and what stands for one.
const VERBS: &str = "\
    is|are|was|were|be|has|have|had|must|may|shall|should|can|cannot|will|would|needs|need|applies|apply|does|do|\
    not|only|requires|require|required|allowed|permitted|forbidden|prohibited|excluded|included|refused|reimbursed|\
    counts|covers|ends|begins|expires|keep|keeps|store|use|ist|sind|war|waren|hat|haben|muss|müssen|darf|dürfen|\
    soll|sollen|kann|können|wird|werden|gilt|gelten|braucht|nicht|nur|kein|keine|without|ohne|unlimited|none";

/// What a sentence is, by the rules above.
#[must_use]
pub fn kind(sentence: &str) -> Kind {
    let folded = sentence.to_lowercase().replace('\u{2019}', "'");
    let bare = proper(&folded);
    let end = bare.trim_end_matches(['"', '\'', ')', ']', '”', '“', '*', '_']);
    if !bare.chars().any(char::is_alphanumeric) || end.ends_with(['?', ':']) {
        return Kind::Framing;
    }
    let begins = |with: &str| with.split('|').any(|start| begins_with(bare, start));
    let points = begins(POINTS) || POINTS_AT_THE_END.split('|').any(|pointer| bare.contains(pointer));
    let says_a_number = begins(MAY_CLAIM) && bare.chars().any(char::is_numeric);
    if (begins(ABOUT_THE_TALK) && !begins(FOUND) && !says_a_number) || points {
        return Kind::Framing;
    }
    let words: Vec<&str> = bare
        .split(|character: char| !(character.is_alphanumeric() || character == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let claims_something = bare.chars().any(char::is_numeric)
        || words
            .first()
            .is_some_and(|first| ANSWERS.split('|').any(|answer| answer == *first))
        || words.iter().any(|word| VERBS.split('|').any(|verb| verb == *word))
        || words.len() > 4
        || end.ends_with('.') && words.len() > 2;
    if claims_something { Kind::Claim } else { Kind::Framing }
}

/// A sentence without what leads in.
fn proper(sentence: &str) -> &str {
    let mut rest = sentence.trim_start_matches(|character: char| !character.is_alphanumeric() && character != '(');
    rest = rest.trim_start_matches(['(', '[', '"', '*', '_']);
    loop {
        let lead = LEADS
            .split('|')
            .filter(|lead| begins_with(rest, lead))
            .max_by_key(|lead| lead.len());
        let Some(after) = lead.and_then(|lead| rest.get(lead.len()..)) else {
            return rest;
        };
        // "so" and "note" lead in before a mark, not before a word: "So far, no rule applies." is a sentence of its own.
        let joined = lead.is_some_and(|lead| lead.ends_with("that") || lead.ends_with("dass"));
        let trimmed = after.trim_start();
        if !(joined || trimmed.is_empty() || trimmed.starts_with([',', ':', '!', '.', '-', '–', '—', ';'])) {
            return rest;
        }
        rest = trimmed.trim_start_matches([',', ':', '!', '.', '-', '–', '—', ';', ' ']);
    }
}

/// Whether a text begins with these words, whole.
fn begins_with(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| {
        words.ends_with([' ', ',', '.'])
            || !rest
                .chars()
                .next()
                .is_some_and(|next| next.is_alphanumeric() || next == '\'')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_claims_and_what_frames() {
        for claim in [
            "Keep it 5 years.",
            "Certainly: receipts are due above 25 EUR.",
            "No.",
            "Yes, up to 85 CHF.",
            "Meals: 60 CHF a day",
            "I found that nothing applies.",
            "Please note that late claims are refused.",
            "You must keep the receipt.",
            "In short, the limit is higher.",
            "The documents do not say.",
            "Bitte beachten Sie, dass die Frist endet.",
            "If you have worked here for 5 years, notice is 2 months.",
            "As for meals, the limit is 60 CHF.",
            "Here is the limit: 85 CHF.",
            "Falls Sie länger als 3 Tage krank sind, ist ein Zeugnis nötig.",
        ] {
            assert_eq!(kind(claim), Kind::Claim, "{claim}");
        }
        for framing in [
            "Here is what I found:",
            "Let me know if you need the full policy.",
            "I found 3 relevant documents.",
            "Exceptions",
            "Does that help?",
            "Hello!",
            "See the attached list.",
            "Now to the exceptions.",
            "---",
            "Ich habe drei Dokumente gefunden.",
        ] {
            assert_eq!(kind(framing), Kind::Framing, "{framing}");
        }
    }
}
