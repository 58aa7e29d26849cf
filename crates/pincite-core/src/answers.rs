//! What reviewers say of an answer, and where that puts it: faithful or not, correct or not.
//!
//! Faithful: it says what its passages say. Correct: it says what holds on the dates of its question. Of the four cells the one
//! that is faithful and wrong is the one that no look at the passages finds, so it alone is sorted by cause.
//!
//! Several people may label one answer, and of each the last label counts. Where these differ, in the cell or in the cause, the
//! answer is in no cell: it is counted as disputed and listed, and nobody's label is preferred.
//!
//! Deliberately not here: who may label, and what the gate finds by itself (`registry::gate`).

use std::collections::BTreeMap;

/// Why an answer that says what its passages say is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The passage is of a revision, or a section, that was not in force.
    Superseded,
    /// The rule holds in general, and an exception in another section was missed.
    MissedException,
    /// A table was read in the wrong row, column or unit.
    MisreadTable,
    /// Anything else.
    Other,
}

impl Cause {
    /// Every cause, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Superseded, Self::MissedException, Self::MisreadTable, Self::Other];

    /// As it is kept and printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::MissedException => "missed_exception",
            Self::MisreadTable => "misread_table",
            Self::Other => "other",
        }
    }

    /// The cause of that label.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.label() == label)
    }
}

/// What somebody says of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// It says what its passages say, and that holds.
    FaithfulAndCorrect,
    /// It says what its passages say, and that does not hold.
    FaithfulButWrong(Cause),
    /// Its passages do not say it, and it holds all the same.
    UnfaithfulButCorrect,
    /// Its passages do not say it, and it does not hold.
    UnfaithfulAndWrong,
}

/// Why two words and a cause are no label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LabelFault {
    /// It is faithful and wrong, and nobody says why.
    #[error("an answer that is faithful and wrong has a cause: superseded, missed_exception, misread_table or other")]
    CauseMissing,
    /// It has a cause, and is not faithful and wrong.
    #[error("a cause says why a faithful answer is wrong: this one is not faithful and wrong, so leave the cause out")]
    CauseTooMany,
}

impl Label {
    /// The label of these words. A cause is for what is faithful and wrong, and for nothing else.
    ///
    /// # Errors
    /// [`LabelFault`].
    pub const fn new(faithful: bool, correct: bool, cause: Option<Cause>) -> Result<Self, LabelFault> {
        match (faithful, correct, cause) {
            (true, false, Some(cause)) => Ok(Self::FaithfulButWrong(cause)),
            (true, false, None) => Err(LabelFault::CauseMissing),
            (_, _, Some(_)) => Err(LabelFault::CauseTooMany),
            (true, true, None) => Ok(Self::FaithfulAndCorrect),
            (false, true, None) => Ok(Self::UnfaithfulButCorrect),
            (false, false, None) => Ok(Self::UnfaithfulAndWrong),
        }
    }

    /// Why it is wrong, where it is faithful.
    #[must_use]
    pub const fn cause(self) -> Option<Cause> {
        match self {
            Self::FaithfulButWrong(cause) => Some(cause),
            Self::FaithfulAndCorrect | Self::UnfaithfulButCorrect | Self::UnfaithfulAndWrong => None,
        }
    }
}

/// What is said of one answer by all who labelled it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Nobody said anything.
    Nothing,
    /// Everybody says this.
    Agreed(Label),
    /// They differ.
    Disputed,
}

/// What the last labels of all who labelled an answer come to.
#[must_use]
pub fn said(labels: &[Label]) -> Said {
    match labels {
        [] => Said::Nothing,
        [first, rest @ ..] if rest.iter().all(|label| label == first) => Said::Agreed(*first),
        _ => Said::Disputed,
    }
}

/// Answers in the 2 x 2, and those that are in no cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    /// Faithful and correct.
    pub faithful_correct: u64,
    /// Faithful and wrong, by cause; a cause of none is not in it.
    pub faithful_wrong: BTreeMap<Cause, u64>,
    /// Not faithful, and correct.
    pub unfaithful_correct: u64,
    /// Neither.
    pub unfaithful_wrong: u64,
    /// Nobody labelled them.
    pub unlabelled: u64,
    /// People's labels of them differ.
    pub disputed: u64,
}

