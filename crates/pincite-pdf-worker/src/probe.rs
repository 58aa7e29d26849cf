//! Tries what the sandbox forbids, and ends: the proof that it holds.
//!
//! `--probe ATTEMPT` makes this program try one thing and end without reading a request or a document, so that it is no
//! way around the sandbox. `--probe-when` says which fences stand by then: none (`before`), only Landlock (`landlock`), or
//! all (`after`). An attempt that succeeds before and fails after is what the fence stops. What came of it is printed as
//! one line; where the process is killed for it, there is no line.
//!
//! Deliberately not here: judging the outcome (the tests do).

#![expect(
    unsafe_code,
    reason = "the attempts are bare system calls, below what the standard library offers"
)]

use crate::sandbox;
use std::ffi::CString;

/// Tries one thing; answers its line.
pub(crate) fn run(attempt: &str, when: &str, library: &str) -> Result<String, String> {
    let parent = libc::pid_t::try_from(std::os::unix::process::parent_id()).map_err(|error| error.to_string())?;
    match when {
        "before" => {}
        "landlock" => {
            sandbox::close_files()?;
        }
        "after" => {
            sandbox::enter()?;
        }
        other => return Err(format!("--probe-when {other}: before, landlock or after")),
    }
    let outcome = attempt_of(attempt, library, parent)?;
    Ok(if outcome < 0 {
        format!("{attempt} failed: {}", std::io::Error::last_os_error())
    } else {
        format!("{attempt} succeeded")
    })
}

/// The bare call's answer: negative where it failed.
fn attempt_of(attempt: &str, library: &str, parent: libc::pid_t) -> Result<i64, String> {
    let path = |path: &str| CString::new(path).map_err(|error| error.to_string());
    let (passwords, library, shell, null) = (
        path("/etc/passwd")?,
        path(library)?,
        path("/bin/true")?,
        std::ptr::null::<libc::c_char>(),
    );
    let arguments = [shell.as_ptr(), null];
    // An address that nothing answers: 127.0.0.1, port 9. (Refused by nobody there counts as reached.)
    let address = libc::sockaddr_in {
        sin_family: libc::sa_family_t::try_from(libc::AF_INET).unwrap_or_default(),
        sin_port: 9_u16.to_be(),
        sin_addr: libc::in_addr {
            s_addr: u32::from_ne_bytes([127, 0, 0, 1]),
        },
        sin_zero: [0; 8],
    };
    // SAFETY: every pointer is to a value that lives through its call, of the type and length that the call wants; the
    // process ends right after the attempt, whatever it did to it.
    let outcome = unsafe {
        match attempt {
            // What is allowed, so that silence is not taken for proof.
            "nothing" => i64::from(libc::getpid()),
            "open-file" => libc::open(passwords.as_ptr(), libc::O_RDONLY).into(),
            "open-library" => libc::open(library.as_ptr(), libc::O_RDONLY).into(),
            // A file without a name: nothing is left of it.
            "write-file" => libc::open(c"/tmp".as_ptr(), libc::O_WRONLY | libc::O_TMPFILE, 0o600).into(),
            "list-folder" => libc::open(c"/".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY).into(),
            "look-at-file" => libc::access(passwords.as_ptr(), libc::R_OK).into(),
            "inet-socket" => libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0).into(),
            "inet6-datagram-socket" => libc::socket(libc::AF_INET6, libc::SOCK_DGRAM, 0).into(),
            "unix-socket" => libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0).into(),
            "connect" => {
                let socket = libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0);
                let length = libc::socklen_t::try_from(size_of::<libc::sockaddr_in>()).unwrap_or(0);
                let answer = libc::connect(socket, (&raw const address).cast(), length);
                let refused = std::io::Error::last_os_error().raw_os_error() == Some(libc::ECONNREFUSED);
                if refused { 0 } else { answer.into() }
            }
            "fork" => match libc::fork() {
                0 => libc::_exit(0),
                child => child.into(),
            },
            // Succeeding means not coming back: no line, and the other program's exit code.
            "execute" => libc::execve(shell.as_ptr(), arguments.as_ptr(), [null].as_ptr()).into(),
            "trace" => libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0),
            "signal-parent" => libc::kill(parent, 0).into(),
            "signal-thread-of-parent" => libc::syscall(libc::SYS_tgkill, parent, parent, 0),
            "duplicate" => libc::dup(0).into(),
            "executable-memory" => mapped(libc::mmap(
                std::ptr::null_mut(),
                4096,
                libc::PROT_READ | libc::PROT_EXEC,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )),
            "memory-made-executable" => {
                let page = libc::mmap(
                    std::ptr::null_mut(),
                    4096,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                    -1,
                    0,
                );
                libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_EXEC).into()
            }
            "other-limit" => {
                let limit = libc::rlimit {
                    rlim_cur: 1 << 29,
                    rlim_max: 1 << 29,
                };
                libc::setrlimit(libc::RLIMIT_AS, &raw const limit).into()
            }
            "more-privileges" => libc::prctl(libc::PR_SET_DUMPABLE, 1).into(),
            other => return Err(format!("--probe {other}: there is no such attempt")),
        }
    };
    Ok(outcome)
}

fn mapped(address: *mut libc::c_void) -> i64 {
    if address == libc::MAP_FAILED { -1 } else { 0 }
}
