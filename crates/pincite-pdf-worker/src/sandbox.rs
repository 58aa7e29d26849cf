//! What keeps this process in once PDFium is loaded and before the first byte of a document is read.
//!
//! Three fences, one behind the other, because a document may be written to take PDFium over:
//!
//! * Landlock: no file is opened, made, run or changed, no TCP port reached, no signal sent to another. The kernel is asked
//!   for its version and told as much as it understands.
//! * seccomp: a list of the system calls that PDFium and an allocator need. Any other ends the process at once with
//!   SIGSYS, which the client knows by name: a call that fails softly would hide that something tried it. Only looking for
//!   a file is answered with "permission denied": libraries look for time zones and the like on honest documents, and do
//!   without.
//! * No descriptor beyond the four handed over, and no way to have another one.
//!
//! None of it can be taken off again by this process. Where a system has less of it (other systems, old kernels), the
//! worker works all the same and says so in its answer to `Open`.
//!
//! Deliberately not here: memory and processor time (`limits`), and a switch to leave any of this out.

#![expect(
    unsafe_code,
    reason = "closing descriptors and choosing a time zone have no safe form"
)]

use pincite_pdf::protocol::Sandbox;

/// The descriptors handed over: requests, answers, complaints, the document.
const DESCRIPTORS: u32 = 4;

/// Closes whatever else the client's program left open by mistake: another worker's pipe, a window's socket.
pub(crate) fn close_strays() {
    // SAFETY: closing descriptors that nobody here has opened; a kernel without the call leaves them.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::syscall(libc::SYS_close_range, DESCRIPTORS, u32::MAX, 0);
    }
}

/// Puts every fence up that this system has.
///
/// # Errors
/// Where the system has one and it can't be put up.
pub(crate) fn enter() -> Result<Sandbox, String> {
    one_time_zone();
    let landlock = close_files()?;
    no_descriptors()?;
    let calls = filter_calls()?;
    Ok(Sandbox { landlock, calls })
}

/// The same time zone on every machine, and no file asked for it later.
fn one_time_zone() {
    unsafe extern "C" {
        fn tzset();
    }
    // SAFETY: there is one thread, and nothing holds a pointer into the environment.
    unsafe {
        std::env::set_var("TZ", "UTC0");
        tzset();
    }
}

/// The number of descriptors and processes, by resource limits: every Unix has these.
fn no_descriptors() -> Result<(), String> {
    crate::limits::set(libc::RLIMIT_NPROC, 0)?;
    crate::limits::set(libc::RLIMIT_NOFILE, u64::from(DESCRIPTORS))
}

