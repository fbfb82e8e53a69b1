package io.millrace.store.geode;

import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.simulation.Simulation;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.region.Values;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.States;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.store.geode.shared.StoredTables;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.geode.write.EntryRegionWriter;
import io.millrace.store.geode.write.HollowBlockWriter;
import io.millrace.store.geode.write.PutExecutor;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commits;
import io.millrace.store.write.PartitionOwners;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Removals;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The store of one simulated process: the real writers and the real registry, on a simulated cluster. */
public final class SimulatedStore implements RegionWriters {

    /** Compiled once: they are immutable, and there are thousands of schedules. */
    private static final Map<String, BatchRouter> CONDITIONS = new ConcurrentHashMap<>();

    private static final Duration TAKEOVER_AFTER = Duration.ofSeconds(3);
    /** Within this time. */
    private static final int RENEWALS = 3;

    private final Simulation simulation;
    private final SimulatedCluster cluster;
    private final Map<String, RegionDefinition> definitions;
    private final BiConsumer<String, Runnable> threads;
    private final String process;
    private final int putsInFlight;
    private final SimulatedCluster.Client client;
    private final Leases leases;
    private final WriterRegistry registry;
    private int threadCount;
    /** Thread of the put that begins; null if it is that of the pipeline. */
    private SimulatedCluster.@Nullable Client putThread;

    /**
     * @param threads runs a body as a thread of the process
     * @param process unique
     * @param ended returns whether a process has ended, as far as this one can see
     */
    public SimulatedStore(
            Simulation simulation,
            SimulatedCluster cluster,
            List<RegionDefinition> regions,
            BiConsumer<String, Runnable> threads,
            int process,
            int putsInFlight,
            Predicate<ProcessName> ended) {
        this.simulation = simulation;
        this.cluster = cluster;
        this.threads = threads;
        this.process = "process-" + process;
        this.putsInFlight = putsInFlight;
        this.definitions = regions.stream().collect(Collectors.toMap(RegionDefinition::name, region -> region));
        this.client = cluster.new Client(this.process);
        ProcessName name = new ProcessName(this.process, process, 1, 0);
        SimulatedCluster.Client leaseThread = cluster.new Client(this.process + "-lease");
        leases = new Leases(client.leases(), name, TAKEOVER_AFTER, simulation::now, ended);
        Leases renewing = new Leases(leaseThread.leases(), name, TAKEOVER_AFTER, simulation::now, ended);
        int[] tokens = {0};
        registry = new WriterRegistry(client::writers, leases, name, () -> "t" + process + "x" + tokens[0]++);
        threads.accept("lease", () -> {
            while (true) {
                try {
                    renewing.renew();
                } catch (RuntimeException e) {
                    // as the real thread does
                }
                simulation.sleep(TAKEOVER_AFTER.toNanos() / RENEWALS);
            }
        });
    }

    @Override
    public Claim claim(WriterName name, boolean persistent) {
        if (!cluster.checksTerms()) {
            // The mutant that knows no terms knows no owners either.
            return Claim.granted(new Term(name, persistent, 2, 1, "none"));
        }
        return registry.claim(name, persistent);
    }

    @Override
    public void participate(String pipeline, boolean participates) {
        registry.participate(pipeline, participates);
    }

