package io.millrace.feed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OpenTransactionsTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final OpenTransactions open = new OpenTransactions(new TopicPartition("trades", 3));

    @Test
    void shouldReportATransactionThatStaysOpenForAMinute() {
        assertThat(open.observe(10, 5, true, 0)).isFalse();
        assertThat(open.observe(10, 7, true, MINUTE - 1)).isFalse();
        assertThat(open.observe(10, 7, true, MINUTE)).isTrue();
        assertThat(open.heldBack().get()).isEqualTo(7);
        assertThat(open.observe(17, 0, true, MINUTE + 1)).isFalse();
        assertThat(open.heldBack().get()).isZero();
        assertThat(open.observe(17, 2, true, MINUTE + 2)).isFalse();
        assertThat(open.observe(17, 2, true, 2 * MINUTE + 1)).isFalse();
        assertThat(open.observe(17, 2, true, 2 * MINUTE + 2)).isTrue();
    }

    /** Another transaction is open each time, as with a busy producer. */
    @Test
    void shouldNotReportWhileMessagesAreRead() {
        for (int i = 0; i < 10; i++) {
            assertThat(open.observe(10 + i, 5, true, i * MINUTE)).isFalse();
        }
        assertThat(open.observe(19, 5, false, 11 * MINUTE)).isFalse();
        assertThat(open.observe(19, 5, true, 11 * MINUTE)).isFalse();
    }
}
