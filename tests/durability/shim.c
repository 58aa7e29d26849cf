/* A library to be preloaded: it stands between a program and its file calls below one folder.
 *
 * It writes down every such call in order (with what was written, and what went to standard output), lets the n-th one
 * fail, or ends the program at it. tests/durability/shim.rs compiles it and says what it is to do, by the environment:
 *
 *   PINCITE_SHIM_FOLDER   the folder; nothing else is touched
 *   PINCITE_SHIM_LOG      a file outside of it, appended to: a line a call, then the bytes that were written
 *   PINCITE_SHIM_COUNTED  the kinds that are counted, as letters: o open, c create, w write, t truncate, s sync,
 *                         n mkdir/rename/link, u unlink/rmdir, x close, r read, l lock, i fstat, m mmap,
 *                         a answer (a write to standard output)
 *   PINCITE_SHIM_DOES     kill:N   SIGKILL in place of the N-th counted call      torn:N   half of that write, then SIGKILL
 *                         fail:N:ERRNO  it fails, once                            full:N:ERRNO  it and all counted after it
 *                         short:N:ERRNO half of that write, then as `full` from the next one
 *
 * A line of the log: KIND NUMBER ERRNO INODE OFFSET LENGTH PATH[TAB PATH]; NUMBER is 0 for what is not counted. LENGTH bytes
 * follow a write (w), an answer (a) and nothing else. Calls are made one after the other, in the order of the log.
 *
 * Deliberately not here: reading the log, and what a crash would leave. What is written through a mapping is not seen: only
 * the -shm file is mapped, and it is nothing that lasts. Looking for a file by its name (stat, access) passes through.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#undef open
#undef creat

enum { DESCRIPTORS = 4096 };
enum act { NOTHING, KILL, TORN, FAIL, FULL, SHORT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;
static char folder[PATH_MAX];
static size_t folder_length;
static char counted[32];
static int log_descriptor = -1;
static pid_t owner;
static enum act act;
static long at, fails_with, number;
/* The path of each descriptor that is open below the folder. */
static char *paths[DESCRIPTORS];

/* System calls made directly: nothing here can meet itself. */
static long direct_write(int fd, const void *bytes, size_t length) { return syscall(SYS_write, fd, bytes, length); }

__attribute__((constructor)) static void begin(void) {
    const char *given = getenv("PINCITE_SHIM_FOLDER"), *does = getenv("PINCITE_SHIM_DOES");
    const char *log = getenv("PINCITE_SHIM_LOG"), *kinds = getenv("PINCITE_SHIM_COUNTED");
    if (!given || strlen(given) >= sizeof folder) return;
    strcpy(folder, given);
    snprintf(counted, sizeof counted, "%s", kinds ? kinds : "");
    if (log) log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char word[8] = "";
    if (does && sscanf(does, "%7[a-z]:%ld:%ld", word, &at, &fails_with) >= 2)
        act = !strcmp(word, "kill") ? KILL : !strcmp(word, "torn") ? TORN : !strcmp(word, "fail") ? FAIL
            : !strcmp(word, "full") ? FULL : !strcmp(word, "short") ? SHORT : NOTHING;
    owner = getpid();
    folder_length = strlen(folder);
}

