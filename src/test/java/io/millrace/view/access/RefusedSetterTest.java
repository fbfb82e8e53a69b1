package io.millrace.view.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.FieldValueException;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Setters that are refused, because of one value of a group or of one element: the record stays as it is. */
class RefusedSetterTest {

    private static final String PARTY = """
                fields:
                  - { name: account, type: u16, max: 1000 }
                  - { name: amount, type: decimal, scale: 2 }
                  - { name: code, type: string, length: 3, pattern: '[A-Z]*' }
                  - { name: side, type: enum, values: [Buy, Sell] }
            """;

    private static final String MEMBERS = "  - name: buyer\n    type: group\n" + PARTY
            + "  - name: seller\n    type: group\nOPTIONAL" + PARTY
            + "  - name: others\n    type: group\n    repeat: 2\n" + PARTY;

    private static final String MARKS = "  - { name: marks, type: i16, repeat: 3 }\n";

    /** Who buys or sells. */
    public interface Party {
        int getAccount();

        void setAccount(int account);

        BigDecimal getAmount();

        void setAmount(BigDecimal amount);

        String getCode();

        void setCode(String code);

        String getSide();

        void setSide(String side);
    }

    /** A deal. */
    public interface Deal {
        Party getBuyer();

        void setBuyer(@Nullable Party buyer);

        @Nullable
        Party getSeller();

        void setSeller(@Nullable Party seller);

        List<Party> getOthers();

        void setOthers(@Nullable List<@Nullable Party> others);
    }

    /** A deal with a list of values, which only the compact layout has. */
    public interface MarkedDeal extends Deal {
        List<Integer> getMarks();

        void setMarks(List<Integer> marks);
    }

    /** A party without bytes, in which each value can be one that the schema refuses. */
    private record PlainParty(
            int account,
            @Nullable BigDecimal amount,
            @Nullable String code,
            String side) implements Party {

        @Override
        public int getAccount() {
            return account;
        }

        @Override
        @SuppressWarnings("NullAway") // a value that is refused
        public BigDecimal getAmount() {
            return amount;
        }

        @Override
        @SuppressWarnings("NullAway") // a value that is refused
        public String getCode() {
            return code;
        }

        @Override
        public String getSide() {
            if (side.isEmpty()) {
                throw new IllegalStateException("no side");
            }
            return side;
        }

        @Override
        public void setAccount(int value) {
            throw new AssertionError("not called");
        }

        @Override
        public void setAmount(BigDecimal value) {
            throw new AssertionError("not called");
        }

        @Override
        public void setCode(String value) {
            throw new AssertionError("not called");
        }

        @Override
        public void setSide(String value) {
            throw new AssertionError("not called");
        }
    }

    private static Party party(int account) {
        return new PlainParty(account, BigDecimal.valueOf(account, 2), "ABC", "Sell");
    }

    private static RecordViews<? extends Deal> views(String layout) {
        return layout.equals("fixed")
                ? RecordViews.of(Deal.class, Orders.schema(layout, MEMBERS.replace("OPTIONAL", "")))
                : marked();
    }

    private static RecordViews<MarkedDeal> marked() {
        String members = MEMBERS.replace("OPTIONAL", "    optional: true\n") + MARKS;
        return RecordViews.of(MarkedDeal.class, Orders.schema("compact", members));
    }

    private static <T extends Deal> T deal(RecordViews<T> views) {
        T deal = views.create();
        deal.setBuyer(party(1));
        deal.setSeller(party(2));
        deal.setOthers(List.of(party(3), party(4)));
        if (deal instanceof MarkedDeal marked) {
            marked.setMarks(List.of(1, 2, 3));
        }
        return deal;
    }

    static Stream<Arguments> refused() {
        List<Party> parties = List.of(
                new PlainParty(1001, BigDecimal.ONE, "XYZ", "Buy"),
                new PlainParty(70_000, BigDecimal.ONE, "XYZ", "Buy"),
                new PlainParty(9, new BigDecimal("1.234"), "XYZ", "Buy"),
                new PlainParty(9, BigDecimal.TEN.pow(30), "XYZ", "Buy"),
                new PlainParty(9, null, "XYZ", "Buy"),
                new PlainParty(9, BigDecimal.ONE, "WXYZ", "Buy"),
                new PlainParty(9, BigDecimal.ONE, "xyz", "Buy"),
                new PlainParty(9, BigDecimal.ONE, "\u20ac", "Buy"),
                new PlainParty(9, BigDecimal.ONE, null, "Buy"),
                new PlainParty(9, BigDecimal.ONE, "XYZ", "Hold"),
                new PlainParty(9, BigDecimal.ONE, "XYZ", ""));
        List<Consumer<Deal>> setters = new ArrayList<>();
        for (Party party : parties) {
            setters.add(deal -> deal.setBuyer(party));
            setters.add(deal -> deal.setSeller(party));
            setters.add(deal -> deal.setOthers(List.of(party(8), party)));
            setters.add(deal -> deal.getOthers().set(1, party));
        }
        List<@Nullable Party> withNull = new ArrayList<>();
        withNull.add(party(8));
        withNull.add(null);
        setters.add(deal -> deal.setBuyer(null));
        setters.add(deal -> deal.setOthers(withNull));
        setters.add(deal -> deal.setOthers(List.of(party(7), party(8), party(9))));
        return Stream.of("fixed", "compact")
                .flatMap(layout -> setters.stream().map(setter -> Arguments.of(layout, setter)));
    }

