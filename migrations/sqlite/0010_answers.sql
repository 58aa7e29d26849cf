-- Answers that people were given, what reviewers say of them, and what an index outside says that it holds.
--
-- Conventions as in 0001. Append-only. What an answer's citations are worth follows from the registry and two dates, and never
-- stands here.

-- Answers. Their dates are those of the question, frozen when it was asked.
CREATE TABLE answers (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    answer_id   TEXT NOT NULL UNIQUE,
    -- The hash of its meaning: the same answer again is known, another one under its id refused.
    body_sha256 TEXT NOT NULL,
    question    BLOB NOT NULL,
    asked_at    BIGINT NOT NULL,
    -- Valid time: a day, yyyy-mm-dd.
    valid_at    TEXT NOT NULL,
    -- As known when; NULL where the question set no bound.
    known_at    BIGINT,
    -- What answered: JSON.
    index_build BLOB,
    class       TEXT NOT NULL,
    -- Whether it reached a reader.
    delivered   BOOLEAN NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX answers_by_day ON answers (asked_at, number);

-- What an answer claims, from 1.
CREATE TABLE answer_claims (
    answer_id TEXT NOT NULL REFERENCES answers (answer_id),
    claim     BIGINT NOT NULL,
    text      BLOB NOT NULL,
    PRIMARY KEY (answer_id, claim)
);

-- What each claim cites, from 1; the document need not be here. The citation is kept as it was given: JSON.
CREATE TABLE answer_citations (
    answer_id  TEXT NOT NULL,
    claim      BIGINT NOT NULL,
    ordinal    BIGINT NOT NULL,
    doc_id     TEXT NOT NULL,
    doc_sha256 TEXT NOT NULL,
    citation   BLOB NOT NULL,
    PRIMARY KEY (answer_id, claim, ordinal),
    FOREIGN KEY (answer_id, claim) REFERENCES answer_claims (answer_id, claim)
);
CREATE INDEX answer_citations_by_document ON answer_citations (doc_id, answer_id);
CREATE INDEX answer_citations_by_bytes ON answer_citations (doc_sha256, answer_id);

-- What somebody says of an answer; of each person the last row counts.
CREATE TABLE answer_labels (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    answer_id   TEXT NOT NULL REFERENCES answers (answer_id),
    faithful    BOOLEAN NOT NULL,
    correct     BOOLEAN NOT NULL,
    cause       TEXT CHECK (cause IN ('superseded', 'missed_exception', 'misread_table', 'other')),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX answer_labels_by_answer ON answer_labels (answer_id, who, number);

-- An index outside says what it holds: a report of one of its builds.
CREATE TABLE index_reports (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    report_id   TEXT NOT NULL UNIQUE,
    build       TEXT NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX index_reports_by_build ON index_reports (build, number);

-- That a build took in these bytes of a document, when, and whom it lets read them.
CREATE TABLE index_entries (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    report_id   TEXT NOT NULL REFERENCES index_reports (report_id),
    build       TEXT NOT NULL,
    doc_id      TEXT NOT NULL,
    doc_sha256  TEXT NOT NULL,
    -- The one revision that is meant; NULL for every revision of these bytes.
    seq         BIGINT,
    -- Groups, a JSON list; NULL where nothing is said.
    group_names BLOB,
    indexed_at  BIGINT NOT NULL
);
CREATE INDEX index_entries_by_bytes ON index_entries (build, doc_id, doc_sha256, indexed_at);

-- As a record, an answer can be deleted and not altered: it holds what documents say, and that may have to be erased one day.
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers
    BEGIN SELECT RAISE(ABORT, 'an answer never changes'); END;
CREATE TRIGGER answer_claims_stay BEFORE UPDATE ON answer_claims
    BEGIN SELECT RAISE(ABORT, 'an answer never changes'); END;
CREATE TRIGGER answer_citations_stay BEFORE UPDATE ON answer_citations
    BEGIN SELECT RAISE(ABORT, 'an answer never changes'); END;
CREATE TRIGGER answer_labels_stay BEFORE UPDATE ON answer_labels
    BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
CREATE TRIGGER answer_labels_remain BEFORE DELETE ON answer_labels
    BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
CREATE TRIGGER index_reports_stay BEFORE UPDATE ON index_reports
    BEGIN SELECT RAISE(ABORT, 'what an index reported is append-only'); END;
CREATE TRIGGER index_reports_remain BEFORE DELETE ON index_reports
    BEGIN SELECT RAISE(ABORT, 'what an index reported is append-only'); END;
CREATE TRIGGER index_entries_stay BEFORE UPDATE ON index_entries
    BEGIN SELECT RAISE(ABORT, 'what an index reported is append-only'); END;
CREATE TRIGGER index_entries_remain BEFORE DELETE ON index_entries
    BEGIN SELECT RAISE(ABORT, 'what an index reported is append-only'); END;
