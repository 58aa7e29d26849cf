-- Curves as sums that are kept up to date with each decision, so that a desk opens at once over a million of them.
--
-- Conventions as in 0001. Nothing here is a source: all of it can be counted anew from records, routing log, items, decisions
-- and incidents.

-- Places (a field of a version) whose part in the sums may no longer be what is kept. The triggers below write it, so that no
-- writer can forget; whoever counts a place takes it out in the same transaction.
CREATE TABLE uncounted_places (
    field      TEXT NOT NULL,
    doc_id     TEXT NOT NULL,
    doc_sha256 TEXT NOT NULL,
    PRIMARY KEY (field, doc_id, doc_sha256)
) WITHOUT ROWID;

-- What each place adds to the sums: taken away again when it changes.
CREATE TABLE place_counts (
    field      TEXT NOT NULL,
    doc_id     TEXT NOT NULL,
    doc_sha256 TEXT NOT NULL,
    -- of the decision that it rests on
    decided_at BIGINT,
    wall_ms    BIGINT,
    countings  BLOB NOT NULL,
    PRIMARY KEY (field, doc_id, doc_sha256)
) WITHOUT ROWID;
CREATE INDEX place_counts_by_time ON place_counts (field, decided_at);

-- A curve's candidates by the week in which they were first routed.
CREATE TABLE curve_cohorts (
    field          TEXT NOT NULL,
    model          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    subject        TEXT NOT NULL CHECK (subject IN ('present', 'absent')),
    -- weeks since Monday, 29 December 1969, UTC
    cohort         BIGINT NOT NULL,
    -- whether something in it waits for a decision
    is_open        BOOLEAN NOT NULL,
    counts         BLOB NOT NULL,
    PRIMARY KEY (field, model, prompt_version, subject, cohort)
);
CREATE INDEX curve_cohorts_open ON curve_cohorts (is_open, field);

-- A curve's weeks in which nothing waits, together.
CREATE TABLE curve_summaries (
    field          TEXT NOT NULL,
    model          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    subject        TEXT NOT NULL CHECK (subject IN ('present', 'absent')),
    closed         BLOB NOT NULL,
    PRIMARY KEY (field, model, prompt_version, subject)
);

CREATE INDEX items_by_field ON items (field);

CREATE TRIGGER records_are_counted AFTER INSERT ON records BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256) VALUES (NEW.field, NEW.doc_id, NEW.doc_sha256);
END;
CREATE TRIGGER routings_are_counted AFTER INSERT ON routing_log BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT r.field, r.doc_id, r.doc_sha256 FROM records r WHERE r.record_id = NEW.record_id;
END;
CREATE TRIGGER items_are_counted AFTER INSERT ON items BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256) VALUES (NEW.field, NEW.doc_id, NEW.doc_sha256);
END;
CREATE TRIGGER changed_items_are_counted AFTER UPDATE OF state, reason, record_id ON items BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256) VALUES (NEW.field, NEW.doc_id, NEW.doc_sha256);
END;
CREATE TRIGGER decisions_are_counted AFTER INSERT ON decisions BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM items i WHERE i.item_id = NEW.item_id;
END;
CREATE TRIGGER incidents_are_counted AFTER INSERT ON incident_decisions BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM decisions d JOIN items i ON i.item_id = d.item_id
        WHERE d.decision_id = NEW.decision_id;
END;
CREATE TRIGGER resolutions_are_counted AFTER INSERT ON incident_resolutions BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM incident_decisions m JOIN decisions d ON d.decision_id = m.decision_id
        JOIN items i ON i.item_id = d.item_id WHERE m.incident_id = NEW.incident_id;
END;
-- Two who differ about a decision make its label unknown, until a third settles it (docs/decisions/0016).
CREATE TRIGGER disputes_are_counted AFTER UPDATE OF state ON second_draws BEGIN
    INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM items i WHERE i.item_id = NEW.item_id;
END;

-- Whatever was here before is counted when somebody looks first.
INSERT OR IGNORE INTO uncounted_places (field, doc_id, doc_sha256) SELECT field, doc_id, doc_sha256 FROM records;
