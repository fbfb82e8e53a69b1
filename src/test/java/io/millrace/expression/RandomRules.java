package io.millrace.expression;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

        Rule with(String before, Rule other, String after) {
            return new Rule(
                    "(" + ours + before + other.ours + after + ")", "(" + stock + before + other.stock + after + ")");
        }
    }

    private static final String[] RELATIONS = {"==", "!=", "<", "<=", ">", ">="};

    private final Random random;
    private final List<Field> fields;

    RandomRules(Random random, Schema schema) {
        this.random = random;
        this.fields = List.copyOf(schema.fields());
    }

    Rule condition(int depth) {
        int kind = random.nextInt(depth > 0 ? 14 : 8);
        return switch (kind) {
            case 8, 9 -> condition(depth - 1).with(" and ", condition(depth - 1), "");
            case 10, 11 -> condition(depth - 1).with(" or ", condition(depth - 1), "");
            case 12 -> {
                Rule inner = condition(depth - 1);
                yield new Rule("!" + "(" + inner.ours + ")", "!" + "(" + inner.stock + ")");
            }
            case 13 -> choice(condition(depth - 1), condition(depth - 1), condition(depth - 1));
            case 0, 1 -> number(depth).with(relation(), number(depth), "");
            case 2 -> like(type -> type instanceof FieldType.EnumType, true);
            case 3 -> random.nextBoolean() ? like(type -> type instanceof FieldType.DateType, true) : call();
            case 4 -> {
                Field field = pick(type -> type instanceof FieldType.StringType);
                yield field == null
                        ? like(type -> type instanceof FieldType.BooleanType, true)
                        : like(type -> type instanceof FieldType.StringType, false);
            }
            case 5 -> Rule.same(any().name() + (random.nextBoolean() ? " == null" : " != null"));
            case 6 -> between();
            default -> list();
        };
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
        return " " + RELATIONS[random.nextInt(RELATIONS.length)] + " ";
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
        Field other = random.nextBoolean() ? pick(wanted) : null;
        Rule right = other == null ? constant(field) : Rule.same(other.name());
        String relation = ordered ? relation() : random.nextBoolean() ? " == " : " != ";
        return random.nextInt(4) == 0 && other == null
                ? right.with(relation, Rule.same(field.name()), "")
                : Rule.same(field.name()).with(relation, right, "");
    }

    private Rule between() {
        Field field = pick(type -> !(type instanceof FieldType.StringType || type instanceof FieldType.IpType));
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
        Object value = new RandomRecords(random).value(field);
        return switch (value) {
            case LocalDate date -> new Rule("'" + date + "'", "T(java.time.LocalDate).parse('" + date + "')");
            case Instant instant -> new Rule("'" + instant + "'", "T(java.time.Instant).parse('" + instant + "')");
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

    private static String whole(BigDecimal decimal) {
        return decimal.scale() <= 0 ? longText(decimal.longValue()) : decimal.toPlainString();
    }

    private static String longText(long number) {
        return number == Long.MIN_VALUE ? "(-9223372036854775807L - 1)" : number + "L";
    }

    private Rule number(int depth) {
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
            return Rule.same(Integer.toString(random.nextInt(20) - 5));
        }
        Rule leaf = Rule.same(field.name());
        if (depth == 0) {
            return leaf;
        }
        return switch (random.nextInt(8)) {
            case 0 -> whole(depth - 1).with(" + ", whole(depth - 1), "");
            case 1 -> whole(depth - 1).with(" - ", whole(depth - 1), "");
            case 2 -> whole(depth - 1).with(" * ", whole(depth - 1), "");
            case 3 -> whole(depth - 1).with(" / ", whole(depth - 1), "");
            case 4 -> whole(depth - 1).with(" % ", whole(depth - 1), "");
            case 5 -> new Rule("(-" + leaf.ours + ")", "(-" + leaf.stock + ")");
            case 6 -> leaf.with(" ?: ", Rule.same("3"), "");
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
        return switch (random.nextInt(7)) {
            case 0 -> leaf.with(" + ", other, "");
            case 1 -> other.with(" - ", leaf, "");
            case 2 -> leaf.with(" * ", other, "");
            case 3 -> leaf.with(" / ", other, "");
            case 4 -> leaf.with(" % ", other, "");
            case 5 -> new Rule("(-" + leaf.ours + ")", "(-" + leaf.stock + ")");
            default -> leaf.with(" / ", other, " + 1");
        };
    }

    /** Random records of a schema, many with values that meet. */
    static final class RandomRecords {
        private final Random random;

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
                case FieldType.IpType _ -> "10.0.0." + random.nextInt(3);
                case FieldType.BytesType(int bytes) -> new byte[bytes];
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
            return field.optional() && fitting == field.nullRaw() ? 1 : fitting;
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
