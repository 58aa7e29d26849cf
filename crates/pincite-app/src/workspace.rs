//! An open workspace: the store, the PDF worker's whereabouts, and what is kept in memory only.
//!
//! Deliberately not here: choosing a folder for the user's data (the faces know their platform).

use crate::anchors::{Anchors, Listener};
use crate::error::AppError;
use crate::loaded::Cache;
use crate::ports::{new_id, new_salt};
use crate::times;
use crate::wire::{ErrorCode, WorkspaceView};
use pincite_core::access::{Deed, Role, role_for};
use pincite_pdf::{Limits, Pool, Worker, WorkerProgram, protocol};
pub use pincite_store::Place;
use pincite_store::{Actor, Connection, Store, Writing, accounts, settings};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Length of a lease where no setting says otherwise.
pub const LEASE_MILLISECONDS: i64 = 5 * 60 * 1000;

/// At most this many workers draw pages or are kept open for it.
const OPEN_WORKERS: usize = 4;
/// A worker that drew nothing for so long is ended.
const IDLE_WORKER: Duration = Duration::from_secs(120);

/// An open workspace. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// What is kept.
    pub store: Store,
    inside: Arc<Inside>,
}

#[derive(Debug)]
struct Inside {
    worker: WorkerProgram,
    extractor: OnceLock<String>,
    pool: Pool,
    cache: Cache,
    /// Passwords by the hash of the bytes they open: in memory only.
    passwords: Mutex<HashMap<String, String>>,
    anchors: OnceLock<Arc<Anchors>>,
}

const WORKSPACE_ID: &str = "workspace_id";

impl Workspace {
    /// Makes a workspace in a folder, or opens the one that is there. A team's is made by [`accounts::found`](crate::accounts::found).
    ///
    /// # Errors
    /// Where the folder or the database can't be used.
    pub async fn create(place: impl Into<Place>, demo: bool) -> Result<Self, AppError> {
        let place = place.into();
        if let Place::Folder(folder) = &place {
            std::fs::create_dir_all(folder).map_err(|error| {
                AppError::bad_input(format!("{}: the folder can't be made: {error}", folder.display()))
            })?;
        }
        let store = Store::create(place).await?;
        let mut write = store.write().await?;
        let local = actor(&write, &system_user());
        begin(&mut write, demo, &local).await?;
        write.commit().await?;
        Ok(Self::of(store))
    }

    /// Opens a workspace: a team's as whoever's session the place names.
    ///
    /// # Errors
    /// Where there is none, or it can't be used.
    pub async fn open(place: impl Into<Place>) -> Result<Self, AppError> {
        Ok(Self::of(Store::open(place).await?))
    }

    /// Whether there is a workspace at this place, whoever may open it.
    ///
    /// # Errors
    /// Where the place can't be looked at.
    pub async fn is_there(place: &Place) -> Result<bool, AppError> {
        Ok(Store::is_there(place).await?)
    }

    /// Whether it is a team's, where everybody has an account.
    #[must_use]
    pub fn is_team(&self) -> bool {
        matches!(self.store.place(), Place::Team(_))
    }

    /// The same workspace, read with this person's eyes; a team's is read by whoever is signed in.
    #[must_use]
    pub fn read_as(&self, name: &str) -> Self {
        Self {
            store: self.store.read_as(name),
            inside: self.inside.clone(),
        }
    }

    /// Who works: in a team whoever is signed in, alone whoever is said, else the person at this machine.
    ///
    /// # Errors
    /// `bad_input` where somebody else is said than is signed in.
    pub fn name(&self, said: Option<&str>) -> Result<String, AppError> {
        if !self.is_team() {
            return Ok(said.map_or_else(system_user, str::to_owned));
        }
        let reader = self.store.reader();
        match said {
            Some(said) if said != reader => Err(AppError::bad_input(format!(
                "--as {said}: a team's workspace knows who you are: {reader} is signed in; --as is for workspaces in a folder"
            ))),
            _ => Ok(reader.to_owned()),
        }
    }

    /// The roles that somebody holds: alone every one, in a team those of the account that is signed in.
    ///
    /// # Errors
    /// `signed_out` where the session is over; the store.
    pub async fn roles(&self) -> Result<Vec<Role>, AppError> {
        if !self.is_team() {
            return Ok(Role::ALL.to_vec());
        }
        let mut reading = self.store.read().await?;
        if !accounts::is_signed_in(&mut reading).await? {
            return Err(AppError {
                code: ErrorCode::SignedOut,
                message: format!(
                    "{}'s session in {} is over: sign in again; nothing was done",
                    self.store.reader(),
                    self.store.place()
                ),
            });
        }
        let names = accounts::roles(&mut reading, self.store.reader()).await?;
        Ok(names.iter().filter_map(|name| Role::of_name(name)).collect())
    }

    /// The same workspace, for what concerns one's own account: whatever roles that holds, if any.
    ///
    /// # Errors
    /// The store.
    pub async fn as_oneself(&self) -> Result<Self, AppError> {
        if !self.is_team() {
            return Ok(self.clone());
        }
        let roles = self.roles().await?;
        Ok(Self {
            store: self
                .store
                .acting_in(roles.first().map_or("no_role", |role| role.name())),
            inside: self.inside.clone(),
        })
    }