impl Matrix {
    /// Counts one answer.
    pub fn add(&mut self, said: Said) {
        match said {
            Said::Nothing => self.unlabelled += 1,
            Said::Disputed => self.disputed += 1,
            Said::Agreed(Label::FaithfulAndCorrect) => self.faithful_correct += 1,
            Said::Agreed(Label::FaithfulButWrong(cause)) => *self.faithful_wrong.entry(cause).or_default() += 1,
            Said::Agreed(Label::UnfaithfulButCorrect) => self.unfaithful_correct += 1,
            Said::Agreed(Label::UnfaithfulAndWrong) => self.unfaithful_wrong += 1,
        }
    }

    /// How many are faithful and wrong, whatever the cause.
    #[must_use]
    pub fn wrong_though_faithful(&self) -> u64 {
        self.faithful_wrong.values().sum()
    }

    /// Of those that a look at the passages approves, the share that is wrong; `None` where it approves none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of answers stay far below 2^53")]
    pub fn share_wrong_of_faithful(&self) -> Option<f64> {
        let wrong = self.wrong_though_faithful();
        let faithful = wrong + self.faithful_correct;
        (faithful > 0).then(|| wrong as f64 / faithful as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_wanted_for_what_is_faithful_and_wrong_and_for_nothing_else() {
        let cause = Some(Cause::Other);
        assert_eq!(
            Label::new(true, false, cause),
            Ok(Label::FaithfulButWrong(Cause::Other))
        );
        assert_eq!(Label::new(true, false, None), Err(LabelFault::CauseMissing));
        for (faithful, correct) in [(true, true), (false, true), (false, false)] {
            assert_eq!(Label::new(faithful, correct, cause), Err(LabelFault::CauseTooMany));
            assert!(Label::new(faithful, correct, None).is_ok_and(|label| label.cause().is_none()));
        }
        for cause in Cause::ALL {
            assert_eq!(Cause::from_label(cause.label()), Some(cause));
        }
    }

    #[test]
    fn people_who_differ_put_an_answer_into_no_cell() {
        let (one, other) = (
            Label::FaithfulButWrong(Cause::Superseded),
            Label::FaithfulButWrong(Cause::Other),
        );
        assert_eq!(said(&[]), Said::Nothing);
        assert_eq!(said(&[one, one, one]), Said::Agreed(one));
        assert_eq!(said(&[one, one, other]), Said::Disputed);
        assert_eq!(said(&[one, Label::UnfaithfulAndWrong]), Said::Disputed);
    }

    /// An audited set of 500 answers: 440 are faithful, 38 of these wrong, by three causes.
    #[test]
    fn an_audited_set_has_its_known_share() {
        let mut matrix = Matrix::default();
        assert_eq!(matrix.share_wrong_of_faithful(), None);
        let mut add = |times: usize, said: Said| (0..times).for_each(|_| matrix.add(said));
        add(402, Said::Agreed(Label::FaithfulAndCorrect));
        for (times, cause) in [
            (26, Cause::Superseded),
            (7, Cause::MissedException),
            (5, Cause::MisreadTable),
        ] {
            add(times, Said::Agreed(Label::FaithfulButWrong(cause)));
        }
        add(12, Said::Agreed(Label::UnfaithfulButCorrect));
        add(48, Said::Agreed(Label::UnfaithfulAndWrong));
        add(3, Said::Nothing);
        add(2, Said::Disputed);
        assert_eq!(matrix.wrong_though_faithful(), 38);
        assert_eq!((matrix.unlabelled, matrix.disputed), (3, 2));
        let share = matrix.share_wrong_of_faithful().unwrap_or(f64::NAN);
        assert!((share - 38.0 / 440.0).abs() < 1e-12, "{share}");
    }
}
