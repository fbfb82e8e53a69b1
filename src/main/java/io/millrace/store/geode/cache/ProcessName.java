package io.millrace.store.geode.cache;

import io.millrace.store.write.HostName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity of a process among all that use a cluster, also after a restart of the machine, and in containers that
 * have the same host name.
 *
 * @param host name of its host, for display; the whole text if this has another form
 * @param pid process ID on that host; -1 if the text has another form
 * @param started start time, because process IDs are reused: in clock ticks since the boot, or in milliseconds since
 *     1970 if {@code machine} is 0
 * @param machine identifies the boot of the kernel and the namespace of the process ID; 0 if unknown
 */
public record ProcessName(String host, long pid, long started, int machine) {

    private static final Pattern TEXT = Pattern.compile("([^:]*):(\\d{1,18}):(\\d{1,18}):([0-9a-f]{1,8})");

    private static final long OTHER_FORM = -1;

    private static final ProcFileSystem PROC = new ProcFileSystem(Path.of("/proc"));

    private static final ProcessName SELF = read();

    /** Returns this process. */
    public static ProcessName self() {
        return SELF;
    }

    private static ProcessName read() {
        ProcessHandle process = ProcessHandle.current();
        int machine = PROC.machine(process.pid());
        if (machine != 0) {
            try {
                return new ProcessName(HostName.get(), process.pid(), PROC.startTicks(process.pid()), machine);
            } catch (IOException e) {
                // as without /proc
            }
        }
        return new ProcessName(
                HostName.get(),
                process.pid(),
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
                0);
    }

    /** Returns the text that {@link #parse} reads: {@code host-1:4711:8104552:9f3a0c11}. */
    public String text() {
        return pid == OTHER_FORM ? host : host + ":" + pid + ":" + started + ":" + Integer.toHexString(machine);
    }

    /**
     * Parses a name. A text of another form names a process of which nothing else is known: whether it has ended shows
     * only its lease, which other processes find by this text.
     */
    public static ProcessName parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (parts.matches()) {
            ProcessName name = new ProcessName(
                    parts.group(1),
                    Long.parseLong(parts.group(2)),
                    Long.parseLong(parts.group(3)),
                    Integer.parseUnsignedInt(parts.group(4), 16));
            if (name.text().equals(text)) {
                return name;
            }
        }
        return new ProcessName(text, OTHER_FORM, 0, 0);
    }

    /** Returns whether the process is known to have ended: it ran on this machine, and no longer exists there. */
    public boolean hasEnded() {
        return machine != 0 && machine == SELF.machine && PROC.hasEnded(pid, started);
    }

    /** Returns a text for display. */
    @Override
    public String toString() {
        return pid == OTHER_FORM ? host : host + " (process " + pid + ")";
    }
}
