package io.millrace.store.geode;

import io.millrace.background.CauseChain;
import io.millrace.expression.FunctionRegistry;
import io.millrace.store.StoreException;
import io.millrace.store.geode.access.ClientAccess;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.NoAvailableServersException;
import org.apache.geode.cache.client.ServerConnectivityException;
import org.apache.geode.cache.client.ServerOperationException;
import org.apache.geode.cache.execute.FunctionContext;
import org.apache.geode.cache.execute.FunctionInvocationTargetException;
import org.apache.geode.cache.execute.FunctionService;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.cache.execute.ResultCollector;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.internal.cache.execute.AllowExecutionInLowMemory;
import org.apache.geode.internal.cache.execute.BucketMovedException;

/**
 * Answers {@linkplain RegionQuery queries} where the data are: on each member that is the first to have some of a
 * region's buckets, for these buckets; also while that member's memory is too full to take more, which Geode takes for
 * a reason not to ask it. What is not answered since a member fails, or a bucket moves, is asked again by
 * {@link PartialScans}. Thread-safe.
 */
final class QueryFunction implements AllowExecutionInLowMemory<RegionQuery<?>> {

    private static final int LONGEST_SECONDS = 60;

    private final Map<String, OpenRegion> regions;
    private final transient Scans scans;

    /**
     * @param regions those open on this member, by name
     * @param functions that expressions may call
     */
    QueryFunction(Map<String, OpenRegion> regions, FunctionRegistry functions) {
        this.regions = regions;
        this.scans = new Scans(functions);
    }

    /** Lets this member answer. */
    void register() {
        FunctionService.registerFunction(this);
    }

    /** Ends that. */
    static void unregister() {
        FunctionService.unregisterFunction(ClientAccess.QUERY_FUNCTION);
    }

    /**
     * Asks all members that have data of a region.
     *
     * @return their answers, without those of members that lost data or left meanwhile
     * @throws MovedException where that leaves none
     * @throws StoreException where one can't answer for another reason
     */
    @SuppressWarnings("unchecked") // of what onRegion returns
    static <A extends Serializable> List<A> execute(Region<Object, byte[]> region, RegionQuery<A> query) {
        CollectedAnswers<A> answers = new CollectedAnswers<>();
        try {
            ResultCollector<?, ?> collected = FunctionService.onRegion(region)
                    .setArguments(query)
                    .withCollector(answers)
                    .execute(ClientAccess.QUERY_FUNCTION);
            collected.getResult(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("region=" + region.getName() + " the query was interrupted", e);
        } catch (RuntimeException e) {
            String message = "region=" + region.getName() + " could not be asked: " + Causes.first(e);
            if (!moved(e)) {
                throw new StoreException(message, e);
            }
            if (answers.getResult().isEmpty()) {
                throw new MovedException(message, e);
            }
        }
        return answers.getResult();
    }

    /** Returns whether data moved, or a member left or only joins: then another attempt may succeed. */
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
        RegionFunctionContext here = (RegionFunctionContext) context;
        String name = here.getDataSet().getName();
        OpenRegion region = regions.get(name);
        if (region == null) {
            throw new FunctionInvocationTargetException("region=" + name + " is not open yet on this member");
        }
        Region<Object, byte[]> local = PartitionRegionHelper.getLocalDataForContext(here);
        RegionReader reader = new RegionReader(region, local, Buckets.of(here));
        Serializable answer = Objects.requireNonNull(context.getArguments()).answer(reader, scans);
        context.<Serializable>getResultSender().lastResult(answer);
    }

    @Override
    public String getId() {
        return ClientAccess.QUERY_FUNCTION;
    }

    /** Each bucket is asked of the one member that is the first to have it. */
    @Override
    public boolean optimizeForWrite() {
        return true;
    }

    /**
     * Geode would discard the answers of all members where one lost a bucket, and ask all of them again: of a region
     * whose buckets move all the while, none would ever be complete. A client could even wait for an answer that never
     * comes.
     */
    @Override
    public boolean isHA() {
        return false;
    }
}
