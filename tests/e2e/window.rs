//! A display, a driver and a window of a test's own; all end with it.
//!
//! Deliberately not here: what is expected of the window.

use fantoccini::elements::Element;
use fantoccini::wd::Capabilities;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use pincite_tests::World;
use pincite_tests::programs::program;
use pincite_tests::tree;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use url::Url;

/// The longest that anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks the driver for an element's computed role or label.
#[derive(Debug)]
struct Computed {
    element: String,
    what: &'static str,
}

impl WebDriverCompatibleCommand for Computed {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!(
            "session/{}/element/{}/{}",
            session.unwrap_or_default(),
            self.element,
            self.what
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::GET, None)
    }
}

/// An X server of the test's own.
pub(crate) struct Display {
    _server: Process,
    name: String,
}

impl Display {
    /// Takes the focus away from every window, as the system does when another program comes to the front.
    pub(crate) fn focus_elsewhere(&self) {
        self.xdotool("xdotool windowfocus $(xdotool search --maxdepth 0 --class '.*' | head -n 1)");
    }

    /// Gives the focus back to the window.
    pub(crate) fn focus_window(&self) {
        self.xdotool("xdotool windowfocus $(xdotool search --onlyvisible --name '^Pincite$' | tail -n 1)");
    }

    fn xdotool(&self, command: &str) {
        let ended = Command::new("sh")
            .args(["-c", command])
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool starts; `make setup` installs it");
        assert!(
            ended.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }

    /// A display of this size.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                &format!("{width}x{height}x24"),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; `make setup` installs it");
        let mut number = String::new();
        let out = server.stdout.take().expect("Xvfb's standard output");
        BufReader::new(out)
            .read_line(&mut number)
            .expect("Xvfb names its display");
        Self {
            _server: Process(server),
            name: format!(":{}", number.trim()),
        }
    }
}

/// The colours that the system asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    Light,
    Dark,
}

impl Colours {
    /// Their name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    const fn theme(self) -> &'static str {
        match self {
            Self::Light => "Adwaita",
            Self::Dark => "Adwaita:dark",
        }
    }
}

/// The window, open on a world's workspace.
pub(crate) struct Window {
    pub(crate) page: Client,
    _driver: Process,
}

impl Window {
    /// Opens the window, in light colours.
    pub(crate) async fn open(display: &Display, world: &World, width: u32, height: u32) -> Self {
        Self::open_in(display, world, (width, height), Colours::Light).await
    }

    /// Opens the window in these colours.
    pub(crate) async fn open_in(display: &Display, world: &World, size: (u32, u32), colours: Colours) -> Self {
        Self::open_for(display, world, size, colours, "ada").await
    }

    /// Opens the window for a reviewer; in a team, who is signed in.
    pub(crate) async fn open_for(
        display: &Display,
        world: &World,
        size: (u32, u32),
        colours: Colours,
        reviewer: &str,
    ) -> Self {
        Self::open_with(display, world, size, colours, (reviewer, world.session(reviewer))).await
    }