    /// The same workspace for doing this, where a role of whoever is signed in allows it. Nothing is done in a team but through
    /// what this answers.
    ///
    /// # Errors
    /// `forbidden`; the store.
    pub async fn allowed(&self, deed: Deed) -> Result<Self, AppError> {
        if !self.is_team() {
            return Ok(self.clone());
        }
        let reader = self.store.reader();
        let Some(role) = role_for(deed, &self.roles().await?) else {
            let wanted: Vec<&str> = deed.roles().iter().map(|role| role.name()).collect();
            return Err(AppError::forbidden(format!(
                "{reader} may not {}: that is for {}; an administrator grants roles with `pincite user grant`",
                deed.words(),
                wanted.join(" or ")
            )));
        };
        Ok(Self {
            store: self.store.acting_in(role.name()),
            inside: self.inside.clone(),
        })
    }

    fn of(store: Store) -> Self {
        let inside = Inside {
            worker: worker_program(),
            extractor: OnceLock::new(),
            pool: Pool::new(OPEN_WORKERS, IDLE_WORKER),
            cache: Cache::default(),
            passwords: Mutex::default(),
            anchors: OnceLock::new(),
        };
        Self {
            store,
            inside: Arc::new(inside),
        }
    }

    /// Anchors the audit chain in this folder from now on: every [`EVERY`](crate::anchors::EVERY) entries, and when the
    /// workspace is closed.
    ///
    /// # Errors
    /// The store.
    pub async fn anchor_in(&self, folder: PathBuf) -> Result<(), AppError> {
        let Some(id) = self.id(&mut *self.store.read().await?).await? else {
            return Ok(());
        };
        let anchors = self.inside.anchors.get_or_init(|| Arc::new(Anchors::new(id, folder)));
        self.store.listen(Box::new(Listener(anchors.clone())));
        Ok(())
    }

    /// The workspace's id, made with its first entry; none where it was not made to the end.
    pub(crate) async fn id(&self, connection: &mut Connection) -> Result<Option<String>, AppError> {
        Ok(settings::workspace_value(connection, WORKSPACE_ID).await?)
    }

    /// Anchors the audit chain and closes every connection.
    pub async fn close(&self) {
        if let Some(anchors) = self.inside.anchors.get() {
            anchors.finish();
        }
        self.store.close().await;
    }

    /// Where the worker and PDFium are.
    #[must_use]
    pub fn worker(&self) -> &WorkerProgram {
        &self.inside.worker
    }

    /// What every worker may use.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Opens a worker on some bytes.
    pub(crate) fn open_worker(&self, document: File, password: Option<&str>) -> Result<Worker, AppError> {
        let worker = Worker::open(self.worker(), document, password, self.limits())?;
        tracing::debug!(sandbox = %worker.sandbox(), process = worker.process(), "a worker is open");
        Ok(worker)
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.inside.pool
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.inside.cache
    }

    /// The extractor's full name: the rule by which the layer is written, PDFium by the hash of its library, no fonts.
    ///
    /// # Errors
    /// Where PDFium's library can't be read.
    pub fn extractor(&self) -> Result<String, AppError> {
        if let Some(name) = self.inside.extractor.get() {
            return Ok(name.clone());
        }
        let library = &self.inside.worker.library;
        let bytes = std::fs::read(library).map_err(|error| {
            AppError::internal(format!(
                "PDFium is not at {}: {error}; run `make setup` or set PINCITE_NATIVE",
                library.display()
            ))
        })?;
        let hash = pincite_core::sha256_hex(&bytes);
        let name = format!(
            "{}; pdfium sha256:{}; fonts none",
            protocol::LAYER_RULE,
            hash.get(..16).unwrap_or(&hash)
        );
        Ok(self.inside.extractor.get_or_init(|| name).clone())
    }

    /// Keeps a password for some bytes, in memory only.
    pub fn remember_password(&self, doc_sha256: &str, password: &str) {
        if let Ok(mut passwords) = self.inside.passwords.lock() {
            passwords.insert(doc_sha256.to_owned(), password.to_owned());
        }
    }

    pub(crate) fn password(&self, doc_sha256: &str) -> Option<String> {
        self.inside.passwords.lock().ok()?.get(doc_sha256).cloned()
    }

    /// How long a lease runs, in milliseconds.
    ///
    /// # Errors
    /// Where the store can't be read.
    pub async fn lease_milliseconds(&self) -> Result<i64, AppError> {
        let setting = settings::setting(&mut *self.store.read().await?, "lease_milliseconds").await?;
        Ok(setting
            .and_then(|value| value.parse().ok())
            .unwrap_or(LEASE_MILLISECONDS))
    }

