-- Answers that people were given, what reviewers say of them, and what an index outside says that it holds.
--
-- Conventions as in 0001. Append-only. What an answer's citations are worth follows from the registry and two dates, and never
-- stands here.

-- Answers. Their dates are those of the question, frozen when it was asked.
CREATE TABLE answers (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    answer_id   TEXT COLLATE "C" NOT NULL UNIQUE,
    -- The hash of its meaning: the same answer again is known, another one under its id refused.
    body_sha256 TEXT COLLATE "C" NOT NULL,
    question    BYTEA NOT NULL,
    asked_at    BIGINT NOT NULL,
    -- Valid time: a day, yyyy-mm-dd.
    valid_at    TEXT COLLATE "C" NOT NULL,
    -- As known when; NULL where the question set no bound.
    known_at    BIGINT,
    -- What answered: JSON.
    index_build BYTEA,
    class       TEXT COLLATE "C" NOT NULL,
    -- Whether it reached a reader.
    delivered   BOOLEAN NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX answers_by_day ON answers (asked_at, number);

-- What an answer claims, from 1.
CREATE TABLE answer_claims (
    answer_id TEXT COLLATE "C" NOT NULL REFERENCES answers (answer_id),
    claim     BIGINT NOT NULL,
    text      BYTEA NOT NULL,
    PRIMARY KEY (answer_id, claim)
);

-- What each claim cites, from 1; the document need not be here. The citation is kept as it was given: JSON.
CREATE TABLE answer_citations (
    answer_id  TEXT COLLATE "C" NOT NULL,
    claim      BIGINT NOT NULL,
    ordinal    BIGINT NOT NULL,
    doc_id     TEXT COLLATE "C" NOT NULL,
    doc_sha256 TEXT COLLATE "C" NOT NULL,
    citation   BYTEA NOT NULL,
    PRIMARY KEY (answer_id, claim, ordinal),
    FOREIGN KEY (answer_id, claim) REFERENCES answer_claims (answer_id, claim)
);
CREATE INDEX answer_citations_by_document ON answer_citations (doc_id, answer_id);
CREATE INDEX answer_citations_by_bytes ON answer_citations (doc_sha256, answer_id);

-- What somebody says of an answer; of each person the last row counts.
CREATE TABLE answer_labels (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    answer_id   TEXT COLLATE "C" NOT NULL REFERENCES answers (answer_id),
    faithful    BOOLEAN NOT NULL,
    correct     BOOLEAN NOT NULL,
    cause       TEXT COLLATE "C" CHECK (cause IN ('superseded', 'missed_exception', 'misread_table', 'other')),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX answer_labels_by_answer ON answer_labels (answer_id, who, number);

-- An index outside says what it holds: a report of one of its builds.
CREATE TABLE index_reports (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    report_id   TEXT COLLATE "C" NOT NULL UNIQUE,
    build       TEXT COLLATE "C" NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX index_reports_by_build ON index_reports (build, number);

-- That a build took in these bytes of a document, when, and whom it lets read them.
CREATE TABLE index_entries (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    report_id   TEXT COLLATE "C" NOT NULL REFERENCES index_reports (report_id),
    build       TEXT COLLATE "C" NOT NULL,
    doc_id      TEXT COLLATE "C" NOT NULL,
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    -- The one revision that is meant; NULL for every revision of these bytes.
    seq         BIGINT,
    -- Groups, a JSON list; NULL where nothing is said.
    group_names BYTEA,
    indexed_at  BIGINT NOT NULL
);
CREATE INDEX index_entries_by_bytes ON index_entries (build, doc_id, doc_sha256, indexed_at);

-- As a record, an answer can be deleted and not altered: it holds what documents say, and that may have to be erased one day.
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an answer never changes');
CREATE TRIGGER answer_claims_stay BEFORE UPDATE ON answer_claims
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an answer never changes');
CREATE TRIGGER answer_citations_stay BEFORE UPDATE ON answer_citations
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an answer never changes');
CREATE TRIGGER answer_labels_stay BEFORE UPDATE ON answer_labels
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('labels are append-only');
CREATE TRIGGER answer_labels_remain BEFORE DELETE ON answer_labels
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('labels are append-only');
CREATE TRIGGER answer_labels_keep_all BEFORE TRUNCATE ON answer_labels
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('labels are append-only');
CREATE TRIGGER index_reports_stay BEFORE UPDATE ON index_reports
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');
CREATE TRIGGER index_reports_remain BEFORE DELETE ON index_reports
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');
CREATE TRIGGER index_reports_keep_all BEFORE TRUNCATE ON index_reports
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');
CREATE TRIGGER index_entries_stay BEFORE UPDATE ON index_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');
CREATE TRIGGER index_entries_remain BEFORE DELETE ON index_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');
CREATE TRIGGER index_entries_keep_all BEFORE TRUNCATE ON index_entries
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what an index reported is append-only');

-- Who may read and write what, as in 0007 and 0009. An answer is closed to whoever may not read every document that it cites, by its
-- name or by bytes that no open document has.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- What is closed with a document, as in 0007, and answers.
CREATE OR REPLACE FUNCTION pincite_closed(kind TEXT) RETURNS SETOF TEXT LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    documents_closed TEXT[] := ARRAY(SELECT pincite_closed_documents());
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    PERFORM set_config('pincite.inside', 'on', true);
    CASE kind
        WHEN 'bytes' THEN
            RETURN QUERY SELECT v.doc_sha256 FROM versions v GROUP BY v.doc_sha256
                HAVING bool_and(v.doc_id = ANY (documents_closed));
        WHEN 'layer' THEN
            RETURN QUERY SELECT e.layer_sha256 FROM extractions e JOIN versions v ON v.doc_sha256 = e.doc_sha256
                GROUP BY e.layer_sha256 HAVING bool_and(v.doc_id = ANY (documents_closed));
        WHEN 'item' THEN
            RETURN QUERY SELECT i.item_id FROM items i WHERE i.doc_id = ANY (documents_closed);
        WHEN 'record' THEN
            RETURN QUERY SELECT r.record_id FROM records r WHERE r.doc_id = ANY (documents_closed);
        WHEN 'citation' THEN
            RETURN QUERY SELECT c.citation_id FROM citations c WHERE c.doc_id = ANY (documents_closed);
        WHEN 'answer' THEN
            RETURN QUERY SELECT c.answer_id FROM answer_citations c WHERE c.doc_id = ANY (documents_closed)
                OR c.doc_sha256 IN (SELECT v.doc_sha256 FROM versions v GROUP BY v.doc_sha256
                    HAVING bool_and(v.doc_id = ANY (documents_closed)));
        WHEN 'subject' THEN
            RETURN QUERY SELECT unnest(documents_closed)
                UNION ALL SELECT i.item_id FROM items i WHERE i.doc_id = ANY (documents_closed)
                UNION ALL SELECT r.record_id FROM records r WHERE r.doc_id = ANY (documents_closed)
                UNION ALL SELECT c.citation_id FROM citations c WHERE c.doc_id = ANY (documents_closed)
                UNION ALL SELECT d.decision_id FROM decisions d JOIN items i ON i.item_id = d.item_id
                    WHERE i.doc_id = ANY (documents_closed)
                UNION ALL SELECT v.doc_sha256 FROM versions v GROUP BY v.doc_sha256
                    HAVING bool_and(v.doc_id = ANY (documents_closed))
                UNION ALL SELECT c.answer_id FROM answer_citations c WHERE c.doc_id = ANY (documents_closed)
                    OR c.doc_sha256 IN (SELECT v.doc_sha256 FROM versions v GROUP BY v.doc_sha256
                        HAVING bool_and(v.doc_id = ANY (documents_closed)));
    END CASE;
    PERFORM set_config('pincite.inside', was, true);
END
$$;

DO $$
DECLARE
    place RECORD;
BEGIN
    FOR place IN SELECT * FROM (VALUES
        ('answers', 'answer_id', 'pincite_closed(''answer'')', 'document_control'),
        ('answer_claims', 'answer_id', 'pincite_closed(''answer'')', 'document_control'),
        ('answer_citations', 'answer_id', 'pincite_closed(''answer'')', 'document_control'),
        ('answer_labels', 'answer_id', 'pincite_closed(''answer'')', 'reviewer'),
        ('index_entries', 'doc_id', 'pincite_closed_documents()', 'document_control')
    ) AS t (name, key, closed, role) LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place.name);
        EXECUTE format('CREATE POLICY of_open_documents ON %I USING ((SELECT pincite_sees_all()) '
            'OR ((SELECT pincite_reader()) IS NOT NULL AND %I NOT IN (SELECT %s)))', place.name, place.key, place.closed);
        EXECUTE format('CREATE POLICY by_role ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_holds(%L)))', place.name, place.role);
    END LOOP;
    -- A report names no document; its entries do.
    ALTER TABLE index_reports ENABLE ROW LEVEL SECURITY;
    ALTER TABLE index_reports FORCE ROW LEVEL SECURITY;
    CREATE POLICY of_the_team ON index_reports USING ((SELECT pincite_inside()) OR (SELECT pincite_reader()) IS NOT NULL);
    CREATE POLICY by_role ON index_reports AS RESTRICTIVE FOR INSERT
        WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_holds('document_control')));
    FOR place IN SELECT unnest(ARRAY['answers', 'answer_labels', 'index_reports']) AS name LOOP
        EXECUTE format('CREATE POLICY in_ones_own_name ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR who = (SELECT pincite_reader()))', place.name);
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
