package io.millrace.simulation;

import static io.millrace.simulation.Stored.require;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes that senders have made to entries, key by key. Of two changes that are ordered, the later one wins: in a
 * message, among the messages of a connection, and where one was confirmed before the other one was sent. Between
 * senders, nothing else is promised.
 */
final class SenderEntries {

    private final Rules rules;
    private final Map<String, List<Change>> changes = new HashMap<>();

    /** @param rules any version of the rules */
    SenderEntries(Rules rules) {
        this.rules = rules;
    }

    /**
     * A change of an entry.
     *
     * @param id of the record
     * @param message that contains it
     */
    private record Change(long id, Senders.Message message) {

        boolean removes() {
            return SharedKeys.removes(id);
        }

        /** Whether a change that is stored must have replaced this one. */
        boolean isBefore(Change stored) {
            if (message == stored.message) {
                return id < stored.id;
            }
            return message.connection().equals(stored.message.connection())
                    ? message.order() < stored.message.order()
                    : message.answered() && message.answeredNanos() < stored.message.sentNanos();
        }
    }

    void add(long id, Senders.Message message) {
        changes.computeIfAbsent(rules.key(id), _ -> new ArrayList<>()).add(new Change(id, message));
    }

    /**
     * @param entries ids by key
     * @param expired ids of those that have expired
     */
    void verify(Map<String, Long> entries, Map<String, Long> expired) {
        changes.forEach((key, ofKey) -> verify(key, ofKey, entries.get(key), expired.get(key)));
    }

    private static void verify(String key, List<Change> changes, @Nullable Long id, @Nullable Long expired) {
        List<Change> confirmed =
                changes.stream().filter(change -> change.message.answered()).toList();
        boolean possible = changes.stream()
                .filter(change ->
                        id == null ? change.removes() || (expired != null && change.id == expired) : change.id == id)
                .anyMatch(last -> confirmed.stream().noneMatch(last::isBefore));
        require(
                confirmed.isEmpty() || possible,
                "overwritten or lost, by an earlier change of entry " + key + ": record " + id + " of "
                        + changes.stream()
                                .map(change -> change.id + (change.message.answered() ? "" : "?"))
                                .toList());
    }
}
