//! A server that speaks the S3 protocol, on a free port of this machine, its buckets in a folder of its own.
//!
//! It checks who asks, as one in the field does.
//!
//! Deliberately not here: what is put there and how; the store does that.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::net::SocketAddr;
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const KEY: &str = "a-key";
const SECRET: &str = "a-secret";

/// The server. It ends, and its files go, when this is dropped.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    address: SocketAddr,
    /// `None` while it is away.
    running: Option<Runtime>,
}

impl Server {
    /// Starts one that has these buckets.
    ///
    /// # Panics
    /// Where it does not start.
    #[must_use]
    pub fn with(buckets: &[&str]) -> Self {
        let folder = TempDir::with_prefix("pincite-test-").expect("a temporary folder");
        for bucket in buckets {
            std::fs::create_dir(folder.path().join(bucket)).expect("a bucket");
        }
        let mut server = Self {
            folder,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            running: None,
        };
        server.start();
        server
    }

    /// Starts it at the place where it was.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn start(&mut self) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind(self.address)).expect("a port");
        self.address = listener.local_addr().expect("its address");
        let files = s3s_fs::FileSystem::new(self.folder.path()).expect("a folder of buckets");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        drop(runtime.spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let _ = Builder::new(TokioExecutor::new())
                        .serve_connection(TokioIo::new(socket), service)
                        .await;
                });
            }
        }));
        self.running = Some(runtime);
    }

    /// Whoever asks from now on hears nothing.
    pub fn stop(&mut self) {
        if let Some(runtime) = self.running.take() {
            runtime.shutdown_background();
        }
    }

    /// What the environment says of it.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".into()),
            ("AWS_REGION", "eu-central-1".into()),
            ("AWS_ACCESS_KEY_ID", KEY.into()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.into()),
        ]
    }

    /// The file in which it keeps an object.
    #[must_use]
    pub fn file(&self, bucket: &str, key: &str) -> PathBuf {
        self.folder.path().join(bucket).join(key)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
