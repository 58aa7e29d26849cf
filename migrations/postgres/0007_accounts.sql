-- Accounts, roles, groups, and which groups may read a document.
--
-- Conventions as in 0001. Below the tables: who may read and write what, as row-level security.

-- Who may sign in. Append-only, as everything below: what is true now is what the last row says.
CREATE TABLE accounts (
    account     TEXT COLLATE "C" PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- A password is never here: a key is made of it (Argon2id, by the account's own salt), and of the key its SHA-256.
CREATE TABLE account_passwords (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    salt        BYTEA NOT NULL,
    parameters  TEXT COLLATE "C" NOT NULL,
    verifier    BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_passwords_by_account ON account_passwords (account, number);

-- The public half of the key with which an account signs, made of its password.
CREATE TABLE account_keys (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    public_key  BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_keys_by_account ON account_keys (account, number);

-- Who signed which record, with which meaning. The record's bytes are made of its row again; their SHA-256 is in what is signed.
CREATE TABLE signatures (
    number        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind          TEXT COLLATE "C" NOT NULL CHECK (kind IN ('decision', 'second_review', 'threshold', 'incident')),
    subject       TEXT COLLATE "C" NOT NULL,
    account       TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    meaning       TEXT COLLATE "C" NOT NULL CHECK (meaning IN ('reviewed', 'approved', 'responsible')),
    record_sha256 BYTEA NOT NULL,
    public_key    BYTEA NOT NULL,
    signature     BYTEA NOT NULL,
    recorded_at   BIGINT NOT NULL
);
CREATE INDEX signatures_by_subject ON signatures (kind, subject);

-- A closed account signs nothing and sees nothing; its name stays taken.
CREATE TABLE account_states (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    state       TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'closed')),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_states_by_account ON account_states (account, number);

CREATE TABLE account_roles (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    role        TEXT COLLATE "C" NOT NULL CHECK (role IN
                ('reviewer', 'calibration_owner', 'grader', 'auditor', 'document_control', 'administrator')),
    event       TEXT COLLATE "C" NOT NULL CHECK (event IN ('granted', 'withdrawn')),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_roles_by_account ON account_roles (account, role, number);

-- Tries to sign in, so that guessing is seen and slowed down.
CREATE TABLE sign_ins (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     TEXT COLLATE "C" NOT NULL,
    succeeded   BOOLEAN NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX sign_ins_by_account ON sign_ins (account, recorded_at);

-- Who is signed in: by the SHA-256 of a token that only their program has.
CREATE TABLE sessions (
    token_sha256 BYTEA PRIMARY KEY,
    account      TEXT COLLATE "C" NOT NULL REFERENCES accounts (account),
    ends_at      BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

-- Groups of readers.
CREATE TABLE groups (
    group_name  TEXT COLLATE "C" PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- From when until when somebody belongs to a group; the last row of a pair counts. Alone, members are names; in a team, accounts.
CREATE TABLE group_members (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    group_name  TEXT COLLATE "C" NOT NULL REFERENCES groups (group_name),
    member      TEXT COLLATE "C" NOT NULL,
    starts_at   BIGINT NOT NULL,
    ends_at     BIGINT,
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX group_members_by_member ON group_members (member, group_name, number);

-- Which groups may read a document; the last row of a document counts. None at all: everybody who may read documents.
CREATE TABLE document_groups (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_id      TEXT COLLATE "C" NOT NULL REFERENCES documents (doc_id),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX document_groups_by_document ON document_groups (doc_id, number);

CREATE TABLE document_group_names (
    number     BIGINT NOT NULL REFERENCES document_groups (number),
    group_name TEXT COLLATE "C" NOT NULL REFERENCES groups (group_name),
    PRIMARY KEY (number, group_name)
);

CREATE TRIGGER accounts_stay BEFORE UPDATE ON accounts
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an account never changes');
CREATE TRIGGER accounts_remain BEFORE DELETE ON accounts
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an account is never deleted');
CREATE TRIGGER accounts_keep_all BEFORE TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('an account is never deleted');
CREATE TRIGGER account_passwords_stay BEFORE UPDATE ON account_passwords
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('passwords are append-only');
CREATE TRIGGER account_passwords_remain BEFORE DELETE ON account_passwords
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('passwords are append-only');
CREATE TRIGGER account_passwords_keep_all BEFORE TRUNCATE ON account_passwords
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('passwords are append-only');
CREATE TRIGGER account_keys_stay BEFORE UPDATE ON account_keys
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('keys of accounts are append-only');
CREATE TRIGGER account_keys_remain BEFORE DELETE ON account_keys
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('keys of accounts are append-only');
CREATE TRIGGER account_keys_keep_all BEFORE TRUNCATE ON account_keys
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('keys of accounts are append-only');
CREATE TRIGGER signatures_stay BEFORE UPDATE ON signatures
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a signature never changes');
CREATE TRIGGER signatures_remain BEFORE DELETE ON signatures
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a signature is never deleted');
CREATE TRIGGER signatures_keep_all BEFORE TRUNCATE ON signatures
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a signature is never deleted');
CREATE TRIGGER account_states_stay BEFORE UPDATE ON account_states
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('states of accounts are append-only');
CREATE TRIGGER account_states_remain BEFORE DELETE ON account_states
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('states of accounts are append-only');
CREATE TRIGGER account_states_keep_all BEFORE TRUNCATE ON account_states
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('states of accounts are append-only');
CREATE TRIGGER account_roles_stay BEFORE UPDATE ON account_roles
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('roles are append-only');
CREATE TRIGGER account_roles_remain BEFORE DELETE ON account_roles
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('roles are append-only');
CREATE TRIGGER account_roles_keep_all BEFORE TRUNCATE ON account_roles
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('roles are append-only');
CREATE TRIGGER sign_ins_stay BEFORE UPDATE ON sign_ins
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('sign-ins are append-only');
CREATE TRIGGER sign_ins_remain BEFORE DELETE ON sign_ins
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('sign-ins are append-only');
CREATE TRIGGER sign_ins_keep_all BEFORE TRUNCATE ON sign_ins
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('sign-ins are append-only');
CREATE TRIGGER groups_stay BEFORE UPDATE ON groups
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a group never changes');
CREATE TRIGGER groups_remain BEFORE DELETE ON groups
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a group is never deleted');
CREATE TRIGGER groups_keep_all BEFORE TRUNCATE ON groups
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a group is never deleted');
CREATE TRIGGER group_members_stay BEFORE UPDATE ON group_members
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('memberships are append-only');
CREATE TRIGGER group_members_remain BEFORE DELETE ON group_members
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('memberships are append-only');
CREATE TRIGGER group_members_keep_all BEFORE TRUNCATE ON group_members
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('memberships are append-only');
CREATE TRIGGER document_groups_stay BEFORE UPDATE ON document_groups
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');
CREATE TRIGGER document_groups_remain BEFORE DELETE ON document_groups
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');
CREATE TRIGGER document_groups_keep_all BEFORE TRUNCATE ON document_groups
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');
CREATE TRIGGER document_group_names_stay BEFORE UPDATE ON document_group_names
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');
CREATE TRIGGER document_group_names_remain BEFORE DELETE ON document_group_names
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');
CREATE TRIGGER document_group_names_keep_all BEFORE TRUNCATE ON document_group_names
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('groups of documents are append-only');

-- ---- who may read and write what -----------------------------------------------------------------------------------------
--
-- A team works through a role that owns nothing (`pincite_admit`). Who it is that works says a token in the setting
-- pincite.session, made by `pincite_sign_in` for whoever knows the account's key. The rules are those of the program, said once
-- more where no program can forget them, for the owner of the tables too.
--
-- Only functions of the owner, and the owner, may say pincite.inside: to see all that there is, for what needs to
-- (working out what is closed to somebody, noting what is to be counted, a backup).

-- What is declared from here on looks into this schema alone, and never first at tables that somebody made for a session.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION pincite_milliseconds() RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
    SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)
$$;

CREATE FUNCTION pincite_inside() RETURNS BOOLEAN LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT coalesce(current_setting('pincite.inside', true), '') = 'on'
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('accounts'))
$$;

-- The account whose session this is; null where there is none, it has ended, or the account is closed.
CREATE FUNCTION pincite_reader() RETURNS TEXT LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT s.account FROM sessions s
    WHERE s.token_sha256 = sha256(convert_to(coalesce(current_setting('pincite.session', true), ''), 'UTF8'))
        AND s.ends_at > pincite_milliseconds()
        AND (SELECT a.state FROM account_states a WHERE a.account = s.account ORDER BY a.number DESC LIMIT 1) = 'open'
$$;

CREATE FUNCTION pincite_holds(asked TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT coalesce((SELECT r.event FROM account_roles r
        WHERE r.account = pincite_reader() AND r.role = asked ORDER BY r.number DESC LIMIT 1) = 'granted', false)
$$;

-- Documents that name groups, to none of which the reader belongs now.
CREATE FUNCTION pincite_closed_documents() RETURNS SETOF TEXT LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT g.doc_id FROM document_groups g
    WHERE g.number = (SELECT max(l.number) FROM document_groups l WHERE l.doc_id = g.doc_id)
        AND EXISTS (SELECT 1 FROM document_group_names n WHERE n.number = g.number)
        AND NOT EXISTS (SELECT 1 FROM document_group_names n JOIN group_members m ON m.group_name = n.group_name
            WHERE n.number = g.number AND m.member = (SELECT pincite_reader())
                AND m.starts_at <= (SELECT pincite_milliseconds())
                AND (m.ends_at IS NULL OR m.ends_at > (SELECT pincite_milliseconds()))
                AND m.number = (SELECT max(o.number) FROM group_members o
                    WHERE o.group_name = m.group_name AND o.member = m.member))
$$;

-- Whether there is anything to leave out for whoever asks.
CREATE FUNCTION pincite_sees_all() RETURNS BOOLEAN LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
    IF pincite_inside() THEN
        RETURN true;
    END IF;
    IF pincite_reader() IS NULL THEN
        RETURN false;
    END IF;
    RETURN NOT EXISTS (SELECT 1 FROM pincite_closed_documents());
END
$$;

-- What is closed with a document, by the name of its kind: bytes and layers that no open document has, and everything that
-- hangs on a place in it.
CREATE FUNCTION pincite_closed(kind TEXT) RETURNS SETOF TEXT LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
        WHEN 'subject' THEN
            RETURN QUERY SELECT unnest(documents_closed)
                UNION ALL SELECT i.item_id FROM items i WHERE i.doc_id = ANY (documents_closed)
                UNION ALL SELECT r.record_id FROM records r WHERE r.doc_id = ANY (documents_closed)
                UNION ALL SELECT c.citation_id FROM citations c WHERE c.doc_id = ANY (documents_closed)
                UNION ALL SELECT d.decision_id FROM decisions d JOIN items i ON i.item_id = d.item_id
                    WHERE i.doc_id = ANY (documents_closed)
                UNION ALL SELECT v.doc_sha256 FROM versions v GROUP BY v.doc_sha256
                    HAVING bool_and(v.doc_id = ANY (documents_closed));
    END CASE;
    PERFORM set_config('pincite.inside', was, true);
END
$$;

-- Rows of what hangs on a document: all of them, or none of a closed one.
DO $$
DECLARE
    place RECORD;
BEGIN
    FOR place IN SELECT * FROM (VALUES
        ('documents', 'doc_id', 'pincite_closed_documents()'), ('versions', 'doc_id', 'pincite_closed_documents()'),
        ('sources', 'doc_id', 'pincite_closed_documents()'), ('records', 'doc_id', 'pincite_closed_documents()'),
        ('citations', 'doc_id', 'pincite_closed_documents()'), ('items', 'doc_id', 'pincite_closed_documents()'),
        ('uncounted_places', 'doc_id', 'pincite_closed_documents()'), ('place_counts', 'doc_id', 'pincite_closed_documents()'),
        ('blobs', 'sha256', 'pincite_closed(''bytes'')'), ('extractions', 'doc_sha256', 'pincite_closed(''bytes'')'),
        ('extraction_details', 'doc_sha256', 'pincite_closed(''bytes'')'),
        ('default_extractions', 'doc_sha256', 'pincite_closed(''bytes'')'),
        ('structures', 'doc_sha256', 'pincite_closed(''bytes'')'), ('quarantine_log', 'doc_sha256', 'pincite_closed(''bytes'')'),
        ('layers', 'layer_sha256', 'pincite_closed(''layer'')'),
        ('assignments', 'item_id', 'pincite_closed(''item'')'), ('decisions', 'item_id', 'pincite_closed(''item'')'),
        ('held_for_later', 'item_id', 'pincite_closed(''item'')'), ('blind_entries', 'item_id', 'pincite_closed(''item'')'),
        ('second_draws', 'item_id', 'pincite_closed(''item'')'), ('second_reviews', 'item_id', 'pincite_closed(''item'')'),
        ('reading_segments', 'item_id', 'pincite_closed(''item'')'),
        ('routing_log', 'record_id', 'pincite_closed(''record'')'),
        ('citation_checks', 'citation_id', 'pincite_closed(''citation'')')
    ) AS t (name, key, closed) LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place.name);
        EXECUTE format(
            'CREATE POLICY of_open_documents ON %I USING ((SELECT pincite_sees_all()) '
            'OR ((SELECT pincite_reader()) IS NOT NULL AND %I NOT IN (SELECT %s)))',
            place.name, place.key, place.closed);
    END LOOP;
END
$$;

-- Whoever knows a hash gets no way in by giving closed bytes, or a closed layer, to an open document.
CREATE POLICY no_way_in ON versions AS RESTRICTIVE FOR INSERT
    WITH CHECK ((SELECT pincite_inside()) OR doc_sha256 NOT IN (SELECT pincite_closed('bytes')));
CREATE POLICY no_way_in ON extractions AS RESTRICTIVE FOR INSERT
    WITH CHECK ((SELECT pincite_inside()) OR layer_sha256 NOT IN (SELECT pincite_closed('layer')));
CREATE POLICY no_way_in ON structures AS RESTRICTIVE FOR INSERT
    WITH CHECK ((SELECT pincite_inside()) OR layer_sha256 NOT IN (SELECT pincite_closed('layer')));

-- What is left hangs on rows that are watched, or on none: it is for whoever is signed in.
DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY['incidents', 'incident_decisions', 'floor_times', 'floor_baselines', 'adjudications',
        'reading_events', 'counted_segments', 'reviewers', 'curve_cohorts', 'curve_summaries'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_the_team ON %I USING ((SELECT pincite_inside()) OR (SELECT pincite_reader()) IS NOT NULL)', name);
    END LOOP;
END
$$;

-- Where the chain goes on.
CREATE FUNCTION pincite_next_entry() RETURNS BIGINT LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT coalesce(max(seq), 0) + 1 FROM audit_entries
$$;

-- An entry of the chain is everybody's, so that the chain can be followed; what it says of a closed document is not.
ALTER TABLE audit_payloads ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_payloads FORCE ROW LEVEL SECURITY;
CREATE POLICY of_open_documents ON audit_payloads FOR SELECT USING ((SELECT pincite_sees_all())
    OR ((SELECT pincite_reader()) IS NOT NULL AND seq NOT IN
        (SELECT e.seq FROM audit_entries e WHERE e.subject IN (SELECT pincite_closed('subject')))));
CREATE POLICY of_the_owner ON audit_payloads USING ((SELECT pincite_inside()));
CREATE POLICY appended ON audit_payloads FOR INSERT WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_reader()) IS NOT NULL);

-- Nobody writes in another's name.
DO $$
DECLARE
    place RECORD;
BEGIN
    FOR place IN SELECT * FROM (VALUES
        ('decisions', 'reviewer'), ('second_reviews', 'reviewer'), ('blind_entries', 'reviewer'), ('assignments', 'reviewer'),
        ('reading_segments', 'reviewer'), ('held_for_later', 'who')
    ) AS t (name, key) LOOP
        EXECUTE format(
            'CREATE POLICY in_ones_own_name ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR (%I = (SELECT pincite_reader()) AND (SELECT pincite_holds(''reviewer''))))',
            place.name, place.key);
    END LOOP;
    -- Nor takes in documents and records who does not answer for them.
    FOR place IN SELECT unnest(ARRAY['documents', 'blobs', 'versions', 'sources', 'layers', 'extractions', 'extraction_details',
        'default_extractions', 'structures', 'records', 'citations']) AS name LOOP
        EXECUTE format('CREATE POLICY for_document_control ON %I AS RESTRICTIVE FOR INSERT '
            'WITH CHECK ((SELECT pincite_inside()) OR (SELECT pincite_holds(''document_control'')))', place.name);
    END LOOP;
    -- These hang on no document. Who may write them is asked once more.
    FOR place IN SELECT * FROM (VALUES
        ('audit_entries', 'who = (SELECT pincite_reader()) AND seq = (SELECT pincite_next_entry())'),
        ('incident_resolutions', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''calibration_owner''))'),
        ('thresholds', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''calibration_owner''))'),
        ('settings', 'who = (SELECT pincite_reader()) '
            'AND ((SELECT pincite_holds(''calibration_owner'')) OR (SELECT pincite_holds(''administrator'')))'),
        ('catalogues', '(SELECT pincite_holds(''document_control''))'),
        -- By pincite_set_password alone.
        ('account_keys', 'false'),
        ('signatures', 'account = (SELECT pincite_reader())'),
        ('accounts', '(SELECT pincite_holds(''administrator''))'),
        ('account_states', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''administrator''))'),
        ('account_roles', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''administrator''))'),
        ('groups', '(SELECT pincite_holds(''administrator''))'),
        ('group_members', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''administrator''))'),
        ('document_groups', 'who = (SELECT pincite_reader()) AND (SELECT pincite_holds(''document_control''))'),
        ('document_group_names', '(SELECT pincite_holds(''document_control''))')
    ) AS t (name, allowed) LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place.name);
        -- What says who somebody is, and what is closed to them, is asked before that is known.
        EXECUTE format('CREATE POLICY readable ON %I FOR SELECT USING (%s)', place.name,
            CASE WHEN place.name IN ('account_states', 'account_roles', 'groups', 'group_members', 'document_groups',
                'document_group_names') THEN 'true'
                ELSE '(SELECT pincite_inside()) OR (SELECT pincite_reader()) IS NOT NULL' END);
        -- So that whoever owns the tables hears why not, from the triggers that refuse it.
        EXECUTE format('CREATE POLICY of_the_owner ON %I USING ((SELECT pincite_inside()))', place.name);
        EXECUTE format('CREATE POLICY appended ON %I FOR INSERT WITH CHECK ((SELECT pincite_inside()) OR (%s))',
            place.name, place.allowed);
    END LOOP;
