package io.millrace.view.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.VirtualValue;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.FieldType.DecimalType;
import io.millrace.schema.VirtualField;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Random expressions, compiled by Millrace over the bytes of views, against stock SpEL on the objects. Each expression
 * that Millrace does not compile is counted by {@link Refusal}, and each result by {@link Agreement}.
 */
class ByteExpressionsTest {

    /**
     * Why Millrace does not compile an expression, which is documented by the error codes in
     * docs/reference/expressions.md, and at most how many percent of the expressions it does not compile.
     */
    private enum Refusal {
        /** The result is a list or a group, which is not a value. */
        LIST_OR_GROUP(33, ErrorCode.NOT_ALLOWED, "a (list|group) by itself .*"),
        /** Types are not allowed. */
        TYPE(8, ErrorCode.NOT_ALLOWED, "a type, T.*|'instanceof' .*"),
        /** {@code #this} is not needed in a record without lists. */
        THIS(1, ErrorCode.NOT_ALLOWED, "a variable, .*"),
        /** {@code ?.} is not needed in the fixed layout, where no group is absent. */
        SAFE(1, ErrorCode.NOT_ALLOWED, "'\\?\\.' is not needed.*|an index must .*"),
        /** {@code ^} is not allowed. */
        POWER(4, ErrorCode.NOT_ALLOWED, "'\\^' .*"),
        /** No value of a rule has this method of Java. */
        METHOD(11, ErrorCode.NOT_ALLOWED, "a method call, .*"),
        /** Values of this type do not have the method. */
        FUNCTION(5, ErrorCode.UNKNOWN_FUNCTION, ".*"),
        /** Not a field: a getter of a class of Java, or a member that the subclass does not have. */
        MEMBER(10, ErrorCode.UNKNOWN_FIELD, ".*"),
        /** Values of unlike types, which can only be a mistake. */
        OPERANDS(7, ErrorCode.TYPE_MISMATCH, ".*"),
        /** A constant that no value of the field can be, which can only be a mistake. */
        CONSTANT(1, ErrorCode.BAD_CONSTANT, ".*"),
        /** A name that the dictionary does not contain, which can only be a mistake. */
        NAME(1, ErrorCode.UNKNOWN_NAME, ".*");

        private final int maxPercent;
        private final ErrorCode code;
        private final Pattern problem;

        Refusal(int maxPercent, ErrorCode code, String problem) {
            this.maxPercent = maxPercent;
            this.code = code;
            this.problem = Pattern.compile(problem, Pattern.DOTALL);
        }

