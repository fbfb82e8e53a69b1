package io.millrace.store.geode;

import io.millrace.simulation.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two or three servers with a copy of all values each, on their disks. A change is accepted once the servers that run
 * have it. A server whose process ends keeps all that it had, one that loses power may lack its last changes. The one
 * that ended last has the newest copy, and the others wait for it, unless an operator revokes the newest copy. Values
 * that only revoked copies had are lost: what is stored is then as it was when the next server ended.
 */
final class SimulatedDisks {

    private static final int ONLINE = -1;
    private static final int REVOKED = -2;
    /** Changes that are not on a disk yet. */
    private static final int UNSYNCED = 6;

    private final Simulation simulation;
    private final List<Change> changes = new ArrayList<>();
    /** Number of changes that the copy of a server has that does not run. */
    private final int[] copies;

    /** The servers that do not run, in the order in which they ended. */
    private final List<Integer> ended = new ArrayList<>();

    /**
     * A change of a value.
     *
     * @param map name of the region
     * @param value null if it was removed
     * @param current whether the term in which it was made had not ended
     */
    record Change(String map, Object key, @Nullable Object value, boolean current) {}

    SimulatedDisks(Simulation simulation) {
        this.simulation = simulation;
        this.copies = new int[simulation.oneIn(3) ? 3 : 2];
        startAll();
    }

    void add(Change change) {
        changes.add(change);
    }

    /** Returns the number of changes so far. */
    int size() {
        return changes.size();
    }

    /** Whether a server runs. */
    boolean online() {
        return ended.size() < copies.length;
    }

    /** Ends a server, if it runs. Returns whether it was the last one. */
    boolean crash() {
        int server = simulation.random().nextInt(copies.length);
        if (copies[server] != ONLINE) {
            return false;
        }
        ended.add(server);
        boolean losesPower = online() && simulation.oneIn(3);
        copies[server] =
                Math.max(0, changes.size() - (losesPower ? simulation.random().nextInt(UNSYNCED) : 0));
        return !online();
    }

    /** Starts a server. It waits if another one has a newer copy and does not run. */
    void start() {
        int server = simulation.random().nextInt(copies.length);
        if (online() || server == newest()) {
            start(server);
        }
    }

    private void start(int server) {
        ended.removeIf(other -> other == server);
        copies[server] = ONLINE;
    }

    /** Returns the server that ended last, of those whose copies are not revoked; -1 without any. */
    private int newest() {
        for (int i = ended.size() - 1; i >= 0; i--) {
            if (copies[ended.get(i)] != REVOKED) {
                return ended.get(i);
            }
        }
        return -1;
    }

    /** Gives up the newest copy. Returns the number of changes that the next one has, -1 without another one. */
    int revoke() {
        int given = newest();
        int kept = copies[given];
        copies[given] = REVOKED;
        int next = newest();
        if (next < 0) {
            copies[given] = kept;
            return -1;
        }
        kept = copies[next];
        start(next);
        return kept;
    }

    /** Starts all. */
    void startAll() {
        Arrays.fill(copies, ONLINE);
        ended.clear();
    }

    /** Removes all changes behind a number, and gives the others to what holds the values. */
    void rebuild(int count, Consumer<Change> values) {
        changes.subList(count, changes.size()).clear();
        for (int i = 0; i < copies.length; i++) {
            copies[i] = Math.min(copies[i], count);
        }
        each(values);
    }

    /** Visits all changes, in order. */
    void each(Consumer<Change> visitor) {
        changes.forEach(visitor);
    }
}
