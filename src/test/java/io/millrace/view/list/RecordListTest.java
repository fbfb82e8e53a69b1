package io.millrace.view.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.Order;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import io.millrace.view.TradeViews;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Spliterator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import trades.Trade;
import trades.TradeBook;

/** Lists of packed records, compared with lists of the objects that they replace. */
@SuppressWarnings("JavaUtilDate") // the type of a getter
class RecordListTest {

    private static final long DAY = 86_400_000;
    private static final List<String> CURRENCIES = List.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");

    /** A trade as a Java record. */
    public record Rate(long id, double exchangeRate, String currency1) {}

    private static Trade random(Random random, Trade trade) {
        trade.setId(random.nextLong());
        trade.setTradeDate(new Date(random.nextInt(65_535) * DAY));
        trade.setBuySell(random.nextBoolean() ? "Buy" : "Sell");
        trade.setCurrency1(CURRENCIES.get(random.nextInt(CURRENCIES.size())));
        trade.setAmount1(BigDecimal.valueOf(random.nextLong() >> random.nextInt(60), 2));
        trade.setExchangeRate(random.nextInt(10) / 10.0);
        trade.setCurrency2(CURRENCIES.get(random.nextInt(CURRENCIES.size())));
        trade.setAmount2(BigDecimal.valueOf(random.nextInt(100), 2));
        trade.setSettlementDate(new Date(random.nextInt(65_535) * DAY));
        return trade;
    }

    private static List<Object> values(Trade trade) {
        return List.of(
                trade.getId(),
                trade.getTradeDate(),
                trade.getBuySell(),
                trade.getCurrency1(),
                trade.getAmount1(),
                trade.getExchangeRate(),
                trade.getCurrency2(),
                trade.getAmount2(),
                trade.getSettlementDate());
    }

    private static List<List<Object>> values(Stream<Trade> trades) {
        return trades.map(RecordListTest::values).toList();
    }

    private static RecordList<Trade> list(RecordViews<Trade> views, List<Trade> trades) {
        RecordList<Trade> list = new RecordList<>(views);
        list.addAll(trades);
        return list;
    }

    private static List<Trade> randomTrades(int count) {
        Random random = new Random(count);
        return Stream.generate(() -> random(random, new Trade())).limit(count).toList();
    }

