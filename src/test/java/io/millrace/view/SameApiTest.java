package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views that are used as the objects of an application are: both layouts, read and written. */
class SameApiTest {

    static Stream<Schema> schemas() {
        return Stream.of(Orders.FIXED, Orders.COMPACT);
    }

    private static RecordViews<Order> views(Schema schema) {
        return RecordViews.builder(Order.class, schema).key("id").build();
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldReadWhatWasSet(Schema schema) {
        RecordViews<Order> views = views(schema);
        Order mutable = Orders.fill(views.create(), 8);
        for (Order order : List.of(mutable, views.view(mutable), views.edit(mutable), views.of(views.bytes(mutable)))) {
            assertThat(order.getId()).isEqualTo(8);
            assertThat(order.getQuantity()).isEqualTo(9);
            assertThat(order.getDay()).isEqualTo(LocalDate.of(2024, 3, 8));
            assertThat(order.getSeen()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_131L));
            assertThat(order.getRatio()).isEqualTo(1.0);
            assertThat(order.isOpen()).isTrue();
            assertThat(order.getSide()).isEqualTo(Order.Side.SELL);
            assertThat(order.getNote()).contains("note");
            assertThat(order.getParty().getName()).isEqualTo("name8");
            assertThat(order.getParty().getRating()).isEqualTo(8);
            assertThat(order.getLegs()).hasSize(2);
            assertThat(order.getLegs().get(0).getAmount()).isEqualTo("1.25");
            assertThat(order.getLegs().get(1).getAmount()).isEqualTo("0.08");
            assertThat(order.getLegs()).extracting(Order.Leg::side).containsExactly(Order.Side.BUY, Order.Side.SELL);
            assertThat(order.title()).isEqualTo("SELL 9");
            assertThat(order.isValid()).isTrue();
            assertThat(order).isEqualTo(mutable).hasSameHashCodeAs(mutable).hasToString(mutable.toString());
            assertThat(order.getLegs()).isEqualTo(mutable.getLegs()).hasSameHashCodeAs(mutable.getLegs());
            assertThat(order.getParty()).isEqualTo(mutable.getParty());
        }
        assertThat(mutable)
                .asString()
                .startsWith(
                        "Order[id=8, quantity=9, day=2024-03-08, seen=2023-11-14T22:13:20.131Z, ratio=1.0, open=true")
                .contains("party=[name=name8, rating=8]", "legs=[[amount=1.25, side=Buy], [amount=0.08, side=Sell]]");
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldRefuseToChangeImmutableViews(Schema schema) {
        RecordViews<Order> views = views(schema);
        Order order = views.view(Orders.fill(views.create(), 1));
        byte[] before = views.bytes(order);

        for (Runnable change : List.<Runnable>of(
                () -> order.setId(2),
                () -> order.setNote(Optional.empty()),
                () -> order.getParty().setName("x"),
                () -> order.setLegs(List.of()),
                () -> order.getLegs().set(0, order.getLegs().get(1)),
                () -> order.getLegs().get(0).setAmount(BigDecimal.ONE))) {
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
        }
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> order.setId(2))
                .withMessage("The view of io.millrace.view.Order is immutable. Use edit() of its RecordViews to"
                        + " get a mutable copy.");
        assertThat(views.bytes(order)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldChangeACopyOnly(Schema schema) {
        RecordViews<Order> views = views(schema);
        Order order = views.view(Orders.fill(views.create(), 1));
        Order copy = views.edit(order);
        copy.setQuantity(77);
        copy.getParty().setName("other");
        copy.getLegs().get(1).setAmount(new BigDecimal("7.5")).setSide(Order.Side.BUY);

        assertThat(order.getQuantity()).isEqualTo(2);
        Order changed = views.view(copy);
        assertThat(changed.getQuantity()).isEqualTo(77);
        assertThat(changed.getParty().getName()).isEqualTo("other");
        assertThat(changed.getLegs().get(1).getAmount()).isEqualTo("7.50");
        assertThat(changed.getLegs().get(1).side()).isEqualTo(Order.Side.BUY);
        assertThat(changed).isNotEqualTo(order).isEqualTo(copy);
    }

    @Test
    void shouldAddAndRemoveElements() {
        RecordViews<Order> views = views(Orders.COMPACT);
        Order order = Orders.fill(views.create(), 1);
        Order.Leg added = views.create(Order.Leg.class);
        added.setAmount(BigDecimal.TEN);
        order.getLegs().add(added);
        added.setSide(Order.Side.SELL);
        order.getLegs().remove(0);
        order.setParty(null);

        Order read = views.view(order);
        assertThat(read.getParty()).isNull();
        assertThat(read.getLegs()).hasSize(2);
        assertThat(read.getLegs().get(1).getAmount()).isEqualTo("10.00");
        assertThat(read.getLegs().get(1).side()).isEqualTo(Order.Side.SELL);
    }

    /** Values of all other types. */
    public interface Marked {
        List<Integer> getMarks();

        void setMarks(List<Integer> marks);

        java.time.LocalDateTime getSeen();

        void setSeen(java.time.LocalDateTime seen);

        java.util.Date getDay();

        void setDay(java.util.Date day);

        java.math.BigInteger getId();

        BigDecimal getQuantity();

        void setQuantity(BigDecimal quantity);
    }

    @Test
    void shouldConvertExactly() {
        RecordViews<Marked> views = RecordViews.of(Marked.class, Orders.COMPACT);
        Marked marked = views.create();
        marked.setMarks(List.of(5, -7));
        marked.getMarks().add(9);
        marked.setQuantity(new BigDecimal("5.00"));
        marked.setSeen(java.time.LocalDateTime.of(2024, 1, 2, 3, 4, 5));
        marked.setDay(java.util.Date.from(Instant.ofEpochSecond(86_400L * 20_000)));
        assertThatIllegalArgumentException().isThrownBy(() -> marked.setQuantity(new BigDecimal("5.5")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> marked.setDay(java.util.Date.from(Instant.ofEpochMilli(1))));
        assertThatIllegalArgumentException().isThrownBy(() -> marked.getMarks().add(1));

        Marked read = views.view(marked);
        assertThat(read.getMarks()).containsExactly(5, -7, 9);
        assertThat(read.getQuantity()).isEqualTo("5");
        assertThat(read.getId()).isZero();
        assertThat(read.getSeen()).isEqualTo("2024-01-02T03:04:05");
        assertThat(read.getDay()).isEqualTo(java.util.Date.from(Instant.ofEpochSecond(86_400L * 20_000)));
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldListViolations(Schema schema) {
        RecordViews<Order> views = views(schema);
        Order order = views.create();
        order.setId(1);
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> order.setQuantity(0));

        assertThat(order.isValid()).isFalse();
        assertThat(views.validate(order)).containsExactly(new Violation("quantity", 0L, "Use 1 or more."));
        order.setQuantity(1);
        assertThat(order.isValid()).isTrue();
    }

    @Test
    void shouldReportMalformedRecords() {
        RecordViews<Order> views = views(Orders.COMPACT);
        byte[] bytes = views.bytes(Orders.fill(views.create(), 1));
        byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - 1);
        assertThat(views.validate(views.of(cut)))
                .singleElement()
                .satisfies(violation -> assertThat(violation.reason()).startsWith("Truncated record: "));
        assertThatIllegalArgumentException().isThrownBy(() -> views.of(cut).getId());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views(Orders.FIXED).of(new byte[3]))
                .withMessageContaining("3 bytes");
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldSerialize(Schema schema) throws IOException, ClassNotFoundException {
        RecordViews<Order> views = views(schema);
        Order mutable = Orders.fill(views.create(), 4);
        Order order = views.view(mutable);
        List<Order> copies = new ArrayList<>();
        for (Order each : List.of(order, mutable)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
                objects.writeObject(each);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
                copies.add((Order) in.readObject());
            }
        }
        assertThat(copies).containsExactly(order, mutable);
        copies.get(1).setId(5);
        assertThat(copies.get(1).getId()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldBehaveInCollectionsAsObjectsDo(Schema schema) {
        RecordViews<Order> views = views(schema);
        int count = Integer.getInteger("millrace.views", 2_000);
        List<Order> orders = IntStream.range(0, count)
                .mapToObj(id -> views.view(Orders.fill(views.create(), id)))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(orders, new java.util.Random(1));
        Map<Order, Integer> hashed = new HashMap<>();
        TreeMap<Order, Integer> sorted = new TreeMap<>();
        for (Order order : orders) {
            hashed.put(order, order.getQuantity());
            sorted.put(order, order.getQuantity());
        }
        assertThat(hashed).hasSize(count).isEqualTo(sorted);
        assertThat(sorted.keySet()).extracting(Order::getId).isSorted();
        for (int id = 0; id < count; id++) {
            assertThat(hashed.get(views.view(Orders.fill(views.create(), id)))).isEqualTo(1 + id % 1000);
        }
        assertThat(orders.stream().filter(Order::isOpen).mapToLong(Order::getId).sum())
                .isEqualTo(IntStream.range(0, count)
                        .filter(id -> id % 2 == 0)
                        .asLongStream()
                        .sum());
        assertThat(orders.stream().sorted(views.comparator()).map(Order::getId)).isSorted();
    }

    /** A JavaBean whose methods use getters. */
    public static class Bean implements Comparable<Bean> {
        private long id;
        private int quantity = 3;
        private boolean open;

        public Bean() {
            setQuantity(5);
        }

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public int getQuantity() {
            return quantity;
        }

        public void setQuantity(int quantity) {
            this.quantity = quantity;
        }

        public boolean isOpen() {
            return open;
        }

        public void setOpen(boolean open) {
            this.open = open;
        }

        public long total() {
            return getId() * getQuantity();
        }

        @Override
        public int compareTo(Bean other) {
            return Long.compare(other.getId(), getId());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bean that && id == that.id && quantity == that.quantity;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldExtendJavaBeans(Schema schema) {
        RecordViews<Bean> views = RecordViews.of(Bean.class, schema);
        Bean plain = new Bean();
        plain.setId(1L << 40);
        plain.setOpen(true);
        Bean mutable = views.create();
        mutable.setId(7);
        mutable.setQuantity(2);
        assertThat(mutable.total()).isEqualTo(14);
        Bean view = views.view(mutable);
        assertThat(view.total()).isEqualTo(14);
        assertThat(view).isEqualTo(mutable).hasSameHashCodeAs(mutable).isNotEqualTo(views.create());
        assertThat(view).hasToString("Bean[id=7, quantity=2, open=false]");
        assertThat(view.compareTo(mutable)).isZero();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> view.setId(8));
        assertThat(mutable).isInstanceOf(Bean.class);
    }

    /** A JavaBean with a method that uses a field. */
    public static class Direct extends Bean {
        private long cached;

        public long getCached() {
            return cached;
        }
    }

    @Test
    void shouldRefuseMethodsThatUseFields() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Direct.class, Orders.FIXED))
                .withMessageContaining("SameApiTest$Direct.getCached uses the field 'cached' directly");
    }

    /** A Java record with nested ones. */
    record OrderRecord(
            long id,
            int quantity,
            LocalDate day,
            Instant seen,
            double ratio,
            boolean open,
            Order.Side side,
            Optional<String> note,
            PartyRecord party,
            List<LegRecord> legs) {}

    record PartyRecord(
            String name, @org.jspecify.annotations.Nullable Integer rating) {}

    record LegRecord(BigDecimal amount, Order.Side side) {}

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldReadAndWriteJavaRecords(Schema schema) {
        RecordViews<Order> views = views(schema);
        RecordViews<OrderRecord> records = RecordViews.of(OrderRecord.class, schema);
        byte[] bytes = views.bytes(Orders.fill(views.create(), 7));
        OrderRecord order = records.of(bytes);

        assertThat(order.party()).isEqualTo(new PartyRecord("name7", null));
        assertThat(order.legs())
                .containsExactly(
                        new LegRecord(new BigDecimal("1.25"), Order.Side.BUY),
                        new LegRecord(new BigDecimal("0.07"), Order.Side.SELL));
        assertThat(records.bytes(order)).isEqualTo(bytes);
        assertThat(records.of(records.bytes(order))).isEqualTo(order);
    }

    /** A getter of a virtual field. */
    public interface Doubled {
        long getId();

        double getDouble();
    }

    @Test
    void shouldComputeValues() {
        RecordViews<Doubled> views = RecordViews.builder(Doubled.class, Orders.FIXED)
                .computed("double", view -> view.getId() * 2.0)
                .build();
        Order order = Orders.fill(views(Orders.FIXED).create(), 21);
        assertThat(views.of(views(Orders.FIXED).bytes(order)).getDouble()).isEqualTo(42.0);
    }
}