    /// Opens the window for a reviewer, with this session or none.
    pub(crate) async fn open_with(
        display: &Display,
        world: &World,
        (width, height): (u32, u32),
        colours: Colours,
        (reviewer, session): (&str, Option<String>),
    ) -> Self {
        // A port that was free a moment ago; the driver takes no 0.
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|socket| socket.local_addr())
            .expect("a free port")
            .port();
        let home = world.home();
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("DISPLAY", &display.name)
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            // With it turned off, WebKit's screenshots never answer under Xvfb; the window leaves a set variable alone.
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "0")
            .env("PINCITE_WORKSPACE", world.workspace_argument())
            .env("PINCITE_ANCHORS", world.anchors())
            .env("PINCITE_SESSIONS", world.temporary())
            .envs(session.map(|token| ("PINCITE_SESSION", token)))
            .env("PINCITE_REVIEWER", reviewer)
            .env("GTK_THEME", colours.theme())
            .env("FONTCONFIG_FILE", tree::root().join("tests/e2e/fonts.conf"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver starts; `make setup` installs it");
        let driver = Process(driver);
        let mut capabilities = Capabilities::new();
        let binary = program("pincite-desktop");
        capabilities.insert(
            "webkitgtk:browserOptions".into(),
            json!({ "binary": binary, "args": [] }),
        );
        let began = Instant::now();
        let page = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match builder
                .capabilities(capabilities.clone())
                .connect(&format!("http://127.0.0.1:{port}"))
                .await
            {
                Ok(page) => break page,
                Err(error) if began.elapsed() > PATIENCE => panic!("no session with the window: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        };
        page.set_window_rect(0, 0, width, height)
            .await
            .expect("the window takes a size");
        Self { page, _driver: driver }
    }

    /// Closes the window as a person does: its session ends with it.
    pub(crate) async fn close(self) {
        self.page.close().await.expect("the session ends");
    }

    /// Runs a script and answers what it returns.
    pub(crate) async fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.page
            .execute(script, arguments)
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs a script that hands its answer to the last of its arguments.
    pub(crate) async fn script_later(&self, script: &str) -> Value {
        self.page
            .execute_async(script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What WebKit's accessibility tree says of an element: `computedrole` or `computedlabel`.
    pub(crate) async fn computed(&self, element: &Element, what: &'static str) -> String {
        let asked = Computed {
            element: element.element_id().to_string(),
            what,
        };
        let said = self.page.issue_cmd(asked).await;
        let said = said.unwrap_or_else(|error| panic!("{what}: {error}"));
        said.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script's answer pleases; answers it.
    pub(crate) async fn until(&self, what: &str, script: &str, pleases: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let answer = self.script(script, Vec::new()).await;
            if pleases(&answer) {
                return answer;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: still {answer}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until an element with this test id is there.
    pub(crate) async fn there(&self, id: &str) {
        let script = format!("return document.querySelector('[data-testid=\"{id}\"]') !== null");
        self.until(&format!("{id} is there"), &script, |answer| {
            answer == &Value::Bool(true)
        })
        .await;
    }

    /// How many elements have this test id.
    pub(crate) async fn count(&self, id: &str) -> usize {
        let script = format!("return document.querySelectorAll('[data-testid=\"{id}\"]').length");
        usize::try_from(self.script(&script, Vec::new()).await.as_u64().unwrap_or(0)).unwrap_or(usize::MAX)
    }

    /// The text of the first element with this test id; empty where there is none.
    pub(crate) async fn text(&self, id: &str) -> String {
        let script = format!("return document.querySelector('[data-testid=\"{id}\"]')?.textContent ?? ''");
        self.script(&script, Vec::new())
            .await
            .as_str()
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    /// Clicks the first element with this test id.
    pub(crate) async fn click(&self, id: &str) {
        self.there(id).await;
        let element = self
            .page
            .find(Locator::Css(&format!("[data-testid=\"{id}\"]")))
            .await
            .expect("the element");
        element
            .click()
            .await
            .unwrap_or_else(|error| panic!("{id} can't be clicked: {error}"));
    }

    /// Types into the first element with this test id.
    pub(crate) async fn type_into(&self, id: &str, text: &str) {
        self.there(id).await;
        let element = self
            .page
            .find(Locator::Css(&format!("[data-testid=\"{id}\"]")))
            .await
            .expect("the element");
        element
            .send_keys(text)
            .await
            .unwrap_or_else(|error| panic!("{id} takes no text: {error}"));
    }

    /// Presses keys where the focus is.
    pub(crate) async fn press(&self, keys: &str) {
        use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
        let mut actions = KeyActions::new("keyboard".to_owned());
        for key in keys.chars() {
            actions = actions
                .then(KeyAction::Down { value: key })
                .then(KeyAction::Up { value: key });
        }
        self.page.perform_actions(actions).await.expect("the window takes keys");
    }

    /// Presses a key while another one is held.
    pub(crate) async fn hold(&self, held: char, key: char) {
        use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: held });
        self.page.perform_actions(actions).await.expect("the window takes keys");
    }

    /// Waits until what was done is saved and the next item is on the screen.
    pub(crate) async fn saved(&self) {
        let script = "return document.querySelector('[data-testid=\"save-state\"]')?.dataset.state ?? ''";
        self.until("it is saved", script, |answer| answer == "saved").await;
    }

    /// The window's picture as the driver takes it.
    pub(crate) async fn picture(&self) -> crate::pixels::Picture {
        crate::pixels::Picture::read(&self.coded_picture().await)
    }

    /// The same as the bytes of a PNG file.
    pub(crate) async fn coded_picture(&self) -> Vec<u8> {
        self.page.screenshot().await.expect("the driver takes a picture")
    }
}
