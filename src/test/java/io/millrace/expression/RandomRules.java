package io.millrace.expression;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Random rules over a schema, each in two texts: ours, and what stock SpEL needs to mean the same where the language is
 * documented to differ (dates, lists). Differences by design are not generated: decimals computed with doubles, and
 * branches of different types.
 */
final class RandomRules {

    /** A rule, and how stock SpEL says it. */
    record Rule(String ours, String stock) {
        static Rule same(String text) {
            return new Rule(text, text);
        }

        Rule after(String operator) {
            return new Rule(operator + "(" + ours + ")", operator + "(" + stock + ")");
        }

        Rule with(String before, Rule other, String after) {
            return new Rule(
                    "(" + ours + before + other.ours + after + ")", "(" + stock + before + other.stock + after + ")");
        }
    }

    private static final List<String> RELATIONS =
            List.of("==", "!=", "<", "<=", ">", ">=", "eq", "ne", "lt", "le", "gt", "ge");

    private final Random random;
    private final List<Field> fields;
    private final List<VirtualField> computed;
    private final Schema schema;
    private final RandomRecords constants;

    RandomRules(Random random, Schema schema) {
        this(random, schema, new RandomRecords(random));
    }

    /** @param constants whose values the constants are */
    RandomRules(Random random, Schema schema, RandomRecords constants) {
        this.random = random;
        this.constants = constants;
        this.fields = List.copyOf(schema.fields());
        this.schema = schema;
        this.computed = List.copyOf(schema.virtualFields());
    }

    Rule condition(int depth) {
        return switch (random.nextInt(depth > 0 ? 18 : 12)) {
            case 0, 1 -> number(depth).with(relation(), number(depth), "");
            case 2 -> like(type -> type instanceof FieldType.EnumType, true);
            case 3 -> random.nextBoolean() ? like(type -> type instanceof FieldType.DateType, true) : call();
            case 4 -> like(type -> type instanceof FieldType.InstantType, true);
            case 5 -> like(type -> type instanceof FieldType.BooleanType, true);
            case 6 -> like(type -> type instanceof FieldType.StringType, false);
            case 7 -> like(type -> type instanceof FieldType.IpType, false);
            case 8 -> Rule.same(any().name() + (random.nextBoolean() ? " == null" : " != null"));
            case 9 -> between();
            case 10 -> random.nextBoolean() ? computed() : bytes();
            case 11 -> list();
            case 12, 13 -> condition(depth - 1).with(oneOf(" and ", " && "), condition(depth - 1), "");
            case 14, 15 -> condition(depth - 1).with(oneOf(" or ", " || "), condition(depth - 1), "");
            case 16 -> condition(depth - 1).after(oneOf("!", "not "));
            default -> choice(condition(depth - 1), condition(depth - 1), condition(depth - 1));
        };
    }

    /** An expression with a value of any type. */
    Rule value(int depth) {
        return switch (random.nextInt(8)) {
            case 0 -> condition(depth);
            case 1, 2 -> Rule.same(any().name());
            case 3 -> oneOfTwo(any());
            default -> number(depth);
        };
    }