/* Where a path lies below the folder ("" for the folder itself), or NULL. Relative ones are taken from where we stand. */
static const char *below(int base, const char *path, char *space) {
    if (!folder_length || !path || getpid() != owner) return NULL;
    if (path[0] != '/') {
        if (base != AT_FDCWD) return NULL;
        char here[PATH_MAX];
        if (syscall(SYS_getcwd, here, sizeof here) < 0) return NULL;
        if (snprintf(space, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return NULL;
        path = space;
    }
    if (strncmp(path, folder, folder_length)) return NULL;
    if (path[folder_length] == '\0') return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *of_descriptor(int fd) {
    if (fd < 0 || fd >= DESCRIPTORS || getpid() != owner) return NULL;
    return paths[fd];
}

static unsigned long inode_of(int fd) {
    struct stat is;
    return syscall(SYS_fstat, fd, &is) == 0 ? (unsigned long)is.st_ino : 0;
}

static void note(char kind, long count, int error, unsigned long inode, long long offset, size_t length, const char *path,
                 const char *other, const void *bytes) {
    if (log_descriptor < 0) return;
    char line[2 * PATH_MAX + 128];
    int used = snprintf(line, sizeof line, "%c %ld %d %lu %lld %zu %s%s%s\n", kind, count, error, inode, offset, length,
                        path, other ? "\t" : "", other ? other : "");
    struct iovec parts[2] = {{line, (size_t)used}, {(void *)bytes, length}};
    syscall(SYS_writev, log_descriptor, parts, bytes ? 2 : 1);
}

static void end_here(void) {
    syscall(SYS_kill, owner, SIGKILL);
    for (;;) pause();
}

/* Counts a call; answers its number (0: not counted). *fault is the errno it must fail with, or 0; *half that only half of
 * it is to be written. */
static long count(char kind, int *fault, int *half) {
    *fault = 0;
    *half = 0;
    if (!strchr(counted, kind)) return 0;
    long mine = ++number;
    int writes = kind == 'w' || kind == 'a';
    if (act == KILL && mine == at) end_here();
    if (act == TORN && mine == at) {
        if (!writes) end_here();
        *half = 1;
    }
    if (act == FAIL && mine == at) *fault = (int)fails_with;
    if (act == FULL && mine >= at) *fault = (int)fails_with;
    if (act == SHORT && mine == at && writes) *half = 1;
    else if (act == SHORT && mine >= at) *fault = (int)fails_with;
    return mine;
}

static void enter(void) { inside = 1; pthread_mutex_lock(&lock); }
/* A thread that is still at work when the program ends must not end between a call and its line in the log. */
__attribute__((destructor)) static void end(void) { if (folder_length && getpid() == owner) enter(); }
static void leave(void) { int kept = errno; pthread_mutex_unlock(&lock); inside = 0; errno = kept; }

/* A call that has no bytes: counted, made unless it must fail, noted. */
#define PLAIN(kind, inode, offset, path, other, made) do { \
        int fault, half; \
        enter(); \
        long mine = count(kind, &fault, &half); \
        int answer = fault ? (errno = fault, -1) : (int)(made); \
        note(kind, mine, answer < 0 ? errno : 0, inode, offset, 0, path, other, NULL); \
        leave(); \
        return answer; \
    } while (0)

static int opened(int base, const char *path, int flags, mode_t mode) {
    char space[PATH_MAX];
    const char *known = inside ? NULL : below(base, path, space);
    if (!known) return (int)syscall(SYS_openat, base, path, flags, mode);
    int fault, half;
    enter();
    struct stat is;
    int is_new = (flags & O_CREAT) && syscall(SYS_newfstatat, base, path, &is, 0) != 0;
    char kind = is_new ? 'c' : 'o';
    long mine = count(kind, &fault, &half);
    int fd = fault ? (errno = fault, -1) : (int)syscall(SYS_openat, base, path, flags, mode);
    note(kind, mine, fd < 0 ? errno : 0, fd < 0 ? 0 : inode_of(fd), 0, 0, known, NULL, NULL);
    if (fd >= 0 && !is_new && (flags & O_TRUNC)) note('t', 0, 0, inode_of(fd), 0, 0, known, NULL, NULL);
    if (fd >= 0 && fd < DESCRIPTORS) {
        free(paths[fd]);
        paths[fd] = strdup(known);
    }
    leave();
    return fd;
}

static mode_t mode_of(int flags, va_list more) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(more, int) : 0;
}
#define OPENING(name, base, extra) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return opened(base, path, flags | (extra), mode); \
    }
int open(const char *path, int flags, ...) OPENING(open, AT_FDCWD, 0)
int open64(const char *path, int flags, ...) OPENING(open64, AT_FDCWD, O_LARGEFILE)
int openat(int base, const char *path, int flags, ...) OPENING(openat, base, 0)
int openat64(int base, const char *path, int flags, ...) OPENING(openat64, base, O_LARGEFILE)
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

