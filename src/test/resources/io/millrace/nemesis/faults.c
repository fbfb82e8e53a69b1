/*
 * Faults of the system below a process, for tests: a wrong clock, files that can't be read, a slow disk. Loaded with
 * LD_PRELOAD. The switches lie in a file that the test writes and this library maps, so they act at once:
 *
 *   0               8               16              24      28      32            160           288
 *   | clock offset  | clock drift   | drift since   | read  | write | path of     | path of     |
 *   | ns            | ppm           | monotonic ns  | errno | delay | failing     | slow        |
 *   |               |               |               |       | us    | reads       | writes      |
 *
 * Numbers are in the byte order of the machine, paths end with a zero byte. A fault applies to files whose path
 * contains the given text. MILLRACE_FAULTS is the path of the file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PATH_LENGTH 128

struct switches {
    volatile int64_t clock_offset_nanos;
    volatile int64_t clock_drift_ppm;
    volatile int64_t drift_since_nanos;
    volatile int32_t read_errno;
    volatile int32_t write_delay_micros;
    char read_path[PATH_LENGTH];
    char write_path[PATH_LENGTH];
};

static struct switches *switches;

static void *next(void **found, const char *name) {
    if (*found == NULL) *found = dlsym(RTLD_NEXT, name);
    return *found;
}

/* The function of the C library. It is looked up at the first call, which may come before the constructor. */
#define REAL(name) ((__typeof__(&name)) next(&real_##name, #name))

static void *real_clock_gettime, *real_read, *real_pread, *real_write, *real_pwrite, *real_fsync, *real_fdatasync;

__attribute__((constructor)) static void map_switches(void) {
    const char *path = getenv("MILLRACE_FAULTS");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(struct switches), PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        fprintf(stderr, "Invalid MILLRACE_FAULTS '%s': %s\n", path ? path : "", strerror(errno));
        abort(); /* A test must not pass because its faults do nothing. */
    }
    close(file);
    switches = mapped;
}

static int concerns(int file, const char *part) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, part) != NULL;
}

static int fails(int file) {
    int saved = errno;
    int error = switches ? switches->read_errno : 0;
    if (error == 0 || !concerns(file, switches->read_path)) {
        errno = saved;
        return 0;
    }
    errno = error;
    return 1;
}

static void delay(int file) {
    int saved = errno;
    int micros = switches ? switches->write_delay_micros : 0;
    if (micros > 0 && concerns(file, switches->write_path)) usleep(micros);
    errno = saved;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    if (result == 0 && switches && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        struct timespec passed;
        REAL(clock_gettime)(CLOCK_MONOTONIC, &passed);
        int64_t since = passed.tv_sec * 1000000000LL + passed.tv_nsec - switches->drift_since_nanos;
        int64_t nanos = time->tv_sec * 1000000000LL + time->tv_nsec + switches->clock_offset_nanos
                + since / 1000000 * switches->clock_drift_ppm;
        time->tv_sec = nanos / 1000000000LL;
        time->tv_nsec = nanos % 1000000000LL;
    }
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    (void) zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}

ssize_t read(int file, void *bytes, size_t length) {
    return fails(file) ? -1 : REAL(read)(file, bytes, length);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
    return fails(file) ? -1 : REAL(pread)(file, bytes, length, offset);
}

ssize_t pread64(int file, void *bytes, size_t length, off_t offset) {
    return pread(file, bytes, length, offset);
}

ssize_t write(int file, const void *bytes, size_t length) {
    delay(file);
    return REAL(write)(file, bytes, length);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    delay(file);
    return REAL(pwrite)(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite(file, bytes, length, offset);
}

int fsync(int file) {
    delay(file);
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    delay(file);
    return REAL(fdatasync)(file);
}