    @Override
    public Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
        return registry.owners(pipeline, partitions, persistent);
    }

    @Override
    public void release(Term term) {
        registry.release(term);
    }

    @Override
    public void requireCurrent(Term term) {
        if (cluster.checksTerms()) {
            registry.requireCurrent(term);
        }
    }

    @Override
    public Commits commits(boolean persistent) {
        return new StoredCommits(client.commits(persistent));
    }

    public RuleVersions ruleVersions(boolean persistent) {
        return new StoredRules(client.rules(persistent));
    }

    @Override
    public TableVersions tableVersions(boolean persistent) {
        return new StoredTables(client.states(persistent), Long.MAX_VALUE, true);
    }

    public StateStore states(boolean persistent) {
        return new States(client.states(persistent), true);
    }

    @Override
    public RegionDefinition definition(String region) {
        RegionDefinition definition = definitions.get(region);
        if (definition == null) {
            throw new IllegalArgumentException(region);
        }
        return definition;
    }

    @Override
    public List<String> regions() {
        return definitions.keySet().stream().sorted().toList();
    }

    @Override
    public RegionInfo info(String region) {
        throw new UnsupportedOperationException(region);
    }

    @Override
    public RegionWriter writer(String region, WriterName name, Schema records, RejectSink rejects) {
        RegionDefinition definition = definition(region);
        // Lanes turn partitions at the same time, each on a thread of its own.
        SimulatedCluster.Client lane =
                name.partition() == 0 ? client : cluster.new Client(process + "-lane-" + name.partition());
        BlockRegionWriter.Target target =
                new BlockRegionWriter.Target(lane.values(region), definition, () -> definition, true);
        return definition.layout() == Layout.ENTRIES
                ? new EntryRegionWriter(
                        target,
                        _ -> commits(definition.persistent()),
                        records,
                        batches -> removals(definition, batches),
                        rejects)
                : blockWriter(new PutValues(region), name, records);
    }

    private RegionWriter blockWriter(PutValues values, WriterName name, Schema records) {
        RegionDefinition definition = definition(values.region);
        return new BlockRegionWriter(
                new BlockRegionWriter.Target(values, definition, () -> definition, true),
                term -> registry.number(name, term),
                records,
                new FiberExecutor(),
                putsInFlight);
    }

    /** A mutant: a writer of blocks that goes back to the last one before a gap, although the commit is behind it. */
    public RegionWriter forgetfulWriter(String region, WriterName name, Schema records) {
        PutValues values = new PutValues(region);
        RegionWriter writer = blockWriter(values, name, records);
        return (RegionWriter) Proxy.newProxyInstance(
                RegionWriter.class.getClassLoader(), new Class<?>[] {RegionWriter.class}, (_, method, arguments) -> {
                    try {
                        values.removedBlocks = false;
                        Object result = method.invoke(writer, arguments);
                        return method.getName().equals("open") && values.removedBlocks
                                ? method.invoke(writer, arguments[0], 0L)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static @Nullable Removals removals(RegionDefinition definition, Schema records) {
        String remove = definition.remove();
        return remove == null
                ? null
                : new Removals(
                        CONDITIONS.computeIfAbsent(
                                remove + records.fingerprint(),
                                _ -> Removals.compile(remove, records, FunctionRegistry.empty())
                                        .loop()),
                        records);
    }

    /** The writer of blocks as it was before ranges of the feed had to meet; see {@link HollowBlockWriter}. */
    public RegionWriter hollowWriter(String region, Schema records, long firstKey) {
        return new HollowBlockWriter(
                new PutValues(region), definition(region), records, new FiberExecutor(), putsInFlight, firstKey);
    }

    private SimulatedCluster.Client newPutThread() {
        return cluster.new Client(process + "-put-" + threadCount++);
    }

    /** Puts blocks by their threads, and does all else by that of the pipeline. */
    private final class PutValues implements Values {

        private final String region;
        private final Values own;
        /** Whether blocks with records were removed. */
        private boolean removedBlocks;

        PutValues(String region) {
            this.region = region;
            this.own = client.values(region);
        }

        @Override
        public String name() {
            return region;
        }

        @Override
        public Set<Object> keys() {
            return own.keys();
        }

        @Override
        public byte @Nullable [] get(Object key) {
            return own.get(key);
        }

        @Override
        public long put(Object key, byte[] value, Term term) {
            Values values = putThread == null ? own : putThread.values(region);
            putThread = null;
            while (true) {
                try {
                    return values.put(key, value, term);
                } catch (SupersededException e) {
                    throw e;
                } catch (StoreException e) {
                    if (cluster.reportsFailures()) {
                        throw e;
                    }
                    values = newPutThread().values(region);
                }
            }
        }

        @Override
        public long putAll(Map<Object, byte[]> values, Term term) {
            return own.putAll(values, term);
        }

        @Override
        public byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term) {
            return own.putIfAbsent(key, value, term);
        }

        @Override
        public long removeAll(Collection<?> keys, Term term) {
            removedBlocks |= keys.stream()
                    .map(key -> cluster.region(region).get(key))
                    .anyMatch(value -> value != null && Block.peekCount(value).orElse(0) > 0);
            return own.removeAll(keys, term);
        }
    }

    /** Threads that each make the attempts of one put, and a wait that lets others run. */
    private final class FiberExecutor implements PutExecutor {

        @Override
        public Executor acquire() {
            SimulatedCluster.Client thread = newPutThread();
            return put -> execute(() -> {
                putThread = cluster.retriesOnOneThread() ? thread : newPutThread();
                put.run();
            });
        }

        @Override
        public void release(Executor thread) {
            // each put has a new one
        }

        private void execute(Runnable put) {
            if (putsInFlight == 1 && simulation.oneIn(2)) {
                put.run();
            } else {
                threads.accept("put", put);
            }
        }

        @Override
        public void await(Future<?> put) {
            simulation.await(put::isDone, Long.MAX_VALUE / 2);
        }
    }
}
