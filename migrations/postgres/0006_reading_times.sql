-- What windows logged while items stood on the screen; as in migrations/sqlite/0006_reading_times.sql.

CREATE TABLE reading_segments (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    segment_id  TEXT COLLATE "C" NOT NULL UNIQUE,
    process     TEXT COLLATE "C" NOT NULL,
    item_id     TEXT COLLATE "C" NOT NULL REFERENCES items (item_id),
    reviewer    TEXT COLLATE "C" NOT NULL REFERENCES reviewers (name),
    recorded_at BIGINT NOT NULL
);
CREATE INDEX reading_segments_by_item ON reading_segments (item_id, reviewer);

CREATE TABLE reading_events (
    segment_id TEXT COLLATE "C" NOT NULL REFERENCES reading_segments (segment_id),
    ordinal    BIGINT NOT NULL,
    event      TEXT COLLATE "C" NOT NULL CHECK (event IN
               ('painted', 'focused', 'blurred', 'visible', 'hidden', 'idle', 'returned', 'left', 'decided')),
    at_ms      BIGINT NOT NULL,
    PRIMARY KEY (segment_id, ordinal)
);

CREATE TABLE counted_segments (
    segment_id  TEXT COLLATE "C" PRIMARY KEY REFERENCES reading_segments (segment_id),
    decision_id TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX counted_segments_by_decision ON counted_segments (decision_id);

CREATE TRIGGER reading_segments_stay BEFORE UPDATE ON reading_segments
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER reading_segments_remain BEFORE DELETE ON reading_segments
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER reading_segments_keep_all BEFORE TRUNCATE ON reading_segments
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER reading_events_stay BEFORE UPDATE ON reading_events
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER reading_events_remain BEFORE DELETE ON reading_events
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER reading_events_keep_all BEFORE TRUNCATE ON reading_events
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('what was logged never changes');
CREATE TRIGGER counted_segments_stay BEFORE UPDATE ON counted_segments
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a segment counts once');
CREATE TRIGGER counted_segments_remain BEFORE DELETE ON counted_segments
    FOR EACH ROW EXECUTE FUNCTION pincite_refuse('a segment counts once');
CREATE TRIGGER counted_segments_keep_all BEFORE TRUNCATE ON counted_segments
    FOR EACH STATEMENT EXECUTE FUNCTION pincite_refuse('a segment counts once');