END
$$;

-- What is to be counted anew is noted, whoever may read it.
CREATE OR REPLACE FUNCTION pincite_count_record() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    PERFORM set_config('pincite.inside', 'on', true);
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT r.field, r.doc_id, r.doc_sha256 FROM records r WHERE r.record_id = NEW.record_id
        ON CONFLICT DO NOTHING;
    PERFORM set_config('pincite.inside', was, true);
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION pincite_count_item() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    PERFORM set_config('pincite.inside', 'on', true);
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM items i WHERE i.item_id = NEW.item_id
        ON CONFLICT DO NOTHING;
    PERFORM set_config('pincite.inside', was, true);
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION pincite_count_decision() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    PERFORM set_config('pincite.inside', 'on', true);
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM decisions d JOIN items i ON i.item_id = d.item_id
        WHERE d.decision_id = NEW.decision_id
        ON CONFLICT DO NOTHING;
    PERFORM set_config('pincite.inside', was, true);
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION pincite_count_incident() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    PERFORM set_config('pincite.inside', 'on', true);
    INSERT INTO uncounted_places (field, doc_id, doc_sha256)
        SELECT i.field, i.doc_id, i.doc_sha256 FROM incident_decisions m JOIN decisions d ON d.decision_id = m.decision_id
        JOIN items i ON i.item_id = d.item_id WHERE m.incident_id = NEW.incident_id
        ON CONFLICT DO NOTHING;
    PERFORM set_config('pincite.inside', was, true);
    RETURN NULL;
