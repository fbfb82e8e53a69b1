package io.millrace.store.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which processes run the partitions of a pipeline.
 *
 * @param self identity of this process
 * @param members identities of all processes that take part and are alive
 * @param owners the owner of each partition, by its number; empty if it was released or never claimed. An owner that is
 *     not a member has not shown any sign of life for a while
 */
public record PartitionOwners(String self, Set<String> members, List<Optional<Owner>> owners) {

    public PartitionOwners {
        members = Set.copyOf(members);
        owners = List.copyOf(owners);
    }

    /**
     * A process that owns a partition.
     *
     * @param process its identity
     * @param name its name for display, as in {@link Claim}
     */
    public record Owner(String process, String name) {}

    /** Returns the number of partitions that each member owns. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        members.forEach(member -> counts.put(member, 0));
        owners.forEach(
                owned -> owned.ifPresent(owner -> counts.computeIfPresent(owner.process(), (_, count) -> count + 1)));
        return counts;
    }

    /** Returns whether no member owns a partition. */
    public boolean isFree(int partition) {
        return owners.get(partition)
                .map(Owner::process)
                .filter(members::contains)
                .isEmpty();
    }
}