    @Test
    void shouldLeaveListsOfValuesAsTheyAre() {
        RecordViews<MarkedDeal> views = marked();
        List<Consumer<MarkedDeal>> setters = List.of(
                deal -> deal.setMarks(List.of(7, 8, 70_000)),
                deal -> deal.setMarks(List.of(7, 8, 9, 10)),
                deal -> deal.getMarks().set(1, 70_000));
        for (Consumer<MarkedDeal> setter : setters) {
            requireRefused(views, setter);
        }
    }

    private static <T extends Deal> void requireRefused(RecordViews<T> views, Consumer<? super T> setter) {
        T deal = deal(views);
        byte[] before = views.bytes(deal);

        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> setter.accept(deal));
        assertThat(views.bytes(deal)).isEqualTo(before);
        assertThat(deal).hasToString(deal(views).toString());
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldLeaveTheRecordAsItIs(String layout, Consumer<Deal> setter) {
        requireRefused(views(layout), setter);
    }

    /** The list that a getter has returned still is that of the record. */
    @Test
    void shouldAddAllElementsOrNone() {
        MarkedDeal deal = deal(marked());
        List<Party> others = deal.getOthers();
        List<Integer> marks = deal.getMarks();
        others.clear();
        marks.removeLast();
        marks.removeLast();

        Party invalid = new PlainParty(9, BigDecimal.ONE, "XYZ", "Hold");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> others.addAll(List.of(party(7), invalid)));
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> marks.addAll(0, List.of(7, 70_000)));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> marks.addAll(List.of(7, 8, 9)))
                .withMessage("Invalid number of elements of 'marks[]': 4. The schema allows 3.");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> marks.addAll(2, List.of(7)));
        assertThat(deal.getOthers()).isEmpty();
        assertThat(deal.getMarks()).containsExactly(1);

        assertThat(others.addAll(List.of(party(5), party(6)))).isTrue();
        assertThat(marks.addAll(0, List.of(8, 9))).isTrue();
        assertThat(marks.addAll(List.of())).isFalse();
        assertThat(deal.getOthers()).extracting(Party::getAccount).containsExactly(5, 6);
        assertThat(deal.getMarks()).containsExactly(8, 9, 1);
    }

    /** What holds a group with lists. */
    public interface Outer {
        Inner getInner();

        void setInner(Inner inner);
    }

    /** A group with a group and lists before a value that can be refused. */
    public interface Inner {
        List<Integer> getMarks();

        void setMarks(List<Integer> marks);

        Inmost getInmost();

        void setInmost(Inmost inmost);

        int getNumber();

        void setNumber(int number);
    }

    /** A group in a group. */
    public interface Inmost {
        List<Integer> getMarks();

        void setMarks(List<Integer> marks);
    }

    /** Groups whose last value may be refused. */
    private record PlainInner(List<Integer> marks, int number) implements Inner {

        @Override
        public List<Integer> getMarks() {
            return marks;
        }

        @Override
        public void setMarks(List<Integer> value) {
            throw new AssertionError("not called");
        }

        @Override
        public Inmost getInmost() {
            return new PlainInmost(marks);
        }

        @Override
        public void setInmost(Inmost value) {
            throw new AssertionError("not called");
        }

        @Override
        public int getNumber() {
            return number;
        }

        @Override
        public void setNumber(int value) {
            throw new AssertionError("not called");
        }
    }

    private record PlainInmost(List<Integer> marks) implements Inmost {

        @Override
        public List<Integer> getMarks() {
            return marks;
        }

        @Override
        public void setMarks(List<Integer> value) {
            throw new AssertionError("not called");
        }
    }

    @Test
    void shouldKeepTheListsOfAGroup() {
        RecordViews<Outer> views = RecordViews.of(Outer.class, Orders.schema("compact", """
                  - name: inner
                    type: group
                    fields:
                      - { name: marks, type: i16, repeat: 2 }
                      - name: inmost
                        type: group
                        fields:
                          - { name: marks, type: i16, repeat: 2 }
                      - { name: number, type: u8 }
                """));
        Outer outer = views.create();
        outer.setInner(new PlainInner(List.of(1, 2), 3));
        List<Integer> marks = outer.getInner().getInmost().getMarks();
        byte[] before = views.bytes(outer);

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> outer.setInner(new PlainInner(List.of(8, 9), 300)));
        assertThat(views.bytes(outer)).isEqualTo(before);
        assertThat(marks).containsExactly(1, 2);
        marks.set(1, 5);
        assertThat(outer.getInner().getInmost().getMarks()).containsExactly(1, 5);
    }
}