END
$$;

-- ---- signing in ----------------------------------------------------------------------------------------------------------

-- What a key is made with. An account that does not exist has something, too, so that nobody learns which do.
CREATE FUNCTION pincite_key_made_with(asked TEXT, OUT salt BYTEA, OUT parameters TEXT)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT p.salt, p.parameters FROM (
        (SELECT p.salt, p.parameters, 0 AS place FROM account_passwords p WHERE p.account = asked ORDER BY p.number DESC LIMIT 1)
        UNION ALL SELECT substr(sha256(convert_to(asked || (SELECT w.value FROM workspace w WHERE w.name = 'workspace_id'), 'UTF8')), 1, 16),
            (SELECT l.parameters FROM account_passwords l ORDER BY l.number DESC LIMIT 1), 1
    ) p ORDER BY p.place LIMIT 1
$$;

-- Whether this is the account's key. Ten wrong ones in a quarter of an hour, and it waits until they are old.
CREATE FUNCTION pincite_is_key(asked TEXT, key BYTEA) RETURNS BOOLEAN
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    good BOOLEAN;
    now_ms BIGINT := pincite_milliseconds();
BEGIN
    -- One try at a time, and a wrong one takes its time: whoever rolls back leaves no trace, and still can't hurry.
    PERFORM pg_advisory_xact_lock(7105, hashtext(asked));
    IF (SELECT count(*) FROM sign_ins s WHERE s.account = asked AND NOT s.succeeded AND s.recorded_at > now_ms - 900000) >= 10 THEN
        RETURN NULL;
    END IF;
    good := coalesce((SELECT p.verifier = sha256(key) FROM account_passwords p WHERE p.account = asked ORDER BY p.number DESC LIMIT 1)
        AND (SELECT a.state FROM account_states a WHERE a.account = asked ORDER BY a.number DESC LIMIT 1) = 'open', false);
    INSERT INTO sign_ins (account, succeeded, recorded_at) VALUES (asked, good, now_ms);
    IF NOT good THEN
        PERFORM pg_sleep(0.5);
    END IF;
    RETURN good;
