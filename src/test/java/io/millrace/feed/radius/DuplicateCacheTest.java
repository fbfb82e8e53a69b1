package io.millrace.feed.radius;

import static io.millrace.hash.HostileKeys.longestRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.feed.FairShare;
import io.millrace.feed.radius.packet.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuplicateCacheTest {

    private static final long KEEP = 100;
    private static final FairShare ALL = new FairShare(1);
    private static final RadiusClient ONE = client("10.0.0.0/8");
    private static final RadiusClient TWO = client("11.0.0.0/8");

    private final Sources sources = new Sources(List.of(ONE, TWO));

    private static RadiusClient client(String range) {
        return new RadiusClient(AddressRange.parse(range), Secret.of("s"), false, false);
    }

    private Source source(int number) {
        return sources.get(0, number, number < 100 ? ONE : TWO);
    }

    private DuplicateCache cache(int capacity, double share) {
        FairShare fraction = new FairShare(share);
        return new DuplicateCache(capacity, KEEP, fraction, fraction, sources);
    }

    private boolean knows(DuplicateCache cache, int digest, int source) {
        return cache.find(digest, digest, source(source), 7, 7, 0) != Holding.NONE;
    }

    private void addAnswered(DuplicateCache cache, int digest, int source) {
        cache.add(digest, digest, source(source), 7, 7, 0);
        cache.answerNext(0);
    }

    @Test
    void shouldDistinguishSenders() {
        DuplicateCache cache = cache(8, 1);
        cache.add(1, 2, source(3), 4, 5, 0);

        assertThat(cache.find(1, 2, source(3), 4, 5, 0)).isNotEqualTo(Holding.NONE);
        assertThat(cache.find(9, 2, source(3), 4, 5, 0)).isEqualTo(Holding.NONE);
        assertThat(cache.find(1, 9, source(3), 4, 5, 0)).isEqualTo(Holding.NONE);
        assertThat(cache.find(1, 2, source(9), 4, 5, 0)).isEqualTo(Holding.NONE);
        assertThat(cache.find(1, 2, sources.get(0, 3, TWO), 4, 5, 0)).isEqualTo(Holding.NONE);
        assertThat(cache.find(1, 2, source(3), 9, 5, 0)).isEqualTo(Holding.NONE);
        assertThat(cache.find(1, 2, source(3), 4, 9, 0)).isEqualTo(Holding.NONE);
    }

    @Test
    void shouldForgetAnAnsweredRequestAfterItsTimeAndNoOther() {
        DuplicateCache cache = cache(8, 1);
        cache.add(1, 1, source(0), 0, 0, 0);
        cache.add(2, 2, source(0), 0, 0, 0);
        int first = cache.find(1, 1, source(0), 0, 0, 0);
        assertThat(cache.isAnswered(first)).isFalse();
        cache.answerNext(1000);

        assertThat(cache.isAnswered(first)).isTrue();
        assertThat(cache.find(1, 1, source(0), 0, 0, 1000 + KEEP)).isEqualTo(first);
        assertThat(cache.find(1, 1, source(0), 0, 0, 1001 + KEEP)).isEqualTo(Holding.NONE);
        int second = cache.find(2, 2, source(0), 0, 0, 1_000_000);
        assertThat(second).isNotEqualTo(Holding.NONE);
        assertThat(cache.isAnswered(second)).isFalse();
    }

    /** A client knows the secret, so that it can look for requests whose digests have the same low bits. */
    @Test
    void shouldSpreadDigestsThatAClientChose() {
        int capacity = 1 << 16;
        DuplicateCache cache = cache(capacity, 1);
        for (long i = 0; i < capacity; i++) {
            cache.add(i, i << 20, source(3), 4, 5, 0);
        }
        assertThat(cache.find(7, 7L << 20, source(3), 4, 5, 0)).isNotEqualTo(Holding.NONE);
        assertThat(longestRun(cache, "table", -1)).isLessThan(1000);
    }

    @Test
    void shouldRefuseASizeThatIsNoPowerOfTwo() {
        assertThatIllegalArgumentException().isThrownBy(() -> cache(12, 1)).withMessageContaining("capacity '12'");
    }

    @Test
    void shouldForgetTheRequestsOfTheOneWhoSendsMost() {
        DuplicateCache cache = cache(64, 0.75);
        addAnswered(cache, 1, 1);
        addAnswered(cache, 2, 200);
        for (int i = 0; i < 1000; i++) {
            addAnswered(cache, 100 + i, 2);
        }
        assertThat(knows(cache, 1, 1)).isTrue();
        assertThat(knows(cache, 2, 200)).isTrue();
        assertThat(source(2).own().cachedRequests).isEqualTo(46);

        // Another source of the same client, and another client, find space at once; the largest makes it.
        for (int i = 0; i < 20; i++) {
            addAnswered(cache, 2000 + i, 201);
            addAnswered(cache, 3000 + i, 2);
        }
        for (int i = 10; i < 20; i++) {
            assertThat(knows(cache, 2000 + i, 201)).isTrue();
        }
        assertThat(knows(cache, 1, 1)).isTrue();
        assertThat(knows(cache, 2, 200)).isTrue();
    }

    /** Many sources of one client, as of one who makes addresses up, have but the share of that client. */
    @Test
    void shouldForgetTheRequestsOfTheClientThatSendsMost() {
        DuplicateCache cache = cache(64, 0.75);
        addAnswered(cache, 1, 200);
        for (int i = 0; i < 1000; i++) {
            addAnswered(cache, 100 + i, i % 100);
        }
        assertThat(knows(cache, 1, 200)).isTrue();
        assertThat(source(1).ofClient().cachedRequests).isEqualTo(47);
        assertThat(sources.count()).isEqualTo(48);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.01, 1", "1, 1, 1", "2, 0.01, 1", "64, 0.01, 1", "64, 0.5, 32", "64, 1, 64", "262144, 1, 262144"})
    void shouldBoundASourceAtTheSmallestAndTheLargestShare(int capacity, double share, int remembered) {
        DuplicateCache cache = cache(capacity, share);
        for (int i = 0; i < 2 * capacity; i++) {
            addAnswered(cache, i, 1);
        }
        assertThat(source(1).own().cachedRequests).isEqualTo(remembered);
        assertThat(knows(cache, 2 * capacity - 1, 1)).isTrue();
    }

    /** What is in progress must be known whatever its share: it would be taken twice. */
    @Test
    void shouldKnowAllThatIsInProgress() {
        DuplicateCache cache = cache(64, 0.01);
        for (int i = 0; i < 64; i++) {
            cache.add(i, i, source(i % 3), 7, 7, 0);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(knows(cache, i, i % 3)).isTrue();
        }
        cache.answerNext(0);
        cache.add(1000, 1000, source(1), 7, 7, 0);
        assertThat(knows(cache, 0, 0)).isFalse();
        assertThat(knows(cache, 1000, 1)).isTrue();
    }

    @Test
    void shouldForgetSourcesWithTheirRequests() {
        DuplicateCache cache = cache(1024, 1);
        for (int i = 0; i < 10_000; i++) {
            cache.add(i, i, sources.get(i, 0, ONE), 0, 0, i);
            cache.answerNext(i);
        }
        assertThat(sources.count()).isLessThanOrEqualTo(102);
    }

    /** Few digests, so that probes collide and requests come again while old ones are still there. */
    @Property(tries = 500)
    void shouldDoAsAListOfRequestsDoes(@ForAll Random random) {
        int capacity = 1 << random.nextInt(6);
        Sources two = new Sources(List.of(ONE, TWO));
        DuplicateCache cache = new DuplicateCache(capacity, KEEP, ALL, ALL, two);
        List<long[]> requests = new ArrayList<>();
        int answered = 0;
        long now = random.nextLong();
        for (int step = 0; step < 400; step++) {
            now += random.nextInt(20);
            long digest = random.nextInt(2 * capacity) * (random.nextBoolean() ? 1L : 1L << 33);
            int port = random.nextInt(2);
            Source source = two.get(0, 7, ONE);
            int found = cache.find(digest, digest, source, 7, port, now);
            int expected = model(requests, answered, capacity, digest, port, now);
            assertThat(found == Holding.NONE).isEqualTo(expected < 0);
            if (found != Holding.NONE) {
                assertThat(cache.isAnswered(found)).isEqualTo(expected < answered);
            } else if (requests.size() - answered < capacity) {
                cache.add(digest, digest, source, 7, port, now);
                requests.add(new long[] {digest, port, 0});
            }
            while (answered < requests.size() && random.nextInt(3) > 0) {
                requests.get(answered++)[2] = now;
                cache.answerNext(now);
            }
        }
    }

    private static int model(List<long[]> requests, int answered, int capacity, long digest, int port, long now) {
        for (int i = requests.size() - 1; i >= Math.max(0, requests.size() - capacity); i--) {
            long[] request = requests.get(i);
            if (request[0] == digest && request[1] == port) {
                return i < answered && now - request[2] > KEEP ? -1 : i;
            }
        }
        return -1;
    }

    /** Whatever the shares and whoever sends: no request in progress is unknown, and holdings add up. */
    @Property(tries = 500)
    void shouldKeepItsBooksForManySources(@ForAll Random random) {
        int capacity = 1 << random.nextInt(7);
        FairShare share = new FairShare((1 + random.nextInt(100)) / 100.0);
        Sources some = new Sources(List.of(ONE, TWO));
        DuplicateCache cache = new DuplicateCache(capacity, KEEP, share, share, some);
        List<Object[]> inProgress = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 500; step++) {
            now += random.nextInt(10);
            int number = random.nextInt(1 + random.nextInt(20));
            Source source = some.get(0, number, number % 2 == 0 ? ONE : TWO);
            long digest = random.nextInt(40);
            if (cache.find(digest, digest, source, number, 1, now) == Holding.NONE && inProgress.size() < capacity) {
                cache.add(digest, digest, source, number, 1, now);
                inProgress.add(new Object[] {digest, source});
            }
            if (random.nextInt(3) == 0 && !inProgress.isEmpty()) {
                inProgress.removeFirst();
                cache.answerNext(now);
            }
            int remembered = some.clients().stream()
                    .mapToInt(holding -> holding.cachedRequests)
                    .sum();
            assertThat(remembered).isBetween(inProgress.size(), capacity);
            assertThat(some.count()).isLessThanOrEqualTo(remembered);
            for (Object[] request : inProgress) {
                Source of = (Source) request[1];
                long wanted = (long) request[0];
                int entry = cache.find(wanted, wanted, of, of.networkLow(), 1, now);
                assertThat(entry).isNotEqualTo(Holding.NONE);
                assertThat(cache.isAnswered(entry)).isFalse();
            }
        }
    }
}