    private static byte[] written(RecordList<?> list) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        list.writeRecordsTo(Channels.newChannel(bytes));
        return bytes.toByteArray();
    }

    private static ReadableByteChannel channel(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "fixed, 0",
        "fixed, 1",
        "fixed, 8",
        "fixed, 9",
        "fixed, 1023",
        "fixed, 1024",
        "fixed, 1025",
        "fixed, 20000",
        "compact, 0",
        "compact, 1",
        "compact, 8",
        "compact, 63",
        "compact, 64",
        "compact, 65",
        "compact, 20000"
    })
    void shouldContainWhatAListOfObjectsContains(String layout, int count) throws Exception {
        List<Trade> objects = randomTrades(count);
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = list(views, objects);

        assertThat(list).hasSize(count);
        assertThat(values(list.stream())).isEqualTo(values(objects.stream()));
        assertThat(values(list.reversed().stream())).isEqualTo(values(objects.reversed().stream()));
        assertThat(values(list.parallelStream())).isEqualTo(values(objects.stream()));
        assertThat(values(list.subList(count / 3, count / 2).stream()))
                .isEqualTo(values(objects.subList(count / 3, count / 2).stream()));
        Comparator<Trade> byRate = Comparator.comparingDouble(Trade::getExchangeRate);
        assertThat(values(list.stream().filter(Trade::buys).sorted(byRate)))
                .isEqualTo(values(objects.stream().filter(Trade::buys).sorted(byRate)));
        Map<String, Long> counts =
                objects.stream().collect(Collectors.groupingBy(Trade::getCurrency1, Collectors.counting()));
        assertThat(list.stream().collect(Collectors.groupingBy(Trade::getCurrency1, Collectors.counting())))
                .isEqualTo(counts);

        List<Trade> single = objects.stream().map(views::view).toList();
        assertThat(list).isEqualTo(single).hasSameHashCodeAs(single).hasToString(single.toString());
        assertThat(TradeBook.deserialize(TradeBook.serialize(list))).isEqualTo(list);
        RecordList<Trade> read = new RecordList<>(views);
        byte[] bytes = written(list);
        read.readRecordsFrom(channel(bytes));
        assertThat(read).isEqualTo(list);
        assertThat(bytes).hasSize(Math.toIntExact(list.bytes()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldTraverseEachRecordOnceHoweverItIsSplit(String layout) {
        RecordList<Trade> list = list(TradeViews.of(layout), randomTrades(3000));
        Random random = new Random(5);
        for (int round = 0; round < 20; round++) {
            List<Spliterator<Trade>> parts = new ArrayList<>(List.of(list.spliterator()));
            List<Trade> read = new ArrayList<>();
            while (!parts.isEmpty()) {
                Spliterator<Trade> part = parts.getFirst();
                long size = part.estimateSize();
                int before = read.size();
                Spliterator<Trade> first = random.nextBoolean() ? part.trySplit() : null;
                if (first != null) {
                    parts.addFirst(first);
                    assertThat(first.estimateSize() + part.estimateSize()).isEqualTo(size);
                } else if (random.nextInt(4) > 0 && size > 0) {
                    assertThat(part.tryAdvance(read::add)).isTrue();
                    assertThat(part.estimateSize()).isEqualTo(size - 1);
                } else {
                    part.forEachRemaining(read::add);
                    assertThat(read).hasSize(before + (int) size);
                    assertThat(part.tryAdvance(read::add)).isFalse();
                    parts.removeFirst();
                }
            }
            assertThat(read).isEqualTo(list);
        }
    }

    @Test
    void shouldReportChangesDuringATraversal() {
        RecordList<Trade> list = list(TradeViews.of("fixed"), randomTrades(3));
        Stream<Trade> stream = list.stream();
        list.addAll(randomTrades(2));
        assertThat(stream).hasSize(5);
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> list.spliterator().tryAdvance(_ -> list.addAll(randomTrades(1))));
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> list.spliterator().forEachRemaining(_ -> list.clear()));
    }

    static Stream<Schema> schemas() {
        return Stream.of(Orders.FIXED, Orders.COMPACT);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldReadGroupsAndListsOfEachRecord(Schema schema) throws Exception {
        RecordViews<Order> views =
                RecordViews.builder(Order.class, schema).key("id").build();
        RecordList<Order> list = new RecordList<>(views);
        List<Order> single = new ArrayList<>();
        for (int id = 0; id < 3000; id++) {
            Order order = Orders.fill(views.create(), id);
            list.add(order);
            single.add(views.view(order));
            order.setId(-1);
        }
        for (int id : new int[] {0, 1, 63, 64, 65, 511, 512, 513, 2999}) {
            Order order = list.get(id);
            assertThat(order).isEqualTo(single.get(id)).hasSameHashCodeAs(single.get(id));
            assertThat(order).hasToString(single.get(id).toString());
            assertThat(single.get(id)).isEqualTo(order).isNotEqualTo(list.get((id + 1) % 3000));
            assertThat(order.getParty()).isEqualTo(single.get(id).getParty());
            assertThat(order.getLegs()).isEqualTo(single.get(id).getLegs());
            assertThat(order.title()).isEqualTo(single.get(id).title());
            assertThat(order.isValid()).isTrue();
            assertThat(views.validate(order)).isEmpty();
            assertThat(views.bytes(order)).isEqualTo(views.bytes(single.get(id)));
            assertThat(views.comparator().compare(order, single.get(id))).isZero();
            assertThat(TradeBook.deserialize(TradeBook.serialize(order))).isEqualTo(order);
            Order copy = views.edit(order);
            copy.setQuantity(77);
            copy.getParty().setName("other");
            assertThat(views.view(copy)).isNotEqualTo(order);
            assertThat(order).isEqualTo(single.get(id));
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> order.setQuantity(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldCopyWhatIsAdded(String layout) {
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = new RecordList<>(views);
        List<Trade> read = new ArrayList<>();
        Trade reused = views.create();
        Random random = new Random(1);
        List<List<Object>> expected = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            list.add(random(random, reused));
            expected.add(values(reused));
            read.add(list.get(i));
        }
        list.clear();
        list.addAll(randomTrades(3000));
        assertThat(values(read.stream())).isEqualTo(expected);
        assertThat(list).hasSize(3000).isNotEqualTo(read);
    }

    @Test
    void shouldReturnJavaRecords() {
        RecordViews<Rate> views =
                RecordViews.of(Rate.class, SchemaReader.read("rates.yml", """
                        schema: rates
                        fields:
                          - { name: id, type: i64 }
                          - { name: exchangeRate, type: f64 }
                          - { name: currency1, type: string, length: 3 }
                        """.getBytes(StandardCharsets.UTF_8)));
        RecordList<Rate> list = new RecordList<>(views);
        List<Rate> rates = Stream.iterate(0, i -> i + 1)
                .limit(5000)
                .map(i -> new Rate(i, i / 2.0, CURRENCIES.get(i % 8)))
                .toList();
        list.addAll(rates);
        assertThat(list).isEqualTo(rates);
    }

    @Test
    void shouldComputeVirtualFieldsAndConstraintsOfEachRecord() {
        RecordViews<Quantity> views = RecordViews.of(
                Quantity.class, SchemaReader.read("quantities.yml", """
                        schema: quantities
                        fields:
                          - { name: quantity, type: i32 }
                          - { name: twice, virtual: quantity * 2 }
                        constraints:
                          - { name: even, condition: quantity % 2 == 0 }
                        """.getBytes(StandardCharsets.UTF_8)));
        RecordList<Quantity> list = new RecordList<>(views);
        for (int i = 0; i < 100; i++) {
            Quantity quantity = views.create();
            quantity.setQuantity(i);
            list.add(quantity);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(list.get(i).getTwice()).isEqualTo(2L * i);
            assertThat(views.isValid(list.get(i))).isEqualTo(i % 2 == 0);
        }
    }

    /** A number with a virtual field. */
    public interface Quantity {
        int getQuantity();

        void setQuantity(int quantity);

        long getTwice();
    }

    private static byte[] file(RecordList<?>... lists) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (RecordList<?> list : lists) {
            list.writeTo(Channels.newChannel(bytes));
        }
        return bytes.toByteArray();
    }

    /** The layout of "File of a list" in the reference of formats. */
    @ParameterizedTest
    @CsvSource({"fixed, 0", "fixed, 1", "fixed, 5000", "compact, 0", "compact, 1", "compact, 5000"})
    void shouldWriteListsWithTheFingerprintOfTheirSchema(String layout, int count) throws IOException {
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = list(views, randomTrades(count));
        byte[] bytes = file(list);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        byte[] magic = new byte[8];
        head.get(magic);
        assertThat(magic).asString(StandardCharsets.US_ASCII).isEqualTo("MILLRACE");
        assertThat(head.getLong()).isEqualTo(TradeViews.schema(layout).fingerprint());
        assertThat(head.getLong()).isEqualTo(list.bytes());
        assertThat(java.util.Arrays.copyOfRange(bytes, 24, bytes.length)).isEqualTo(written(list));

        RecordList<Trade> read = new RecordList<>(views);
        read.readFrom(channel(file(list, list(views, randomTrades(1)), list)));
        List<Trade> expected = new ArrayList<>(list);
        expected.addAll(randomTrades(1));
        expected.addAll(list);
        assertThat(values(read.stream())).isEqualTo(values(expected.stream()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldRefuseListsThatAreCut(String layout) throws IOException {
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = list(views, randomTrades(2));
        byte[] bytes = file(list, list);
        for (int length = 0; length < bytes.length; length++) {
            RecordList<Trade> read = new RecordList<>(views);
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            if (length == bytes.length / 2) {
                read.readFrom(channel(cut));
                assertThat(read).isEqualTo(list);
            } else {
                assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read.readFrom(channel(cut)));
            }
        }
    }

    @Test
    void shouldRefuseWhatIsNotAList() throws IOException {
        RecordList<Trade> list = list(TradeViews.of("fixed"), randomTrades(3));
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> list.readFrom(channel(written(list))))
                .withMessage("The input has no list of records at record 3. Read records without the fingerprint of"
                        + " their schema with readRecordsFrom.");
        byte[] negative = file(list);
        negative[16] = (byte) 0x80;
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> list.readFrom(channel(negative)))
                .withMessageStartingWith("Invalid length of a list: -92233720368547756");
        assertThat(list).hasSize(3);
    }

    /** A schema as a later version of an application could have it: with the same bytes, and other values. */
    @ParameterizedTest
    @CsvSource({"fixed, '[Buy, Sell]', '[Sell, Buy]'", "compact, '[Buy, Sell]', '[Sell, Buy]'"})
    void shouldRefuseRecordsOfAnotherSchema(String layout, String values, String others) throws IOException {
        String text = "schema: notes\nlayout: " + layout + "\nfields:\n  - { name: note, type: enum, values: " + values
                + " }";
        RecordViews<Note> views = notes(text);
        Note note = views.create();
        note.setNote("Buy");
        RecordList<Note> list = new RecordList<>(views);
        list.add(note);

        RecordViews<Note> later = notes(text.replace(values, others));
        RecordList<Note> read = new RecordList<>(later);
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> read.readFrom(channel(file(list))))
                .withMessageMatching("The records were written with another schema: its fingerprint is [0-9a-f]+, that"
                        + " of the views [0-9a-f]+\\. Read them with views of that schema\\.");
        assertThat(read).isEmpty();
        // Nobody can detect it without the fingerprint.
        read.readRecordsFrom(channel(written(list)));
        assertThat(read.getFirst().getNote()).isEqualTo("Sell");
    }

    private static RecordViews<Note> notes(String text) {
        return RecordViews.of(Note.class, SchemaReader.read("notes.yml", text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldRefuseToReadIncompleteRecords(String layout) throws IOException {
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = list(views, randomTrades(3));
        byte[] bytes = written(list);
        int[] ends = new int[4];
        for (int i = 0; i < 3; i++) {
            ends[i + 1] = Math.toIntExact(list(views, list.subList(0, i + 1)).bytes());
        }
        for (int length = 0; length < bytes.length; length++) {
            RecordList<Trade> read = new RecordList<>(views);
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            int complete = length >= ends[2] ? 2 : length >= ends[1] ? 1 : 0;
            if (length == ends[complete]) {
                read.readRecordsFrom(channel(cut));
            } else {
                assertThatExceptionOfType(EOFException.class)
                        .isThrownBy(() -> read.readRecordsFrom(channel(cut)))
                        .withMessage("Incomplete record " + complete + ": the input ends after "
                                + (length - ends[complete]) + " of its bytes. Read complete records only.");
            }
            assertThat(read).isEqualTo(list.subList(0, complete));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, (1 << 24) + 1, Integer.MIN_VALUE})
    void shouldRefuseInvalidLengths(int length) {
        RecordList<Trade> list = new RecordList<>(TradeViews.of("compact"));
        byte[] bytes = ByteBuffer.allocate(100).putInt(length).array();
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> list.readRecordsFrom(channel(bytes)))
                .withMessage("Invalid length of record 0: " + Integer.toUnsignedString(length)
                        + ". A record has at most 16777216 bytes.");
        assertThat(list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldUseChannelsThatTransferFewBytes(String layout) throws IOException {
        RecordViews<Trade> views = TradeViews.of(layout);
        RecordList<Trade> list = list(views, randomTrades(2000));
        Random random = new Random(2);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        list.writeRecordsTo(new WritableByteChannel() {
            @Override
            public int write(ByteBuffer source) {
                int length = Math.min(source.remaining(), random.nextInt(50));
                for (int i = 0; i < length; i++) {
                    bytes.write(source.get());
                }
                return length;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        });
        assertThat(bytes.toByteArray()).isEqualTo(written(list));
        ReadableByteChannel whole = channel(bytes.toByteArray());
        RecordList<Trade> read = new RecordList<>(views);
        read.readRecordsFrom(new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                target.limit(Math.min(target.limit(), target.position() + random.nextInt(50)));
                return whole.read(target);
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        });
        assertThat(read).isEqualTo(list);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 60_000, 70_000, 1_000_000})
    void shouldHoldLongRecords(int length) throws Exception {
        String text =
                "schema: notes\nlayout: compact\nfields:\n  - { name: note, type: string, length: " + length + " }";
        RecordViews<Note> views = notes(text);
        RecordList<Note> list = new RecordList<>(views);
        for (int i = 0; i < 70; i++) {
            Note note = views.create();
            note.setNote("x".repeat(length * i / 70));
            list.add(note);
        }
        RecordList<Note> read = new RecordList<>(views);
        read.readRecordsFrom(channel(written(list)));
        for (int i = 0; i < 70; i++) {
            assertThat(list.get(i).getNote()).hasSize(length * i / 70);
            assertThat(read.get(i)).isEqualTo(list.get(i));
        }
        assertThat(TradeBook.deserialize(TradeBook.serialize(list))).isEqualTo(list);
    }

    /** A text. */
    public interface Note {
        String getNote();

        void setNote(String note);
    }

    @Test
    void shouldRefuseToReplaceAndRemoveElements() {
        RecordList<Trade> list = list(TradeViews.of("fixed"), randomTrades(10));
        List<Trade> before = List.copyOf(list);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.set(0, new Trade()));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.remove(0));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> list.sort(Comparator.naturalOrder()));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(10));
        assertThat(list).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldStayAsItIsIfAnElementIsRefused(String layout) {
        RecordList<Trade> list = list(TradeViews.of(layout), randomTrades(10));
        List<Trade> before = List.copyOf(list);
        Trade invalid = random(new Random(1), new Trade());
        invalid.setCurrency1("XXX");
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> list.add(invalid));
        assertThat(list).isEqualTo(before);
    }

    @Test
    void shouldRefuseViewsOfRows() {
        RecordViews<Note> rows = RecordViews.of(
                Note.class,
                List.of("note"),
                name -> io.millrace.codec.RecordCodec.of(SchemaReader.read(
                                "n.yml",
                                "schema: n\nfields:\n  - { name: note, type: string, length: 3 }"
                                        .getBytes(StandardCharsets.UTF_8)))
                        .codec(name));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordList<>(rows))
                .withMessage("A list can't hold views of rows. Use the views of a schema.");
    }

    @Test
    void shouldRefuseSerializedListsThatAreIncomplete() throws IOException {
        RecordList<Trade> list = list(TradeViews.of("fixed"), randomTrades(10));
        byte[] bytes = TradeBook.serialize(list);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int length = text.indexOf("trades.Trade") + "trades.Trade".length() + Long.BYTES + Long.BYTES - 2;
        assertThat(ByteBuffer.wrap(bytes).getShort(length)).isEqualTo((short) 390);
        ByteBuffer.wrap(bytes).putShort(length, (short) 429);
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> TradeBook.deserialize(bytes))
                .withMessage("Incomplete list: 39 bytes are missing. Write it again.");
    }

    /** Not every library that calls {@code Externalizable} ends the input with the object. */
    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldReadNoMoreThanTheList(String layout) throws Exception {
        for (int count : new int[] {0, 1, 2000}) {
            RecordList<Trade> list = list(TradeViews.of(layout), randomTrades(count));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                SerializedList.of(list).writeExternal(out);
                out.writeLong(7);
            }
            SerializedList read = new SerializedList();
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                read.readExternal(in);
                assertThat(in.readLong()).isEqualTo(7);
            }
            assertThat(read.list()).isEqualTo(list);
        }
    }
}