/* A write of one stretch of bytes. offset -1: where the descriptor stands. */
static ssize_t written(int fd, const void *bytes, size_t length, off_t offset) {
    const char *path = inside ? NULL : of_descriptor(fd);
    int answers = !inside && folder_length && fd == 1 && getpid() == owner;
    if (!path && !answers)
        return offset < 0 ? direct_write(fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, offset);
    int fault, half;
    enter();
    long mine = count(answers ? 'a' : 'w', &fault, &half);
    if (half) length /= 2;
    off_t start = offset;
    if (!answers && offset < 0) {
        int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
        start = syscall(SYS_lseek, fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
    }
    ssize_t done = fault ? (errno = fault, -1)
        : offset < 0 ? direct_write(fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, offset);
    note(answers ? 'a' : 'w', mine, done < 0 ? errno : 0, answers ? 0 : inode_of(fd), answers ? 0 : start,
         done < 0 ? 0 : (size_t)done, answers ? "-" : path, NULL, done < 0 ? NULL : bytes);
    if (half && act == TORN) end_here();
    leave();
    return done;
}
ssize_t write(int fd, const void *bytes, size_t length) { return written(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return written(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return written(fd, bytes, length, offset); }

/* Of several stretches, the first that is not empty: writing less than asked is every writer's everyday case. */
static ssize_t gathered(int fd, const struct iovec *parts, int many, off_t offset) {
    for (int part = 0; part < many; part++)
        if (parts[part].iov_len) return written(fd, parts[part].iov_base, parts[part].iov_len, offset);
    return 0;
}
ssize_t writev(int fd, const struct iovec *parts, int many) {
    if (inside || (!of_descriptor(fd) && fd != 1)) return syscall(SYS_writev, fd, parts, many);
    return gathered(fd, parts, many, -1);
}
ssize_t pwritev(int fd, const struct iovec *parts, int many, off_t offset) { return gathered(fd, parts, many, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int many, off64_t offset) { return gathered(fd, parts, many, offset); }

static ssize_t taken(int fd, void *bytes, size_t length, off_t offset) {
    const char *path = inside ? NULL : of_descriptor(fd);
    int fault = 0, half;
    if (path) {
        enter();
        long mine = count('r', &fault, &half);
        if (mine) note('r', mine, fault, 0, offset, 0, path, NULL, NULL);
        leave();
    }
    if (fault) { errno = fault; return -1; }
    return offset < 0 ? syscall(SYS_read, fd, bytes, length) : syscall(SYS_pread64, fd, bytes, length, offset);
}
ssize_t read(int fd, void *bytes, size_t length) { return taken(fd, bytes, length, -1); }
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) { return taken(fd, bytes, length, offset); }
ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) { return taken(fd, bytes, length, offset); }

int ftruncate(int fd, off_t length) {
    const char *path = inside ? NULL : of_descriptor(fd);
    if (!path) return (int)syscall(SYS_ftruncate, fd, length);
    PLAIN('t', inode_of(fd), (long long)length, path, NULL, syscall(SYS_ftruncate, fd, length));
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

/* Room made ahead is like a longer file: SQLite asks for it so, and a file that ends later is what it leaves. */
static int allocated(int fd, int mode, off_t offset, off_t length) {
    const char *path = inside ? NULL : of_descriptor(fd);
    if (!path || mode) return (int)syscall(SYS_fallocate, fd, mode, offset, length);
    struct stat is;
    if (syscall(SYS_fstat, fd, &is) == 0 && is.st_size >= offset + length) return 0;
    return ftruncate(fd, offset + length);
}
int fallocate(int fd, int mode, off_t offset, off_t length) { return allocated(fd, mode, offset, length); }
int fallocate64(int fd, int mode, off64_t offset, off64_t length) { return allocated(fd, mode, offset, length); }
int posix_fallocate(int fd, off_t offset, off_t length) { return allocated(fd, 0, offset, length) ? errno : 0; }
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return posix_fallocate(fd, offset, length); }

static int synced(int fd, long call) {
    const char *path = inside ? NULL : of_descriptor(fd);
    if (!path) return (int)syscall(call, fd);
    PLAIN('s', inode_of(fd), 0, path, NULL, syscall(call, fd));
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

/* Two names: `R` a rename, `L` a link; counted as n. */
static int named(char kind, int from_base, const char *from, int to_base, const char *to, unsigned flags, long call) {
    char one[PATH_MAX], two[PATH_MAX];
    const char *left = inside ? NULL : below(from_base, from, one), *right = inside ? NULL : below(to_base, to, two);
    if (!left && !right) return (int)syscall(call, from_base, from, to_base, to, flags);
    int fault, half;
    enter();
    long mine = count('n', &fault, &half);
    int answer = fault ? (errno = fault, -1) : (int)syscall(call, from_base, from, to_base, to, flags);
    note(kind, mine, answer < 0 ? errno : 0, 0, 0, 0, left ? left : "/outside", right ? right : "/outside", NULL);
    leave();
    return answer;
}
int rename(const char *from, const char *to) { return named('R', AT_FDCWD, from, AT_FDCWD, to, 0, SYS_renameat2); }
int renameat(int one, const char *from, int two, const char *to) { return named('R', one, from, two, to, 0, SYS_renameat2); }
int renameat2(int one, const char *from, int two, const char *to, unsigned flags) {
    return named('R', one, from, two, to, flags, SYS_renameat2);
}
int link(const char *from, const char *to) { return named('L', AT_FDCWD, from, AT_FDCWD, to, 0, SYS_linkat); }
int linkat(int one, const char *from, int two, const char *to, int flags) {
    return named('L', one, from, two, to, (unsigned)flags, SYS_linkat);
}

int unlinkat(int base, const char *path, int flags) {
    char space[PATH_MAX];
    const char *known = inside ? NULL : below(base, path, space);
    if (!known) return (int)syscall(SYS_unlinkat, base, path, flags);
    PLAIN('u', 0, 0, known, NULL, syscall(SYS_unlinkat, base, path, flags));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

/* `n` alone is a new folder. */
int mkdirat(int base, const char *path, mode_t mode) {
    char space[PATH_MAX];
    const char *known = inside ? NULL : below(base, path, space);
    if (!known) return (int)syscall(SYS_mkdirat, base, path, mode);
    PLAIN('n', 0, 0, known, NULL, syscall(SYS_mkdirat, base, path, mode));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int close(int fd) {
    const char *path = inside ? NULL : of_descriptor(fd);
    if (!path) return (int)syscall(SYS_close, fd);
    int fault, half;
    enter();
    long mine = count('x', &fault, &half);
    /* As Linux does it: an error of close is said after the descriptor is gone. */
    int answer = (int)syscall(SYS_close, fd);
    if (fault) { errno = fault; answer = -1; }
    note('x', mine, answer < 0 ? errno : 0, 0, 0, 0, path, NULL, NULL);
    free(paths[fd]);
    paths[fd] = NULL;
    leave();
    return answer;
}

/* Calls that change nothing: made unless they must fail. */
static int fault_of(char kind, int fd) {
    const char *path = inside ? NULL : of_descriptor(fd);
    if (!path) return 0;
    int fault, half;
    enter();
    long mine = count(kind, &fault, &half);
    if (mine) note(kind, mine, fault, 0, 0, 0, path, NULL, NULL);
    leave();
    return fault;
}
#define LOOKING(kind, fd, made) { \
        int fault = fault_of(kind, fd); \
        return fault ? (errno = fault, -1) : (int)(made); \
    }
/* A lock may be refused; letting go of one is never. */
int flock(int fd, int how) {
    if (how & LOCK_UN) return (int)syscall(SYS_flock, fd, how);
    LOOKING('l', fd, syscall(SYS_flock, fd, how))
}
int fstat(int fd, struct stat *is) LOOKING('i', fd, syscall(SYS_fstat, fd, is))
int fstat64(int fd, struct stat64 *is) LOOKING('i', fd, syscall(SYS_fstat, fd, is))
static int controlled(int fd, int what, void *with) {
    int locks = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
    if (!locks || ((struct flock *)with)->l_type == F_UNLCK) return (int)syscall(SYS_fcntl, fd, what, with);
    LOOKING('l', fd, syscall(SYS_fcntl, fd, what, with))
}
#define CONTROLLING { \
        va_list more; \
        va_start(more, what); \
        void *with = va_arg(more, void *); \
        va_end(more); \
        return controlled(fd, what, with); \
    }
int fcntl(int fd, int what, ...) CONTROLLING
int fcntl64(int fd, int what, ...) CONTROLLING
void *mmap(void *at_address, size_t length, int may, int flags, int fd, off_t offset) {
    int fault = fault_of('m', fd);
    if (fault) { errno = fault; return MAP_FAILED; }
    return (void *)syscall(SYS_mmap, at_address, length, may, flags, fd, offset);
}
void *mmap64(void *at_address, size_t length, int may, int flags, int fd, off64_t offset) {
    return mmap(at_address, length, may, flags, fd, offset);
}

/* What the log has no word for must not happen unseen: `!` makes its reader stop. */
static void unknown(int fd, const char *call) {
    if (!inside && of_descriptor(fd)) note('!', 0, 0, 0, 0, 0, call, NULL, NULL);
}
int truncate(const char *path, off_t length) {
    char space[PATH_MAX];
    if (!inside && below(AT_FDCWD, path, space)) note('!', 0, 0, 0, 0, 0, "truncate", NULL, NULL);
    return (int)syscall(SYS_truncate, path, length);
}
int truncate64(const char *path, off64_t length) { return truncate(path, length); }
ssize_t copy_file_range(int one, off64_t *from, int two, off64_t *to, size_t length, unsigned flags) {
    unknown(two, "copy_file_range");
    return syscall(SYS_copy_file_range, one, from, two, to, length, flags);
}
ssize_t sendfile(int two, int one, off_t *from, size_t length) {
    unknown(two, "sendfile");
    return syscall(SYS_sendfile, two, one, from, length);
}
ssize_t sendfile64(int two, int one, off64_t *from, size_t length) { return sendfile(two, one, from, length); }