END
$$;

-- Begins a session of so many milliseconds for whoever has the account's key; null where it has to wait.
CREATE FUNCTION pincite_sign_in(asked TEXT, key BYTEA, token_sha256 BYTEA, milliseconds BIGINT) RETURNS BOOLEAN
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    good BOOLEAN := pincite_is_key(asked, key);
BEGIN
    IF good THEN
        INSERT INTO sessions (token_sha256, account, ends_at, recorded_at) VALUES (token_sha256, asked,
            pincite_milliseconds() + least(milliseconds, 86400000), pincite_milliseconds());
    END IF;
    RETURN good;
END
$$;

CREATE FUNCTION pincite_sign_out() RETURNS VOID LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    UPDATE sessions SET ends_at = least(ends_at, pincite_milliseconds())
    WHERE token_sha256 = sha256(convert_to(coalesce(current_setting('pincite.session', true), ''), 'UTF8'))
$$;

-- A new password: one's own, for whoever has the old key, and anybody's for an administrator. Every session but this one ends.
CREATE FUNCTION pincite_set_password(asked TEXT, old_key BYTEA, salt BYTEA, parameters TEXT, verifier BYTEA, public_key BYTEA)
    RETURNS BOOLEAN
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    was TEXT := coalesce(current_setting('pincite.inside', true), '');
BEGIN
    IF NOT (pincite_holds('administrator')
        OR (session_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('accounts'))
            AND coalesce(current_setting('pincite.inside', true), '') = 'on')
        OR (asked = pincite_reader() AND pincite_is_key(asked, old_key))) THEN
        RETURN false;
    END IF;
    INSERT INTO account_passwords (account, salt, parameters, verifier, recorded_at)
        VALUES (asked, salt, parameters, verifier, pincite_milliseconds());
    PERFORM set_config('pincite.inside', 'on', true);
    INSERT INTO account_keys (account, public_key, recorded_at) VALUES (asked, public_key, pincite_milliseconds());
    PERFORM set_config('pincite.inside', was, true);
    UPDATE sessions SET ends_at = least(ends_at, pincite_milliseconds()) WHERE account = asked AND token_sha256
        <> sha256(convert_to(coalesce(current_setting('pincite.session', true), ''), 'UTF8'));
    RETURN true;
