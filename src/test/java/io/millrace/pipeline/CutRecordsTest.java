package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.RejectWriter;
import io.millrace.store.Term;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutRecordsTest {

    private final List<Long> removed = new ArrayList<>();

    private final RejectWriter rejects = new RejectWriter() {
        @Override
        public void open(Term term) {}

        @Override
        public void reject(RecordBatch batch, int ordinal, RejectReason reason) {}

        @Override
        public void reject(long position, byte[] bytes, int offset, int length, RejectReason reason) {}

        @Override
        public void removeTruncated(long position) {
            removed.add(position);
        }

        @Override
        public void flush() {}

        @Override
        public Counter kept() {
            return new Counter();
        }
    };

    @Test
    void shouldRemoveTheRejectOfARecordThatABatchBringsComplete() {
        CutRecords cut = new CutRecords(rejects, List.of(40L, 80L, 120L));

        cut.complete(40, 120);
        assertThat(removed).containsExactly(40L, 80L);
        assertThat(cut.concerns(120)).isFalse();
        assertThat(cut.concerns(121)).isTrue();
    }

    /** A capture has pieces between its records, which are rejected again after a restart. */
    @Test
    void shouldKeepTheRejectOfAPieceBeforeTheBatch() {
        CutRecords cut = new CutRecords(rejects, List.of(7L));

        cut.complete(8, 20);
        assertThat(removed).isEmpty();
        assertThat(cut.concerns(100)).isFalse();
    }

    @Test
    void shouldLeaveBatchesWithoutPositionsAlone() {
        CutRecords cut = new CutRecords(rejects, List.of(0L));

        assertThat(cut.concerns(RecordBatch.NO_POSITION)).isFalse();
    }
}