        static Refusal of(ExpressionException e) {
            return Arrays.stream(values())
                    .filter(each -> each.code == e.code()
                            && each.problem.matcher(e.problem()).matches())
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    /**
     * How the result over the bytes agrees with that of stock SpEL: equal, or different as documented in
     * docs/reference/expressions.md.
     */
    private enum Agreement {
        /** Both have this value. */
        SAME,
        /** Stock SpEL has this value if it reads members as {@link RuleMembers}. */
        SAME_MEMBERS,
        /** Neither has a value: stock SpEL throws, and Millrace rejects the record. */
        NONE,
        /** The same, where stock SpEL has a value of members as they are: an int past 32 bits, or an empty Optional. */
        NONE_MEMBERS,
        /** The branches of {@code ?:} have one type: a number becomes a double. */
        BRANCHES,
        /** A decimal combined with a double is computed as doubles. */
        DOUBLES,
        /** The number of elements of an absent list, and whether it contains a value, are absent. */
        ABSENT_LIST,
        /** A result past 64 bits, or past 128 bits of a decimal, rejects the record. */
        OVERFLOW,
        /** An absent operand of a text rejects the record; stock SpEL has {@code null/x}. */
        ABSENT_TEXT,
        /** A value of an element that the result does not need is not computed, so it can't fail. */
        UNNEEDED
    }

    private static final int MAX_DIFFERENT_PERCENT = 3;
    private static final String ABSENT = " is absent.";

    private static final Pattern TOO_LARGE = Pattern.compile(" is too large for (64|128) bits\\.$");
    private static final int MAX_LONG_BITS = 63;
    private static final int MAX_DECIMAL_BITS = 127;

    private final Map<Refusal, Integer> refusals = new EnumMap<>(Refusal.class);
    private final Map<Agreement, Integer> agreements = new EnumMap<>(Agreement.class);
    private final List<String> differences = new ArrayList<>();

    @Test
    void shouldHaveTheResultsOfStockSpelOverTheBytes() {
        int expressions = 0;
        for (ExpressionData<?> data : ExpressionData.all().toList()) {
            assertThat(compare(data)).as("expressions of %s", data).isGreaterThanOrEqualTo(data.onBytes());
            expressions += data.expressions().size();
        }
        assertThat(differences).isEmpty();
        assertThat(refusals).containsOnlyKeys(Refusal.values());
        for (Refusal each : Refusal.values()) {
            assertThat(Objects.requireNonNull(refusals.get(each)) * 100 / expressions)
                    .as("percent of expressions refused because of %s", each)
                    .isLessThanOrEqualTo(each.maxPercent);
        }
        Map<Agreement, Integer> different = new EnumMap<>(agreements);
        different.keySet().removeAll(EnumSet.of(Agreement.SAME, Agreement.SAME_MEMBERS, Agreement.NONE));
        assertThat(sum(different) * 100 / sum(agreements))
                .as("percent of results that are different as documented: %s", different)
                .isLessThanOrEqualTo(MAX_DIFFERENT_PERCENT);
    }

    private static int sum(Map<?, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of expressions that Millrace compiles, and that have the same value for a record. */
    private <T> int compare(ExpressionData<T> data) {
        List<byte[]> records = data.objects().stream().map(data.views()::bytes).toList();
        int compared = 0;
        for (String text : data.expressions()) {
            VirtualValue value;
            try {
                value = VirtualValue.of(
                        data.schema(), new VirtualField("value", data.rule().apply(text)));
            } catch (ExpressionException e) {
                refusals.merge(Refusal.of(e), 1, Integer::sum);
                continue;
            }
            Set<Agreement> kinds = EnumSet.noneOf(Agreement.class);
            Stock stock = new Stock(data, text);
            for (int i = 0; i < ExpressionData.RECORDS; i++) {
                byte[] record = records.get(i);
                Outcome own = onBytes(value, record);
                Agreement agreement = agreement(stock, data.objects().get(i), value, own);
                if (agreement == null) {
                    differences.add(text + " of " + data.views().of(record) + ": "
                            + stock.plain(data.objects().get(i)) + "\n  but over the bytes: " + own);
                } else {
                    agreements.merge(agreement, 1, Integer::sum);
                    kinds.add(agreement);
                }
            }
            compared += kinds.contains(Agreement.SAME) || kinds.contains(Agreement.SAME_MEMBERS) ? 1 : 0;
        }
        return compared;
    }

    /** Stock SpEL, which reads members as they are and as rules read fields. */
    private static final class Stock {
        /** Defaults of double and decimal members, which rules convert to the type of the member. */
        private static final Pattern DOUBLES = Pattern.compile("\\b(rate|fixedRate|spread|ratio) \\?: 0\\)");

        private static final Pattern DECIMALS = Pattern.compile("\\b(amount|fee|notional|cap|limit) \\?: 0\\)");

        /** A projection, whose brackets contain at most two levels of brackets. */
        private static final Pattern PROJECTION =
                Pattern.compile("!\\[(?:[^\\[\\]]|\\[(?:[^\\[\\]]|\\[[^\\[\\]]*])*])*]");

        private final ExpressionData<?> data;
        private final String text;
        private final SpelExpression plain;
        private final SpelExpression ofMembers;
        private final SpelExpression ofTypes;
        private final SpelExpression ofAbsentLists;
        private final SpelExpression withoutElements;
        private final StandardEvaluationContext members;
        private final StandardEvaluationContext exact;

        Stock(ExpressionData<?> data, String text) {
            this.data = data;
            this.text = text;
            plain = Outcome.parse(text, SpelCompilerMode.OFF);
            String properties = RuleMembers.withProperties(text);
            ofMembers = Outcome.parse(properties, SpelCompilerMode.OFF);
            ofTypes = Outcome.parse(
                    DECIMALS.matcher(DOUBLES.matcher(properties).replaceAll("$1 ?: 0.0)"))
                            .replaceAll("$1 ?: #zero)"),
                    SpelCompilerMode.OFF);
            ofAbsentLists = Outcome.parse(
                    properties.replaceAll("(?<!\\?)(\\.(size|isEmpty|contains)\\()", "?$1"), SpelCompilerMode.OFF);
            withoutElements = Outcome.parse(PROJECTION.matcher(properties).replaceAll("![true]"), SpelCompilerMode.OFF);
            members = context(number -> number, list -> list);
            exact = context(number -> number instanceof Long whole ? BigInteger.valueOf(whole) : number, list -> list);
        }

        private StandardEvaluationContext context(UnaryOperator<Object> number, UnaryOperator<List<?>> list) {
            StandardEvaluationContext context = new StandardEvaluationContext();
            context.setVariable("zero", BigDecimal.ZERO.setScale(2));
            context.setPropertyAccessors(List.of(new RuleMembers(data.schema(), number, list)));
            return context;
        }

        Outcome plain(Object object) {
            return Outcome.of(() -> plain.getValue(object));
        }

        Outcome ofMembers(Object object) {
            return Outcome.of(() -> ofMembers.getValue(members, object));
        }

        Outcome ofTypes(Object object) {
            return Outcome.of(() -> ofTypes.getValue(members, object));
        }

        Outcome ofAbsentLists(Object object) {
            return Outcome.of(() -> ofAbsentLists.getValue(members, object));
        }

        /** Returns whether a value is that of the first or last elements, or does not need values of elements. */
        boolean isWithoutElements(Object object, Outcome own) {
            return IntStream.range(1, ExpressionData.MAX_ELEMENTS)
                            .mapToObj(count -> Stream.<UnaryOperator<List<?>>>of(
                                    all -> all.subList(0, Math.min(count, all.size())),
                                    all -> all.subList(Math.max(0, all.size() - count), all.size())))
                            .flatMap(parts -> parts)
                            .map(part -> context(number -> number, part))
                            .anyMatch(context -> same(Outcome.of(() -> ofAbsentLists.getValue(context, object)), own))
                    || same(Outcome.of(() -> withoutElements.getValue(members, object)), own);
        }

        /** Returns whether a text of the result, or of an element, is joined with null. */
        boolean joinsNull(@Nullable Object result) {
            return String.valueOf(result).contains("null") || text.matches(".*!\\[[^]]* \\+ '/' \\+ .*");
        }

        Outcome asDoubles(Object object) {
            ExpressionState state = new ExpressionState(members, new TypedValue(object));
            return Outcome.of(() -> asDoubles(ofTypes.getAST(), state));
        }

        /** Returns a value whose arithmetic of a decimal and a double is that of doubles. */
        private @Nullable Object asDoubles(SpelNode node, ExpressionState state) {
            if (!(node instanceof Operator operator) || node.getChildCount() != 2) {
                return node.getTypedValue(state).getValue();
            }
            Object left = asDoubles(node.getChild(0), state);
            Object right = asDoubles(node.getChild(1), state);
            boolean isReal = (left instanceof Double && !(node.getChild(0) instanceof RealLiteral))
                    || (right instanceof Double && !(node.getChild(1) instanceof RealLiteral));
            members.setVariable("left", isReal ? real(left) : left);
            members.setVariable("right", isReal ? real(right) : right);
            return Outcome.parse("#left " + operator.getOperatorName() + " #right", SpelCompilerMode.OFF)
                    .getValue(members);
        }

        private static @Nullable Object real(@Nullable Object operand) {
            return operand instanceof BigDecimal decimal ? (Object) decimal.doubleValue() : operand;
        }

        Outcome exact(Object object) {
            return Outcome.of(() -> ofTypes.getValue(exact, object));
        }

        /** Returns whether an operator has a result that rules can't have. */
        boolean overflows(Object object) {
            return overflows(ofTypes.getAST(), new ExpressionState(exact, new TypedValue(object)));
        }

        private static boolean overflows(SpelNode node, ExpressionState state) {
            Object value =
                    Outcome.of(() -> node.getTypedValue(state).getValue()).value();
            return (value instanceof BigInteger whole && whole.bitLength() > MAX_LONG_BITS)
                    || (value instanceof BigDecimal decimal
                            && decimal.unscaledValue().bitLength() > MAX_DECIMAL_BITS)
                    || IntStream.range(0, node.getChildCount()).anyMatch(i -> overflows(node.getChild(i), state));
        }
    }

    private static Outcome onBytes(VirtualValue value, byte[] record) {
        try {
            return new Outcome(value.value(record), null);
        } catch (IllegalArgumentException e) {
            return new Outcome(null, e.getMessage());
        }
    }

    /** Returns how the results agree, or null if they differ. */
    private static @Nullable Agreement agreement(Stock stock, Object object, VirtualValue compiled, Outcome own) {
        Outcome plain = stock.plain(object);
        if (same(plain, own)) {
            return Agreement.SAME;
        }
        Outcome members = stock.ofMembers(object);
        if (same(members, own)) {
            return Agreement.SAME_MEMBERS;
        }
        if (own.failure() != null) {
            return rejection(stock, object, compiled, own.failure());
        }
        if (same(stock.ofTypes(object), own)) {
            return Agreement.BRANCHES;
        }
        return same(stock.asDoubles(object), own)
                ? Agreement.DOUBLES
                : same(stock.ofAbsentLists(object), own)
                        ? Agreement.ABSENT_LIST
                        : stock.isWithoutElements(object, own) ? Agreement.UNNEEDED : null;
    }

    /** Returns why Millrace rejects a record for which stock SpEL has a value, or null if it should not. */
    private static @Nullable Agreement rejection(Stock stock, Object object, VirtualValue compiled, String failure) {
        Outcome typed = stock.ofTypes(object);
        if (!typed.isValue()) {
            return stock.plain(object).isValue() ? Agreement.NONE_MEMBERS : Agreement.NONE;
        }
        if (failure.endsWith(ABSENT)) {
            return stock.joinsNull(typed.value()) ? Agreement.ABSENT_TEXT : null;
        }
        boolean isTooLarge = TOO_LARGE.matcher(failure).find()
                ? stock.overflows(object)
                : failure.endsWith(" does not fit computed value (i64).")
                        && stock.exact(object).value() instanceof Number result
                        && compiled.field().type() instanceof DecimalType type
                        && new BigDecimal(result.toString())
                                        .setScale(type.scale())
                                        .unscaledValue()
                                        .bitLength()
                                > MAX_LONG_BITS;
        return isTooLarge ? Agreement.OVERFLOW : null;
    }

    private static boolean same(Outcome stock, Outcome own) {
        return stock.isValue() && own.isValue() && same(stock.value(), own.value());
    }

    private static boolean same(@Nullable Object stock, @Nullable Object own) {
        return switch (stock) {
            case Double one -> one.equals(own);
            case Number one
            when own instanceof Number other && !(other instanceof Double) ->
                new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
            // charAt is a text.
            case Character letter -> letter.toString().equals(own);
            case null -> own == null;
            default -> stock.equals(own);
        };
    }
}
