-- The registry: which bytes are which revision of a document, from when on, and what was known of it when.
--
-- Conventions as in 0001. Append-only. What is in force is a function of two dates and never stands here.

-- Revisions. `seq` orders those of one day; it grows with what is recorded. A draft may have no date yet.
CREATE TABLE revisions (
    doc_id         TEXT NOT NULL REFERENCES documents (doc_id),
    seq            BIGINT NOT NULL,
    revision       TEXT NOT NULL,
    doc_sha256     TEXT NOT NULL,
    structure_id   TEXT NOT NULL,
    -- Valid time: a day, yyyy-mm-dd.
    effective_date TEXT,
    -- The sections that are said to have changed, JSON; NULL where nothing is said.
    declared       BLOB,
    owner          TEXT NOT NULL,
    class          TEXT NOT NULL,
    why            BLOB NOT NULL,
    who            TEXT NOT NULL,
    -- Transaction time: from when on it was known. Of a history taken over from elsewhere, as it was known there;
    -- entered_at is when it came in here.
    recorded_at    BIGINT NOT NULL,
    entered_at     BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq)
);
CREATE INDEX revisions_by_bytes ON revisions (doc_sha256);

-- Approval, withdrawal, archiving, each with its own time.
CREATE TABLE revision_events (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id      TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    event       TEXT NOT NULL CHECK (event IN ('approved', 'withdrawn', 'archived')),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    entered_at  BIGINT NOT NULL,
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);
CREATE INDEX revision_events_by_revision ON revision_events (doc_id, seq, number);

-- The sections of a revision: JSON, in the document's order, each with its key, which survives renumbering, and hashes.
CREATE TABLE revision_sections (
    doc_id      TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    sections    BLOB NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq),
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);

-- Compliance events: sections of which one of two says that they changed, what was declared or what was computed.
CREATE TABLE revision_differences (
    doc_id      TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    -- The keys of the sections, JSON: declared and not found changed, found changed and not declared, and both with the
    -- sections that hold them.
    only_declared BLOB NOT NULL,
    only_computed BLOB NOT NULL,
    differing     BLOB NOT NULL,
    recorded_at   BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq),
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);

-- What somebody said of one.
CREATE TABLE difference_settlements (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id      TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    FOREIGN KEY (doc_id, seq) REFERENCES revision_differences (doc_id, seq)
);
CREATE INDEX difference_settlements_by_revision ON difference_settlements (doc_id, seq);

-- Which documents are one: each names the document that it is a copy of, itself where it is none. Said by its owner, and what is
-- said last counts.
CREATE TABLE canonical_identities (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id       TEXT NOT NULL REFERENCES documents (doc_id),
    canonical_id TEXT NOT NULL,
    why          BLOB NOT NULL,
    who          TEXT NOT NULL,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX canonical_identities_by_document ON canonical_identities (doc_id, number);

CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
    BEGIN SELECT RAISE(ABORT, 'a revision never changes'); END;
CREATE TRIGGER revisions_remain BEFORE DELETE ON revisions
    BEGIN SELECT RAISE(ABORT, 'a revision is never deleted'); END;
CREATE TRIGGER revision_events_stay BEFORE UPDATE ON revision_events
    BEGIN SELECT RAISE(ABORT, 'events of revisions are append-only'); END;
CREATE TRIGGER revision_events_remain BEFORE DELETE ON revision_events
    BEGIN SELECT RAISE(ABORT, 'events of revisions are append-only'); END;
CREATE TRIGGER revision_sections_stay BEFORE UPDATE ON revision_sections
    BEGIN SELECT RAISE(ABORT, 'the sections of a revision never change'); END;
CREATE TRIGGER revision_sections_remain BEFORE DELETE ON revision_sections
    BEGIN SELECT RAISE(ABORT, 'the sections of a revision never change'); END;
CREATE TRIGGER revision_differences_stay BEFORE UPDATE ON revision_differences
    BEGIN SELECT RAISE(ABORT, 'compliance events are append-only'); END;
CREATE TRIGGER revision_differences_remain BEFORE DELETE ON revision_differences
    BEGIN SELECT RAISE(ABORT, 'compliance events are append-only'); END;
CREATE TRIGGER difference_settlements_stay BEFORE UPDATE ON difference_settlements
    BEGIN SELECT RAISE(ABORT, 'compliance events are append-only'); END;
CREATE TRIGGER difference_settlements_remain BEFORE DELETE ON difference_settlements
    BEGIN SELECT RAISE(ABORT, 'compliance events are append-only'); END;
CREATE TRIGGER canonical_identities_stay BEFORE UPDATE ON canonical_identities
    BEGIN SELECT RAISE(ABORT, 'identities are append-only'); END;
CREATE TRIGGER canonical_identities_remain BEFORE DELETE ON canonical_identities
    BEGIN SELECT RAISE(ABORT, 'identities are append-only'); END;
