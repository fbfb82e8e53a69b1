package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each construct over groups: it means what stock SpEL means, has a typed form, or is refused with place and hint. */
class GroupSyntaxTest {

    private static final int RECORDS = 200;

    private final ExpressionCompiler compiler = new ExpressionCompiler(GroupRecords.ORDERS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "legs.?[amount > 1].size() > 0",
                "legs.?[amount > 1].size() == 1",
                "legs.?[amount > 1].size() != 0",
                "legs.?[amount > 1].size() >= 1",
                "legs.?[amount > 1].size() < 1",
                "0 < legs.?[amount > 1].size()",
                "2 <= legs.size()",
                "legs.?[amount > 1].isEmpty()",
                "legs.?[amount > 1].empty",
                "legs.isEmpty()",
                "!legs.empty and id > 2",
                "legs.size() > 2",
                "legs.![fees].size() > 2",
                "legs.![fees.![amount]].?[size() > 1].size() > 0",
                "legs.^[true]?.party == legs.$[true]?.party",
                "#sum(legs.![fees.![amount]]) > 3",
                "#count(legs.![fees.![amount]]) > 3",
                "#avg(legs.![fees.![amount]]) > 1.5",
                "#min(legs.![fees.![amount]]) < 1",
                "#max(legs.?[open].![fees.![amount]]) > 2",
                "legs.![currency].contains('USD')",
                "legs.![currency].contains(#root.currency)",
                "legs.![currency].contains(currency)",
                "legs.![name].contains(null)",
                "legs.![name].contains('é')",
                "legs.![bonus > 1].contains(true)",
                "legs.![day].contains(null) or id == 3",
                "legs.?[amount > 1].![currency].contains('USD')",
                "legs.?[amount > 1].?[open].![rate].?[#this > 0].size() > 0",
                "legs.![rate].![#this * 2].?[#this > 1].isEmpty()",
                "legs.size() > 1 and legs[1].rate > 0",
                "legs.size() > 1 and legs[1].name == 'x'",
                "legs.?[open].size() > 1 and legs.?[open][1].rate > 0",
                "legs.^[amount > 1]?.rate > 0",
                "legs.$[amount > 1]?.rate > 0",
                "legs.^[amount > 1] == null",
                "legs.$[amount > 1] != null",
                "legs.^[open]?.name == 'ann'",
                "legs.$[open]?.name?.length() == 3",
                "(legs.^[open]?.currency ?: 'EUR') == 'EUR'",
                "legs.^[open]?.day == null",
                "legs.^[open]?.open == true",
                "legs.^[open]?.party?.name == 'x'",
                "legs.^[open]?.party == null",
                "legs.?[amount > #root.limit].size() > 0",
                "legs.?[#root.id > 2 and #this.open].size() > 0",
                "#root.legs.?[open].isEmpty()",
                "#this.id > 2",
                "tags.contains('x')",
                "tags.?[#this == 'x'].size() > 0",
                "tags.?[length() == 2].size() > 0",
                "tags.![#this.length()].contains(2)",
                "tags.^[#this != 'x'] == 'yy'",
                "tags.![toUpperCase()].contains('É')",
                "tags.isEmpty()",
                "tags.size() > 0 and tags[0] == 'x'",
                "sizes.?[#this > 2].size() > 0",
                "sizes.contains(3L)",
                "legs.?[fees.?[amount > 2].size() > 0].size() > 0",
                "legs.?[fees.?[amount > 2].size() > 1].![currency].contains('USD')",
                "legs.?[codes.contains(2L)].size() > 1",
                "legs.![fees.size()].contains(2)",
                "legs.size() > 0 and legs[0].fees.size() > 1",
                "legs.size() > 0 and legs[0].fees.?[kind == 'TAX'].isEmpty()",
                "legs.?[party != null].![party.name].contains('x')",
                "legs.?[party == null].size() > 1",
                "legs.![party].?[#this != null].![name].contains('x')",
                "legs.![party?.name].contains('x')",
                "party == null",
                "party != null and party.rank > 1",
                "null == party",
                "party?.name == 'ann'",
                "party?.rank < 1",
                "party?.rank == null",
                "party?.address?.city == null",
                "legs.![party?.rank].contains(null)",
                "legs.?[party?.rank < 1].size() > 1",
                "#sum(legs.![party?.rank]) > 3",
                "#count(legs.![party?.name]) == 1",
                "party?.address?.city == 'Rome'",
                "legs.?[#root.legs.?[rate > 0].size() > 1].size() > 1",
                "legs.?[currency == #root.legs[0].currency].size() > 1",
                "#count(legs) > 2",
                "#count(legs.?[open]) == 1",
                "#count(legs.![bonus]) == 1",
                "#sum(legs.![amount]) > 5",
                "#sum(legs.![amount]) == 0",
                "#sum(legs.![quantity]) > 2",
                "#sum(legs.![bonus]) > 1.5",
                "#sum(legs.![amount * 2]) > 7",
                "#sum(legs.![rate]) > 0",
                "#sum(sizes) > 3",
                "#sum(legs.![#sum(fees.![amount])]) > 5",
                "#min(legs.![amount]) < 0",
                "#max(legs.![amount]) > 4",
                "#max(legs.![rate]) > 0.5",
                "#min(legs.![rate]) == null",
                "#max(legs.![quantity]) == 3",
                "#max(legs.![day]) == #date('2026-01-04')",
                "#min(legs.![at]) == #instant('1970-01-01T00:00:00Z')",
                "#avg(legs.![amount]) > 1",
                "legs.size() == 3 and #avg(legs.![amount]) * 3 != #sum(legs.![amount])",
                "#avg(legs.![quantity]) > 0.5",
                "#avg(legs.![rate]) > 0",
                "legs.?[amount > #avg(#root.legs.![amount])].size() == 1",
                "#max(legs.?[open].![amount]) > #max(legs.?[!open].![amount])",
                "total > 5",
                "legs.?[amount * 2 > #root.total].size() > 0",
                "legs.?[amount > 1 and amount < 4 and quantity * quantity > 1].size() > 0",
                "legs.?[name?.startsWith('a') ?: false].size() > 0",
                "legs.?[open ? amount > 1 : rate > 0].size() > 1",
                "legs.?[{'USD', 'EUR'}.contains(currency)].size() > 1",
                "legs.?[amount between {1, 3}].size() > 0",
                "legs.?[name matches 'a.*'].size() > 0 or id == 5",
                "id > 2 and limit > 1 and legs.?[open].size() > 0",
            })
    void shouldMeanWhatStockSpelMeans(String expression) {
        RandomOrders orders = new RandomOrders(new Random(expression.hashCode()));
        GroupRecords records = new GroupRecords(GroupRecords.ORDERS);
        List<Map<String, @Nullable Object>> decoded =
                Stream.generate(orders::order).limit(RECORDS).toList();
        decoded.forEach(records::add);
        StockGroups stock = new StockGroups(expression);
        List<Integer> expected = new ArrayList<>();
        List<Integer> failed = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            Boolean answer = stock.answer(decoded.get(i));
            (answer == null ? failed : answer ? expected : new ArrayList<Integer>()).add(i);
        }
        assertThat(expected).as("some match").isNotEmpty();
        assertThat(RECORDS - expected.size() - failed.size()).as("some do not").isPositive();
        RecordBatch batch = records.batch();
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        compiler.filter(expression).loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        List<Integer> kept = new ArrayList<>(Records.alive(batch));
        assertThat(failed).as("%s", rejects).containsAll(rejects.keySet());
        kept.removeAll(failed);
        assertThat(kept).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "legs[1].rate > 0              | (gt (at 1 legs[] legs[].rate) 0.0)",
                "legs[1] == null               | (not (else boolean (at 1 legs[] boolean:1) boolean:0))",
                "legs.^[open].rate > 0         | (gt (first legs[] where legs[].open legs[].rate) 0.0)",
                "legs.$[open].rate > 0         | (gt (last legs[] where legs[].open legs[].rate) 0.0)",
                "legs.?[open][2].rate > 0      | (gt (at 2 legs[] where legs[].open legs[].rate) 0.0)",
                "legs.^[open] != null          | (any legs[] where legs[].open)",
                "legs.size() > 0               | (any legs[])",
                "legs.isEmpty()                | (not (any legs[]))",
                "legs.size() > 3               | (gt (count legs[]) 3)",
                "legs.?[amount > 1].?[open].size() > 0 | (any legs[] where (and (gt legs[].amount decimal2:100)"
                        + " legs[].open))",
                "legs.![currency].contains('USD') | (any legs[] where (eq legs[].currency code:2))",
                "tags.contains('x')            | (any tags[] where (same tags[] 'x'))",
                "legs.?[fees.?[amount > 5].size() > 0].size() > 1 | (gt (count legs[] where (any legs[].fees[] where"
                        + " (gt legs[].fees[].amount decimal2:500))) 1)",
                "legs[0].fees[1].amount > 5    | (gt (at 0 legs[] (at 1 legs[].fees[] legs[].fees[].amount))"
                        + " decimal2:500)",
                "legs.![party.name].contains('x') | (any legs[] where (choose boolean legs[].party? (same"
                        + " legs[].party.name 'x') (absent 'x')))",
                "party == null                 | (not party?)",
                "#sum(legs.![amount]) > 1      | (gt (sum decimal2 legs[] legs[].amount) decimal2:100)",
                "#avg(legs.![quantity]) > 1    | (gt (avg double legs[] legs[].quantity) 1.0)",
                "#count(legs.![bonus]) > 1     | (gt (count legs[] where (not (absent legs[].bonus))) 1)",
                "total > 1                     | (gt (sum decimal2 legs[] legs[].amount) decimal2:100)",
            })
    void shouldHaveTheTypedForm(String expression, String form) {
        assertThat(compiler.filter(expression).expressions().getFirst().form()).isEqualTo(form);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "legs                                | NOT_ALLOWED | 0 | make one value of it: .size(), .isEmpty(),"
                        + " .contains(...), #sum(...)",
                "id > 1 and legs.?[open]             | NOT_ALLOWED | 11 | make one value of it: .size(), .isEmpty(),"
                        + " .contains(...), #sum(...)",
                "legs == null                        | NOT_ALLOWED | 0 | make one value of it: .size(), .isEmpty(),"
                        + " .contains(...), #sum(...)",
                "legs.![amount] > 5                  | NOT_ALLOWED | 0 | make one value of it: .size(), .isEmpty(),"
                        + " .contains(...), #sum(...)",
                "party                               | NOT_ALLOWED | 0 | name a field of it, or compare it with null"
                        + " or with another group",
                "party < legs[0].party               | NOT_ALLOWED | 0 | name a field of it, or compare it with null"
                        + " or with another group",
                "legs[0] == party                    | TYPE_MISMATCH | 8 | compare the members that both have",
                "legs[0].party == party              | TYPE_MISMATCH | 14 | compare the members that both have",
                "legs[0] == legs[1]                  | NOT_ALLOWED | 8 | compare the other members one by one",
                "#root == null                       | NOT_ALLOWED | 0 | name a field: #root.id",
                "#x == 5                             | NOT_ALLOWED | 0 | name the field itself",
                "legs[id].rate > 1                   | NOT_ALLOWED | 4 | write for example legs[1].amount, or select"
                        + " the element: legs.^[amount > 5].amount",
                "legs.![fees].contains(5)            | TYPE_MISMATCH | 13 | select a field of them, as in"
                        + " legs.![currency].contains('USD')",
                "#sum(legs.![fees]) > 1              | TYPE_MISMATCH | 0 | write #sum(legs.![amount]), a list of"
                        + " numbers",
                "legs.?[#root.legs.![amount].contains(amount)].size() > 0 | NOT_ALLOWED | 28 | count equal values, or"
                        + " compare with an aggregate such as #max(...)",
                "id.?[true].size() > 1               | TYPE_MISMATCH | 3 | it is already a single value",
                "party.![rank].size() > 1            | TYPE_MISMATCH | 6 | name a field: party.name",
                "party[0] == 1                       | TYPE_MISMATCH | 5 | name a field: party.name",
                "legs.?[amount].size() > 1           | TYPE_MISMATCH | 7 | compare it with something",
                "legs.contains(5)                    | TYPE_MISMATCH | 5 | select a field of them, as in"
                        + " legs.![currency].contains('USD')",
                "legs.size(1) > 1                    | TYPE_MISMATCH | 5 | write .size()",
                "legs.![open].contains()             | TYPE_MISMATCH | 13 | write .contains(value)",
                "legs.![amount].contains('x')        | TYPE_MISMATCH | 15 | write numbers without quotes",
                "#sum(legs) > 1                      | TYPE_MISMATCH | 0 | write #sum(legs.![amount]), a list of"
                        + " numbers",
                "#sum(legs.![name]) > 1              | TYPE_MISMATCH | 0 | write #sum(legs.![amount]), a list of"
                        + " numbers",
                "#avg(legs.![day]) > 1               | TYPE_MISMATCH | 0 | write #avg(legs.![amount]), a list of"
                        + " numbers",
                "#max(legs.![name]) > 1              | TYPE_MISMATCH | 0 | write #max(legs.![amount]), a list of"
                        + " numbers, dates or instants",
                "#count(id) > 1                      | TYPE_MISMATCH | 0 | write #count(legs.![amount])",
                "#sum(legs.![amount], 1) > 1         | TYPE_MISMATCH | 0 | write #sum(legs.![amount]), a list of"
                        + " numbers",
                "legs.sise() > 1                     | UNKNOWN_FUNCTION | 5 | did you mean 'size'?",
                "legs.amount > 1                     | UNKNOWN_FIELD | 5 | for the field of each element write:"
                        + " .![amount]",
                "legs.?[amunt > 1].size() > 1        | UNKNOWN_FIELD | 7 | did you mean 'amount'?",
                "legs.?[limit > 1].size() > 1        | UNKNOWN_FIELD | 7 | for the field of the record write:"
                        + " #root.limit",
                "party.nam == 'x'                    | UNKNOWN_FIELD | 6 | did you mean 'name'?",
                "leg.size() > 1                      | UNKNOWN_FIELD | 0 | did you mean 'legs'?",
                "legs.![currency].contains('XXX')    | UNKNOWN_NAME | 17 | `there are 'EUR', 'GBP', 'USD'`",
            })
    void shouldRefuseWithCodePlaceAndHint(String expression, ErrorCode code, int position, String hint) {
        ExpressionException refusal = Objects.requireNonNull(
                catchThrowableOfType(ExpressionException.class, () -> compiler.filter(expression)), "not refused");
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(refusal.position()).as(refusal.getMessage()).isEqualTo(position);
        assertThat(refusal.hint()).isEqualTo(hint);
    }

    @ParameterizedTest
    @CsvSource({
        "legs, a part that repeats",
        "legs[].amount, a part that repeats",
        "tags, a part that repeats",
        "legs[].fees[].amount, a part that repeats",
        "party, a group",
    })
    void shouldNotSetElements(String target, String what) {
        Field field = Field.of(target, new FieldType.IntegerType(IntStorage.of(8, true, Records.BIG)), 0);
        ExpressionException refusal = Objects.requireNonNull(catchThrowableOfType(
                ExpressionException.class, () -> compiler.setter(List.of(new Assignment(field, "id")))));
        assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(refusal.problem()).isEqualTo("'" + target + "' can't be set: it is " + what);
    }

    @Test
    void shouldReportFieldsAndGroupsThatAProjectionNeeds() {
        assertThat(compiler.filter("legs.size() > 0").reads()).containsExactly("legs[]");
        assertThat(compiler.filter("tags.contains('x')").reads()).containsExactly("tags[]");
        assertThat(compiler.filter("party != null and legs[1].fees.?[amount > #root.limit].size() > 0")
                        .reads())
                .containsExactlyInAnyOrder("party?", "legs[]", "legs[].fees[]", "legs[].fees[].amount", "limit");
        assertThat(compiler.split("id > 1 and legs.![open].contains(true)", _ -> true)
                        .reads())
                .containsExactlyInAnyOrder("id", "legs[]", "legs[].open");
        assertThat(compiler.keys("#sum(sizes)").reads()).containsExactly("sizes[]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "legs.size() > 2",
                "tags.size() > 1",
                "tags.contains('x')",
                "legs.?[fees.?[amount > 2].size() > 0].size() > 0",
                "party == null and legs.![party.name].contains('x')",
                "legs.?[amount > #root.limit].size() > 0",
            })
    void shouldGiveTheSameOverAProjection(String expression) {
        RandomOrders orders = new RandomOrders(new Random(7));
        List<Map<String, @Nullable Object>> decoded =
                Stream.generate(orders::order).limit(RECORDS).toList();
        Compiled<BatchFilter> whole = compiler.filter(expression);
        Schema projected = GroupRecords.ORDERS.project(whole.reads());
        assertThat(projected.groups()).hasSizeBetween(1, 3);
        List<Integer> kept = kept(GroupRecords.ORDERS, whole, decoded);
        assertThat(kept).hasSizeBetween(1, RECORDS - 1);
        assertThat(kept(projected, new ExpressionCompiler(projected).filter(expression), decoded))
                .isEqualTo(kept);
    }

    private static List<Integer> kept(
            Schema schema, Compiled<BatchFilter> filter, List<Map<String, @Nullable Object>> decoded) {
        GroupRecords records = new GroupRecords(schema);
        decoded.forEach(records::add);
        RecordBatch batch = records.batch();
        filter.loop().apply(batch, (_, _, reason) -> {
            throw new AssertionError(reason);
        });
        return Records.alive(batch);
    }

    @Test
    void shouldRefuseABatchWithOtherGroups() {
        Schema projected = GroupRecords.ORDERS.project(Set.of("id", "tags[]"));
        RecordBatch batch = new GroupRecords(projected).add(Map.of("id", 1L)).batch();
        BatchFilter filter = compiler.filter("tags.isEmpty()").loop();
        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> filter.apply(batch, (_, _, _) -> {})))
                .hasMessageContaining("needs a schema that begins with the fields of");
    }

    @Test
    void shouldBeAbsentWithoutAnElementAndRejectWhatNeedsOne() {
        assertThat(outcome("legs[3].amount == null")).isEqualTo("kept");
        assertThat(outcome("legs.^[amount > 9].rate == null")).isEqualTo("kept");
        assertThat(outcome("legs[3].name.length() > 1")).endsWith(": (at 3 legs[] legs[].name) is absent.");
        assertThat(outcome("legs[2147483647].amount == null")).isEqualTo("kept");
        assertThat(outcome("legs[3].open")).endsWith(": (at 3 legs[] legs[].open) is absent.");
        assertThat(outcome("legs[3].fees.size() == null")).isEqualTo("kept");
        assertThat(outcome("#avg(legs.?[false].![amount]) == null")).isEqualTo("kept");
        assertThat(outcome("#sum(legs.?[false].![amount]) == 0")).isEqualTo("kept");
        assertThat(outcome("#max(legs.![bonus]) == null")).isEqualTo("kept");
    }

    @Test
    void shouldRejectOverflowWithTheNumberOfElements() {
        assertThat(outcome("#sum(legs.![quantity]) > 1"))
                .isEqualTo(
                        "No result of '#sum(legs.![quantity]) > 1' with legs=2 elements: a result is too large for 64"
                                + " bits.");
        assertThat(outcome("#avg(legs.![quantity]) > id"))
                .isEqualTo(
                        "No result of '#avg(legs.![quantity]) > id' with id=1, legs=2 elements: a result is too large"
                                + " for 64 bits.");
        assertThat(outcome("#max(legs.![quantity]) > 1")).isEqualTo("kept");
    }

    /** Whether a record with two legs is kept, or why it is rejected. */
    private String outcome(String expression) {
        Map<String, Object> leg = Map.of("quantity", Long.MAX_VALUE, "amount", BigDecimal.ONE, "currency", "EUR");
        RecordBatch batch = new GroupRecords(GroupRecords.ORDERS)
                .add(Map.of("id", 1L, "currency", "EUR", "legs", List.of(leg, leg)))
                .batch();
        List<String> rejected = new ArrayList<>();
        compiler.filter(expression).loop().apply(batch, (_, _, reason) -> rejected.add(reason.detail()));
        return batch.selected() > 0 ? "kept" : rejected.isEmpty() ? "dropped" : rejected.getFirst();
    }

    @Test
    void shouldTakeBranchFreeLoopsForScalarsOnly() {
        assertThat(compiler.filter("id > 1 and currency == 'EUR'").loop()).isInstanceOf(SampledFilter.class);
        assertThat(compiler.filter("legs.size() > 3").loop()).isNotInstanceOf(SampledFilter.class);
        assertThat(compiler.split("legs.![quantity].contains(5)", _ -> true).tests())
                .isEmpty();
    }
}
