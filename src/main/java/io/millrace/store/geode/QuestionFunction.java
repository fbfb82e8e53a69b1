package io.millrace.store.geode;

import io.millrace.expression.FunctionRegistry;
import io.millrace.store.StoreException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.execute.FunctionContext;
import org.apache.geode.cache.execute.FunctionException;
import org.apache.geode.cache.execute.FunctionService;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.cache.execute.ResultCollector;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.internal.cache.execute.AllowExecutionInLowMemory;

/**
 * Answers {@linkplain Question questions} where the data are: on each member that is the first to have some of a
 * region's buckets, for these buckets; also while that member's memory is too full to take more, which Geode takes for
 * a reason not to ask it. Asked again by Geode where a member fails meanwhile. Thread-safe.
 */
final class QuestionFunction implements AllowExecutionInLowMemory<Question<?>> {

    private static final String ID = "millrace-question";
    private static final int LONGEST_SECONDS = 60;

    private final Map<String, OpenRegion> regions;
    private final transient Scans scans;

    /**
     * @param regions those open on this member, by name
     * @param functions that expressions may call
     */
    QuestionFunction(Map<String, OpenRegion> regions, FunctionRegistry functions) {
        this.regions = regions;
        this.scans = new Scans(functions);
    }

    /** Lets this member answer. */
    void register() {
        FunctionService.registerFunction(this);
    }

    /** Ends that. */
    static void unregister() {
        FunctionService.unregisterFunction(ID);
    }

    /**
     * Asks all members that have data of a region.
     *
     * @return their answers
     * @throws StoreException where one can't answer
     */
    @SuppressWarnings("unchecked") // what execute sends
    static <A extends Serializable> List<A> ask(Region<Object, byte[]> region, Question<A> question) {
        try {
            ResultCollector<?, ?> answers =
                    FunctionService.onRegion(region).setArguments(question).execute(ID);
            return (List<A>) answers.getResult(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("region=" + region.getName() + " the question was interrupted", e);
        } catch (RuntimeException e) {
            throw new StoreException("region=" + region.getName() + " could not be asked: " + Causes.first(e), e);
        }
    }

    @Override
    public void execute(FunctionContext<Question<?>> context) {
        RegionFunctionContext here = (RegionFunctionContext) context;
        String name = here.getDataSet().getName();
        OpenRegion region = regions.get(name);
        if (region == null) {
            throw new FunctionException("region=" + name + " is not open on this member");
        }
        Region<Object, byte[]> local = PartitionRegionHelper.getLocalDataForContext(here);
        RegionReader reader = new RegionReader(region, local, Buckets.of(here));
        Serializable answer = Objects.requireNonNull(context.getArguments()).answer(reader, scans);
        context.<Serializable>getResultSender().lastResult(answer);
    }

    @Override
    public String getId() {
        return ID;
    }

    /** Each bucket is asked of the one member that is the first to have it. */
    @Override
    public boolean optimizeForWrite() {
        return true;
    }

    @Override
    public boolean isHA() {
        return true;
    }
}
