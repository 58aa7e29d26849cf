-- What the review desk keeps beside decisions; as in migrations/sqlite/0003_review.sql.

ALTER TABLE decisions ADD COLUMN floor_ms BIGINT;

CREATE TABLE incidents (
    incident_id TEXT COLLATE "C" PRIMARY KEY REFERENCES decisions (decision_id),
    reviewer    TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incidents_by_reviewer ON incidents (reviewer);

CREATE TABLE incident_decisions (
    decision_id TEXT COLLATE "C" PRIMARY KEY REFERENCES decisions (decision_id),
    incident_id TEXT COLLATE "C" NOT NULL REFERENCES incidents (incident_id),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incident_decisions_by_incident ON incident_decisions (incident_id);

CREATE TABLE incident_resolutions (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    incident_id TEXT COLLATE "C" NOT NULL REFERENCES incidents (incident_id),
    resolution  TEXT COLLATE "C" NOT NULL CHECK (resolution IN ('keep', 'void')),
    why         BYTEA NOT NULL,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incident_resolutions_by_incident ON incident_resolutions (incident_id, number);

CREATE TABLE floor_times (
    decision_id TEXT COLLATE "C" PRIMARY KEY REFERENCES decisions (decision_id),
    field       TEXT COLLATE "C" NOT NULL,
    reviewer    TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    active_ms   BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX floor_times_by_field ON floor_times (field);

CREATE TABLE floor_baselines (
    field       TEXT COLLATE "C" PRIMARY KEY,
    times       TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);

CREATE TABLE held_for_later (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id     TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    event       TEXT COLLATE "C" NOT NULL CHECK (event IN ('held', 'taken_up')),
    note        BYTEA,
    who         TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL,
    CHECK ((event = 'held') = (note IS NOT NULL))
);
CREATE INDEX held_for_later_by_item ON held_for_later (item_id, number);

CREATE TRIGGER incidents_stay BEFORE UPDATE ON incidents
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an incident never changes');
CREATE TRIGGER incidents_remain BEFORE DELETE ON incidents
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an incident is never deleted');
CREATE TRIGGER incidents_keep_all BEFORE TRUNCATE ON incidents
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('an incident is never deleted');
CREATE TRIGGER incident_decisions_stay BEFORE UPDATE ON incident_decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an incident never changes');
CREATE TRIGGER incident_decisions_remain BEFORE DELETE ON incident_decisions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('an incident is never deleted');
CREATE TRIGGER incident_decisions_keep_all BEFORE TRUNCATE ON incident_decisions
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('an incident is never deleted');
CREATE TRIGGER incident_resolutions_stay BEFORE UPDATE ON incident_resolutions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('resolutions are append-only');
CREATE TRIGGER incident_resolutions_remain BEFORE DELETE ON incident_resolutions
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('resolutions are append-only');
CREATE TRIGGER incident_resolutions_keep_all BEFORE TRUNCATE ON incident_resolutions
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('resolutions are append-only');
CREATE TRIGGER floor_times_stay BEFORE UPDATE ON floor_times
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a time to decision never changes');
CREATE TRIGGER floor_times_remain BEFORE DELETE ON floor_times
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a time to decision is never deleted');
CREATE TRIGGER floor_times_keep_all BEFORE TRUNCATE ON floor_times
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a time to decision is never deleted');
CREATE TRIGGER floor_baselines_stay BEFORE UPDATE ON floor_baselines
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a frozen baseline never changes');
CREATE TRIGGER floor_baselines_remain BEFORE DELETE ON floor_baselines
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a frozen baseline never changes');
CREATE TRIGGER floor_baselines_keep_all BEFORE TRUNCATE ON floor_baselines
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a frozen baseline never changes');
CREATE TRIGGER held_for_later_stays BEFORE UPDATE ON held_for_later
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was held for later is append-only');
CREATE TRIGGER held_for_later_remains BEFORE DELETE ON held_for_later
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was held for later is append-only');
CREATE TRIGGER held_for_later_keep_all BEFORE TRUNCATE ON held_for_later
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what was held for later is append-only');