END
$$;

-- ---- the role that a team works through ----------------------------------------------------------------------------------

CREATE FUNCTION pincite_admit(member TEXT) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    here TEXT := (SELECT n.nspname FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid WHERE c.oid = to_regclass('accounts'));
    changing TEXT;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', here, member);
    EXECUTE format('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA %I TO %I', here, member);
    EXECUTE format('REVOKE ALL ON sessions, account_passwords, sign_ins FROM %I', member);
    EXECUTE format('REVOKE INSERT ON workspace, _sqlx_migrations FROM %I', member);
    EXECUTE format('GRANT UPDATE (state, item_version, leases, recorded_at) ON items TO %I', member);
    EXECUTE format('GRANT UPDATE (expires_at, ended_at, ended_by) ON assignments TO %I', member);
    EXECUTE format('GRANT UPDATE (state) ON second_draws TO %I', member);
    FOREACH changing IN ARRAY ARRAY['place_counts', 'curve_cohorts', 'curve_summaries'] LOOP
        EXECUTE format('GRANT UPDATE ON %I TO %I', changing, member);
    END LOOP;
    FOREACH changing IN ARRAY ARRAY['uncounted_places', 'place_counts', 'curve_cohorts', 'curve_summaries'] LOOP
        EXECUTE format('GRANT DELETE ON %I TO %I', changing, member);
    END LOOP;
END
$$;
