package io.millrace.store.reject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.schema.RecordLayout;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.StoredRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectBatchTest {

    private static final RejectReason REASON = new RejectReason(Kind.EXPRESSION, "division by zero");

    private final RejectBatch rejects = new RejectBatch();

    private static List<Reject> decode(RecordBatch batch) {
        List<Reject> found = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            found.add(Reject.decode(batch.bytes(), batch.offset(i), batch.offset(i) + batch.length(i)));
        }
        return found;
    }

    private static Reject only(RecordBatch batch) {
        List<Reject> found = decode(batch);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private void add(long position) {
        byte[] bytes = new byte[Long.BYTES];
        RawBytes.putLong(bytes, 0, position);
        rejects.add(position, REASON, bytes, 0, bytes.length);
    }

    private static List<Long> positions(RecordBatch batch) {
        return decode(batch).stream().map(Reject::position).toList();
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatWasWritten(Kind kind) {
        byte[] bytes = {9, 1, 2, 3, 9};
        long before = System.currentTimeMillis();
        rejects.add(-1, new RejectReason(kind, "Invalid value '7' of 'side'. Für nichts."), bytes, 1, 3);

        Reject reject = only(rejects.take(-1));

        assertThat(reject.position()).isEqualTo(-1);
        assertThat(reject.kind()).isEqualTo(kind);
        assertThat(reject.detail()).isEqualTo("Invalid value '7' of 'side'. Für nichts.");
        assertThat(reject.length()).isEqualTo(3);
        assertThat(reject.bytes()).containsExactly(1, 2, 3);
        assertThat(reject.time().toEpochMilli()).isBetween(before, System.currentTimeMillis());
    }

    /** As a query finds them. */
    @ParameterizedTest
    @EnumSource
    void shouldBeARecordOfItsSchema(Kind kind) {
        rejects.add(7, new RejectReason(kind, "für"), new byte[300], 0, 300);
        RecordBatch batch = rejects.take(8);
        byte[] record = Arrays.copyOfRange(batch.bytes(), batch.offset(0), batch.offset(0) + batch.length(0));

        assertThat(StoredRecords.of(Reject.SCHEMA).decode(record, 0))
                .containsEntry("position", 7L)
                .containsEntry("reason", kind.tag())
                .containsEntry("detail", "für")
                .containsEntry("length", 300L);
    }

    @Test
    void shouldKeepTheLargestRecordWithTheLongestDetail() {
        byte[] bytes = new byte[10 << 20];
        new Random(1).nextBytes(bytes);
        rejects.add(5, new RejectReason(Kind.INVALID_VALUE, "ä".repeat(70_000)), bytes, 0, bytes.length);

        RecordBatch batch = rejects.take(6);
        assertThat(batch.length(0)).isLessThanOrEqualTo(RecordLayout.MAX_VARYING_LENGTH);
        Reject reject = only(batch);
        assertThat(reject.detail()).isEqualTo("ä".repeat(500));
        assertThat(reject.length()).isEqualTo(bytes.length);
        assertThat(reject.bytes()).isEqualTo(Arrays.copyOf(bytes, Reject.MAX_BYTES));
        byte[] row = new byte[Reject.SCHEMA.foundLength()];
        assertThat(TaggedFinder.of(Reject.SCHEMA).find(batch.bytes(), 0, batch.length(0), row, 0))
                .isNull();
    }

    /** A character may have four bytes, of which none is left alone. */
    @ParameterizedTest
    @ValueSource(ints = {996, 997, 998, 999, 1000})
    void shouldCutDetailsBetweenCharacters(int ascii) {
        String detail = "x".repeat(ascii) + "😀😀";
        rejects.add(-1, new RejectReason(Kind.EXPRESSION, detail), new byte[1], 0, 1);

        assertThat(only(rejects.take(-1)).detail()).isEqualTo("x".repeat(ascii) + (ascii == 996 ? "😀" : ""));
    }

    @Test
    void shouldTakeARecordThatTwoRegionsRejectedOnce() {
        add(3);
        add(1);
        add(3);

        assertThat(positions(rejects.take(10))).containsExactly(1L, 3L);
        assertThat(rejects.take(10).count()).isZero();
    }

    @Test
    void shouldKeepWhatIsNotCovered() {
        add(10);
        add(-1);
        add(20);

        assertThat(positions(rejects.take(20))).containsExactly(10L);
        assertThat(positions(rejects.uncovered())).containsExactly(20L);
        assertThat(positions(rejects.take(-1))).containsExactly(-1L);
        assertThat(positions(rejects.take(21))).containsExactly(20L);
    }

    @Test
    void shouldKnowWhichPartOfTheFeedEachRejectCovers() {
        add(10);
        add(30);

        RecordBatch batch = rejects.take(50);

        assertThat(batch.positionAfter(0)).isEqualTo(30);
        assertThat(batch.positionAfter(1)).isEqualTo(50);
        assertThat(batch.to()).isEqualTo(50);
    }

    @Test
    void shouldForgetWhatAnEarlierTermHeld() {
        add(1);
        rejects.clear();

        assertThat(rejects.take(10).count()).isZero();
    }

    @Property(tries = 300)
    void shouldTakeEachPositionOnceInTheOrderOfTheFeed(@ForAll long seed) {
        RejectBatch batch = new RejectBatch();
        Random random = new Random(seed);
        TreeSet<Long> expected = new TreeSet<>();
        List<Long> taken = new ArrayList<>();
        long covered = 0;
        for (int round = 0; round < 5; round++) {
            for (int i = random.nextInt(200); i > 0; i--) {
                long position = covered + random.nextInt(300);
                expected.add(position);
                batch.add(position, REASON, new byte[random.nextInt(100)], 0, 0);
            }
            covered += 100;
            taken.addAll(positions(batch.take(covered)));
        }
        taken.addAll(positions(batch.take(Long.MAX_VALUE)));

        assertThat(taken).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldRefuseEveryCutValue() {
        add(5);
        RecordBatch batch = rejects.take(6);
        byte[] value = Arrays.copyOfRange(batch.bytes(), 0, batch.length(0));
        for (int length = 0; length < value.length; length++) {
            int to = length;
            boolean whole = List.of(Reject.HEADER_LENGTH, 24, 43).contains(length);
            if (!whole) {
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Reject.decode(value, 0, to));
            }
        }
    }
}
