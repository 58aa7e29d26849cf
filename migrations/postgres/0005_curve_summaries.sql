-- Curves as sums that are kept up to date with each decision; as in migrations/sqlite/0005_curve_summaries.sql.
--
-- A trigger here calls a function, and one function serves all triggers that find the place by the same column. None of
-- them says a schema: see 0001.

CREATE TABLE uncounted_places (
    field      TEXT COLLATE "C" NOT NULL,
    doc_id     TEXT COLLATE "C" NOT NULL,
    doc_sha256 TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (field, doc_id, doc_sha256)
);

CREATE TABLE place_counts (
    field      TEXT COLLATE "C" NOT NULL,
    doc_id     TEXT COLLATE "C" NOT NULL,
    doc_sha256 TEXT COLLATE "C" NOT NULL,
    decided_at BIGINT,
    wall_ms    BIGINT,
    countings  BYTEA NOT NULL,
    PRIMARY KEY (field, doc_id, doc_sha256)
);
CREATE INDEX place_counts_by_time ON place_counts (field, decided_at);

CREATE TABLE curve_cohorts (
    field          TEXT COLLATE "C" NOT NULL,
    model          TEXT COLLATE "C" NOT NULL,
    prompt_version TEXT COLLATE "C" NOT NULL,
    subject        TEXT COLLATE "C" NOT NULL CHECK (subject IN ('present', 'absent')),
    cohort         BIGINT NOT NULL,
    is_open        BOOLEAN NOT NULL,
    counts         BYTEA NOT NULL,
    PRIMARY KEY (field, model, prompt_version, subject, cohort)
);
CREATE INDEX curve_cohorts_open ON curve_cohorts (is_open, field);

CREATE TABLE curve_summaries (
    field          TEXT COLLATE "C" NOT NULL,
    model          TEXT COLLATE "C" NOT NULL,
    prompt_version TEXT COLLATE "C" NOT NULL,
    subject        TEXT COLLATE "C" NOT NULL CHECK (subject IN ('present', 'absent')),
    closed         BYTEA NOT NULL,
    PRIMARY KEY (field, model, prompt_version, subject)
);

CREATE INDEX items_by_field ON items (field);

-- The place that a row names itself.
CREATE FUNCTION pincite_count_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_places (field, doc_id, doc_sha256) VALUES (NEW.field, NEW.doc_id, NEW.doc_sha256)
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- The place of the record that a row names.
CREATE FUNCTION pincite_count_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT r.field, r.doc_id, r.doc_sha256 FROM records r WHERE r.record_id = NEW.record_id
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- The place of the item that a row names.
CREATE FUNCTION pincite_count_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM items i WHERE i.item_id = NEW.item_id
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- The place of the decision that a row names.
CREATE FUNCTION pincite_count_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM decisions d JOIN items i ON i.item_id = d.item_id
        WHERE d.decision_id = NEW.decision_id
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- The places of all decisions of the incident that a row names, a place with two of them once.
CREATE FUNCTION pincite_count_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM incident_decisions m JOIN decisions d ON d.decision_id = m.decision_id
        JOIN items i ON i.item_id = d.item_id WHERE m.incident_id = NEW.incident_id
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER records_are_counted AFTER INSERT ON records
    FOR EACH ROW EXECUTE FUNCTION pincite_count_place();
CREATE TRIGGER routings_are_counted AFTER INSERT ON routing_log
    FOR EACH ROW EXECUTE FUNCTION pincite_count_record();
CREATE TRIGGER items_are_counted AFTER INSERT ON items
    FOR EACH ROW EXECUTE FUNCTION pincite_count_place();
CREATE TRIGGER changed_items_are_counted AFTER UPDATE OF state, reason, record_id ON items
    FOR EACH ROW EXECUTE FUNCTION pincite_count_place();
CREATE TRIGGER decisions_are_counted AFTER INSERT ON decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_count_item();
CREATE TRIGGER incidents_are_counted AFTER INSERT ON incident_decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_count_decision();
CREATE TRIGGER resolutions_are_counted AFTER INSERT ON incident_resolutions
    FOR EACH ROW EXECUTE FUNCTION pincite_count_incident();
CREATE TRIGGER disputes_are_counted AFTER UPDATE OF state ON second_draws
    FOR EACH ROW EXECUTE FUNCTION pincite_count_item();

INSERT INTO uncounted_places (field, doc_id, doc_sha256) SELECT field, doc_id, doc_sha256 FROM records
    ON CONFLICT DO NOTHING;
