-- What the review desk keeps beside decisions: incidents of hasty accepts, floors, items held for later.
--
-- Conventions as in 0001.

-- The field's floor when a timed decision was made, so that a later setting makes nobody hasty in the past. NULL where no
-- window saw it, and before floors were kept.
ALTER TABLE decisions ADD COLUMN floor_ms BIGINT;

-- A run of accepts under the floor; named by its first decision, which stays the same while the run grows.
CREATE TABLE incidents (
    incident_id TEXT PRIMARY KEY REFERENCES decisions (decision_id),
    reviewer    TEXT NOT NULL REFERENCES reviewers (name),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incidents_by_reviewer ON incidents (reviewer);

-- Every decision in its window, not only the accepts. A decision lies in one incident at most.
CREATE TABLE incident_decisions (
    decision_id TEXT PRIMARY KEY REFERENCES decisions (decision_id),
    incident_id TEXT NOT NULL REFERENCES incidents (incident_id),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incident_decisions_by_incident ON incident_decisions (incident_id);

-- What somebody made of an incident. The last row holds.
CREATE TABLE incident_resolutions (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id TEXT NOT NULL REFERENCES incidents (incident_id),
    resolution  TEXT NOT NULL CHECK (resolution IN ('keep', 'void')),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX incident_resolutions_by_incident ON incident_resolutions (incident_id, number);

-- Times to decision, gathered until a field has enough of them for its baseline.
CREATE TABLE floor_times (
    decision_id TEXT PRIMARY KEY REFERENCES decisions (decision_id),
    field       TEXT NOT NULL,
    reviewer    TEXT NOT NULL REFERENCES reviewers (name),
    active_ms   BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX floor_times_by_field ON floor_times (field);

-- The baseline of a field's floor, frozen once: the times themselves, a JSON array of milliseconds.
CREATE TABLE floor_baselines (
    field       TEXT PRIMARY KEY,
    times       TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);

-- Items that somebody put off with a note, and took up again. The last row of an item holds.
CREATE TABLE held_for_later (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id     TEXT NOT NULL REFERENCES items (item_id),
    event       TEXT NOT NULL CHECK (event IN ('held', 'taken_up')),
    note        BLOB,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    CHECK ((event = 'held') = (note IS NOT NULL))
);
CREATE INDEX held_for_later_by_item ON held_for_later (item_id, number);

CREATE TRIGGER incidents_stay BEFORE UPDATE ON incidents BEGIN SELECT RAISE(ABORT, 'an incident never changes'); END;
CREATE TRIGGER incidents_remain BEFORE DELETE ON incidents BEGIN SELECT RAISE(ABORT, 'an incident is never deleted'); END;
CREATE TRIGGER incident_decisions_stay BEFORE UPDATE ON incident_decisions BEGIN SELECT RAISE(ABORT, 'an incident never changes'); END;
CREATE TRIGGER incident_decisions_remain BEFORE DELETE ON incident_decisions BEGIN SELECT RAISE(ABORT, 'an incident is never deleted'); END;
CREATE TRIGGER incident_resolutions_stay BEFORE UPDATE ON incident_resolutions BEGIN SELECT RAISE(ABORT, 'resolutions are append-only'); END;
CREATE TRIGGER incident_resolutions_remain BEFORE DELETE ON incident_resolutions BEGIN SELECT RAISE(ABORT, 'resolutions are append-only'); END;
CREATE TRIGGER floor_times_stay BEFORE UPDATE ON floor_times BEGIN SELECT RAISE(ABORT, 'a time to decision never changes'); END;
CREATE TRIGGER floor_times_remain BEFORE DELETE ON floor_times BEGIN SELECT RAISE(ABORT, 'a time to decision is never deleted'); END;
CREATE TRIGGER floor_baselines_stay BEFORE UPDATE ON floor_baselines BEGIN SELECT RAISE(ABORT, 'a frozen baseline never changes'); END;
CREATE TRIGGER floor_baselines_remain BEFORE DELETE ON floor_baselines BEGIN SELECT RAISE(ABORT, 'a frozen baseline never changes'); END;
CREATE TRIGGER held_for_later_stays BEFORE UPDATE ON held_for_later BEGIN SELECT RAISE(ABORT, 'what was held for later is append-only'); END;
CREATE TRIGGER held_for_later_remains BEFORE DELETE ON held_for_later BEGIN SELECT RAISE(ABORT, 'what was held for later is append-only'); END;
