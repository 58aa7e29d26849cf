-- Accounts, roles, groups, and which groups may read a document.
--
-- Conventions as in 0001. Who may read what is worked out by views that each connection makes for its reader (`reader.rs`).

-- Who may sign in. Append-only, as everything below: what is true now is what the last row says.
CREATE TABLE accounts (
    account     TEXT PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- A password is never here: a key is made of it (Argon2id, by the account's own salt), and of the key its SHA-256.
CREATE TABLE account_passwords (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    account     TEXT NOT NULL REFERENCES accounts (account),
    salt        BLOB NOT NULL,
    parameters  TEXT NOT NULL,
    verifier    BLOB NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_passwords_by_account ON account_passwords (account, number);

-- The public half of the key with which an account signs, made of its password.
CREATE TABLE account_keys (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    account     TEXT NOT NULL REFERENCES accounts (account),
    public_key  BLOB NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_keys_by_account ON account_keys (account, number);

-- Who signed which record, with which meaning. The record's bytes are made of its row again; their SHA-256 is in what is signed.
CREATE TABLE signatures (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    kind          TEXT NOT NULL CHECK (kind IN ('decision', 'second_review', 'threshold', 'incident')),
    subject       TEXT NOT NULL,
    account       TEXT NOT NULL REFERENCES accounts (account),
    meaning       TEXT NOT NULL CHECK (meaning IN ('reviewed', 'approved', 'responsible')),
    record_sha256 BLOB NOT NULL,
    public_key    BLOB NOT NULL,
    signature     BLOB NOT NULL,
    recorded_at   BIGINT NOT NULL
);
CREATE INDEX signatures_by_subject ON signatures (kind, subject);

-- A closed account signs nothing and sees nothing; its name stays taken.
CREATE TABLE account_states (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    account     TEXT NOT NULL REFERENCES accounts (account),
    state       TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_states_by_account ON account_states (account, number);

CREATE TABLE account_roles (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    account     TEXT NOT NULL REFERENCES accounts (account),
    role        TEXT NOT NULL CHECK (role IN
                ('reviewer', 'calibration_owner', 'grader', 'auditor', 'document_control', 'administrator')),
    event       TEXT NOT NULL CHECK (event IN ('granted', 'withdrawn')),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX account_roles_by_account ON account_roles (account, role, number);

-- Tries to sign in, so that guessing is seen and slowed down.
CREATE TABLE sign_ins (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    account     TEXT NOT NULL,
    succeeded   BOOLEAN NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX sign_ins_by_account ON sign_ins (account, recorded_at);

-- Who is signed in: by the SHA-256 of a token that only their program has.
CREATE TABLE sessions (
    token_sha256 BLOB PRIMARY KEY,
    account      TEXT NOT NULL REFERENCES accounts (account),
    ends_at      BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

-- Groups of readers.
CREATE TABLE groups (
    group_name  TEXT PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- From when until when somebody belongs to a group; the last row of a pair counts. Alone, members are names; in a team, accounts.
CREATE TABLE group_members (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    group_name  TEXT NOT NULL REFERENCES groups (group_name),
    member      TEXT NOT NULL,
    starts_at   BIGINT NOT NULL,
    ends_at     BIGINT,
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX group_members_by_member ON group_members (member, group_name, number);

-- Which groups may read a document; the last row of a document counts. None at all: everybody who may read documents.
CREATE TABLE document_groups (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id      TEXT NOT NULL REFERENCES documents (doc_id),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX document_groups_by_document ON document_groups (doc_id, number);

CREATE TABLE document_group_names (
    number     BIGINT NOT NULL REFERENCES document_groups (number),
    group_name TEXT NOT NULL REFERENCES groups (group_name),
    PRIMARY KEY (number, group_name)
);

CREATE TRIGGER accounts_stay BEFORE UPDATE ON accounts BEGIN SELECT RAISE(ABORT, 'an account never changes'); END;
CREATE TRIGGER accounts_remain BEFORE DELETE ON accounts BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;
CREATE TRIGGER account_passwords_stay BEFORE UPDATE ON account_passwords BEGIN SELECT RAISE(ABORT, 'passwords are append-only'); END;
CREATE TRIGGER account_passwords_remain BEFORE DELETE ON account_passwords BEGIN SELECT RAISE(ABORT, 'passwords are append-only'); END;
CREATE TRIGGER account_keys_stay BEFORE UPDATE ON account_keys BEGIN SELECT RAISE(ABORT, 'keys of accounts are append-only'); END;
CREATE TRIGGER account_keys_remain BEFORE DELETE ON account_keys BEGIN SELECT RAISE(ABORT, 'keys of accounts are append-only'); END;
CREATE TRIGGER signatures_stay BEFORE UPDATE ON signatures BEGIN SELECT RAISE(ABORT, 'a signature never changes'); END;
CREATE TRIGGER signatures_remain BEFORE DELETE ON signatures BEGIN SELECT RAISE(ABORT, 'a signature is never deleted'); END;
CREATE TRIGGER account_states_stay BEFORE UPDATE ON account_states BEGIN SELECT RAISE(ABORT, 'states of accounts are append-only'); END;
CREATE TRIGGER account_states_remain BEFORE DELETE ON account_states BEGIN SELECT RAISE(ABORT, 'states of accounts are append-only'); END;
CREATE TRIGGER account_roles_stay BEFORE UPDATE ON account_roles BEGIN SELECT RAISE(ABORT, 'roles are append-only'); END;
CREATE TRIGGER account_roles_remain BEFORE DELETE ON account_roles BEGIN SELECT RAISE(ABORT, 'roles are append-only'); END;
CREATE TRIGGER sign_ins_stay BEFORE UPDATE ON sign_ins BEGIN SELECT RAISE(ABORT, 'sign-ins are append-only'); END;
CREATE TRIGGER sign_ins_remain BEFORE DELETE ON sign_ins BEGIN SELECT RAISE(ABORT, 'sign-ins are append-only'); END;
CREATE TRIGGER groups_stay BEFORE UPDATE ON groups BEGIN SELECT RAISE(ABORT, 'a group never changes'); END;
CREATE TRIGGER groups_remain BEFORE DELETE ON groups BEGIN SELECT RAISE(ABORT, 'a group is never deleted'); END;
CREATE TRIGGER group_members_stay BEFORE UPDATE ON group_members BEGIN SELECT RAISE(ABORT, 'memberships are append-only'); END;
CREATE TRIGGER group_members_remain BEFORE DELETE ON group_members BEGIN SELECT RAISE(ABORT, 'memberships are append-only'); END;
CREATE TRIGGER document_groups_stay BEFORE UPDATE ON document_groups BEGIN SELECT RAISE(ABORT, 'groups of documents are append-only'); END;
CREATE TRIGGER document_groups_remain BEFORE DELETE ON document_groups BEGIN SELECT RAISE(ABORT, 'groups of documents are append-only'); END;
CREATE TRIGGER document_group_names_stay BEFORE UPDATE ON document_group_names BEGIN SELECT RAISE(ABORT, 'groups of documents are append-only'); END;
CREATE TRIGGER document_group_names_remain BEFORE DELETE ON document_group_names BEGIN SELECT RAISE(ABORT, 'groups of documents are append-only'); END;
