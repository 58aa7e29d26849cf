-- The functions that row-level security asks for every statement, so that their plans are kept for as long as a connection.
--
-- What they answer is as in 0007. Conventions as in 0001.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Whether whoever asks owns the tables.
CREATE FUNCTION pincite_owns() RETURNS BOOLEAN LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
    RETURN current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('accounts'));
END
$$;

-- The setting is asked first: hardly anybody says it, and what follows looks tables up. Nobody gains by another meaning of what
-- stands here: who owns the tables is asked within this schema alone.
DO $$
BEGIN
    EXECUTE format(
        'CREATE OR REPLACE FUNCTION pincite_inside() RETURNS BOOLEAN LANGUAGE plpgsql STABLE AS %L',
        format('BEGIN IF current_setting(''pincite.inside'', true) = ''on'' THEN RETURN %I.pincite_owns(); END IF; RETURN false; END',
            current_schema()));
END
$$;

CREATE OR REPLACE FUNCTION pincite_reader() RETURNS TEXT
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    token TEXT := coalesce(current_setting('pincite.session', true), '');
BEGIN
    IF token = '' THEN
        RETURN NULL;
    END IF;
    RETURN (SELECT s.account FROM sessions s
        WHERE s.token_sha256 = sha256(convert_to(token, 'UTF8'))
            AND s.ends_at > pincite_milliseconds()
            AND (SELECT a.state FROM account_states a WHERE a.account = s.account ORDER BY a.number DESC LIMIT 1) = 'open');
END
$$;

CREATE OR REPLACE FUNCTION pincite_holds(asked TEXT) RETURNS BOOLEAN
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reader TEXT := pincite_reader();
BEGIN
    RETURN coalesce((SELECT r.event FROM account_roles r
        WHERE r.account = reader AND r.role = asked ORDER BY r.number DESC LIMIT 1) = 'granted', false);
END
$$;

-- Where no document names a group, nothing is closed to anybody.
CREATE OR REPLACE FUNCTION pincite_sees_all() RETURNS BOOLEAN LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
    IF pincite_inside() THEN
        RETURN true;
    END IF;
    IF pincite_reader() IS NULL THEN
        RETURN false;
    END IF;
    RETURN NOT EXISTS (SELECT 1 FROM document_group_names) OR NOT EXISTS (SELECT 1 FROM pincite_closed_documents());
END
$$;
