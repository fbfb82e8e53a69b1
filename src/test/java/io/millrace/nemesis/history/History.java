package io.millrace.nemesis.history;

import io.millrace.nemesis.history.Operation.Kind;
import io.millrace.nemesis.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What clients did and saw, with times. Thread-safe. */
public final class History {

    private final List<Operation> operations = new ArrayList<>();
    private final List<SetRead> setReads = new ArrayList<>();

    /** An operation that was called and has not returned. */
    public final class Call {

        private final int client;
        private final Kind kind;
        private final long key;
        private final long value;
        private final long invoked = System.nanoTime();

        private Call(int client, Kind kind, long key, long value) {
            this.client = client;
            this.kind = kind;
            this.key = key;
            this.value = value;
        }

        /** Records that a write took effect. */
        public void ok() {
            ok(value);
        }

        /** Records what a read returned. */
        public void ok(long result) {
            end(result, System.nanoTime(), Outcome.OK);
        }

        /** Records that the operation has no effect. */
        public void fail() {
            end(value, System.nanoTime(), Outcome.FAIL);
        }

        /** Records that the operation may take effect at any time, or never. */
        public void unknown() {
            end(value, Long.MAX_VALUE, Outcome.UNKNOWN);
        }

        private void end(long result, long returned, Outcome outcome) {
            add(new Operation(client, kind, key, result, invoked, returned, outcome));
        }
    }

    /** Records that a client calls a write. */
    public Call write(int client, long key, long value) {
        return new Call(client, Kind.WRITE, key, value);
    }

    /** Records that a client calls a read. */
    public Call read(int client, long key) {
        return new Call(client, Kind.READ, key, Operation.ABSENT);
    }

    /** Records a read of a set. */
    public synchronized void add(SetRead read) {
        setReads.add(read);
    }

    private synchronized void add(Operation operation) {
        operations.add(operation);
    }

    /** Returns the operations that have returned, in the order of their returns. */
    public synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** Returns the operations by key. */
    public Map<Long, List<Operation>> byKey() {
        Map<Long, List<Operation>> byKey = new TreeMap<>();
        for (Operation operation : operations()) {
            byKey.computeIfAbsent(operation.key(), _ -> new ArrayList<>()).add(operation);
        }
        return byKey;
    }

    /** Returns the reads of the set. */
    public synchronized List<SetRead> setReads() {
        return List.copyOf(setReads);
    }
}
