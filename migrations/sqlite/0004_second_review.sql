-- What reviewing blind keeps: values entered before the candidate was seen, second reviews, adjudications.
--
-- Conventions as in 0001.

-- A value that a reviewer entered before the item's candidate was shown to them. Once it was shown no other entry of
-- theirs would be blind, so there is one at most.
CREATE TABLE blind_entries (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id      TEXT NOT NULL REFERENCES items (item_id),
    reviewer     TEXT NOT NULL REFERENCES reviewers (name),
    item_version BIGINT NOT NULL,
    -- the value as JSON; NULL: the document does not state one
    value        BLOB,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (item_id, reviewer)
);

-- Decisions that were drawn for a second review. The draw belongs to the decision: one that is taken back takes it along,
-- and the decision after it is drawn anew, by the same number. Only its state changes, as that of an item does.
CREATE TABLE second_draws (
    decision_id     TEXT PRIMARY KEY REFERENCES decisions (decision_id),
    decision_number BIGINT NOT NULL,
    item_id         TEXT NOT NULL REFERENCES items (item_id),
    share           DOUBLE PRECISION NOT NULL,
    draw            DOUBLE PRECISION NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('waiting', 'agreed', 'differ', 'adjudicated', 'void')),
    recorded_at     BIGINT NOT NULL
);
-- One at most of an item is still somebody's work.
CREATE UNIQUE INDEX second_draws_at_work ON second_draws (item_id) WHERE state IN ('waiting', 'differ');
CREATE INDEX second_draws_by_state ON second_draws (state);

-- What second reviewers decided. Never the decision that an item rests on. The last row of a draw holds.
CREATE TABLE second_reviews (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    second_id    TEXT NOT NULL UNIQUE,
    caller_key   TEXT NOT NULL UNIQUE,
    -- the first decision, for which it was drawn
    decision_id  TEXT NOT NULL REFERENCES second_draws (decision_id),
    item_id      TEXT NOT NULL REFERENCES items (item_id),
    item_version BIGINT NOT NULL,
    reviewer     TEXT NOT NULL REFERENCES reviewers (name),
    kind         TEXT NOT NULL CHECK (kind IN ('accept', 'correct', 'reject', 'abstain', 'undo')),
    record_id    TEXT NOT NULL REFERENCES records (record_id),
    value        BLOB,
    reason_code  TEXT,
    note         BLOB,
    replaces     TEXT REFERENCES second_reviews (second_id),
    token        BIGINT,
    wall_ms      BIGINT,
    active_ms    BIGINT,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX second_reviews_by_decision ON second_reviews (decision_id, number);
CREATE INDEX second_reviews_by_item ON second_reviews (item_id, number);
CREATE INDEX second_reviews_by_reviewer ON second_reviews (reviewer, number);

-- Decisions by which a third person settled what the first decision and its second review left open.
CREATE TABLE adjudications (
    decision_id TEXT PRIMARY KEY REFERENCES decisions (decision_id),
    first_id    TEXT NOT NULL REFERENCES second_draws (decision_id),
    second_id   TEXT NOT NULL REFERENCES second_reviews (second_id),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX adjudications_by_first ON adjudications (first_id);

CREATE TRIGGER blind_entries_stay BEFORE UPDATE ON blind_entries BEGIN SELECT RAISE(ABORT, 'what was entered blind never changes'); END;
CREATE TRIGGER blind_entries_remain BEFORE DELETE ON blind_entries BEGIN SELECT RAISE(ABORT, 'what was entered blind is never deleted'); END;
CREATE TRIGGER second_draws_stay BEFORE UPDATE OF decision_id, decision_number, item_id, share, draw, recorded_at ON second_draws
    BEGIN SELECT RAISE(ABORT, 'a draw never changes'); END;
CREATE TRIGGER second_draws_remain BEFORE DELETE ON second_draws BEGIN SELECT RAISE(ABORT, 'a draw is never deleted'); END;
CREATE TRIGGER second_reviews_stay BEFORE UPDATE ON second_reviews BEGIN SELECT RAISE(ABORT, 'a second review never changes'); END;
CREATE TRIGGER second_reviews_remain BEFORE DELETE ON second_reviews BEGIN SELECT RAISE(ABORT, 'a second review is never deleted'); END;
CREATE TRIGGER adjudications_stay BEFORE UPDATE ON adjudications BEGIN SELECT RAISE(ABORT, 'an adjudication never changes'); END;
CREATE TRIGGER adjudications_remain BEFORE DELETE ON adjudications BEGIN SELECT RAISE(ABORT, 'an adjudication is never deleted'); END;
