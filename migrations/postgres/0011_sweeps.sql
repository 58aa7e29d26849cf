-- Sweeps over every stored citation, the alarms that rates ring, and what was checked as it came in.
--
-- Conventions as in 0001. Append-only. A citation of a part that has no finding is intact; what a sweep counts follows from its
-- parts and findings, and is kept nowhere else.

-- Sweeps. One that has no end was cancelled or killed, and goes on where it stopped.
CREATE TABLE sweeps (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sweep_id    TEXT COLLATE "C" NOT NULL UNIQUE,
    kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('baseline', 'after_reindex')),
    -- The day on which the registry was asked: yyyy-mm-dd.
    valid_at    TEXT COLLATE "C" NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);

-- A version of a document that a sweep is done with.
CREATE TABLE sweep_parts (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sweep_id     TEXT COLLATE "C" NOT NULL REFERENCES sweeps (sweep_id),
    doc_id       TEXT COLLATE "C" NOT NULL,
    doc_sha256   TEXT COLLATE "C" NOT NULL,
    -- Its class in the registry; unregistered where it has none.
    family       TEXT COLLATE "C" NOT NULL,
    -- Citations of it, and those without a finding of which the registry knows nothing.
    checked      BIGINT NOT NULL,
    unregistered BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (sweep_id, doc_id, doc_sha256)
);

-- What a sweep says of a citation that is not simply intact.
CREATE TABLE sweep_findings (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sweep_id    TEXT COLLATE "C" NOT NULL REFERENCES sweeps (sweep_id),
    doc_id      TEXT COLLATE "C" NOT NULL,
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    -- A record's citation by its id, an answer's as ANSWER#CLAIM.PLACE.
    citation    TEXT COLLATE "C" NOT NULL,
    answer_id   TEXT COLLATE "C",
    class       TEXT COLLATE "C" NOT NULL
        CHECK (class IN ('intact', 'carried', 'drifted', 'superseded', 'ambiguous', 'lost', 'unresolved')),
    -- Why it does not resolve.
    reason      TEXT COLLATE "C",
    -- NULL where an earlier check failed.
    in_bounds   BOOLEAN,
    quote_match BOOLEAN,
    currency    TEXT COLLATE "C" NOT NULL CHECK (currency IN ('in_force', 'carried', 'replaced', 'not_in_force', 'unknown')),
    standing    TEXT COLLATE "C" NOT NULL,
    cited_start BIGINT,
    cited_end   BIGINT,
    -- Where the quote stands instead, in the layer of that name.
    found_layer TEXT COLLATE "C",
    found_start BIGINT,
    found_end   BIGINT
);
CREATE INDEX sweep_findings_by_sweep ON sweep_findings (sweep_id, class, number);
CREATE INDEX sweep_findings_by_citation ON sweep_findings (citation, number);

