-- What reviewing blind keeps; as in migrations/sqlite/0004_second_review.sql.

CREATE TABLE blind_entries (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id      TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    reviewer     TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    item_version BIGINT NOT NULL,
    value        BYTEA,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (item_id, reviewer)
);

CREATE TABLE second_draws (
    decision_id     TEXT COLLATE "C" PRIMARY KEY REFERENCES decisions (decision_id),
    decision_number BIGINT NOT NULL,
    item_id         TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    share           DOUBLE PRECISION NOT NULL,
    draw            DOUBLE PRECISION NOT NULL,
    state           TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'agreed', 'differ', 'adjudicated', 'void')),
    recorded_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX second_draws_at_work ON second_draws (item_id) WHERE state IN ('waiting', 'differ');
CREATE INDEX second_draws_by_state ON second_draws (state);

CREATE TABLE second_reviews (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    second_id    TEXT COLLATE "C" NOT NULL UNIQUE,
    caller_key   TEXT COLLATE "C" NOT NULL UNIQUE,
    decision_id  TEXT COLLATE "C" NOT NULL REFERENCES second_draws (decision_id),
    item_id      TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    item_version BIGINT NOT NULL,
    reviewer     TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('accept', 'correct', 'reject', 'abstain', 'undo')),
    record_id    TEXT COLLATE "C" NOT NULL REFERENCES records (record_id),
    value        BYTEA,
    reason_code  TEXT COLLATE "C",
    note         BYTEA,
    replaces     TEXT COLLATE "C" REFERENCES second_reviews (second_id),
    token        BIGINT,
    wall_ms      BIGINT,
    active_ms    BIGINT,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX second_reviews_by_decision ON second_reviews (decision_id, number);
CREATE INDEX second_reviews_by_item ON second_reviews (item_id, number);
CREATE INDEX second_reviews_by_reviewer ON second_reviews (reviewer, number);

CREATE TABLE adjudications (
    decision_id TEXT COLLATE "C" PRIMARY KEY REFERENCES decisions (decision_id),
    first_id    TEXT COLLATE "C" NOT NULL REFERENCES second_draws (decision_id),
    second_id   TEXT COLLATE "C" NOT NULL REFERENCES second_reviews (second_id),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX adjudications_by_first ON adjudications (first_id);

CREATE TRIGGER blind_entries_stay BEFORE UPDATE ON blind_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was entered blind never changes');
CREATE TRIGGER blind_entries_remain BEFORE DELETE ON blind_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was entered blind is never deleted');
CREATE TRIGGER blind_entries_keep_all BEFORE TRUNCATE ON blind_entries
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what was entered blind is never deleted');
CREATE TRIGGER second_draws_stay BEFORE UPDATE OF decision_id, decision_number, item_id, share, draw, recorded_at
    ON second_draws
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a draw never changes');
CREATE TRIGGER second_draws_remain BEFORE DELETE ON second_draws
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a draw is never deleted');
CREATE TRIGGER second_draws_keep_all BEFORE TRUNCATE ON second_draws
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a draw is never deleted');
CREATE TRIGGER second_reviews_stay BEFORE UPDATE ON second_reviews
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a second review never changes');
CREATE TRIGGER second_reviews_remain BEFORE DELETE ON second_reviews
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a second review is never deleted');
CREATE TRIGGER second_reviews_keep_all BEFORE TRUNCATE ON second_reviews
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a second review is never deleted');
CREATE TRIGGER adjudications_stay BEFORE UPDATE ON adjudications
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an adjudication never changes');
CREATE TRIGGER adjudications_remain BEFORE DELETE ON adjudications
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an adjudication is never deleted');
CREATE TRIGGER adjudications_keep_all BEFORE TRUNCATE ON adjudications
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('an adjudication is never deleted');
