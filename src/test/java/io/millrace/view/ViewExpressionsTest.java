package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.VirtualValue;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import io.millrace.schema.VirtualField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import swaps.Swap;

/**
 * Random expressions, evaluated by Spring on objects and on views of them, interpreted and compiled by Spring; and,
 * where Millrace supports an expression, compiled by Millrace over the bytes.
 */
class ViewExpressionsTest {

    private static final long SEED = 20261128 + Long.getLong("millrace.seed", 0);
    private static final int EXPRESSIONS = Integer.getInteger("millrace.view.expressions", 300);
    private static final int RECORDS = 24;

    /**
     * What has another type over the bytes: members whose objects are no values of their field, and results of
     * arithmetic, which rules compute in 64 bits.
     */
    private static final Pattern OTHER_TYPE =
            Pattern.compile("\\b(note|channel|key|lei|fixedRate)\\b| [-+*/%] |\\^2|-[a-z]|negate|abs");

    /** Evaluations of an expression per record, so that Spring compiles in mode MIXED. */
    private static final int ROUNDS = 5;

    /**
     * Objects of one type, and their views.
     *
     * @param compiled least number of expressions that Spring compiles for views
     * @param onBytes least number of expressions that Millrace compiles
     */
    record Data<T>(
            String name, RecordViews<T> views, List<T> objects, List<String> expressions, int compiled, int onBytes) {

        static <T> Data<T> of(
                String name,
                Class<T> type,
                Schema schema,
                Function<Transfers, T> next,
                List<String> texts,
                int compiled,
                int onBytes) {
            Transfers random = new Transfers(new Random(SEED));
            return new Data<>(
                    name,
                    RecordViews.of(type, schema),
                    Stream.generate(() -> next.apply(random)).limit(RECORDS).toList(),
                    new RandomExpressions(type, texts, new Random(SEED + name.hashCode())).distinct(EXPRESSIONS),
                    compiled,
                    onBytes);
        }

        List<T> immutable() {
            return objects.stream().map(views::view).toList();
        }

        List<T> mutable() {
            return objects.stream().map(views::edit).toList();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Data<?>> data() {
        return Stream.of(
                Data.of("transfers", Transfer.class, Transfers.SCHEMA, Transfers::next, Transfers.TEXTS, 60, 50),
                Data.of("swaps", Swap.class, swapSchema(), PlainSwap::next, Transfers.TEXTS, 60, 40),
                orders("orders of the fixed layout", Orders.FIXED),
                orders("orders of the compact layout", Orders.COMPACT));
    }

    private static Data<Order> orders(String name, Schema schema) {
        int[] ids = {0};
        return Data.of(
                name,
                Order.class,
                schema,
                _ -> Orders.fill(new PlainOrder(), ids[0]++),
                List.of("note", "name7", "", "BUY"),
                40,
                20);
    }

    private static Schema swapSchema() {
        Path file = Path.of("examples/swap/schemas/swap.yml");
        try {
            return SchemaReader.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("data")
    void shouldHaveTheResultsOfObjects(Data<?> data) {
        List<?> immutable = data.immutable();
        List<?> mutable = data.mutable();
        List<String> differences = new ArrayList<>();
        int results = 0;
        int compiled = 0;
        for (String text : data.expressions()) {
            for (SpelCompilerMode mode : SpelCompilerMode.values()) {
                List<Result> expected = evaluate(text, mode, data.objects());
                results += (int) expected.stream().filter(Result::isValue).count();
                for (List<?> views : List.of(immutable, mutable)) {
                    List<Result> actual = evaluate(text, mode, views);
                    for (int i = 0; i < RECORDS; i++) {
                        if (!expected.get(i).sameAs(actual.get(i))) {
                            differences.add("%s in mode %s of %s: %s%n  but of %s: %s"
                                    .formatted(
                                            text,
                                            mode,
                                            data.objects().get(i),
                                            expected.get(i),
                                            views.get(i),
                                            actual.get(i)));
                            break;
                        }
                    }
                }
            }
            boolean ofViews = isCompiled(text, immutable);
            assertThat(ofViews).as(text).isEqualTo(isCompiled(text, data.objects()));
            compiled += ofViews ? 1 : 0;
        }
        assertThat(differences).isEmpty();
        assertThat(results).isGreaterThan(EXPRESSIONS * RECORDS);
        assertThat(compiled).isGreaterThanOrEqualTo(data.compiled());
    }

    private static boolean isCompiled(String text, List<?> roots) {
        SpelExpression expression = parse(text, SpelCompilerMode.OFF);
        roots.forEach(root -> Result.of(expression, root));
        try {
            return SpelCompiler.compile(expression);
        } catch (RuntimeException _) {
            return false;
        }
    }

    private static List<Result> evaluate(String text, SpelCompilerMode mode, List<?> roots) {
        SpelExpression expression = parse(text, mode);
        List<Result> results = List.of();
        for (int round = 0; round < (mode == SpelCompilerMode.MIXED ? ROUNDS : 2); round++) {
            results = roots.stream().map(root -> Result.of(expression, root)).toList();
        }
        return results;
    }

    private static SpelExpression parse(String text, SpelCompilerMode mode) {
        return (SpelExpression) new SpelExpressionParser(new SpelParserConfiguration(mode, null)).parseExpression(text);
    }

    @ParameterizedTest
    @MethodSource("data")
    <T> void shouldHaveTheSameResultsOverTheBytes(Data<T> data) {
        List<byte[]> records = data.objects().stream().map(data.views()::bytes).toList();
        Schema schema = Objects.requireNonNull(data.views().schema());
        List<String> differences = new ArrayList<>();
        int supported = 0;
        for (String text : data.expressions()) {
            if (OTHER_TYPE.matcher(text).find()) {
                continue;
            }
            VirtualValue value;
            try {
                value = VirtualValue.of(schema, new VirtualField("value", text));
            } catch (RuntimeException _) {
                continue; // not an expression of rules
            }
            supported++;
            SpelExpression expression = parse(text, SpelCompilerMode.OFF);
            IntStream.range(0, RECORDS)
                    .filter(i -> !agree(expression, data.objects().get(i), value, records.get(i)))
                    .limit(1)
                    .forEach(i -> differences.add(text + " of " + data.views().of(records.get(i)) + ": "
                            + Result.of(expression, data.objects().get(i)) + "\n  but over the bytes: "
                            + onBytes(value, records.get(i))));
        }
        assertThat(differences).isEmpty();
        assertThat(supported).isGreaterThanOrEqualTo(data.onBytes());
    }

    private static Result onBytes(VirtualValue value, byte[] record) {
        try {
            return new Result(value.value(record), null);
        } catch (RuntimeException e) {
            return new Result(null, e.toString());
        }
    }

    private static boolean agree(SpelExpression expression, Object object, VirtualValue value, byte[] record) {
        Result stock = Result.of(expression, object);
        Result own = onBytes(value, record);
        return !stock.isValue()
                || (own.isValue()
                        ? same(stock.value(), own.value())
                        : Objects.requireNonNull(own.failure()).contains("too large"));
    }

    private static boolean same(@Nullable Object stock, @Nullable Object own) {
        return switch (stock) {
            case Number one
            when own instanceof Number other ->
                one.equals(other)
                        || (!(one instanceof Double)
                                && new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0);
            case Character letter -> letter.toString().equals(own) || (letter == 0 && "".equals(own));
            case Enum<?> constant -> String.valueOf(own).equalsIgnoreCase(constant.name());
            case null -> own == null;
            default -> stock.equals(own);
        };
    }

    /**
     * What an expression has for one record.
     *
     * @param failure kind of the exception, or null
     */
    private record Result(@Nullable Object value, @Nullable String failure) {

        static Result of(SpelExpression expression, Object root) {
            try {
                return new Result(expression.getValue(root), null);
            } catch (RuntimeException e) {
                return new Result(null, SameContent.kind(e));
            }
        }

        boolean isValue() {
            return failure == null;
        }

        boolean sameAs(Result other) {
            return failure == null
                    ? other.failure == null && SameContent.of(value, other.value)
                    : failure.equals(other.failure);
        }
    }
}