    private String oneOf(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    /** A computed field, for which stock SpEL needs its expression. */
    private Rule computed() {
        if (computed.isEmpty()) {
            return number(0).with(relation(), number(0), "");
        }
        VirtualField field = computed.get(random.nextInt(computed.size()));
        Rule value = new Rule(field.name(), "(" + field.expression() + ")");
        return new ExpressionCompiler(schema, SampleFunctions.REGISTRY).resultType(field.name())
                        instanceof FieldType.BooleanType
                ? value
                : value.with(relation(), number(0), "");
    }

    /** Bytes go with bytes of their width only. */
    private Rule bytes() {
        Field field = pick(type -> type instanceof FieldType.BytesType);
        if (field == null) {
            return number(0).with(relation(), number(0), "");
        }
        Field other = Objects.requireNonNull(pick(type -> type.equals(field.type())));
        return Rule.same(field.name() + oneOf(" == ", " != ") + other.name());
    }

    private Rule call() {
        Rule call = new RandomCalls(random, fields).condition();
        return call == null ? number(0).with(relation(), number(0), "") : call;
    }

    private Rule choice(Rule condition, Rule first, Rule second) {
        return new Rule(
                "((" + condition.ours + ") ? " + first.ours + " : " + second.ours + ")",
                "((" + condition.stock + ") ? " + first.stock + " : " + second.stock + ")");
    }

    private String relation() {
        return " " + RELATIONS.get(random.nextInt(RELATIONS.size())) + " ";
    }

    private Field any() {
        return fields.get(random.nextInt(fields.size()));
    }

    private @Nullable Field pick(Predicate<FieldType> wanted) {
        List<Field> found =
                fields.stream().filter(field -> wanted.test(field.type())).toList();
        return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
    }

    /** A field compared with a constant or a field of its kind. */
    private Rule like(Predicate<FieldType> wanted, boolean ordered) {
        Field field = pick(wanted);
        if (field == null) {
            return number(0).with(relation(), number(0), "");
        }
        Field other = random.nextBoolean() ? pick(wanted.and(type -> isAlike(field.type(), type))) : null;
        Rule left = random.nextInt(4) == 0 ? oneOfTwo(field) : Rule.same(field.name());
        Rule right = other == null ? constant(field) : Rule.same(other.name());
        String relation = ordered ? relation() : oneOf(" == ", " != ");
        return random.nextInt(4) == 0 && other == null
                ? right.with(relation, left, "")
                : left.with(relation, right, "");
    }

    /** Addresses go with addresses of their width only. */
    private static boolean isAlike(FieldType a, FieldType b) {
        return !(a instanceof FieldType.IpType) || a.equals(b);
    }

    /** A choice between fields of one type, or between one and a constant. */
    private Rule oneOfTwo(Field field) {
        if (field.type() instanceof FieldType.IpType) {
            return Rule.same(field.name());
        }
        Field other = pick(type -> type.equals(field.type()));
        Rule second = other == null || random.nextBoolean() ? constant(field) : Rule.same(other.name());
        return random.nextBoolean()
                ? Rule.same(field.name()).with(" ?: ", second, "")
                : choice(condition(0), Rule.same(field.name()), second);
    }

    private Rule between() {
        Field field = pick(type -> !(type instanceof FieldType.StringType
                || type instanceof FieldType.IpType
                || type instanceof FieldType.BytesType));
        if (field == null) {
            return Rule.same("true");
        }
        Rule low = constant(field);
        Rule high = constant(field);
        return new Rule(
                field.name() + " between {" + low.ours + ", " + high.ours + "}",
                field.name() + " between {" + low.stock + ", " + high.stock + "}");
    }

    private Rule list() {
        Field field = any();
        List<String> ours = new ArrayList<>();
        List<String> stock = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            Rule element = constant(field);
            ours.add(element.ours);
            stock.add(field.name() + " == " + element.stock);
        }
        return new Rule(
                "{" + String.join(", ", ours) + "}.contains(" + field.name() + ")",
                "(" + String.join(" or ", stock) + ")");
    }

    private Rule constant(Field field) {
        Object value = constants.constant(field);
        return switch (value) {
            case LocalDate date -> new Rule("'" + date + "'", "T(java.time.LocalDate).parse('" + date + "')");
            case Instant instant -> new Rule("'" + instant + "'", "T(java.time.Instant).parse('" + instant + "')");
            case String text when field.type() instanceof FieldType.IpType -> address(text);
            case String text -> Rule.same("'" + text + "'");
            case Boolean truth -> Rule.same(truth.toString());
            case BigDecimal decimal when decimal.precision() > 15 -> Rule.same("0");
            case BigDecimal decimal ->
                Rule.same(
                        decimal.scale() > 0 && random.nextInt(5) == 0 ? decimal.toPlainString() + "5" : whole(decimal));
            case Long number -> Rule.same(longText(number));
            case Double real ->
                Rule.same(
                        Double.isFinite(real)
                                ? BigDecimal.valueOf(Math.rint(real * 4))
                                        .divide(BigDecimal.valueOf(4))
                                        .setScale(2)
                                        .toPlainString()
                                : "1.5");
            default -> Rule.same("null");
        };
    }

