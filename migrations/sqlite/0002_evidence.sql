-- What the evidence engine keeps beside text and boxes.
--
-- Conventions as in 0001.

-- A version may have several layers: its text as our extractor reads it, the values in its form fields, the words of its
-- annotations, and other extractors' readings of the same bytes. Only a text becomes the default by itself.
ALTER TABLE extractions ADD COLUMN kind TEXT NOT NULL DEFAULT 'text'
    CHECK (kind IN ('text', 'form', 'annotations', 'foreign'));

-- How the code points of an extraction are drawn and tagged, what stands between them: JSON, an entry a page. Apart from
-- the extraction, because most readings of one need none of it.
CREATE TABLE extraction_details (
    doc_sha256  TEXT NOT NULL,
    extractor   TEXT NOT NULL,
    details     BLOB NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, extractor),
    FOREIGN KEY (doc_sha256, extractor) REFERENCES extractions (doc_sha256, extractor)
);

-- Bytes on which a worker died, and a person's word to try again. Bytes with two deaths since the last such word are in
-- quarantine: nothing opens them by itself. They need not be kept here: most such files are never taken in.
CREATE TABLE quarantine_log (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_sha256  TEXT NOT NULL,
    event       TEXT NOT NULL CHECK (event IN ('death', 'try_again')),
    reason      BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX quarantine_log_by_bytes ON quarantine_log (doc_sha256, number);

CREATE TRIGGER extraction_details_stay BEFORE UPDATE ON extraction_details
    BEGIN SELECT RAISE(ABORT, 'an extraction never changes'); END;
CREATE TRIGGER quarantine_log_stays BEFORE UPDATE ON quarantine_log
    BEGIN SELECT RAISE(ABORT, 'the quarantine log is append-only'); END;
CREATE TRIGGER quarantine_log_remains BEFORE DELETE ON quarantine_log
    BEGIN SELECT RAISE(ABORT, 'the quarantine log is append-only'); END;
