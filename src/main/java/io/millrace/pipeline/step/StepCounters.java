package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The counters of a step since its creation. The pipeline's thread writes them; any thread may read them. */
@API(status = API.Status.STABLE)
public interface StepCounters {

    /** Returns the name of the step. */
    String name();

    /** Returns the kind of the step in the configuration. */
    String kind();

    /** Returns the number of records received. */
    Counter in();

    /** Returns the number of records passed on. */
    Counter out();

    /** Returns the time spent in the step itself, in nanoseconds. */
    Counter nanos();

    /** Returns the number of records that the step's rule dropped, or null if the step drops none. */
    default @Nullable Counter dropped() {
        return null;
    }

    /**
     * Returns the number of records that the step made of others, less those that they were made of; or null if the
     * step makes none.
     */
    default @Nullable Counter made() {
        return null;
    }

    /**
     * Returns how many times the step has passed a record to one more target than the first, or null if the step has no
     * targets.
     */
    default @Nullable Counter copied() {
        return null;
    }

    /** Returns the number of records that the step has made and passes on now, or null if the step makes none. */
    default @Nullable Counter atWork() {
        return null;
    }

    /** Returns the numbers of records sent to channels of the application, by the name of the channel. */
    default Map<String, Counter> sent() {
        return Map.of();
    }

    /** Returns the counters that only this kind of step has; the list never changes. */
    default List<StepMeter> meters() {
        return List.of();
    }

    /**
     * Returns how many records one of the step's expressions received and passed. If every record evaluates all
     * expressions, as in assignments, these are the records of the step.
     *
     * @param expression index among the expressions of the step's plan
     */
    default Flow flow(int expression) {
        // Outgoing records are read first, so that they never exceed the incoming ones.
        long passed = out().get();
        return new Flow(in().get(), passed);
    }

    /** Returns the mean time per record in this step in nanoseconds, or 0 before the first record. */
    default double nanosPerRecord() {
        long records = in().get();
        return records == 0 ? 0 : (double) nanos().get() / records;
    }
}