    /// The workspace as the window shows it.
    ///
    /// # Errors
    /// Where the store can't be read.
    pub async fn view(&self, reviewer: &str) -> Result<WorkspaceView, AppError> {
        let (lease, roles) = (self.lease_milliseconds().await?, self.roles().await?);
        let mut reading = self.store.read().await?;
        let versions = pincite_store::documents::versions(&mut reading, i64::MAX, "")
            .await?
            .len();
        let catalogue = crate::settings::catalogue_in(&mut reading).await?;
        Ok(WorkspaceView {
            folder: self.store.place().to_string(),
            team: self.is_team(),
            signatures: crate::signing::needed(&mut reading).await?,
            roles: roles.into_iter().map(|role| role.name().to_owned()).collect(),
            demo: settings::workspace_value(&mut reading, "demo").await?.as_deref() == Some("yes"),
            reviewer: reviewer.to_owned(),
            reviewers: settings::reviewers(&mut reading).await?,
            versions: u32::try_from(versions).unwrap_or(u32::MAX),
            fields: u32::try_from(catalogue.fields.len()).unwrap_or(u32::MAX),
            lease_milliseconds: u32::try_from(lease).unwrap_or(u32::MAX),
            pincite: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Makes sure that a reviewer's name is on the list.
    ///
    /// # Errors
    /// An empty or overlong name; the store.
    pub async fn ensure_reviewer(&self, name: &str) -> Result<(), AppError> {
        let known = settings::reviewers(&mut *self.store.read().await?).await?;
        if known.iter().any(|reviewer| reviewer == name) {
            return Ok(());
        }
        if name.trim().is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
            return Err(AppError::bad_input(
                "a reviewer needs a name of 1 to 200 bytes on one line: say who with --as",
            ));
        }
        let mut write = self.store.write().await?;
        if write.add_reviewer(name).await? {
            write.audit(
                &actor(&write, name),
                &new_salt(),
                "reviewer.add",
                name,
                &serde_json::json!({}),
            );
        }
        write.commit().await?;
        Ok(())
    }
}

/// Gives a new workspace its id, with the first entry of its chain. One that has an id keeps it.
pub(crate) async fn begin(write: &mut Writing, demo: bool, who: &Actor) -> Result<(), AppError> {
    if settings::workspace_value(write.connection(), WORKSPACE_ID)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let id = new_id();
    write.keep_workspace_value(WORKSPACE_ID, &id).await?;
    write
        .keep_workspace_value("demo", if demo { "yes" } else { "no" })
        .await?;
    let payload = serde_json::json!({ "demo": demo });
    write.audit(who, &new_salt(), "workspace.init", &id, &payload);
    Ok(())
}

/// Who does what a write does: in a team whoever is signed in, in the role that allows it; alone, whoever is said.
#[must_use]
pub fn actor(write: &Writing, said: &str) -> Actor {
    let (who, role) = write.acting().unwrap_or((said, "local"));
    Actor {
        who: who.to_owned(),
        role: role.to_owned(),
        zone: times::zone(),
    }
}

/// The name of the person at this machine, as the system has it.
#[must_use]
pub fn system_user() -> String {
    ["PINCITE_REVIEWER", "USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
        .unwrap_or_else(|| "reviewer".to_owned())
}

/// Where a user's workspace is kept unless another folder is named; `None` where the home folder is not known.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let data = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("pincite"))
}

/// A folder of this person's own for something that outlives a workspace: as the variable says, else beside their other data.
pub(crate) fn own_folder(variable: &str, name: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
        .or_else(|| data_folder().map(|data| data.join(name)))
}

/// The worker stands beside this program unless `PINCITE_PDF_WORKER` says otherwise. PDFium is looked for under
/// `PINCITE_NATIVE`, then in `native` beside this program, then where the set-up put it when this program was built.
fn worker_program() -> WorkerProgram {
    let beside = std::env::current_exe()
        .ok()
        .and_then(|program| program.parent().map(Path::to_owned))
        .unwrap_or_default();
    let name = format!("pincite-pdf-worker{}", std::env::consts::EXE_SUFFIX);
    let program = std::env::var_os("PINCITE_PDF_WORKER")
        .map(PathBuf::from)
        .unwrap_or_else(|| {
            // Test programs stand one folder deeper.
            let here = beside.join(&name);
            if here.is_file() {
                here
            } else {
                beside.parent().map_or(here, |folder| folder.join(&name))
            }
        });
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../native");
    let when_built = option_env!("PINCITE_NATIVE").map(PathBuf::from);
    let folders = std::env::var_os("PINCITE_NATIVE")
        .map(PathBuf::from)
        .into_iter()
        .chain([beside.join("native")])
        .chain(when_built)
        .chain([source_tree]);
    let library = folders.filter_map(|folder| find_library(&folder)).next();
    WorkerProgram {
        program,
        library: library.unwrap_or_else(|| PathBuf::from("native/pdfium/libpdfium.so")),
    }
}

/// The library in the newest folder of `native/pdfium/VERSION/`.
fn find_library(native: &Path) -> Option<PathBuf> {
    let name = format!("{}pdfium{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let mut found: Vec<PathBuf> = std::fs::read_dir(native.join("pdfium"))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join(&name)))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop().and_then(|path| path.canonicalize().ok())
}
