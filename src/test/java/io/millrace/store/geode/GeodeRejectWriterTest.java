package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.Reject;
import io.millrace.store.RejectWriter;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GeodeRejectWriterTest {

    private static final RejectReason REASON = new RejectReason(RejectReason.Kind.EXPRESSION, "division by zero");
    private static final byte[] FEED = Trades.feed(10);
    private static GeodeStore store;

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void shouldKeepARejectOnceUnderItsPosition() {
        store.openRejects("positioned", 0, false);
        for (int time = 0; time < 2; time++) {
            RejectWriter writer = Writers.openRejects(store, "positioned", "trades", 3);
            writer.reject(Trades.batch(FEED, 4, 10), 1, REASON);
            assertThat(writer.kept().get()).isZero();
            writer.flush();
            assertThat(writer.kept().get()).isOne();
        }

        assertThat(store.rejectRegions()).contains("positioned");
        assertThat(store.rejectCount("positioned")).isOne();
        Reject reject = store.rejects("positioned", 10).getFirst();
        assertThat(reject.key()).isEqualTo("trades/3/115");
        assertThat(reject.position()).isEqualTo(115);
        assertThat(reject.reason()).isEqualTo(REASON);
        assertThat(reject.bytes()).hasSize(Trades.LENGTH);
        assertThat(Trades.id(reject.bytes(), 0)).isEqualTo(5);
    }

    @Test
    void shouldNumberRejectsWithoutPositionTermByTerm() {
        store.openRejects("numbered", 0, false);
        for (int time = 0; time < 2; time++) {
            RejectWriter writer = Writers.openRejects(store, "numbered", "events", 0);
            writer.reject(RecordBatch.NO_POSITION, FEED, 5, 2, REASON);
            writer.reject(RecordBatch.NO_POSITION, FEED, 5, 2, REASON);
            writer.flush();
        }

        assertThat(store.rejects("numbered", 3))
                .extracting(Reject::key)
                .containsExactly("events/0/#1.000000000", "events/0/#1.000000001", "events/0/#2.000000000");
        assertThat(store.rejectCount("numbered")).isEqualTo(4);
    }
}
