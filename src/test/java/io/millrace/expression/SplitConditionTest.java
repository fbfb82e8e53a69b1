package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.RandomRules.RandomRecords;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.range.FieldCondition;
import io.millrace.expression.range.LongRanges;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitConditionTest {

    private static final String SEED = "20261121";
    private static int tested;
    private static int excluded;
    private static int kept;

    @AfterContainer
    static void shouldHaveSplitMuch() {
        assertThat(tested).isGreaterThan(TestBudget.of(600));
        assertThat(excluded).isGreaterThan(TestBudget.of(8000));
        assertThat(kept).isGreaterThan(TestBudget.of(4000));
    }

    private static SplitCondition trades(String condition) {
        return new ExpressionCompiler(Trades.SCHEMA).split(condition, FieldCondition::able);
    }

    @Test
    void shouldLeaveNothingOfTheSeedsQuery() {
        SplitCondition split = trades("currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'");

        assertThat(split.rest()).isNull();
        assertThat(split.tests())
                .extracting(test -> test.field().name() + " " + test.accepted())
                .containsExactly(
                        "currency1 [Range[low=5, high=5]]",
                        "currency2 [Range[low=7, high=7]]",
                        "buySell [Range[low=0, high=0]]");
    }

    @Test
    void shouldKeepTheRestInItsOrder() {
        SplitCondition split =
                trades("amount1 * exchangeRate > 5 and id between {3, 9} and amount1 < amount2 and id != 4");

        assertThat(split.tests())
                .singleElement()
                .extracting(test -> test.accepted().ranges())
                .isEqualTo(List.of(new LongRanges.Range(3, 3), new LongRanges.Range(5, 9)));
        assertThat(Objects.requireNonNull(split.rest()).expressions().getFirst().reads())
                .extracting(FieldPlace::name)
                .containsExactly("amount1", "exchangeRate", "amount2");
        assertThat(split.whole().get().expressions().getFirst().reads())
                .extracting(FieldPlace::name)
                .containsExactly("id", "amount1", "exchangeRate", "amount2");
    }

    @Test
    void shouldLeaveTestsInTheRestThatItIsNotToLeaveOut() {
        SplitCondition split = new ExpressionCompiler(Trades.SCHEMA).split("id > 4", _ -> false);

        assertThat(split.tests()).hasSize(1);
        assertThat(split.rest()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exchangeRate < 0.0   | -1.0  | true",
                "exchangeRate < 0.0   | -0.0  | false",
                "exchangeRate <= 0.0  | -0.0  | true",
                "exchangeRate == 0.0  | -0.0  | true",
                "exchangeRate != 0.0  | NaN   | true",
                "exchangeRate > 1.5   | NaN   | false",
                "1.5 < exchangeRate   | 1.6   | true",
                "exchangeRate between {1.0, 2.0} | 2.0 | true",
                "exchangeRate between {1.0, 2.0} | NaN | false",
                "not(exchangeRate < 1.0) | NaN | true",
            })
    void shouldCompareDoublesAsSpelDoes(String condition, double value, boolean holds) {
        List<FieldCondition> tests = trades(condition).tests();

        assertThat(tests)
                .singleElement()
                .satisfies(test -> assertThat(
                                test.accepted().contains(FieldCondition.orderOf(Double.doubleToRawLongBits(value))))
                        .isEqualTo(holds));
    }

    /** Every number is a value of such a field: none of them says that it is absent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "code == 0       | true  | false | false",
                "code != 0       | false | true  | true",
                "code < 5        | true  | false | true",
                "code >= 0       | true  | true  | false",
                "code == null    | false | false | true",
                "code != null    | true  | true  | false",
                "not(code == 9)  | true  | false | true",
                "code == 9 or code == null | false | true | true",
                "code == 9 or code == 0    | true  | true | false",
            })
    void shouldTestFieldsWithNullFlags(String condition, boolean ofZero, boolean ofNine, boolean ifAbsent) {
        Field code = Field.of("code", new FieldType.IntegerType(IntStorage.of(2, false, ByteOrder.BIG_ENDIAN)), 0)
                .withNullFlag();
        List<FieldCondition> tests = new ExpressionCompiler(new Schema("coded", 3, List.of(code), List.of()))
                .split(condition, FieldCondition::able)
                .tests();

        assertThat(tests).singleElement().satisfies(test -> {
            assertThat(test.holdsFor(new byte[] {0, 0, 0}, 0)).isEqualTo(ofZero);
            assertThat(test.holdsFor(new byte[] {0, 9, 0}, 0)).isEqualTo(ofNine);
            assertThat(test.holdsFor(new byte[] {0, 0, 1}, 0)).isEqualTo(ifAbsent);
            assertThat(test.acceptsAbsent()).isEqualTo(ifAbsent);
        });
    }

    @Property(tries = 1500, seed = SEED)
    void shouldHoldWhereAllPartsHold(@ForAll long seed) {
        Random random = new Random(seed);
        Schema schema = RandomSchemas.next(random);
        String condition = RandomConditions.next(random, schema);
        ExpressionCompiler compiler = new ExpressionCompiler(schema);
        SplitCondition split;
        try {
            split = compiler.split(condition, FieldCondition::able);
        } catch (ExpressionException neverMeansAnything) {
            return;
        }
        Records records = new Records(schema);
        RandomRecords random2 = new RandomRecords(random);
        for (int i = 0; i < 50; i++) {
            records.add(random2.row(schema));
        }
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        List<Integer> expected = records.kept(condition, rejects);
        RecordBatch batch = records.batch();
        List<Integer> byTests = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            byte[] record = records.bytes(batch, i);
            if (split.tests().stream().allMatch(test -> test.holdsFor(record, 0))) {
                byTests.add(i);
            }
        }
        if (split.rest() != null) {
            split.rest().loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
            byTests.retainAll(Records.alive(batch));
        }
        RecordBatch again = records.batch();
        split.whole().get().loop().apply(again, (_, ordinal, reason) -> rejects.put(ordinal, reason));

        byTests.removeAll(rejects.keySet());
        List<Integer> whole = new ArrayList<>(Records.alive(again));
        whole.removeAll(rejects.keySet());
        expected = new ArrayList<>(expected);
        expected.removeAll(rejects.keySet());
        assertThat(byTests).as(condition).isEqualTo(expected).isEqualTo(whole);
        if (!split.tests().isEmpty()) {
            tested++;
            kept += byTests.size();
            excluded += batch.count() - byTests.size();
        }
    }
}
