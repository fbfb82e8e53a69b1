/*
 * Faults of the system below a process, for tests: a wrong clock, files that can't be read, a slow or full disk, a
 * network that is slow or carries nothing in one direction, connections that lead to another port. Loaded with
 * LD_PRELOAD. The switches lie in a file that the test writes and this library maps, so they act at once:
 *
 *   0               8               16              24      28      32            160           288     292     296
 *   | clock offset  | clock drift   | drift since   | read  | write | path of     | path of     | network       |
 *   | ns            | ppm           | monotonic ns  | errno | delay | failing     | slow        | fault | delay |
 *   |               |               |               |       | us    | reads       | writes      |       | us    |
 *
 *   296         300         304     308           436
 *   | port of a | port that | disk  | path of a   |
 *   | server    | it leads  | full  | full disk   |
 *   |           | to        |       |             |
 *
 * Network faults: 1 lets nothing out, 2 lets nothing in. Datagrams that would go out are lost; all other bytes wait
 * until the fault ends, as those of a TCP connection that sends them again. A server port of 0 leads nowhere else.
 *
 * A disk that is not full has 0, and a full one a number that differs each time. Then half of the first write is
 * written, and nothing of the others, whether they overwrite or extend a file, as on a file system that copies on write.
 *
 * Numbers are in the byte order of the machine, paths end with a zero byte. A fault applies to files whose path
 * contains the given text. MILLRACE_FAULTS is the path of the file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
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
    volatile int32_t network_fault;
    volatile int32_t network_delay_micros;
    volatile int32_t server_port;
    volatile int32_t proxy_port;
    volatile int32_t disk_full;
    char full_path[PATH_LENGTH];
};

#define NOTHING_OUT 1
#define NOTHING_IN 2
#define CHECK_MICROS 2000

static struct switches *switches;

static void *next(void **found, const char *name) {
    if (*found == NULL) *found = dlsym(RTLD_NEXT, name);
    return *found;
}

/* The function of the C library. It is looked up at the first call, which may come before the constructor. */
#define REAL(name) ((__typeof__(&name)) next(&real_##name, #name))

static void *real_clock_gettime, *real_read, *real_pread, *real_write, *real_pwrite, *real_fsync, *real_fdatasync;
static void *real_readv, *real_recv, *real_recvfrom, *real_recvmsg;
static void *real_connect, *real_writev, *real_send, *real_sendto, *real_sendmsg, *real_ftruncate;

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

/* How many bytes of a write the disk has space for; -1 if it is full. */
static ssize_t space(int file, size_t length) {
    static int32_t shortened;
    int saved = errno;
    int32_t full = switches ? switches->disk_full : 0;
    if (full == 0 || !concerns(file, switches->full_path)) {
        errno = saved;
        return length;
    }
    if (length > 1 && __atomic_exchange_n(&shortened, full, __ATOMIC_RELAXED) != full) {
        errno = saved;
        return length / 2;
    }
    errno = ENOSPC;
    return -1;
}

/* The kind of a socket of a network, 0 of another file. */
static int socket_kind(int file) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(file, (struct sockaddr *) &address, &length) != 0) return 0;
    if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return 0;
    int kind = 0;
    length = sizeof kind;
    return getsockopt(file, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 ? kind : 0;
}

/* Waits as long as the network lets nothing through; returns whether a datagram is lost instead. */
static int crosses_network(int file, int fault) {
    if (!switches || (switches->network_fault == 0 && switches->network_delay_micros == 0)) return 0;
    int saved = errno;
    int lost = 0;
    int kind = socket_kind(file);
    if (kind != 0) {
        if (switches->network_delay_micros > 0) usleep(switches->network_delay_micros);
        lost = fault == NOTHING_OUT && kind == SOCK_DGRAM && switches->network_fault == fault;
        while (!lost && switches->network_fault == fault) usleep(CHECK_MICROS);
    }
    errno = saved;
    return lost;
}

/*
 * Waits for bytes where the read would, and then as long as the network lets nothing in: a fault may begin while a
 * thread waits for bytes.
 */
static void await_input(int file, int flags) {
    int saved = errno;
    if (switches && socket_kind(file) != 0) {
        struct pollfd input = {.fd = file, .events = POLLIN};
        int waits = !(flags & MSG_DONTWAIT) && !(fcntl(file, F_GETFL) & O_NONBLOCK);
        if (!waits || poll(&input, 1, -1) >= 0) crosses_network(file, NOTHING_IN);
    }
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
    await_input(file, 0);
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
    if (crosses_network(file, NOTHING_OUT)) return length;
    ssize_t fits = space(file, length);
    return fits < 0 ? -1 : REAL(write)(file, bytes, fits);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    delay(file);
    ssize_t fits = space(file, length);
    return fits < 0 ? -1 : REAL(pwrite)(file, bytes, fits, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite(file, bytes, length, offset);
}

int ftruncate(int file, off_t length) {
    struct stat now;
    if (fstat(file, &now) == 0 && length > now.st_size && space(file, 0) < 0) return -1;
    return REAL(ftruncate)(file, length);
}

int ftruncate64(int file, off_t length) {
    return ftruncate(file, length);
}

int fsync(int file) {
    delay(file);
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    delay(file);
    return REAL(fdatasync)(file);
}

ssize_t readv(int file, const struct iovec *parts, int count) {
    await_input(file, 0);
    return REAL(readv)(file, parts, count);
}

ssize_t recv(int file, void *bytes, size_t length, int flags) {
    await_input(file, flags);
    return REAL(recv)(file, bytes, length, flags);
}

ssize_t recvfrom(int file, void *bytes, size_t length, int flags, struct sockaddr *from, socklen_t *from_length) {
    await_input(file, flags);
    return REAL(recvfrom)(file, bytes, length, flags, from, from_length);
}

ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    await_input(file, flags);
    return REAL(recvmsg)(file, message, flags);
}

static size_t total(const struct iovec *parts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += parts[i].iov_len;
    return length;
}

/* In IPv4 and IPv6, the port is at the same place. */
int connect(int file, const struct sockaddr *to, socklen_t length) {
    struct sockaddr_storage other;
    struct sockaddr_in *port = (struct sockaddr_in *) &other;
    if (!switches || switches->server_port == 0 || length > sizeof other) return REAL(connect)(file, to, length);
    memcpy(&other, to, length);
    if ((to->sa_family == AF_INET || to->sa_family == AF_INET6) && ntohs(port->sin_port) == switches->server_port) {
        port->sin_port = htons(switches->proxy_port);
    }
    return REAL(connect)(file, (struct sockaddr *) &other, length);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (crosses_network(file, NOTHING_OUT)) return total(parts, count);
    delay(file);
    size_t length = total(parts, count);
    ssize_t fits = space(file, length);
    if (fits < 0) return -1;
    if ((size_t) fits == length) return REAL(writev)(file, parts, count);
    size_t first = parts[0].iov_len;
    return REAL(write)(file, parts[0].iov_base, first < (size_t) fits ? first : (size_t) fits);
}

ssize_t send(int file, const void *bytes, size_t length, int flags) {
    return crosses_network(file, NOTHING_OUT) ? (ssize_t) length : REAL(send)(file, bytes, length, flags);
}

ssize_t sendto(int file, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t to_length) {
    return crosses_network(file, NOTHING_OUT)
            ? (ssize_t) length
            : REAL(sendto)(file, bytes, length, flags, to, to_length);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    return crosses_network(file, NOTHING_OUT)
            ? (ssize_t) total(message->msg_iov, message->msg_iovlen)
            : REAL(sendmsg)(file, message, flags);
}