/// No files, no TCP, no signals to others. Answers the kernel's version of Landlock, 0 where it has none.
#[cfg(target_os = "linux")]
pub(crate) fn close_files() -> Result<u32, String> {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr as _, RulesetStatus, Scope,
    };
    // A ruleset without a rule: everything it handles is refused. What this kernel does not know yet is left out.
    let restricted = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V10))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(ABI::V10)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(ABI::V10)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(|error| format!("Landlock can't be put on: {error}"))?;
    Ok(match (restricted.ruleset, restricted.landlock) {
        (RulesetStatus::NotEnforced, _) => 0,
        (
            _,
            LandlockStatus::Available {
                effective_abi,
                kernel_abi,
            },
        ) => kernel_abi
            .and_then(|abi| u32::try_from(abi).ok())
            .unwrap_or(effective_abi as u32),
        _ => 0,
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn close_files() -> Result<u32, String> {
    Ok(0)
}

/// Ends this process at the first system call that is not on the list. Answers whether this system can.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn filter_calls() -> Result<bool, String> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
    let failed = |cause: String| format!("the filter of system calls can't be put on: {cause}");
    let arch: TargetArch = std::env::consts::ARCH
        .try_into()
        .map_err(|error: seccompiler::BackendError| failed(error.to_string()))?;
    let filter = |rules, others, these| -> Result<BpfProgram, String> {
        SeccompFilter::new(rules, others, these, arch)
            .and_then(TryInto::try_into)
            .map_err(|error| failed(error.to_string()))
    };
    let mut rules = allowed().map_err(|error| failed(error.to_string()))?;
    let looks: std::collections::BTreeMap<_, _> = lookups().into_iter().map(|call| (call, Vec::new())).collect();
    // Of two filters the stricter answer holds.
    rules.extend(looks.clone());
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    for filter in [
        filter(looks, SeccompAction::Allow, denied)?,
        filter(rules, SeccompAction::KillProcess, SeccompAction::Allow)?,
    ] {
        match seccompiler::apply_filter(&filter) {
            Ok(()) => {}
            // A kernel that was built without it.
            Err(seccompiler::Error::Seccomp(error) | seccompiler::Error::Prctl(error))
                if error.raw_os_error() == Some(libc::EINVAL) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(failed(error.to_string())),
        }
    }
    Ok(true)
}

/// The calls by which a library looks for a file.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn lookups() -> Vec<i64> {
    let mut calls = vec![
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_faccessat,
        libc::SYS_faccessat2,
        libc::SYS_newfstatat,
        libc::SYS_statx,
        libc::SYS_readlinkat,
    ];
    #[cfg(target_arch = "x86_64")]
    calls.extend([
        libc::SYS_open,
        libc::SYS_access,
        libc::SYS_stat,
        libc::SYS_lstat,
        libc::SYS_readlink,
    ]);
    calls
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn filter_calls() -> Result<bool, String> {
    Ok(false)
}

/// The calls that are allowed, each with the conditions on its arguments of which one must hold (none: always).
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn allowed() -> seccompiler::Result<std::collections::BTreeMap<i64, Vec<seccompiler::SeccompRule>>> {
    use pincite_pdf::protocol::DOCUMENT_DESCRIPTOR;
    use seccompiler::SeccompCmpArgLen::{Dword, Qword};
    use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
    use seccompiler::{SeccompCondition, SeccompRule};

    // Argument, width, comparison, value.
    type Condition = (u8, seccompiler::SeccompCmpArgLen, seccompiler::SeccompCmpOp, u64);
    let rule = |conditions: &[Condition]| -> seccompiler::Result<SeccompRule> {
        let conditions: Result<Vec<SeccompCondition>, _> = conditions
            .iter()
            .map(|(argument, width, comparison, value)| {
                SeccompCondition::new(*argument, width.clone(), comparison.clone(), *value)
            })
            .collect();
        Ok(SeccompRule::new(conditions?)?)
    };
    let number = |value: i32| u64::from(value.unsigned_abs());
    let descriptor = |descriptor: i32| rule(&[(0, Dword, Eq, number(descriptor))]);
    let not_executable = (2, Dword, MaskedEq(number(libc::PROT_EXEC)), 0);
    let anonymous = number(libc::MAP_ANONYMOUS);
    let own = u64::from(std::process::id());

    let mut calls = std::collections::BTreeMap::new();
    // Memory of our own, never executable, never a file's.
    calls.insert(
        libc::SYS_mmap,
        vec![rule(&[
            not_executable.clone(),
            (3, Dword, MaskedEq(anonymous), anonymous),
        ])?],
    );
    calls.insert(libc::SYS_mprotect, vec![rule(&[not_executable])?]);
    // Requests in, answers and complaints out, the document.
    calls.insert(libc::SYS_read, vec![descriptor(0)?, descriptor(DOCUMENT_DESCRIPTOR)?]);
    calls.insert(libc::SYS_lseek, vec![descriptor(DOCUMENT_DESCRIPTOR)?]);
    calls.insert(libc::SYS_write, vec![descriptor(1)?, descriptor(2)?]);
    calls.insert(libc::SYS_writev, vec![descriptor(1)?, descriptor(2)?]);
    // The processor time of the next request; reading any limit of our own.
    calls.insert(
        libc::SYS_prlimit64,
        vec![
            rule(&[(0, Dword, Eq, 0), (1, Dword, Eq, u64::from(libc::RLIMIT_CPU))])?,
            rule(&[(0, Dword, Eq, 0), (2, Qword, Eq, 0)])?,
        ],
    );
    // Whether a descriptor is open: the standard library asks before it closes one, in a build that checks itself.
    calls.insert(libc::SYS_fcntl, vec![rule(&[(1, Dword, Eq, number(libc::F_GETFD))])?]);
    // The allocator's names for its blocks (PR_SET_VMA).
    calls.insert(libc::SYS_prctl, vec![rule(&[(0, Dword, Eq, 0x5356_4d41)])?]);
    // Ending oneself: abort() raises its signal this way.
    calls.insert(libc::SYS_tgkill, vec![rule(&[(0, Dword, Eq, own)])?]);
    for always in [
        libc::SYS_close,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_restart_syscall,
        libc::SYS_clock_gettime,
        libc::SYS_gettimeofday,
        libc::SYS_getrusage,
        libc::SYS_getrandom,
        libc::SYS_sysinfo,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_sched_getaffinity,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ] {
        calls.insert(always, Vec::new());
    }
    Ok(calls)
}
