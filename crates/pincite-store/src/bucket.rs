//! Bytes under their hash, in a bucket that speaks the S3 protocol: where a team has no folder that everybody reaches.
//!
//! Where the server is and who asks, the environment says in the words that every S3 program knows (`AWS_ENDPOINT_URL`,
//! `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, ...): a workspace names its bucket and nothing else.
//!
//! Deliberately not here: a cache of fetched bytes. Whoever may not read a document tomorrow would find it on the disk.

use crate::StoreError;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, ObjectStoreExt as _, RetryConfig};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::future::Future;
use std::io::{self, Seek as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, SystemTime};
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::Runtime;

/// How the address of a bucket begins.
const SCHEME: &str = "s3://";

/// How long a server that says nothing is waited for. Whoever waits for longer is told, and keeps what they had.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);

/// How long a server that is away is asked again.
const LONGEST_RETRY: Duration = Duration::from_secs(15);

/// A bucket, or what lies below a name in it.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    address: String,
    prefix: String,
    store: Arc<AmazonS3>,
}

impl Bucket {
    /// The one at an address, `s3://bucket` or `s3://bucket/below/it`; `None` where the address is none of a bucket.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`bad_bucket`): no bucket is named, or the environment says something that can't be.
    pub(crate) fn at(address: &str) -> Result<Option<Self>, StoreError> {
        let Some(named) = address.strip_prefix(SCHEME) else {
            return Ok(None);
        };
        let (bucket, prefix) = named.split_once('/').unwrap_or((named, ""));
        let refused = |cause: String| {
            StoreError::refused(
                "bad_bucket",
                format!(
                    "{address}: {cause}; the address is s3://bucket/name, and the variables AWS_ENDPOINT_URL, AWS_REGION, \
                     AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say where it is and who asks"
                ),
            )
        };
        if bucket.is_empty() {
            return Err(refused("no bucket is named".into()));
        }
        let prefix = Key::parse(prefix.trim_end_matches('/')).map_err(|error| refused(error.to_string()))?;
        // Whoever chose another one before keeps it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = AmazonS3Builder::from_env()
            .with_client_options(connection())
            .with_retry(RetryConfig {
                backoff: BackoffConfig {
                    max_backoff: Duration::from_secs(1),
                    ..BackoffConfig::default()
                },
                max_retries: 3,
                retry_timeout: LONGEST_RETRY,
            })
            .with_bucket_name(bucket)
            .build()
            .map_err(|error| refused(error.to_string()))?;
        Ok(Some(Self {
            address: address.trim_end_matches('/').to_owned(),
            prefix: prefix.to_string(),
            store: Arc::new(store),
        }))
    }