-- The end of a sweep.
CREATE TABLE sweep_ends (
    sweep_id     TEXT COLLATE "C" PRIMARY KEY REFERENCES sweeps (sweep_id),
    -- How long its last go took.
    milliseconds BIGINT NOT NULL,
    -- Sentences of answers that claim something, and those of them without a citation.
    claims       BIGINT NOT NULL,
    uncited      BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

-- What was checked as it came: the quote looked for in the same bytes, and not found where it should be.
CREATE TABLE inline_checks (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    family      TEXT COLLATE "C" NOT NULL,
    checked     BIGINT NOT NULL,
    drifted     BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX inline_checks_by_time ON inline_checks (recorded_at);

-- Rates that passed their limit.
CREATE TABLE alarms (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    alarm_id    TEXT COLLATE "C" NOT NULL UNIQUE,
    kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('inline', 'after_reindex', 'baseline')),
    family      TEXT COLLATE "C" NOT NULL,
    -- So many drifted of so many.
    drifted     BIGINT NOT NULL,
    checked     BIGINT NOT NULL,
    sweep_id    TEXT COLLATE "C" REFERENCES sweeps (sweep_id),
    recorded_at BIGINT NOT NULL
);

-- Somebody took note of one.
CREATE TABLE alarm_acknowledgements (
    alarm_id    TEXT COLLATE "C" PRIMARY KEY REFERENCES alarms (alarm_id),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);

CREATE TRIGGER sweeps_stay BEFORE UPDATE ON sweeps
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweeps_remain BEFORE DELETE ON sweeps
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweeps_keep_all BEFORE TRUNCATE ON sweeps
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_parts_stay BEFORE UPDATE ON sweep_parts
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_parts_remain BEFORE DELETE ON sweep_parts
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_parts_keep_all BEFORE TRUNCATE ON sweep_parts
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_findings_stay BEFORE UPDATE ON sweep_findings
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_findings_remain BEFORE DELETE ON sweep_findings
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_findings_keep_all BEFORE TRUNCATE ON sweep_findings
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_ends_stay BEFORE UPDATE ON sweep_ends
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_ends_remain BEFORE DELETE ON sweep_ends
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER sweep_ends_keep_all BEFORE TRUNCATE ON sweep_ends
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what a sweep found is append-only');
CREATE TRIGGER inline_checks_stay BEFORE UPDATE ON inline_checks
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was checked is append-only');
CREATE TRIGGER inline_checks_remain BEFORE DELETE ON inline_checks
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was checked is append-only');
CREATE TRIGGER inline_checks_keep_all BEFORE TRUNCATE ON inline_checks
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what was checked is append-only');
CREATE TRIGGER alarms_stay BEFORE UPDATE ON alarms
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('alarms are append-only');
CREATE TRIGGER alarms_remain BEFORE DELETE ON alarms
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('alarms are append-only');
CREATE TRIGGER alarms_keep_all BEFORE TRUNCATE ON alarms
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('alarms are append-only');
CREATE TRIGGER alarm_acknowledgements_stay BEFORE UPDATE ON alarm_acknowledgements
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('alarms are append-only');
CREATE TRIGGER alarm_acknowledgements_remain BEFORE DELETE ON alarm_acknowledgements
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('alarms are append-only');
CREATE TRIGGER alarm_acknowledgements_keep_all BEFORE TRUNCATE ON alarm_acknowledgements
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('alarms are append-only');

-- Who may read and write what, as in 0007, 0009 and 0010. Findings and parts hang on their document; rates of whole families name
-- none. What was checked as it came is counted by whoever checks.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DO $$
DECLARE
    place RECORD;
BEGIN
    FOR place IN SELECT * FROM (VALUES
        ('sweep_parts', 'doc_id IN (SELECT pincite_closed_documents())'),
        ('sweep_findings', 'doc_id IN (SELECT pincite_closed_documents())')
    ) AS t (name, closed) LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place.name);
        EXECUTE format('CREATE POLICY of_open_documents ON %I USING ((SELECT pincite_sees_all()) '
            'OR ((SELECT pincite_reader()) IS NOT NULL AND (%s) IS NOT TRUE))', place.name, place.closed);
    END LOOP;
    -- These name no document.
    FOR place IN SELECT unnest(ARRAY['sweeps', 'sweep_ends', 'inline_checks', 'alarms', 'alarm_acknowledgements']) AS name LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place.name);
        EXECUTE format('CREATE POLICY of_the_team ON %I USING ((SELECT pincite_inside()) OR (SELECT pincite_reader()) IS NOT NULL)',
            place.name);
    END LOOP;
    -- Whoever may read documents checks citations, and rings where the rate of that passes its limit.
    CREATE POLICY by_role ON inline_checks AS RESTRICTIVE FOR INSERT WITH CHECK ((SELECT pincite_inside())
        OR (SELECT pincite_holds('reviewer')) OR (SELECT pincite_holds('calibration_owner')) OR (SELECT pincite_holds('grader'))
        OR (SELECT pincite_holds('auditor')) OR (SELECT pincite_holds('document_control')));
    CREATE POLICY by_role ON alarms AS RESTRICTIVE FOR INSERT WITH CHECK ((SELECT pincite_inside())
        OR (SELECT pincite_holds('document_control')) OR (kind = 'inline' AND ((SELECT pincite_holds('reviewer'))
        OR (SELECT pincite_holds('calibration_owner')) OR (SELECT pincite_holds('grader')) OR (SELECT pincite_holds('auditor')))));
    FOR place IN SELECT unnest(ARRAY['sweep_parts', 'sweep_findings', 'sweeps', 'sweep_ends', 'alarm_acknowledgements']) AS name LOOP
        EXECUTE format('CREATE POLICY by_role ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_holds(''document_control'')))', place.name);
    END LOOP;
    FOR place IN SELECT unnest(ARRAY['sweeps', 'alarm_acknowledgements']) AS name LOOP
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
