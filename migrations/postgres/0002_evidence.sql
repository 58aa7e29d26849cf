-- What the evidence engine keeps beside text and boxes; as in migrations/sqlite/0002_evidence.sql.

ALTER TABLE extractions ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'text'
    CHECK (kind IN ('text', 'form', 'annotations', 'foreign'));

CREATE TABLE extraction_details (
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    extractor   TEXT COLLATE "C" NOT NULL,
    details     BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, extractor),
    FOREIGN KEY (doc_sha256, extractor) REFERENCES extractions (doc_sha256, extractor)
);

CREATE TABLE quarantine_log (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    event       TEXT COLLATE "C" NOT NULL CHECK (event IN ('death', 'try_again')),
    reason      BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX quarantine_log_by_bytes ON quarantine_log (doc_sha256, number);

CREATE TRIGGER extraction_details_stay BEFORE UPDATE ON extraction_details
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an extraction never changes');
CREATE TRIGGER quarantine_log_stays BEFORE UPDATE ON quarantine_log
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the quarantine log is append-only');
CREATE TRIGGER quarantine_log_remains BEFORE DELETE ON quarantine_log
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the quarantine log is append-only');
CREATE TRIGGER quarantine_log_keep_all BEFORE TRUNCATE ON quarantine_log
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('the quarantine log is append-only');
