package io.millrace.store.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which processes run the partitions of a pipeline.
 *
 * @param self name of this process
 * @param members names of all processes that take part and are alive
 * @param owners name of the owner of each partition, by its number; empty if it was released or never claimed. An owner
 *     that is not a member has not shown any sign of life for a while
 */
public record PartitionOwners(String self, Set<String> members, List<Optional<String>> owners) {

    public PartitionOwners {
        members = Set.copyOf(members);
        owners = List.copyOf(owners);
    }

    /** Returns the number of partitions that each member owns. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        members.forEach(member -> counts.put(member, 0));
        owners.forEach(owner -> owner.ifPresent(name -> counts.computeIfPresent(name, (_, count) -> count + 1)));
        return counts;
    }

    /** Returns whether no member owns a partition. */
    public boolean isFree(int partition) {
        return owners.get(partition).filter(members::contains).isEmpty();
    }
}
