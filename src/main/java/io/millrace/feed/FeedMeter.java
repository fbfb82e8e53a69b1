package io.millrace.feed;

import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A metric of a feed other than its {@linkplain Feed#counts() counters}.
 *
 * @param type type of the metric
 * @param name name in dot notation, without the unit
 * @param unit such as {@code bytes}, or null for a plain count
 * @param description what the metric shows
 * @param tags tags in addition to the pipeline; no tag has a value of a record
 * @param value returns the current value; called by any thread, must return quickly
 */
@API(status = API.Status.STABLE)
public record FeedMeter(
        Type type,
        String name,
        @Nullable String unit,
        String description,
        Map<String, String> tags,
        DoubleSupplier value) {

    /** A type of metric. */
    public enum Type {
        /** A number that only increases. */
        COUNTER,
        /** A number that increases and decreases. */
        GAUGE
    }
}