    /** Stock SpEL compares the texts, so it gets the one that decoded records have. */
    private Rule address(String text) {
        List<String> spellings = switch (text) {
            case "::" -> List.of("::", "0:0:0:0:0:0:0:0", "::0", "0::", "::0.0.0.0");
            case "::ffff:10.0.0.9" ->
                List.of("::ffff:10.0.0.9", "::FFFF:a00:9", "0:0:0:0:0:ffff:10.0.0.9", "0::ffff:0a00:0009");
            default -> List.of(text);
        };
        return new Rule("'" + spellings.get(random.nextInt(spellings.size())) + "'", "'" + text + "'");
    }

    private static String whole(BigDecimal decimal) {
        return decimal.scale() <= 0 ? longText(decimal.longValue()) : decimal.toPlainString();
    }

    private static String longText(long number) {
        return number == Long.MIN_VALUE ? "(-9223372036854775807L - 1)" : number + "L";
    }

    /** An expression with a number. */
    Rule number(int depth) {
        Field field = pick(type -> type instanceof FieldType.IntegerType
                || type instanceof FieldType.DecimalType
                || type instanceof FieldType.FloatType);
        if (field == null) {
            return Rule.same("5");
        }
        if (depth == 0 || random.nextInt(3) == 0) {
            return random.nextInt(3) == 0 ? constantNumber(field) : Rule.same(field.name());
        }
        return switch (field.type()) {
            case FieldType.IntegerType _ -> whole(depth - 1);
            case FieldType.FloatType _ -> real(depth - 1);
            default -> decimal(field);
        };
    }

    private Rule constantNumber(Field field) {
        Rule constant = constant(field);
        return constant.ours.equals("null") ? Rule.same("7") : constant;
    }

    private Rule whole(int depth) {
        Field field = pick(type -> type instanceof FieldType.IntegerType);
        if (field == null || random.nextInt(4) == 0) {
            int number = random.nextInt(20);
            return Rule.same(random.nextInt(4) == 0 ? "0x%X".formatted(number) : Integer.toString(number - 5));
        }
        Rule leaf = Rule.same(field.name());
        if (depth == 0) {
            return leaf;
        }
        return switch (random.nextInt(9)) {
            case 0 -> whole(depth - 1).with(" + ", whole(depth - 1), "");
            case 1 -> whole(depth - 1).with(" - ", whole(depth - 1), "");
            case 2 -> whole(depth - 1).with(" * ", whole(depth - 1), "");
            case 3 -> whole(depth - 1).with(" / ", whole(depth - 1), "");
            case 4 -> whole(depth - 1).with(" % ", whole(depth - 1), "");
            case 5 -> new Rule("(-" + leaf.ours + ")", "(-" + leaf.stock + ")");
            case 6 -> leaf.with(" ?: ", Rule.same("3"), "");
            case 7 -> new Rule("(+" + leaf.ours + ")", "(+" + leaf.stock + ")");
            default -> choice(condition(0), leaf, whole(depth - 1));
        };
    }

    private Rule real(int depth) {
        Field field = pick(type -> type instanceof FieldType.FloatType);
        if (field == null) {
            return Rule.same("1.25");
        }
        Rule leaf = Rule.same(field.name());
        if (depth == 0) {
            return leaf;
        }
        return switch (random.nextInt(7)) {
            case 0 -> real(depth - 1).with(" + ", real(depth - 1), "");
            case 1 -> real(depth - 1).with(" - ", whole(0), "");
            case 2 -> real(depth - 1).with(" * ", real(depth - 1), "");
            case 3 -> real(depth - 1).with(" / ", real(depth - 1), "");
            case 4 -> real(depth - 1).with(" % ", real(depth - 1), "");
            case 5 -> new Rule("(-" + leaf.ours + ")", "(-" + leaf.stock + ")");
            default -> leaf.with(" ?: ", Rule.same("0.5"), "");
        };
    }

