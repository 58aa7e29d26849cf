-- What windows logged while items stood on the screen: from it, and from nothing else, times to decision are derived.
--
-- Conventions as in 0001, but for at_ms: milliseconds of the process's monotonic clock, from any beginning.

-- One stretch in which an item was painted, in one window. Named by the window, so that sending it twice keeps it once.
CREATE TABLE reading_segments (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    segment_id  TEXT NOT NULL UNIQUE,
    -- the window's process: times of two processes have nothing to do with each other
    process     TEXT NOT NULL,
    item_id     TEXT NOT NULL REFERENCES items (item_id),
    reviewer    TEXT NOT NULL REFERENCES reviewers (name),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX reading_segments_by_item ON reading_segments (item_id, reviewer);

CREATE TABLE reading_events (
    segment_id TEXT NOT NULL REFERENCES reading_segments (segment_id),
    -- from 0
    ordinal    BIGINT NOT NULL,
    event      TEXT NOT NULL CHECK (event IN
               ('painted', 'focused', 'blurred', 'visible', 'hidden', 'idle', 'returned', 'left', 'decided')),
    at_ms      BIGINT NOT NULL,
    PRIMARY KEY (segment_id, ordinal)
);

-- Which decision a segment counted towards; it counts once.
CREATE TABLE counted_segments (
    segment_id  TEXT PRIMARY KEY REFERENCES reading_segments (segment_id),
    decision_id TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX counted_segments_by_decision ON counted_segments (decision_id);

CREATE TRIGGER reading_segments_stay BEFORE UPDATE ON reading_segments BEGIN SELECT RAISE(ABORT, 'what was logged never changes'); END;
CREATE TRIGGER reading_segments_remain BEFORE DELETE ON reading_segments BEGIN SELECT RAISE(ABORT, 'what was logged never changes'); END;
CREATE TRIGGER reading_events_stay BEFORE UPDATE ON reading_events BEGIN SELECT RAISE(ABORT, 'what was logged never changes'); END;
CREATE TRIGGER reading_events_remain BEFORE DELETE ON reading_events BEGIN SELECT RAISE(ABORT, 'what was logged never changes'); END;
CREATE TRIGGER counted_segments_stay BEFORE UPDATE ON counted_segments BEGIN SELECT RAISE(ABORT, 'a segment counts once'); END;
CREATE TRIGGER counted_segments_remain BEFORE DELETE ON counted_segments BEGIN SELECT RAISE(ABORT, 'a segment counts once'); END;
