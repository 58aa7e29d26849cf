-- The whole of a workspace, as in migrations/sqlite/0001_workspace.sql: what tables and columns mean stands there, and
-- here only what differs, and why.
--
--   * Text is COLLATE "C": it is ordered and compared by its bytes, as SQLite does, whatever language the database was
--     made for. The queue's order and every cursor into a list rest on it.
--   * Numbers come from identity columns. A number means "later than every smaller one that anybody can see", and a
--     sequence alone does not promise that: two transactions may take numbers in one order and commit in the other. Here
--     every writer holds the workspace's advisory lock from its first statement to its commit, so numbers grow in the
--     order of commits. A transaction that is rolled back leaves a gap; nothing may count on there being none.
--   * No name says its schema. A workspace is whatever schema the connection's search_path begins with, so that one
--     database holds many; a function that set a search_path of its own would miss the workspace it was called for.
--   * No extensions, so that whoever owns a database can make a workspace in it.
--   * Nothing here sends notifications: the store does, once a transaction, and it knows what changed.

CREATE TABLE workspace (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE documents (
    doc_id      TEXT COLLATE "C" PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

CREATE TABLE blobs (
    sha256      TEXT COLLATE "C" PRIMARY KEY,
    bytes       BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);

CREATE TABLE versions (
    doc_id      TEXT COLLATE "C" NOT NULL REFERENCES documents (doc_id),
    doc_sha256  TEXT COLLATE "C" NOT NULL REFERENCES blobs (sha256),
    media_type  TEXT COLLATE "C" NOT NULL,
    title       BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_id, doc_sha256)
);
CREATE INDEX versions_by_bytes ON versions (doc_sha256);

CREATE TABLE sources (
    doc_id      TEXT COLLATE "C" NOT NULL,
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    path        BYTEA NOT NULL,
    recorded_at BIGINT NOT NULL,
    FOREIGN KEY (doc_id, doc_sha256) REFERENCES versions (doc_id, doc_sha256)
);
-- Its primary key in SQLite. An index entry here has 2,704 bytes at most and a path may have 4,096, so the path stands in
-- it as its hash.
CREATE UNIQUE INDEX sources_once ON sources (doc_id, doc_sha256, sha256(path));

CREATE TABLE layers (
    layer_sha256 TEXT COLLATE "C" PRIMARY KEY,
    text         BYTEA NOT NULL,
    chars        BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

CREATE TABLE extractions (
    doc_sha256   TEXT COLLATE "C" NOT NULL REFERENCES blobs (sha256),
    extractor    TEXT COLLATE "C" NOT NULL,
    layer_sha256 TEXT COLLATE "C" NOT NULL REFERENCES layers (layer_sha256),
    boxes        BYTEA NOT NULL,
    pages        BYTEA NOT NULL,
    boxed        BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, extractor)
);

CREATE TABLE default_extractions (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    doc_sha256  TEXT COLLATE "C" NOT NULL,
    extractor   TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL,
    FOREIGN KEY (doc_sha256, extractor) REFERENCES extractions (doc_sha256, extractor)
);
CREATE INDEX default_extractions_by_bytes ON default_extractions (doc_sha256, number);

CREATE TABLE structures (
    structure_id TEXT COLLATE "C" NOT NULL,
    doc_sha256   TEXT COLLATE "C" NOT NULL REFERENCES blobs (sha256),
    layer_sha256 TEXT COLLATE "C" NOT NULL REFERENCES layers (layer_sha256),
    parser       TEXT COLLATE "C" NOT NULL,
    content      BYTEA NOT NULL,
    recorded_at  BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, structure_id)
);

CREATE TABLE catalogues (
    number           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    catalogue_sha256 TEXT COLLATE "C" NOT NULL,
    body             BYTEA NOT NULL,
    recorded_at      BIGINT NOT NULL
);