    private Rule decimal(Field field) {
        Rule leaf = Rule.same(field.name());
        Field otherField = pick(type -> type instanceof FieldType.DecimalType);
        Rule other = switch (random.nextInt(3)) {
            case 0 -> Rule.same("1.25");
            case 1 -> Rule.same("3");
            default -> Rule.same(otherField == null ? "2" : otherField.name());
        };
        return switch (random.nextInt(18)) {
            case 0 -> leaf.with(" + ", other, "");
            case 9 -> Rule.same(oneOf(leaf.ours + ".abs()", "#abs(" + leaf.ours + ")"));
            case 10 -> leaf.with(" * ", leaf, " - 1e25");
            case 11 -> rounded(leaf);
            case 12, 14, 15, 16, 17 -> rounded(leaf.with(" * ", other, ""));
            case 13 -> Rule.same(oneOf(leaf.ours + ".setScale(2)", "#round(" + leaf.ours + ", 1)"));
            case 1 -> other.with(" - ", leaf, "");
            case 2 -> leaf.with(" * ", other, "");
            case 3 -> leaf.with(" / ", other, "");
            case 4 -> leaf.with(" % ", other, "");
            case 5 -> new Rule("(-" + leaf.ours + ")", "(-" + leaf.stock + ")");
            case 6 -> leaf.with(" ?: ", Rule.same(name(otherField, field)), "");
            case 7 -> choice(condition(0), leaf, Rule.same(name(otherField, field)));
            default -> leaf.with(" / ", other, " + 1");
        };
    }

    private Rule rounded(Rule value) {
        RoundingMode mode = List.of(RoundingMode.values()).get(random.nextInt(8));
        String scale = ".setScale(" + random.nextInt(4);
        return new Rule(
                "(" + value.ours + ")" + scale + ", '" + mode + "')",
                "(" + value.stock + ")" + scale + ", T(java.math.RoundingMode)." + mode + ")");
    }

    private static String name(@Nullable Field field, Field instead) {
        return field == null ? instead.name() : field.name();
    }

    /** Random records of a schema, many with values that meet. */
    static class RandomRecords {
        final Random random;

        RandomRecords(Random random) {
            this.random = random;
        }

        Map<String, @Nullable Object> row(Schema schema) {
            Map<String, @Nullable Object> row = new HashMap<>();
            for (Field field : schema.fields()) {
                row.put(field.name(), field.optional() && random.nextInt(4) == 0 ? null : value(field));
            }
            return row;
        }

        /** A value that a constant has. */
        Object constant(Field field) {
            return value(field);
        }

        Object value(Field field) {
            return switch (field.type()) {
                case FieldType.IntegerType(var storage) -> raw(storage.min(), storage.max(), field);
                case FieldType.DecimalType(var storage, int scale) ->
                    BigDecimal.valueOf(raw(storage.min(), storage.max(), field), scale);
                case FieldType.DateType(var storage) ->
                    LocalDate.ofEpochDay(raw(0, Math.min(storage.max(), 20000), field));
                case FieldType.InstantType(var ignoredStorage, var unit) ->
                    Instant.EPOCH.plus(random.nextInt(5), unit.toChronoUnit());
                case FieldType.EnumType(var ignoredStorage2, var dictionary) ->
                    List.copyOf(dictionary.namesByCode().values())
                            .get(random.nextInt(dictionary.namesByCode().size()));
                case FieldType.BooleanType _ -> random.nextBoolean();
                case FieldType.FloatType(int bytes, var ignoredOrder) -> real(bytes);
                case FieldType.StringType(int bytes, var ignoredCharset, var ignoredPad) ->
                    "abcd".substring(0, 1 + random.nextInt(Math.min(3, bytes)));
                case FieldType.IpType(int bytes) -> (bytes == 4 ? "10.0.0." : "2001::") + (1 + random.nextInt(2));
                case FieldType.BytesType(int bytes) -> {
                    byte[] value = new byte[bytes];
                    value[0] = (byte) random.nextInt(3);
                    yield value;
                }
            };
        }

        private long raw(long min, long max, Field field) {
            long last = max < 0 ? Long.MAX_VALUE : max;
            long value = switch (random.nextInt(12)) {
                case 0 -> min;
                case 1 -> last;
                case 2 -> last - random.nextInt(100);
                case 3, 4, 5 -> random.nextInt(1000) * 100L;
                default -> random.nextInt(12);
            };
            long fitting = Math.max(min, Math.min(last, random.nextInt(4) == 0 ? -value : value));
            return field.optional() && !field.nullFlag() && fitting == field.nullRaw() ? 1 : fitting;
        }

        private double real(int bytes) {
            double value = switch (random.nextInt(10)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> 0.0;
                case 3 -> Double.POSITIVE_INFINITY;
                case 4 -> random.nextInt(1000) / 100.0;
                case 5 -> -random.nextInt(10) - 0.5;
                default -> random.nextInt(12);
            };
            return bytes == 4 ? (float) value : value;
        }
    }
}
