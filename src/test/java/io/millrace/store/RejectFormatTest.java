package io.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RejectReason;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RejectFormatTest {

    private static final byte[] BYTES = {9, 1, 2, 3, 9};

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatWasWritten(RejectReason.Kind kind) {
        RejectReason reason = new RejectReason(kind, "field=side value=7: für nichts");

        Reject reject = RejectFormat.decode("k", RejectFormat.encode(-1, reason, BYTES, 1, 3));

        assertThat(reject.key()).isEqualTo("k");
        assertThat(reject.position()).isEqualTo(-1);
        assertThat(reject.reason()).isEqualTo(reason);
        assertThat(reject.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void shouldCutALongReason() {
        RejectReason reason = new RejectReason(RejectReason.Kind.EXPRESSION, "x".repeat(70_000));

        Reject reject = RejectFormat.decode("k", RejectFormat.encode(5, reason, BYTES, 0, 5));

        assertThat(reject.reason().detail()).hasSize(RejectFormat.MAX_REASON);
        assertThat(reject.bytes()).isEqualTo(BYTES);
    }

    @Test
    void shouldNoticeEveryFlippedByteAndEveryCut() {
        byte[] value =
                RejectFormat.encode(5, new RejectReason(RejectReason.Kind.TRUNCATED, "3 of 23 bytes"), BYTES, 0, 5);
        for (int i = 0; i < value.length; i++) {
            byte[] flipped = value.clone();
            flipped[i] ^= 0x10;
            byte[] cut = Arrays.copyOf(value, i);

            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RejectFormat.decode("k", flipped));
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RejectFormat.decode("k", cut));
        }
    }
}
