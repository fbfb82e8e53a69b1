package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the language allows, and the typed form that it comes to. */
class TypedFormTest {

    private static final Schema CALENDAR = calendar();

    private final ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA);

    private static Schema calendar() {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        FieldType date = new FieldType.DateType(i64);
        return new Schema(
                "calendar",
                48,
                List.of(
                        Field.of("id", new FieldType.IntegerType(i64), 0),
                        Field.of("tradeDate", date, 8),
                        Field.of("settlementDate", date, 16),
                        Field.of("since", date, 24).asOptional(Long.MIN_VALUE),
                        Field.of("at", new FieldType.InstantType(i64, TimeUnit.MILLISECONDS), 32),
                        Field.of("second", new FieldType.InstantType(i64, TimeUnit.SECONDS), 40)),
                List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "currency1 == 'GBP'                | (eq currency1 code:5)",
                "'GBP' != currency1                | (ne currency1 code:5)",
                "currency1 < 'CHF'                 | (in-or-absent currency1 [0, 1, 2])",
                "currency1 >= 'GBP'                | (in currency1 [5, 6, 7])",
                "currency1 == currency2            | (eq currency1 currency2)",
                "buySell < buySell                 | (lt (by-code whole buySell [0, 1]) (by-code whole buySell [0,"
                        + " 1]))",
                "buySell == currency1              | (eq (by-code whole buySell [2, 8]) (by-code whole currency1 [0,"
                        + " 1, 3, 4, 5, 6, 7, 9]))",
                "amount1 > 1000000                 | (gt amount1 decimal2:100000000)",
                "amount1 > 1000000.005             | (gt amount1 decimal2:100000000)",
                "amount1 >= 1000000.005            | (gt amount1 decimal2:100000000)",
                "amount1 < -0.005                  | (le amount1 decimal2:-1)",
                "-amount1 == 0.005                 | (gt (neg decimal2 amount1)"
                        + " decimal2:170141183460469231731687303715884105727)",
                "amount1 < 1e300                   | (le amount1 decimal2:9223372036854775807)",
                "amount1 == amount2                | (eq amount1 amount2)",
                "amount1 > id                      | (lt*100 id amount1)",
                "amount1 > exchangeRate            | (gt-mixed amount1 exchangeRate)",
                "id > exchangeRate                 | (gt (double id) exchangeRate)",
                "id > 1.5                          | (gt (double id) 1.5)",
                "amount1 + 1 > 0                   | (gt (add decimal2 amount1 decimal2:100) decimal2:0)",
                "amount1 * 1.5 > 0                 | (gt (mul decimal3 amount1 decimal1:15) decimal3:0)",
                "amount1 / amount2 > 0             | (gt (quotient^2 decimal2 amount1 amount2) decimal2:0)",
                "amount1 * exchangeRate > 0        | (gt (mul double (double amount1) exchangeRate) 0.0)",
                "amount1 % 3 == 0                  | (eq (rem decimal2 amount1 decimal2:300) decimal2:0)",
                "-id == +5                         | (eq (neg whole id) 5)",
                "id == -(2 + 3) * 4                | (eq id -20)",
                "id - 1 == 0x1F                    | (eq (sub whole id 1) 31)",
                "id / 2 == 5L                      | (eq (div whole id 2) 5)",
                "tradeDate >= '2014-07-21'         | (ge tradeDate date:16272)",
                "tradeDate == settlementDate       | (eq tradeDate settlementDate)",
                "id between {1, 5}                 | (and (ge id 1) (le id 5))",
                "exchangeRate between {1, 5}       | (and (ge-total exchangeRate 1.0) (le-total exchangeRate 5.0))",
                "{3, 1, 3}.contains(id)            | (in id [1, 3])",
                "{1.005, 2, 3.5}.contains(-amount1) | (in (neg decimal2 amount1) [200, 350])",
                "{'GBP', 'USD'}.contains(currency1) | (in currency1 [5, 7])",
                "{id, 1}.contains(id)              | (or (eq id id) (eq id 1))",
                "id > 1 and id > 2 && id > 3       | (and (gt id 1) (gt id 2) (gt id 3))",
                "id > 1 or !(id > 2) or not large  | (or (gt id 1) (not (gt id 2)) (not (gt amount1"
                        + " decimal2:100000000)))",
                "id == null                        | boolean:0",
                "(id > 1 ? 2 : 3) == id            | (eq (choose whole (gt id 1) 2 3) id)",
                "(id > 1 ? 'GBP' : 'USD') == currency1 | (choose boolean (gt id 1) (eq currency1 code:5) (eq currency1"
                        + " code:7))",
                "(currency1 ?: 'USD') == 'USD'     | (eq (else code empty=0 currency1 code:7) code:7)",
                "id lt 5 and id ne 3 or id ge 7    | (or (and (lt id 5) (ne id 3)) (ge id 7))",
                "currency1.startsWith('A')         | (in currency1 [1])",
                "currency1.contains('X')           | (gt currency1 code:9223372036854775807)",
                "currency1.toLowerCase() == 'gbp'  | (in currency1 [5])",
                "currency1.substring(1) != 'BP'    | (not (in (by-code code currency1 [-2147483648, 0, 1, 2, 3, 4, 5,"
                        + " 6]) [4]))",
                "currency1.length() == 0           | (eq (by-code whole currency1 [0, 3, 3, 3, 3, 3, 3, 3]) 0)",
                "currency1.empty                   | (in currency1 [0])",
                "currency1 matches '[A-C].*'       | (in currency1 [1, 2, 3])",
                "buySell.equals('Buy')             | (eq buySell code:0)",
                "(large ? currency1 : buySell).endsWith('P') | (choose boolean (gt amount1 decimal2:100000000) (in"
                        + " currency1 [5]) (gt buySell code:9223372036854775807))",
                "currency1.contains(buySell)       | (contains (text currency1) (text buySell))",
                "'a'.toUpperCase() == 'A'          | boolean:1",
                "'Buy'.substring(0, 1).length() == id | (eq 1 id)",
                "total > 0                         | (gt (add decimal2 amount1 amount2) decimal2:0)",
            })
    void shouldHaveTheTypedForm(String expression, String form) {
        assertThat(compiler.filter(expression).expressions())
                .extracting(Explanation::form)
                .containsExactly(form);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tradeDate.year == 2014            | (eq (year whole tradeDate) 2014)",
                "tradeDate.getDayOfMonth() == 1    | (eq (dayOfMonth whole tradeDate) 1)",
                "tradeDate.leapYear                | (leapYear boolean tradeDate)",
                "tradeDate.dayOfWeek == 'SATURDAY' | (eq (dayOfWeek code tradeDate) code:6)",
                "tradeDate.dayOfWeek > 'FRIDAY'    | (gt (dayOfWeek code tradeDate) code:5)",
                "tradeDate.month < settlementDate.month | (lt (month code tradeDate) (month code settlementDate))",
                "{'SATURDAY', 'SUNDAY'}.contains(tradeDate.dayOfWeek) | (in (dayOfWeek code tradeDate) [6, 7])",
                "tradeDate.dayOfWeek.value < 3     | (lt (as whole (dayOfWeek code tradeDate)) 3)",
                "tradeDate.plusWeeks(id) > settlementDate | (gt (plusDays date tradeDate (mul whole id 7))"
                        + " settlementDate)",
                "tradeDate.minusDays(3) > settlementDate | (gt (plusDays date tradeDate -3) settlementDate)",
                "tradeDate.isBefore('2014-07-21')  | (lt tradeDate date:16272)",
                "tradeDate.toEpochDay() > id       | (gt (as whole tradeDate) id)",
                "at.epochSecond > 5                | (gt (floorDiv whole at 1000) 5)",
                "at.nano == 0                      | (eq (scale*1000000 whole (floorMod whole at 1000)) 0)",
                "at.toEpochMilli() > 5             | (gt (as whole at) 5)",
                "at.plusMillis(5) > at             | (gt (add instant_milliseconds at 5) at)",
                "second.plusMillis(id) > second    | (lt*1000 second (add instant_milliseconds (scale*1000"
                        + " instant_milliseconds second) id))",
                "second.minusSeconds(5).isAfter(at)  | (gt*1000 (plusSeconds instant_seconds second -5) at)",
                "since.year == 2014                | (eq (year whole since) 2014)",
                "since?.year == 2014               | (eq (choose whole (absent since) absent (year whole since)) 2014)",
                "tradeDate?.year == 2014           | (eq (year whole tradeDate) 2014)",
                "since.isEqual(tradeDate)          | (eq (present since) tradeDate)",
            })
    void shouldKnowTheCalendar(String expression, String form) {
        ExpressionCompiler calendar = new ExpressionCompiler(CALENDAR);
        assertThat(calendar.filter(expression).expressions().getFirst().form()).isEqualTo(form);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name == 'x'                        | (same name 'x')",
                "'x' == name                        | (same name 'x')",
                "name.trim() == nick.toUpperCase()  | (same (trim name) (upper nick))",
                "name < 'x' or nick >= name         | (or (lt-text name 'x') (ge-text nick name))",
                "name.startsWith('x')               | (starts-with name 'x')",
                "name.equalsIgnoreCase(nick)        | (same-in-any-case name nick)",
                "name.substring(1, 3).contains('x') | (contains (substring name 1 3) 'x')",
                "nick.substring(n).isEmpty()        | (empty (substring nick n))",
                "nick.empty                         | (empty (present nick))",
                "nick?.empty == null                | (absent (choose boolean (absent nick) absent (empty (present"
                        + " nick))))",
                "name.indexOf('x') > name.length()  | (gt (index name 'x') (length name))",
                "side == name                       | (same (text side) name)",
                "side?.length() == 3                | (eq (choose whole (absent side) absent (by-code whole (present"
                        + " side) [3, 4])) 3)",
                "name matches '[a-z]+'              | (matches name '[a-z]+')",
                "(nick ?: 'x') == 'y'               | (choose boolean (empty nick) boolean:0 (same nick 'y'))",
                "{'a', 'b'}.contains(name)          | (or (same name 'a') (same name 'b'))",
                "{'a', 'b'}.contains(name.trim())   | (in (trim name) [a, b])",
            })
    void shouldHaveTheTypedFormOfTexts(String expression, String form) {
        IntStorage u8 = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
        Schema schema = new Schema(
                "texts",
                22,
                List.of(
                        Field.of("n", new FieldType.IntegerType(u8), 0),
                        Field.of("side", new FieldType.EnumType(u8, Trades.SIDES), 1)
                                .asOptional(255),
                        Field.of("name", new FieldType.StringType(10, StandardCharsets.UTF_8, (byte) ' '), 2),
                        Field.of("nick", new FieldType.StringType(10, StandardCharsets.UTF_8, (byte) 0), 12)
                                .asOptional(0)),
                List.of());
        ExpressionCompiler texts = new ExpressionCompiler(schema);
        assertThat(texts.filter(expression).expressions().getFirst().form()).isEqualTo(form);
    }

    @Test
    void shouldKnowTheTypeOfResults() {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        assertThat(compiler.resultType("id > 5"))
                .isEqualTo(new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)));
        assertThat(compiler.resultType("id + 1")).isEqualTo(new FieldType.IntegerType(i64));
        assertThat(compiler.resultType("exchangeRate")).isEqualTo(new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN));
        assertThat(compiler.resultType("amount1 * 1.5")).isEqualTo(new FieldType.DecimalType(i64, 3));
        assertThat(compiler.resultType("currency1")).isInstanceOf(FieldType.EnumType.class);
        assertThat(compiler.resultType("tradeDate")).isInstanceOf(FieldType.DateType.class);
        assertThat(compiler.resultType("tradeDate.plusDays(id)")).isInstanceOf(FieldType.DateType.class);
        assertThat(compiler.resultType("tradeDate.dayOfWeek")).isInstanceOf(FieldType.EnumType.class);
        assertThat(compiler.resultType("'LSE'").bytes()).isEqualTo(3);
        assertThat(compiler.resultType("id > 5 ? 'LSE' : 'NYSE'").bytes()).isEqualTo(4);
        assertThat(compiler.resultType("currency1.toLowerCase()"))
                .isEqualTo(new FieldType.EnumType(
                        IntStorage.of(1, false, ByteOrder.BIG_ENDIAN),
                        Dictionary.of("", "aud", "cad", "chf", "eur", "gbp", "jpy", "usd")));
        assertThat(compiler.resultType("id > 5 ? currency1 : buySell"))
                .isEqualTo(new FieldType.StringType(4, StandardCharsets.US_ASCII, (byte) 0));
        assertThat(compiler.resultField("x", "id > 5 ? id : null").optional()).isTrue();
        assertThat(compiler.resultField("x", "id").optional()).isFalse();
    }
}
