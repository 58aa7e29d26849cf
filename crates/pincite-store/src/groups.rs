//! Groups of readers: who belongs to one, from when until when, and which groups may read a document.
//!
//! Append-only: what is true is what the last row about a pair, or about a document, says.
//!
//! Deliberately not here: leaving out what somebody may not read (`reader`), and who may change groups (`pincite_core::access`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// Somebody's membership of a group.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct MemberRow {
    /// The group.
    pub group_name: String,
    /// The account; alone, a name.
    pub member: String,
    /// From when, milliseconds since 1970 UTC.
    pub starts_at: i64,
    /// Until when; `None` without an end.
    pub ends_at: Option<i64>,
}

/// Every group, by name.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn groups(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    Ok(sql::query_scalar("SELECT group_name FROM groups ORDER BY group_name")
        .fetch_all(connection)
        .await?)
}

/// Every membership as it was said last, ended ones too, by group and member.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn members(connection: &mut Connection) -> Result<Vec<MemberRow>, StoreError> {
    let text = "SELECT m.group_name, m.member, m.starts_at, m.ends_at FROM group_members m \
                WHERE m.number = (SELECT max(l.number) FROM group_members l \
                    WHERE l.group_name = m.group_name AND l.member = m.member) \
                ORDER BY m.group_name, m.member";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

/// The groups that may read a document, by name; none where everybody may. Nothing of a document that is closed to whoever asks.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_document(connection: &mut Connection, doc_id: &str) -> Result<Vec<String>, StoreError> {
    let text = "SELECT n.group_name FROM document_group_names n \
                WHERE n.number = (SELECT max(g.number) FROM document_groups g JOIN documents d ON d.doc_id = g.doc_id \
                    WHERE g.doc_id = $1) ORDER BY n.group_name";
    Ok(sql::query_scalar(text).bind(doc_id).fetch_all(connection).await?)
}

impl Writing {
    /// Makes a group. False where it is there already.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_group(&mut self, name: &str) -> Result<bool, StoreError> {
        let now = self.now;
        let done = sql::query("INSERT INTO groups (group_name, recorded_at) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(name)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(done == 1)
    }

    /// Says from when until when somebody belongs to a group, in place of what was said before.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_membership(&mut self, membership: &MemberRow, who: &str, why: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO group_members (group_name, member, starts_at, ends_at, why, who, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&membership.group_name)
        .bind(&membership.member)
        .bind(membership.starts_at)
        .bind(membership.ends_at)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Says which groups may read a document, in place of what was said before; none lets everybody. Last of all in its write:
    /// whoever belongs to none of them has seen the last of the document.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_document_groups(
        &mut self,
        doc_id: &str,
        groups: &[String],
        who: &str,
        why: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO document_groups (doc_id, why, who, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(doc_id)
            .bind(why.as_bytes())
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        for group in groups {
            sql::query(
                "INSERT INTO document_group_names (number, group_name) \
                 SELECT max(number), $2 FROM document_groups WHERE doc_id = $1",
            )
            .bind(doc_id)
            .bind(group)
            .execute(self.connection())
            .await?;
        }
        Ok(())
    }
}
