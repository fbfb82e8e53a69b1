package io.millrace.store.geode.query;

import io.millrace.background.CauseChain;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.access.ClientAccess;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.region.OpenRegion;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.NoAvailableServersException;
import org.apache.geode.cache.client.Pool;
import org.apache.geode.cache.client.PoolManager;
import org.apache.geode.cache.client.ServerConnectivityException;
import org.apache.geode.cache.client.ServerOperationException;
import org.apache.geode.cache.execute.FunctionContext;
import org.apache.geode.cache.execute.FunctionInvocationTargetException;
import org.apache.geode.cache.execute.FunctionService;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.cache.execute.ResultCollector;
import org.apache.geode.internal.cache.execute.AllowExecutionInLowMemory;
import org.apache.geode.internal.cache.execute.BucketMovedException;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@linkplain RegionQuery queries} where the data is stored: on each member that hosts primary buckets of a
 * region, for these buckets. It also runs while that member's memory is too full for writes, in which case Geode would
 * otherwise not call it. {@link PartialScans} repeats queries that have no answer because a member failed or a bucket
 * moved. Thread-safe.
 */
public final class QueryFunction implements AllowExecutionInLowMemory<RegionQuery<?>> {

    private final Map<String, OpenRegion> regions;
    private final transient Scans scans;
    private final transient QueryAdmission admission = QueryAdmission.ofHeap();

    /**
     * @param regions open on this member, by name
     * @param functions that expressions may call
     */
    public QueryFunction(Map<String, OpenRegion> regions, FunctionRegistry functions) {
        this.regions = regions;
        this.scans = new Scans(functions);
    }

    /** Registers the function, so that this member answers queries. */
    public void register() {
        FunctionService.registerFunction(this);
    }

    /** Unregisters the function. */
    public static void unregister() {
        FunctionService.unregisterFunction(ClientAccess.QUERY_FUNCTION);
    }

    /**
     * Queries the members that have primary copies of a region. Waits for a member no longer than for any other
     * request.
     *
     * @param keys whose buckets are queried, empty for all
     * @return their answers, without those of members that lost data or left meanwhile
     * @throws MovedException if no answer remains
     * @throws StoreException if a member can't answer for another reason
     */
    @SuppressWarnings("unchecked") // of what onRegion returns
    public static <A extends Serializable> List<A> execute(
            Region<Object, byte[]> region, RegionQuery<A> query, Set<Object> keys) {
        CollectedAnswers<A> answers = new CollectedAnswers<>();
        try {
            var execution = FunctionService.onRegion(region)
                    .withFilter(keys)
                    .setArguments(query)
                    .withCollector(answers);
            Pool pool = pool(region);
            ResultCollector<?, ?> collected = pool == null
                    ? execution.execute(ClientAccess.QUERY_FUNCTION)
                    : execution.execute(ClientAccess.QUERY_FUNCTION, pool.getReadTimeout(), TimeUnit.MILLISECONDS);
            collected.getResult();
        } catch (RuntimeException e) {
            String message = "Region '" + region.getName() + "' can't be queried: " + Causes.first(e);
            if (!moved(e)) {
                throw new StoreException(message, e);
            }
            if (answers.getResult().isEmpty()) {
                throw new MovedException(message, e);
            }
        }
        return answers.getResult();
    }

    /**
     * Returns the pool of a client, whose timeout applies to queries too: without one, Geode would wait without end for
     * a server whose network is lost. Returns null on a member.
     */
    private static @Nullable Pool pool(Region<?, ?> region) {
        String name = region.getAttributes().getPoolName();
        return name == null ? null : PoolManager.find(name);
    }

    /** Returns whether data moved, or a member left or is still joining: then another attempt may succeed. */
    static boolean moved(RuntimeException failure) {
        return CauseChain.of(failure).stream()
                .anyMatch(cause -> cause instanceof FunctionInvocationTargetException
                        || cause instanceof BucketMovedException
                        || isLostServer(cause));
    }

    private static boolean isLostServer(Throwable cause) {
        return cause instanceof ServerConnectivityException
                && !(cause instanceof ServerOperationException)
                && !(cause instanceof NoAvailableServersException);
    }

    @Override
    public void execute(FunctionContext<RegionQuery<?>> context) {
        RegionFunctionContext regionContext = (RegionFunctionContext) context;
        String name = regionContext.getDataSet().getName();
        OpenRegion region = regions.get(name);
        if (region == null) {
            throw new FunctionInvocationTargetException("Region '" + name + "' is not open yet on this member.");
        }
        RegionReader reader = new RegionReader(region.current(), Buckets.of(regionContext));
        RegionQuery<?> query = Objects.requireNonNull(context.getArguments());
        // Until the answer is sent: a client may request much and read nothing.
        admission.run(
                query.memory(reader.definition()),
                () -> context.<Serializable>getResultSender().lastResult(query.answer(reader, scans)));
    }

    @Override
    public String getId() {
        return ClientAccess.QUERY_FUNCTION;
    }

    /** Executes on the member that hosts the primary of each bucket. */
    @Override
    public boolean optimizeForWrite() {
        return true;
    }

    /**
     * Geode would discard the answers of all members if one lost a bucket, and query all of them again: for a region
     * whose buckets move continuously, no attempt would be complete. A client could even wait for an answer that never
     * arrives.
     */
    @Override
    public boolean isHA() {
        return false;
    }
}
