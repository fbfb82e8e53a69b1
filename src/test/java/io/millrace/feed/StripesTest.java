package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class StripesTest {

    private static List<Stripes> splits(int count, int recordLength) {
        List<Stripes> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            splits.add(new Stripes(new Split(i, count), recordLength));
        }
        return splits;
    }

    /** Record by record: each belongs to one split, and each split counts those that it has before a position. */
    @Property(tries = 100)
    void shouldHaveEachRecordInOneSplit(
            @ForAll @IntRange(min = 1, max = 17) int count,
            @ForAll @IntRange(min = 40_000, max = 1_500_000) int recordLength,
            @ForAll @IntRange(min = 0, max = 300) int records) {
        List<Stripes> splits = splits(count, recordLength);
        long[] taken = new long[count];
        for (int record = 0; record < records; record++) {
            long position = (long) record * recordLength;
            int owners = 0;
            for (int i = 0; i < count; i++) {
                assertThat(splits.get(i).before(position)).isEqualTo(taken[i]);
                if (splits.get(i).next(position) == position) {
                    owners++;
                    taken[i] += recordLength;
                    assertThat(splits.get(i).remaining(position)).isGreaterThanOrEqualTo(recordLength);
                } else {
                    assertThat(splits.get(i).next(position)).isGreaterThan(position);
                }
            }
            assertThat(owners).isOne();
        }
    }

    @Property(tries = 200)
    void shouldDivideEachPositionAmongAllSplits(
            @ForAll @IntRange(min = 1, max = 1024) int count,
            @ForAll @IntRange(min = 1, max = 5000) int recordLength,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 4) long position) {
        long sum = 0;
        for (Stripes split : splits(count, recordLength)) {
            sum += split.before(position);
            assertThat(split.before(split.next(position))).isEqualTo(split.before(position));
        }
        assertThat(sum).isEqualTo(position);
    }

    @Test
    void shouldHaveOneStripeWithoutAnEndIfThereIsOneSplit() {
        Stripes whole = new Stripes(Split.WHOLE, 39);
        assertThat(whole.next(12_345)).isEqualTo(12_345);
        assertThat(whole.before(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(whole.remaining(0)).isEqualTo(Long.MAX_VALUE);
    }
}
