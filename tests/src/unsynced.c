/* A disk that forgets what was not synced, for a process that is started with this library in LD_PRELOAD.
 *
 * Every change to a file below AURA_UNSYNCED_FOLDER is first noted in the file AURA_UNSYNCED_LOG, with the bytes it
 * replaces, and every sync after the changes it covers. Whoever kills the process can then take back the changes that
 * no sync covered (see unsynced.rs, which reads the log). Syncs are noted and not done: nobody pulls a plug here.
 *
 * Two files steer it while they exist: AURA_UNSYNCED_LOG.full makes writes that would lengthen a file fail with
 * ENOSPC, AURA_UNSYNCED_LOG.broken makes syncs fail with EIO.
 *
 * A record: kind (1 byte: W write, T truncation, C creation, S sync of a file, D sync of a folder), length of the path
 * (4 bytes), offset or new size, old size, count of old bytes, count of new bytes (8 bytes each), path, old bytes, new
 * bytes. Numbers as the machine holds them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static char folder[PATH_MAX];
static char full[PATH_MAX];
static char broken[PATH_MAX];

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void start(void) {
    real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    real_ftruncate = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate");
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    const char *where = getenv("AURA_UNSYNCED_FOLDER");
    const char *log = getenv("AURA_UNSYNCED_LOG");
    if (!where || !log) return;
    snprintf(folder, sizeof folder, "%s", where);
    snprintf(full, sizeof full, "%s.full", log);
    snprintf(broken, sizeof broken, "%s.broken", log);
    log_fd = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_fd < 0) abort();
}

/* Whether a path names the folder or something in it that counts; the index of the write-ahead log is memory. */
static int concerns(const char *path) {
    size_t length = strlen(folder);
    if (log_fd < 0 || length == 0 || strncmp(path, folder, length) != 0) return 0;
    if (path[length] != '\0' && path[length] != '/') return 0;
    size_t all = strlen(path);
    return all < 4 || strcmp(path + all - 4, "-shm") != 0;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    return concerns(path);
}

static void put(const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = real_write(log_fd, at, count);
        if (done < 0) abort();
        at += done;
        count -= (size_t)done;
    }
}

static void note(char kind, const char *path, int64_t offset, int64_t old_size, const void *old,
                 size_t old_count, const void *new, size_t new_count) {
    uint32_t length = (uint32_t)strlen(path);
    int64_t numbers[4] = {offset, old_size, (int64_t)old_count, (int64_t)new_count};
    size_t total = 1 + sizeof length + sizeof numbers + length + old_count + new_count;
    char *record = malloc(total), *at = record;
    if (!record) abort();
    *at++ = kind;
    at = (char *)memcpy(at, &length, sizeof length) + sizeof length;
    at = (char *)memcpy(at, numbers, sizeof numbers) + sizeof numbers;
    at = (char *)memcpy(at, path, length) + length;
    if (old_count) at = (char *)memcpy(at, old, old_count) + old_count;
    if (new_count) memcpy(at, new, new_count);
    put(record, total);
    free(record);
}

static int64_t size_of(int fd) {
    struct stat state;
    return fstat(fd, &state) == 0 ? (int64_t)state.st_size : 0;
}

/* The bytes from `from` to `to`, as far as the file has them. */
static char *bytes_of(int fd, int64_t from, int64_t to, size_t *count) {
    int64_t size = size_of(fd);
    if (to > size) to = size;
    *count = from < to ? (size_t)(to - from) : 0;
    char *bytes = malloc(*count + 1);
    if (!bytes) abort();
    for (size_t done = 0; done < *count;) {
        ssize_t got = pread(fd, bytes + done, *count - done, (off_t)(from + (int64_t)done));
        if (got <= 0) {
            /* Opened for writing alone: look through another descriptor. */
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            int other = real_open(link, O_RDONLY | O_CLOEXEC);
            if (other < 0 || pread(other, bytes, *count, (off_t)from) != (ssize_t)*count) abort();
            close(other);
            break;
        }
        done += (size_t)got;
    }
    return bytes;
}

/* Notes a write that is about to happen; 0 when there is no room for it. */
static int about_to_write(int fd, const char *path, const void *bytes, size_t count, int64_t offset) {
    int64_t size = size_of(fd);
    if (offset + (int64_t)count > size && access(full, F_OK) == 0) return 0;
    size_t old_count;
    char *old = bytes_of(fd, offset, offset + (int64_t)count, &old_count);
    note('W', path, offset, size, old, old_count, bytes, count);
    free(old);
    return 1;
}

static ssize_t no_room(void) {
    pthread_mutex_unlock(&lock);
    errno = ENOSPC;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real_write(fd, bytes, count);
    pthread_mutex_lock(&lock);
    if (!about_to_write(fd, path, bytes, count, (int64_t)lseek(fd, 0, SEEK_CUR))) return no_room();
    ssize_t done = real_write(fd, bytes, count);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real_pwrite(fd, bytes, count, offset);
    pthread_mutex_lock(&lock);
    if (!about_to_write(fd, path, bytes, count, (int64_t)offset)) return no_room();
    ssize_t done = real_pwrite(fd, bytes, count, offset);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    return pwrite(fd, bytes, count, offset);
}

int ftruncate(int fd, off_t size) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real_ftruncate(fd, size);
    pthread_mutex_lock(&lock);
    int64_t old_size = size_of(fd);
    if ((int64_t)size > old_size && access(full, F_OK) == 0) return (int)no_room();
    size_t old_count;
    char *old = bytes_of(fd, (int64_t)size, old_size, &old_count);
    note('T', path, (int64_t)size, old_size, old, old_count, NULL, 0);
    free(old);
    int done = real_ftruncate(fd, size);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

int fsync(int fd) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return real_fsync(fd);
    if (access(broken, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    pthread_mutex_lock(&lock);
    struct stat state;
    int is_folder = fstat(fd, &state) == 0 && S_ISDIR(state.st_mode);
    note(is_folder ? 'D' : 'S', path, 0, 0, NULL, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fdatasync(int fd) { return fsync(fd); }

static int open_noted(const char *path, int flags, mode_t mode) {
    int new = (flags & O_CREAT) && concerns(path);
    if (!new) return real_open(path, flags, mode);
    pthread_mutex_lock(&lock);
    new = access(path, F_OK) != 0;
    int fd = real_open(path, flags, mode);
    if (new && fd >= 0) note('C', path, 0, 0, NULL, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_noted(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_noted(path, flags, mode);
}
