package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DuplicateCacheTest {

    private static final long KEEP = 100;

    @Test
    void shouldTellSendersApart() {
        DuplicateCache cache = new DuplicateCache(8, KEEP);
        cache.add(1, 2, 3, 4, 5);

        assertThat(cache.find(1, 2, 3, 4, 5, 0)).isZero();
        assertThat(cache.find(9, 2, 3, 4, 5, 0)).isEqualTo(DuplicateCache.NONE);
        assertThat(cache.find(1, 9, 3, 4, 5, 0)).isEqualTo(DuplicateCache.NONE);
        assertThat(cache.find(1, 2, 9, 4, 5, 0)).isEqualTo(DuplicateCache.NONE);
        assertThat(cache.find(1, 2, 3, 9, 5, 0)).isEqualTo(DuplicateCache.NONE);
        assertThat(cache.find(1, 2, 3, 4, 9, 0)).isEqualTo(DuplicateCache.NONE);
    }

    @Test
    void shouldForgetAnAnsweredRequestAfterItsTimeAndNoOther() {
        DuplicateCache cache = new DuplicateCache(8, KEEP);
        cache.add(1, 1, 0, 0, 0);
        cache.add(2, 2, 0, 0, 0);
        assertThat(cache.isAnswered(0)).isFalse();
        cache.answerNext(1000);

        assertThat(cache.isAnswered(0)).isTrue();
        assertThat(cache.find(1, 1, 0, 0, 0, 1000 + KEEP)).isZero();
        assertThat(cache.find(1, 1, 0, 0, 0, 1001 + KEEP)).isEqualTo(DuplicateCache.NONE);
        assertThat(cache.find(2, 2, 0, 0, 0, 1_000_000)).isEqualTo(1);
        assertThat(cache.isAnswered(1)).isFalse();
    }

    @Test
    void shouldRefuseASizeThatIsNoPowerOfTwo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DuplicateCache(12, KEEP))
                .withMessageContaining("capacity=12");
    }

    /** Few digests with few low bits, so that probes collide and entries come again while old ones are still there. */
    @Property(tries = 500)
    void shouldDoAsAListOfRequestsDoes(@ForAll Random random) {
        int capacity = 1 << random.nextInt(6);
        DuplicateCache cache = new DuplicateCache(capacity, KEEP);
        List<long[]> requests = new ArrayList<>();
        int answered = 0;
        long now = random.nextLong();
        for (int step = 0; step < 400; step++) {
            now += random.nextInt(20);
            long digest = random.nextInt(2 * capacity) * (random.nextBoolean() ? 1L : 1L << 33);
            int port = random.nextInt(2);
            long found = cache.find(digest, digest, 7, 7, port, now);
            assertThat(found).isEqualTo(model(requests, answered, capacity, digest, port, now));
            if (found == DuplicateCache.NONE && requests.size() - answered < capacity) {
                cache.add(digest, digest, 7, 7, port);
                requests.add(new long[] {digest, port, 0});
            }
            while (answered < requests.size() && random.nextInt(3) > 0) {
                requests.get(answered)[2] = now;
                assertThat(cache.isAnswered(answered)).isFalse();
                cache.answerNext(now);
                assertThat(cache.isAnswered(answered++)).isTrue();
            }
        }
    }

    private static long model(List<long[]> requests, int answered, int capacity, long digest, int port, long now) {
        for (int i = requests.size() - 1; i >= Math.max(0, requests.size() - capacity); i--) {
            long[] request = requests.get(i);
            if (request[0] == digest && request[1] == port) {
                return i < answered && now - request[2] > KEEP ? DuplicateCache.NONE : i;
            }
        }
        return DuplicateCache.NONE;
    }
}
