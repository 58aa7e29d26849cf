-- The registry: which bytes are which revision of a document, from when on, and what was known of it when.
--
-- Conventions as in 0001. Append-only. What is in force is a function of two dates and never stands here.

-- Revisions. `seq` orders those of one day; it grows with what is recorded. A draft may have no date yet.
CREATE TABLE revisions (
    doc_id         TEXT COLLATE "C" NOT NULL REFERENCES documents (doc_id),
    seq            BIGINT NOT NULL,
    revision       TEXT COLLATE "C" NOT NULL,
    doc_sha256     TEXT COLLATE "C" NOT NULL,
    structure_id   TEXT COLLATE "C" NOT NULL,
    -- Valid time: a day, yyyy-mm-dd.
    effective_date TEXT COLLATE "C",
    -- The sections that are said to have changed, JSON; NULL where nothing is said.
    declared       BYTEA,
    owner          TEXT COLLATE "C" NOT NULL,
    class          TEXT COLLATE "C" NOT NULL,
    why            BYTEA NOT NULL,
    who            TEXT COLLATE "C" NOT NULL,
    -- Transaction time: from when on it was known. Of a history taken over from elsewhere, as it was known there;
    -- entered_at is when it came in here.
    recorded_at    BIGINT NOT NULL,
    entered_at     BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq)
);
CREATE INDEX revisions_by_bytes ON revisions (doc_sha256);

-- Approval, withdrawal, archiving, each with its own time.
CREATE TABLE revision_events (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_id      TEXT COLLATE "C" NOT NULL,
    seq         BIGINT NOT NULL,
    event       TEXT COLLATE "C" NOT NULL CHECK (event IN ('approved', 'withdrawn', 'archived')),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL,
    entered_at  BIGINT NOT NULL,
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);
CREATE INDEX revision_events_by_revision ON revision_events (doc_id, seq, number);

-- The sections of a revision: JSON, in the document's order, each with its key, which survives renumbering, and hashes.
CREATE TABLE revision_sections (
    doc_id      TEXT COLLATE "C" NOT NULL,
    seq         BIGINT NOT NULL,
    sections    BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq),
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);

-- Compliance events: sections of which one of two says that they changed, what was declared or what was computed.
CREATE TABLE revision_differences (
    doc_id      TEXT COLLATE "C" NOT NULL,
    seq         BIGINT NOT NULL,
    -- The keys of the sections, JSON: declared and not found changed, found changed and not declared, and both with the
    -- sections that hold them.
    only_declared BYTEA NOT NULL,
    only_computed BYTEA NOT NULL,
    differing     BYTEA NOT NULL,
    recorded_at   BIGINT NOT NULL,
    PRIMARY KEY (doc_id, seq),
    FOREIGN KEY (doc_id, seq) REFERENCES revisions (doc_id, seq)
);

-- What somebody said of one.
CREATE TABLE difference_settlements (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_id      TEXT COLLATE "C" NOT NULL,
    seq         BIGINT NOT NULL,
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL,
    FOREIGN KEY (doc_id, seq) REFERENCES revision_differences (doc_id, seq)
);
CREATE INDEX difference_settlements_by_revision ON difference_settlements (doc_id, seq);

-- Which documents are one: each names the document that it is a copy of, itself where it is none. Said by its owner, and what is
-- said last counts.
CREATE TABLE canonical_identities (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_id       TEXT COLLATE "C" NOT NULL REFERENCES documents (doc_id),
    canonical_id TEXT COLLATE "C" NOT NULL,
    why          BYTEA NOT NULL,
    who          TEXT COLLATE "C" NOT NULL,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX canonical_identities_by_document ON canonical_identities (doc_id, number);

CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a revision never changes');
CREATE TRIGGER revisions_remain BEFORE DELETE ON revisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a revision is never deleted');
CREATE TRIGGER revisions_keep_all BEFORE TRUNCATE ON revisions
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a revision is never deleted');
CREATE TRIGGER revision_events_stay BEFORE UPDATE ON revision_events
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('events of revisions are append-only');
CREATE TRIGGER revision_events_remain BEFORE DELETE ON revision_events
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('events of revisions are append-only');
CREATE TRIGGER revision_events_keep_all BEFORE TRUNCATE ON revision_events
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('events of revisions are append-only');
CREATE TRIGGER revision_sections_stay BEFORE UPDATE ON revision_sections
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the sections of a revision never change');
CREATE TRIGGER revision_sections_remain BEFORE DELETE ON revision_sections
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the sections of a revision never change');
CREATE TRIGGER revision_sections_keep_all BEFORE TRUNCATE ON revision_sections
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('the sections of a revision never change');
CREATE TRIGGER revision_differences_stay BEFORE UPDATE ON revision_differences
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER revision_differences_remain BEFORE DELETE ON revision_differences
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER revision_differences_keep_all BEFORE TRUNCATE ON revision_differences
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER difference_settlements_stay BEFORE UPDATE ON difference_settlements
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER difference_settlements_remain BEFORE DELETE ON difference_settlements
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER difference_settlements_keep_all BEFORE TRUNCATE ON difference_settlements
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('compliance events are append-only');
CREATE TRIGGER canonical_identities_stay BEFORE UPDATE ON canonical_identities
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('identities are append-only');
CREATE TRIGGER canonical_identities_remain BEFORE DELETE ON canonical_identities
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('identities are append-only');
CREATE TRIGGER canonical_identities_keep_all BEFORE TRUNCATE ON canonical_identities
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('identities are append-only');

-- Who may read and write what, as in 0007.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY['revisions', 'revision_events', 'revision_sections', 'revision_differences',
        'difference_settlements', 'canonical_identities'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_open_documents ON %I USING ((SELECT pincite_sees_all()) '
            'OR ((SELECT pincite_reader()) IS NOT NULL AND doc_id NOT IN (SELECT pincite_closed_documents())))', name);
        EXECUTE format('CREATE POLICY for_document_control ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_holds(''document_control'')))', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['revisions', 'revision_events', 'difference_settlements', 'canonical_identities'] LOOP
        EXECUTE format('CREATE POLICY in_ones_own_name ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR who = (SELECT pincite_reader()))', name);
    END LOOP;
END
$$;

-- Whoever works through a role of the database goes on doing so: with the new tables, too.
DO $$
DECLARE
    member RECORD;
BEGIN
    FOR member IN SELECT DISTINCT r.rolname FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
        WHERE c.oid = to_regclass('accounts') AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner LOOP
        PERFORM pincite_admit(member.rolname);
    END LOOP;
END
$$;
