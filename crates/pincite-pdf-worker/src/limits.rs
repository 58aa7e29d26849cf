//! What this process may use: address space once, processor time anew for each request and a sum for the whole document,
//! no core files, no file written. And what it keeps: memory that one page needed, for the next one.
//!
//! Deliberately not here: what this process may do (`sandbox`). That a request's processor time can be lengthened by this
//! process itself is no hole of importance: the sum for the document can't, and the client's patience is its own.

#![expect(unsafe_code, reason = "setrlimit, getrusage and mallopt have no safe form in libc")]

/// How many freed bytes stay with this process, and how large a block must be to go back to the system by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: i32 = 16 << 20;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 4 << 20;

/// Tells the allocator to keep what one page needed. It would give it back after each page and ask for it again at the
/// next, which is some hundredths of the time that reading takes.
pub(crate) fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: plain calls; whether they are followed or not, nothing depends on it.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Sets the address-space limit in bytes, forbids core files and writing any file.
pub(crate) fn set_memory(bytes: u64) -> Result<(), String> {
    set(libc::RLIMIT_AS, bytes)?;
    set(libc::RLIMIT_CORE, 0)?;
    set(libc::RLIMIT_FSIZE, 0)
}

/// Allows this many seconds of processor time from now on, and never more than `document` seconds in all.
pub(crate) fn allow_processor_seconds(request: u64, document: u64) -> Result<(), String> {
    // SAFETY: `usage` is valid for writing; zero is a valid value of every field.
    let used = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) != 0 {
            return Err("the used processor time can't be read".into());
        }
        usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    };
    let until = u64::try_from(used).unwrap_or(0) + request + 1;
    // The soft limit moves with each request; the hard one stands, since it can only be lowered.
    let limit = libc::rlimit {
        rlim_cur: until.min(document),
        rlim_max: document,
    };
    // SAFETY: `limit` is a valid rlimit.
    if unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) } == 0 {
        Ok(())
    } else {
        Err("the processor-time limit can't be set".into())
    }
}

/// Sets a limit for good.
pub(crate) fn set(resource: libc::__rlimit_resource_t, most: u64) -> Result<(), String> {
    let limit = libc::rlimit {
        rlim_cur: most,
        rlim_max: most,
    };
    // SAFETY: `limit` is a valid rlimit.
    if unsafe { libc::setrlimit(resource, &raw const limit) } == 0 {
        Ok(())
    } else {
        Err(format!(
            "a resource limit can't be set: {}",
            std::io::Error::last_os_error()
        ))
    }
}
