package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.region.RegionValues;
import io.millrace.store.geode.region.Values;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.region.Memory;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.Region;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of write, by a term that has ended, to regions of a real Geode: refused, counted, and nothing changed. */
class TermCheckTest {

    private static final WriterName TRADES = WriterName.of("trades", 0);
    private static final Term OLD = new Term(TRADES, true, 1, 1, "old");
    private static final Term CURRENT = new Term(TRADES, true, 1, 2, "current");
    private static final byte[] BEFORE = {1};
    private static final byte[] AFTER = {2};
    private static final Set<Thread.State> WAITING =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING);

    @SuppressWarnings("NullAway.Init") // set before each test
    private PeerCache cache;

    @SuppressWarnings("NullAway.Init") // likewise
    private Region<Object, byte[]> region;

    @SuppressWarnings("NullAway.Init") // likewise
    private Region<String, String> shared;

    private final TermCheck check = new TermCheck(CURRENT.proof()::equals, this::admit);
    private final List<String> admitted = new ArrayList<>();
    private volatile Runnable whileAdmitted = () -> {};
    private boolean full;

    @BeforeEach
    void open() {
        cache = new PeerCache(GeodeOptions.inMemory());
        region = cache.region("blocks", new StoragePolicy(0, false, Memory.HEAP), check);
        shared = cache.shared("positions", false, false, check);
        region.put("there", BEFORE);
        shared.put("there", "before");
    }

    private void admit(String name, Object key, int bytes) {
        whileAdmitted.run();
        admitted.add(name + " " + key + " " + bytes);
        if (full) {
            throw new CacheWriterException("full");
        }
    }

    @AfterEach
    void close() {
        cache.close();
    }

    /**
     * A kind of write.
     *
     * @param values what it does to a region of values
     * @param map what it does to a shared map
     */
    record Write(String name, List<Consumer<Values>> values, List<Consumer<SharedMap<String>>> map) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Write> writes() {
        return Stream.of(OLD, CURRENT)
                .flatMap(term -> Stream.of(
                        new Write(
                                "put " + term,
                                List.of(
                                        values -> values.put("there", AFTER, term),
                                        values -> values.put("new", AFTER, term)),
                                List.of(map -> map.put("there", "after", term), map -> map.put("new", "after", term))),
                        new Write(
                                "putAll " + term,
                                List.of(values -> values.putAll(Map.of("there", AFTER, "new", AFTER), term)),
                                List.of()),
                        new Write(
                                "putIfAbsent " + term,
                                List.of(values -> values.putIfAbsent("new", AFTER, term)),
                                List.of()),
                        new Write(
                                "removeAll " + term,
                                List.of(values -> values.removeAll(List.of("there"), term)),
                                List.of()),
                        new Write("remove " + term, List.of(), List.of(map -> map.remove("there", term)))));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void shouldRefuseWritesOfAnEndedTermAndTakeThoseOfTheCurrentOne(Write write) {
        boolean old = write.name().endsWith(OLD.toString());
        List<Runnable> actions = new ArrayList<>();
        write.values().forEach(action -> actions.add(() -> action.accept(new RegionValues(cache, region))));
        write.map().forEach(action -> actions.add(() -> action.accept(new RegionMap<>(cache, shared))));
        for (Runnable action : actions) {
            long refused = check.refused();
            if (old) {
                assertThatExceptionOfType(SupersededException.class).isThrownBy(action::run);
                assertThat(check.refused()).isGreaterThan(refused);
            } else {
                action.run();
                assertThat(check.refused()).isEqualTo(refused);
            }
        }
        boolean valuesUnchanged = region.keySet().equals(Set.of("there")) && Arrays.equals(BEFORE, region.get("there"));
        boolean mapUnchanged = shared.keySet().equals(Set.of("there")) && "before".equals(shared.get("there"));
        assertThat(valuesUnchanged).isEqualTo(old || write.values().isEmpty());
        assertThat(mapUnchanged).isEqualTo(old || write.map().isEmpty());
    }

    /** As expiry does on a member. */
    @Test
    void shouldAllowTheRemovalOfAnExpiredEntryThatHasItsVersion() {
        OptionalLong version = ExpiryCheck.version(
                ((PartitionedRegion) (Region<?, ?>) region)
                        .getDataStore()
                        .getLocalBucketByKey("there")
                        .getRegionEntry("there"),
                Long.MAX_VALUE);
        assertThatExceptionOfType(ChangedEntryException.class)
                .isThrownBy(() -> region.destroy("there", version.getAsLong() - 1));
        assertThat(region.get("there")).isEqualTo(BEFORE);

        region.destroy("there", version.getAsLong());
        assertThat(region.containsKey("there")).isFalse();
        assertThat(check.refused()).isZero();
    }

    @Test
    void shouldLetValuesOfWritersBeRefusedByTheirRegionAndLength() {
        RegionValues values = new RegionValues(cache, region);
        admitted.clear();
        values.put("new", new byte[5], CURRENT);
        values.put("there", AFTER, CURRENT);
        region.replace("there", AFTER, BEFORE); // not by a writer
        assertThat(admitted).containsExactly("blocks new 5", "blocks there " + AFTER.length);

        full = true;
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> values.put("further", new byte[7], CURRENT))
                .withMessageContaining("full");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> values.putIfAbsent("further", new byte[8], CURRENT));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> values.put("new", new byte[9], CURRENT));
        values.removeAll(List.of("there"), CURRENT);

        assertThat(admitted.subList(2, admitted.size()))
                .containsExactly("blocks further 7", "blocks further 8", "blocks new 9");
        assertThat(region.keySet()).containsExactly("new");
    }

    /** So recovery, which puts an empty block under each key, finds what an earlier term was still putting there. */
    @Test
    void shouldLetAnEmptyBlockWaitForAPutThatExtendsTheBlockOfItsKey() throws Exception {
        RegionValues values = new RegionValues(cache, region);
        Semaphore begun = new Semaphore(0);
        Semaphore ends = new Semaphore(0);
        whileAdmitted = () -> {
            begun.release();
            ends.acquireUninterruptibly();
        };
        FutureTask<Long> extension = new FutureTask<>(() -> values.put("there", AFTER, CURRENT));
        FutureTask<byte @Nullable []> empty = new FutureTask<>(() -> values.putIfAbsent("there", new byte[0], CURRENT));
        Thread.ofPlatform().start(extension);
        begun.acquireUninterruptibly();
        whileAdmitted = () -> {};

        Thread recovery = Thread.ofPlatform().start(empty);

        await().until(() -> WAITING.contains(recovery.getState()) || empty.isDone());
        assertThat(empty.isDone()).isFalse();
        ends.release();
        assertThat(extension.get()).isPositive();
        assertThat(empty.get()).isEqualTo(AFTER);
        assertThat(region.get("there")).isEqualTo(AFTER);
    }
}
