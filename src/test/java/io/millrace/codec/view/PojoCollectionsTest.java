package io.millrace.codec.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.FieldValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import trades.Trade;
import trades.TradeBook;

/**
 * Many views in collections and streams, with the results of the objects that they replace.
 * {@code -Dmillrace.views=1000000} sets their number.
 */
@SuppressWarnings("JavaUtilDate") // the type of a getter
class PojoCollectionsTest {

    private static final int COUNT = Integer.getInteger("millrace.views", 5_000);
    private static final int READERS = 8;

    private final List<Trade> objects = shuffled();

    private static List<Trade> shuffled() {
        TradeBook book = new TradeBook(Trade::new, trade -> trade);
        IntStream.range(0, COUNT).forEach(book::add);
        Collections.shuffle(book.trades(), new Random(3));
        return book.trades();
    }

    private static List<Long> ids(Collection<Trade> trades) {
        return trades.stream().map(Trade::getId).toList();
    }

    private List<Trade> views(String layout) {
        RecordViews<Trade> views = PojoTest.views(layout);
        return objects.stream().map(views::view).collect(Collectors.toCollection(ArrayList::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldFillMapsAndSets(String layout) {
        List<Trade> views = views(layout);
        TreeMap<Trade, String> sorted = new TreeMap<>();
        TreeMap<Trade, String> sortedObjects = new TreeMap<>();
        Map<Trade, String> hashed = new HashMap<>();
        for (int i = 0; i < COUNT; i++) {
            sorted.put(views.get(i), views.get(i).getCurrency1());
            hashed.put(views.get(i), views.get(i).getCurrency1());
            sortedObjects.put(objects.get(i), objects.get(i).getCurrency1());
        }
        assertThat(ids(sorted.keySet())).isEqualTo(ids(sortedObjects.keySet()));
        assertThat(sorted.values()).containsExactlyElementsOf(sortedObjects.values());
        assertThat(hashed).hasSize(COUNT);
        List<Trade> again = views(layout);
        for (int i = 0; i < COUNT; i++) {
            assertThat(hashed.get(again.get(i))).isEqualTo(objects.get(i).getCurrency1());
            assertThat(sorted.get(again.get(i))).isEqualTo(objects.get(i).getCurrency1());
        }
        assertThat(ids(sorted.headMap(again.getFirst()).keySet()))
                .isEqualTo(ids(sortedObjects.headMap(objects.getFirst()).keySet()));
        Set<Trade> kept = new HashSet<>(views);
        kept.removeAll(new HashSet<>(again.subList(0, COUNT / 2)));
        assertThat(kept).hasSize(COUNT - COUNT / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldGiveTheSameStreams(String layout) {
        List<Trade> views = views(layout);
        Comparator<Trade> order = Comparator.comparing(Trade::getCurrency2)
                .thenComparing(Trade::getAmount1, Comparator.reverseOrder())
                .thenComparingLong(Trade::getId);
        assertThat(ids(views.stream().sorted(order).toList()))
                .isEqualTo(ids(objects.stream().sorted(order).toList()));
        assertThat(ids(views.stream().sorted().toList()))
                .isEqualTo(ids(objects.stream().sorted().toList()));
        assertThat(sums(views)).isEqualTo(sums(objects));
        List<Trade> twice = new ArrayList<>(views);
        twice.addAll(views(layout));
        assertThat(ids(twice.stream().distinct().toList())).isEqualTo(ids(objects));
        assertThat(ids(views.parallelStream().filter(Trade::buys).toList()))
                .isEqualTo(ids(objects.stream().filter(Trade::buys).toList()));
        assertThat(views.stream().max(Comparator.comparing(Trade::getAmount2)).map(Trade::getAmount2))
                .isEqualTo(objects.stream()
                        .max(Comparator.comparing(Trade::getAmount2))
                        .map(Trade::getAmount2));
    }

    private static Map<String, BigDecimal> sums(List<Trade> trades) {
        return trades.stream()
                .collect(Collectors.groupingBy(
                        Trade::getCurrency1,
                        TreeMap::new,
                        Collectors.reducing(BigDecimal.ZERO, Trade::getAmount1, BigDecimal::add)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldServeManyReaders(String layout) throws Exception {
        List<Trade> views = views(layout);
        BigDecimal expected = total(objects);
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            List<Future<BigDecimal>> totals = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                totals.add(readers.submit(() -> {
                    start.await();
                    return total(views);
                }));
            }
            start.countDown();
            for (Future<BigDecimal> total : totals) {
                assertThat(total.get()).isEqualTo(expected);
            }
        }
    }

    /** The first getter of a compact view creates its index: here, in many threads at once. */
    private static BigDecimal total(List<Trade> trades) {
        BigDecimal total = BigDecimal.ZERO;
        for (Trade trade : trades) {
            total = total.add(trade.getAmount2())
                    .add(trade.getAmount1())
                    .add(BigDecimal.valueOf(trade.getSettlementDate().getTime()))
                    .add(BigDecimal.valueOf(trade.getCurrency2().length()));
        }
        return total;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldRefuseWhatTheSchemaDoesNotAllow(String layout) {
        RecordViews<Trade> views = PojoTest.views(layout);
        Trade trade = views.edit(objects.getFirst());
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> trade.setCurrency1("XXX"));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> trade.setAmount1(new BigDecimal("0.001")));
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> trade.setBuySell(null));
        assertThat(trade).isEqualTo(views.view(objects.getFirst()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldDifferFromObjectsThatAreNoViews(String layout) {
        Trade view = PojoTest.views(layout).view(objects.getFirst());
        assertThat(view.equals(objects.getFirst())).isFalse();
        assertThat(objects.getFirst().equals(view)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldLoseMutableKeysThatChange(String layout) {
        RecordViews<Trade> views = PojoTest.views(layout);
        Trade key = views.edit(objects.getFirst());
        Map<Trade, String> map = new HashMap<>(Map.of(key, "value"));
        key.setId(-1);
        assertThat(map).doesNotContainKey(key);
        assertThat(map.keySet()).containsExactly(key);
        Trade stored = views.view(key);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> stored.setId(5));
        assertThat(new HashMap<>(Map.of(stored, "value"))).containsEntry(views.view(key), "value");
    }
}