    /// Its address, as it was given.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Where bytes are, for whoever reads a message.
    pub(crate) fn shown(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("{}/{name}", self.address))
    }

    fn key(&self, name: &str) -> Key {
        Key::from_iter(
            self.prefix
                .split('/')
                .filter(|part| !part.is_empty())
                .chain(name.split('/')),
        )
    }

    /// That it is there and can be written.
    ///
    /// # Errors
    /// [`StoreError::File`]: what the server said.
    pub(crate) fn make_ready(&self) -> Result<(), StoreError> {
        let (store, key) = (Arc::clone(&self.store), self.key("pincite"));
        self.wait("pincite", async move {
            store
                .put(&key, "documents of a Pincite workspace\n".into())
                .await
                .map(drop)
        })
    }

    /// When bytes were put there last, and how many; `None` where they are missing.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub(crate) fn stamp(&self, name: &str) -> Result<Option<(SystemTime, u64)>, StoreError> {
        let (store, key) = (Arc::clone(&self.store), self.key(name));
        let found = self.wait(name, async move { store.head(&key).await });
        match found {
            Ok(found) => Ok(Some((found.last_modified.into(), found.size))),
            Err(StoreError::File { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Puts all that is in a file there: afterwards it is durable, and nobody ever finds a part of it.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub(crate) fn put(&self, name: &str, file: File) -> Result<(), StoreError> {
        let mut writer = BufWriter::new(self.store.clone(), self.key(name));
        self.wait(name, async move {
            let mut file = tokio::fs::File::from_std(file);
            let copied = async {
                tokio::io::copy(&mut file, &mut writer).await?;
                writer.shutdown().await
            };
            let copied: io::Result<()> = copied.await;
            if copied.is_err() {
                let _ = writer.abort().await;
            }
            copied
        })
    }

    /// Fetches bytes into a passing file that has no name, and says what they hash to, hexadecimal.
    ///
    /// # Errors
    /// [`StoreError::File`]; [`io::ErrorKind::NotFound`] inside where they are missing.
    pub(crate) fn fetch(&self, name: &str) -> Result<(File, String), StoreError> {
        use futures_util::TryStreamExt as _;
        let (store, key) = (Arc::clone(&self.store), self.key(name));
        self.wait(name, async move {
            let mut parts = store.get(&key).await.map_err(said)?.into_stream();
            let (mut file, mut hash) = (tempfile::tempfile()?, Sha256::new());
            while let Some(part) = parts.try_next().await.map_err(said)? {
                hash.update(&part);
                file.write_all(&part)?;
            }
            file.rewind()?;
            Ok::<_, io::Error>((file, pincite_core::hex(&hash.finalize())))
        })
    }

    /// Removes bytes. Those that can't be removed stay, and do no harm.
    pub(crate) fn remove(&self, name: &str) {
        let (store, key) = (Arc::clone(&self.store), self.key(name));
        let _ = self.wait(name, async move { store.delete(&key).await });
    }

    /// Does something on threads of its own and waits for it, whatever thread asks.
    fn wait<T: Send + 'static, E: Into<Fault> + Send + 'static>(
        &self,
        name: &str,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = mpsc::channel();
        let begun = runtime().map(|runtime| {
            runtime.spawn(async move {
                let _ = tell.send(work.await.map_err(|error| error.into().0));
            })
        });
        let stopped = |_| io::Error::other("the transfer stopped");
        begun
            .and_then(|_| told.recv().map_err(stopped)?)
            .map_err(|cause| StoreError::File {
                path: self.shown(name),
                cause,
            })
    }
}

/// What went wrong, in the system's words.
struct Fault(io::Error);

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

impl From<object_store::Error> for Fault {
    fn from(error: object_store::Error) -> Self {
        Self(said(error))
    }
}

/// One line of what a server said; its own answers have several, and repeat the address.
fn said(error: object_store::Error) -> io::Error {
    use object_store::Error;
    match error {
        Error::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, "it is not there"),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the server of the bucket does not let you: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        ),
        other => {
            // What is at the bottom of it: the rest says where.
            let mut bottom: &dyn std::error::Error = &other;
            while let Some(below) = bottom.source() {
                bottom = below;
            }
            let line = bottom.to_string().lines().next().unwrap_or_default().to_owned();
            io::Error::other(format!("the server of the bucket does not answer as it should: {line}"))
        }
    }
}

/// What the environment says of the connection itself (a proxy, whether one without TLS will do), and how patient we are.
fn connection() -> ClientOptions {
    let said = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.to_str()?.strip_prefix("AWS_")?.to_ascii_lowercase();
        Some((name.parse::<ClientConfigKey>().ok()?, value.to_str()?.to_owned()))
    });
    said.fold(ClientOptions::new(), |options, (key, value)| {
        options.with_config(key, value)
    })
    .with_timeout_disabled()
    .with_read_timeout(LONGEST_SILENCE)
    .with_connect_timeout(LONGEST_SILENCE)
}

/// Threads for what waits for a server. Whoever asks may be on a runtime that must not be blocked from within.
fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let made = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("bucket")
        .enable_all()
        .build()?;
    Ok(RUNTIME.get_or_init(|| made))
}
