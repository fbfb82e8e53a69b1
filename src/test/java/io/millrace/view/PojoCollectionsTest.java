package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.TestBudget;
import io.millrace.codec.FieldValueException;
import io.millrace.view.list.RecordList;
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
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import trades.Trade;
import trades.TradeBook;

/**
 * Many views in collections and streams, with the results of the objects that they replace.
 * {@code -Dmillrace.views=1000000} compares a million, which takes minutes.
 */
@SuppressWarnings("JavaUtilDate") // the type of a getter
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PojoCollectionsTest {

    private static final int COUNT = Integer.getInteger("millrace.views", TestBudget.of(100_000));
    private static final int READERS = 4;
    private static final int READ_SHARE = 10;

    private final List<Trade> objects = shuffled();
    private final Map<String, List<Trade>> views = new HashMap<>();
    private final Map<String, List<Trade>> otherViews = new HashMap<>();

    private static List<Trade> shuffled() {
        TradeBook book = new TradeBook(Trade::new, new ArrayList<>());
        IntStream.range(0, COUNT).forEach(book::add);
        Collections.shuffle(book.trades(), new Random(3));
        return book.trades();
    }

    private static List<Long> ids(Collection<Trade> trades) {
        return trades.stream().map(Trade::getId).toList();
    }

    /** Returns views that the tests share. */
    private List<Trade> views(String layout) {
        return views.computeIfAbsent(layout, name -> newViews(name, objects));
    }

    /** Returns views that are equal to those of {@link #views}, and are created each time that they are read. */
    private List<Trade> otherViews(String layout) {
        return otherViews.computeIfAbsent(layout, name -> {
            List<Trade> list = new RecordList<>(TradeViews.of(name));
            list.addAll(objects);
            return list;
        });
    }

    private static List<Trade> newViews(String layout, List<Trade> objects) {
        RecordViews<Trade> views = TradeViews.of(layout);
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
        assertThat(List.copyOf(sorted.values())).isEqualTo(List.copyOf(sortedObjects.values()));
        assertThat(hashed).hasSize(COUNT);
        List<Trade> again = otherViews(layout);
        List<String> currencies = objects.stream().map(Trade::getCurrency1).toList();
        assertThat(again.stream().map(hashed::get).toList()).isEqualTo(currencies);
        assertThat(again.stream().map(sorted::get).toList()).isEqualTo(currencies);
        assertThat(ids(sorted.headMap(again.getFirst()).keySet()))
                .isEqualTo(ids(sortedObjects.headMap(objects.getFirst()).keySet()));
        Set<Trade> kept = new HashSet<>(views);
        kept.removeAll(new HashSet<>(again.subList(0, COUNT / 2)));
        assertThat(kept).hasSize(COUNT - COUNT / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldAgreeOnEqualityHashesAndOrder(String layout) {
        List<Trade> views = views(layout);
        List<Trade> again = otherViews(layout);
        Random random = new Random(5);
        for (int i = 0; i < COUNT; i++) {
            int other = random.nextInt(8) == 0 ? i : random.nextInt(COUNT);
            Trade view = views.get(i);
            Trade otherView = again.get(other);
            boolean equal = view.equals(otherView);
            int order = view.compareTo(otherView);
            if (equal != objects.get(i).equals(objects.get(other))
                    || equal != otherView.equals(view)
                    || (equal && view.hashCode() != otherView.hashCode())
                    || equal != (order == 0)
                    || Integer.signum(order) != -Integer.signum(otherView.compareTo(view))
                    || Integer.signum(order) != Integer.signum(objects.get(i).compareTo(objects.get(other)))) {
                fail("%s and %s are equal: %s, order: %s", view, otherView, equal, order);
            }
        }
        long hashes = views.stream().map(Trade::hashCode).distinct().count();
        assertThat(hashes).isGreaterThan(COUNT - 2 - (long) COUNT * COUNT / (1L << 31));
    }

    /** A trade of which an application wants to see the amount, in the order of currencies. */
    public interface Deal {
        String getCurrency1();

        long getId();

        BigDecimal getAmount1();

        default boolean isLarge() {
            return getAmount1().abs().compareTo(BigDecimal.valueOf(1_000_000)) > 0;
        }
    }

    /** A deal without bytes, with the key of the views. */
    private record PlainDeal(String getCurrency1, long getId, BigDecimal getAmount1)
            implements Deal, Comparable<PlainDeal> {

        static PlainDeal of(Deal deal) {
            return new PlainDeal(deal.getCurrency1(), deal.getId(), deal.getAmount1());
        }

        @Override
        public int compareTo(PlainDeal other) {
            int order = getCurrency1.compareTo(other.getCurrency1);
            return order != 0 ? order : Long.compare(getId, other.getId);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldBeOrderedByTheirKeyAsObjectsAre(String layout) {
        RecordViews<Trade> trades = TradeViews.of(layout);
        RecordViews<Deal> deals = RecordViews.builder(Deal.class, TradeViews.schema(layout))
                .key("currency1", "id")
                .build();
        List<Deal> views = views(layout).stream()
                .map(trade -> deals.of(trades.bytes(trade)))
                .toList();
        List<PlainDeal> plain = views.stream().map(PlainDeal::of).toList();
        List<PlainDeal> expected = plain.stream().sorted().toList();
        assertThat(views.stream().sorted().map(PlainDeal::of).toList()).isEqualTo(expected);
        assertThat(new TreeSet<>(views).stream().map(PlainDeal::of).toList()).isEqualTo(expected);
        assertThat(views.parallelStream()
                        .sorted(deals.comparator().reversed())
                        .map(PlainDeal::of)
                        .toList())
                .isEqualTo(expected.reversed());
        assertThat(byCurrency(views)).isEqualTo(byCurrency(plain));
        assertThat(views.parallelStream().filter(Deal::isLarge).count())
                .isEqualTo(plain.stream().filter(Deal::isLarge).count());
    }

    private static Map<String, List<Long>> byCurrency(List<? extends Deal> deals) {
        return deals.parallelStream()
                .collect(Collectors.groupingBy(
                        Deal::getCurrency1, TreeMap::new, Collectors.mapping(Deal::getId, Collectors.toList())));
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
        assertThat(ids(views.parallelStream().sorted().toList()))
                .isEqualTo(ids(objects.stream().sorted().toList()));
        assertThat(sums(views)).isEqualTo(sums(objects));
        List<Trade> twice = new ArrayList<>(views);
        twice.addAll(otherViews(layout));
        assertThat(ids(twice.stream().distinct().toList())).isEqualTo(ids(objects));
        assertThat(twice.parallelStream().distinct().count()).isEqualTo(COUNT);
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
        List<Trade> first = objects.subList(0, COUNT / READ_SHARE);
        List<Trade> views = newViews(layout, first);
        BigDecimal expected = total(first);
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
        RecordViews<Trade> views = TradeViews.of(layout);
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
        Trade view = TradeViews.of(layout).view(objects.getFirst());
        assertThat(view.equals(objects.getFirst())).isFalse();
        assertThat(objects.getFirst().equals(view)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldLoseMutableKeysThatChange(String layout) {
        RecordViews<Trade> views = TradeViews.of(layout);
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
