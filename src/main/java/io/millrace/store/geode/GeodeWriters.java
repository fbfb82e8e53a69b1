package io.millrace.store.geode;

import io.millrace.codec.RejectSink;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.geode.shared.StoredTables;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.geode.write.EntryRegionWriter;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commits;
import io.millrace.store.write.PartitionOwners;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Removals;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The terms of writers in Geode, their commits, and the writers themselves. Thread-safe; the writers are not. */
final class GeodeWriters {

    private static final long MAX_TABLE_BYTES_ON_DISK = 1L << 30;
    private static final long MAX_TABLE_BYTES_IN_MEMORY = 64 << 20;

    private final Topology topology;
    private final FunctionRegistry functions;

    /** @param functions that a region's condition to remove may call in addition to the built-in ones */
    GeodeWriters(Topology topology, FunctionRegistry functions) {
        this.topology = topology;
        this.functions = functions;
    }

    /** As {@link io.millrace.store.write.RegionWriters#claim}. */
    Claim claim(WriterName writer, boolean persistent) {
        topology.prepareClaim();
        return topology.registry().claim(writer, persistent);
    }

    /** As {@link io.millrace.store.write.RegionWriters#participate}. */
    void participate(String pipeline, boolean participates) {
        topology.registry().participate(pipeline, participates);
    }

    /** As {@link io.millrace.store.write.RegionWriters#owners}. */
    Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
        topology.prepareClaim();
        return topology.registry().owners(pipeline, partitions, persistent);
    }

    /** As {@link io.millrace.store.write.RegionWriters#release}. */
    void release(Term term) {
        topology.registry().release(term);
    }

    /** As {@link io.millrace.store.write.RegionWriters#requireCurrent}. */
    void requireCurrent(Term term) {
        topology.registry().requireCurrent(term);
    }

    /** As {@link io.millrace.store.write.RegionWriters#tableVersions}. */
    TableVersions tableVersions(boolean persistent) {
        return new StoredTables(topology.shared().tables(persistent), maxTableBytes(persistent), !topology.alone());
    }

    private long maxTableBytes(boolean persistent) {
        if (persistent) {
            return MAX_TABLE_BYTES_ON_DISK;
        }
        // Without a cluster, commits in memory end with the process, and nothing is replayed.
        return topology.alone() ? 0 : MAX_TABLE_BYTES_IN_MEMORY;
    }

    /**
     * Returns a writer to a target that is not necessarily part of this store.
     *
     * @param numbers returns the number of the writer in a term
     * @param commits returns where a term stores how far it is ahead of its commit
     */
    RegionWriter writer(
            BlockRegionWriter.Target target,
            ToIntFunction<Term> numbers,
            Function<Term, Commits> commits,
            Schema records,
            RejectSink sink) {
        RegionDefinition definition = target.definition();
        return definition.layout() == Layout.ENTRIES
                ? new EntryRegionWriter(target, commits, records, batches -> removals(definition, batches), sink)
                : new BlockRegionWriter(target, numbers, records, topology.puts(), topology.putsInFlight());
    }

    private @Nullable Removals removals(RegionDefinition definition, Schema records) {
        String remove = definition.remove();
        return remove == null
                ? null
                : new Removals(Removals.compile(remove, records, functions).loop(), records);
    }
}
