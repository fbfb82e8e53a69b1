package io.millrace.measure.window;

import io.millrace.codec.Counter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The record counters of a measure since it was created, across restarts. Any thread may read them.
 *
 * @param counted records that are part of a window
 * @param late records whose windows were already closed
 * @param ahead records whose event time is too far ahead of this process's clock
 * @param failed records that could not be measured because an expression had no result
 */
public record MeasureCounts(Counter counted, Counter late, Counter ahead, Counter failed) {

    /** Creates counters that are all zero. */
    public MeasureCounts() {
        this(new Counter(), new Counter(), new Counter(), new Counter());
    }

    /**
     * Returns counters that are the sums of others.
     *
     * @param late more late records
     */
    public static MeasureCounts sum(List<MeasureCounts> counts, List<Counter> late) {
        return new MeasureCounts(
                Counter.sum(counts.stream().map(MeasureCounts::counted).toList()),
                Counter.sum(Stream.concat(counts.stream().map(MeasureCounts::late), late.stream())
                        .toList()),
                Counter.sum(counts.stream().map(MeasureCounts::ahead).toList()),
                Counter.sum(counts.stream().map(MeasureCounts::failed).toList()));
    }

    void write(DataOutput out) throws IOException {
        for (Counter count : all()) {
            out.writeLong(count.get());
        }
    }

    /** Restores what {@link #write} wrote. */
    void read(DataInput in) throws IOException {
        for (Counter count : all()) {
            count.set(in.readLong());
        }
    }

    void clear() {
        all().forEach(count -> count.set(0));
    }

    private List<Counter> all() {
        return List.of(counted, late, ahead, failed);
    }
}