CREATE TABLE settings (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        TEXT COLLATE "C" NOT NULL,
    value       TEXT COLLATE "C" NOT NULL,
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX settings_by_name ON settings (name, number);

CREATE TABLE thresholds (
    number         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    field          TEXT COLLATE "C" NOT NULL,
    model          TEXT COLLATE "C" NOT NULL,
    prompt_version TEXT COLLATE "C" NOT NULL,
    tau_show       DOUBLE PRECISION NOT NULL,
    tau_flag       DOUBLE PRECISION NOT NULL,
    curve          BYTEA NOT NULL,
    why            BYTEA NOT NULL,
    who            TEXT COLLATE "C" NOT NULL,
    recorded_at    BIGINT NOT NULL,
    CHECK (tau_show >= tau_flag)
);
CREATE INDEX thresholds_by_field ON thresholds (field, number);

CREATE TABLE reviewers (
    name        TEXT COLLATE "C" PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

CREATE TABLE records (
    number         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record_id      TEXT COLLATE "C" NOT NULL UNIQUE,
    body_sha256    TEXT COLLATE "C" NOT NULL,
    doc_id         TEXT COLLATE "C" NOT NULL,
    doc_sha256     TEXT COLLATE "C" NOT NULL,
    field          TEXT COLLATE "C" NOT NULL,
    status         TEXT COLLATE "C" NOT NULL,
    model          TEXT COLLATE "C" NOT NULL,
    prompt_version TEXT COLLATE "C" NOT NULL,
    confidence     DOUBLE PRECISION,
    violated       BOOLEAN NOT NULL,
    body           BYTEA NOT NULL,
    recorded_at    BIGINT NOT NULL
);
CREATE INDEX records_by_place ON records (doc_id, doc_sha256, field, number);
CREATE INDEX records_by_curve ON records (field, model, prompt_version);

CREATE TABLE citations (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    citation_id  TEXT COLLATE "C" NOT NULL UNIQUE,
    record_id    TEXT COLLATE "C" REFERENCES records (record_id),
    ordinal      BIGINT NOT NULL,
    doc_id       TEXT COLLATE "C" NOT NULL,
    doc_sha256   TEXT COLLATE "C" NOT NULL,
    layer_sha256 TEXT COLLATE "C",
    structure_id TEXT COLLATE "C",
    locator      BYTEA,
    page         BIGINT,
    char_start   BIGINT,
    char_end     BIGINT,
    quote        BYTEA NOT NULL,
    prefix       BYTEA,
    suffix       BYTEA,
    placed       BOOLEAN NOT NULL,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX citations_by_record ON citations (record_id, ordinal);
CREATE INDEX citations_by_bytes ON citations (doc_sha256, number);

CREATE TABLE citation_checks (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    citation_id TEXT COLLATE "C" NOT NULL REFERENCES citations (citation_id),
    state       TEXT COLLATE "C" NOT NULL CHECK (state IN ('verified', 'failed')),
    reason      TEXT COLLATE "C",
    recorded_at BIGINT NOT NULL
);
CREATE INDEX citation_checks_by_citation ON citation_checks (citation_id, number);

CREATE TABLE routing_log (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record_id   TEXT COLLATE "C" NOT NULL REFERENCES records (record_id),
    outcome     TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('shown', 'flagged', 'queued', 'abstained')),
    reason      TEXT COLLATE "C",
    stratum     TEXT COLLATE "C",
    share       DOUBLE PRECISION,
    draw        DOUBLE PRECISION,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX routing_log_by_record ON routing_log (record_id, number);

CREATE TABLE items (
    item_id      TEXT COLLATE "C" PRIMARY KEY,
    doc_id       TEXT COLLATE "C" NOT NULL,
    doc_sha256   TEXT COLLATE "C" NOT NULL,
    field        TEXT COLLATE "C" NOT NULL,
    record_id    TEXT COLLATE "C" NOT NULL REFERENCES records (record_id),
    reason       TEXT COLLATE "C" NOT NULL CHECK (reason IN
                 ('schema_violation', 'conflicting', 'unverified_citation', 'low_confidence', 'sample_audit')),
    hard         BOOLEAN NOT NULL,
    due_at       BIGINT,
    due_order    BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    state        TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'decided')),
    item_version BIGINT NOT NULL,
    leases       BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (doc_id, doc_sha256, field)
);
CREATE INDEX items_in_order ON items (state, hard DESC, due_order, created_at, item_id);

CREATE TABLE assignments (
    assignment_id TEXT COLLATE "C" PRIMARY KEY,
    item_id       TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    reviewer      TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    round         BIGINT NOT NULL,
    token         BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    ended_at      BIGINT,
    ended_by      TEXT COLLATE "C" CHECK (ended_by IN ('decided', 'released', 'replaced')),
    recorded_at   BIGINT NOT NULL,
    UNIQUE (item_id, token)
);
CREATE INDEX assignments_running ON assignments (item_id, ended_at, expires_at);

CREATE TABLE decisions (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    decision_id  TEXT COLLATE "C" NOT NULL UNIQUE,
    caller_key   TEXT COLLATE "C" NOT NULL UNIQUE,
    item_id      TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    item_version BIGINT NOT NULL,
    reviewer     TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('accept', 'correct', 'reject', 'abstain', 'undo')),
    record_id    TEXT COLLATE "C" NOT NULL REFERENCES records (record_id),
    value        BYTEA,
    reason_code  TEXT COLLATE "C",
    note         BYTEA,
    replaces     TEXT COLLATE "C" REFERENCES decisions (decision_id),
    token        BIGINT,
    wall_ms      BIGINT,
    active_ms    BIGINT,
    shown_sha256 TEXT COLLATE "C",
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX decisions_by_item ON decisions (item_id, number);
CREATE INDEX decisions_by_reviewer ON decisions (reviewer, number);

CREATE TABLE audit_entries (
    seq           BIGINT PRIMARY KEY,
    recorded_at   BIGINT NOT NULL,
    zone          TEXT COLLATE "C" NOT NULL,
    who           TEXT COLLATE "C" NOT NULL,
    role          TEXT COLLATE "C" NOT NULL,
    action        TEXT COLLATE "C" NOT NULL,
    subject       TEXT COLLATE "C" NOT NULL,
    payload       BYTEA NOT NULL,
    entry_hash    BYTEA NOT NULL
);
CREATE TABLE audit_payloads (
    seq     BIGINT PRIMARY KEY REFERENCES audit_entries (seq),
    salt    BYTEA NOT NULL,
    payload BYTEA NOT NULL
);

-- Append-only, whoever asks. Each trigger hands over its message, so that a refusal reads alike on both databases.
-- TRUNCATE is a DELETE that SQLite does not have and that fires no row's trigger: it is refused wherever DELETE is. It is
-- raised as a violated constraint, which is what SQLite calls it too.
CREATE FUNCTION pincite_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = TG_ARGV[0];
END
$$;

CREATE TRIGGER layers_stay BEFORE UPDATE ON layers
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a layer never changes');
CREATE TRIGGER extractions_stay BEFORE UPDATE ON extractions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an extraction never changes');
CREATE TRIGGER structures_stay BEFORE UPDATE ON structures
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a structure never changes');
CREATE TRIGGER records_stay BEFORE UPDATE ON records
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a candidate is never overwritten');
CREATE TRIGGER citations_stay BEFORE UPDATE ON citations
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a citation is never overwritten');
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a decision is never edited');
CREATE TRIGGER decisions_remain BEFORE DELETE ON decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a decision is never deleted');
CREATE TRIGGER decisions_keep_all BEFORE TRUNCATE ON decisions
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a decision is never deleted');
CREATE TRIGGER routing_log_stays BEFORE UPDATE ON routing_log
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the routing log is append-only');
CREATE TRIGGER routing_log_remains BEFORE DELETE ON routing_log
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the routing log is append-only');
CREATE TRIGGER routing_log_keep_all BEFORE TRUNCATE ON routing_log
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('the routing log is append-only');
CREATE TRIGGER settings_stay BEFORE UPDATE ON settings
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('settings are append-only');
CREATE TRIGGER settings_remain BEFORE DELETE ON settings
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('settings are append-only');
CREATE TRIGGER settings_keep_all BEFORE TRUNCATE ON settings
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('settings are append-only');
CREATE TRIGGER thresholds_stay BEFORE UPDATE ON thresholds
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('thresholds are append-only');
CREATE TRIGGER thresholds_remain BEFORE DELETE ON thresholds
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('thresholds are append-only');
CREATE TRIGGER thresholds_keep_all BEFORE TRUNCATE ON thresholds
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('thresholds are append-only');
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the audit chain is append-only');
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('the audit chain is append-only');
CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('the audit chain is append-only');
CREATE TRIGGER audit_payloads_stay BEFORE UPDATE ON audit_payloads
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an audit payload never changes');
