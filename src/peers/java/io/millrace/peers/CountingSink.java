package io.millrace.peers;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Counts records and keeps nothing. */
final class CountingSink implements Sink<byte[]> {

    private static final long serialVersionUID = 1;

    /** The numbers of the buys and of the sells; this is their only place, since Flink copies sinks. */
    static final AtomicLong[] COUNTS = {new AtomicLong(), new AtomicLong()};

    private final int target;

    CountingSink(int target) {
        this.target = target;
    }

    @Override
    public SinkWriter<byte[]> createWriter(WriterInitContext context) {
        return new SinkWriter<>() {

            private long records;

            @Override
            public void write(byte[] order, Context of) {
                records++;
            }

            @Override
            public void flush(boolean endOfInput) {
                COUNTS[target].addAndGet(records);
                records = 0;
            }

            @Override
            public void close() {}
        };
    }
}
