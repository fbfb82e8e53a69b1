package io.millrace.store.geode;

import io.millrace.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two servers with a copy of all values each, on their disks. A change is accepted once the servers that run have it. A
 * server whose process ends keeps all that it had, one that loses power may lack its last changes. The one that ended
 * last has the newest copy, and the other one waits for it, unless an operator revokes the newest copy. Values that
 * only the revoked copy had are lost: what is stored is then as it was when the other server ended.
 */
final class SimulatedDisks {

    private static final int SERVERS = 2;
    private static final int ONLINE = -1;
    private static final int REVOKED = -2;
    /** Changes that are not on a disk yet. */
    private static final int UNSYNCED = 6;

    private final Simulation simulation;
    private final List<Change> changes = new ArrayList<>();
    /** Number of changes that the copy of a server has that does not run. */
    private final int[] copies = {ONLINE, ONLINE};

    private int newest;

    /**
     * A change of a value.
     *
     * @param map name of the region
     * @param value null if it was removed
     */
    record Change(String map, Object key, @Nullable Object value) {}

    SimulatedDisks(Simulation simulation) {
        this.simulation = simulation;
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
        return copies[0] == ONLINE || copies[1] == ONLINE;
    }

    /** Ends a server, if it runs. Returns whether it was the last one. */
    boolean crash() {
        int server = simulation.random().nextInt(SERVERS);
        if (copies[server] != ONLINE) {
            return false;
        }
        boolean last = copies[1 - server] != ONLINE;
        boolean losesPower = !last && simulation.oneIn(3);
        copies[server] = changes.size() - (losesPower ? simulation.random().nextInt(UNSYNCED) : 0);
        copies[server] = Math.max(0, copies[server]);
        newest = server;
        return last;
    }

    /** Starts a server. It waits if the other one has a newer copy and does not run. */
    void start() {
        int server = simulation.random().nextInt(SERVERS);
        if (online() || server == newest) {
            copies[server] = ONLINE;
        }
    }

    /** Gives up the newest copy. Returns the number of changes that the other one has, -1 without another one. */
    int revoke() {
        int older = 1 - newest;
        int kept = copies[older];
        if (kept == REVOKED) {
            return -1;
        }
        copies[newest] = REVOKED;
        copies[older] = ONLINE;
        newest = older;
        return kept;
    }

    /** Starts both. */
    void startAll() {
        copies[0] = ONLINE;
        copies[1] = ONLINE;
    }

    /** Removes all changes behind a number, and gives the others to what holds the values. */
    void rebuild(int count, Consumer<Change> values) {
        changes.subList(count, changes.size()).clear();
        changes.forEach(values);
    }
}
