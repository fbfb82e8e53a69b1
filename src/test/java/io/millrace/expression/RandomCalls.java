package io.millrace.expression;

import io.millrace.expression.RandomRules.Rule;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Random conditions that ask dates, instants and functions. */
final class RandomCalls {

    private static final List<String> DATE_NUMBERS = List.of(
            "year",
            "getYear()",
            "monthValue",
            "dayOfMonth",
            "dayOfYear",
            "getDayOfYear()",
            "lengthOfMonth()",
            "toEpochDay()",
            "dayOfWeek.value",
            "month.value");

    private static final List<String> DATE_SHIFTS = List.of(
            "plusDays",
            "plusWeeks",
            "plusMonths",
            "plusYears",
            "minusDays",
            "minusWeeks",
            "minusMonths",
            "minusYears",
            "withDayOfMonth");

    private static final List<String> INSTANT_NUMBERS = List.of("epochSecond", "nano", "toEpochMilli()");

    private static final List<String> INSTANT_SHIFTS =
            List.of("plusSeconds", "plusMillis", "plusNanos", "minusSeconds", "minusMillis", "minusNanos");

    private static final List<String> RELATIONS = List.of(" == ", " != ", " < ", " <= ", " > ", " >= ");

    private final Random random;
    private final List<Field> fields;

    RandomCalls(Random random, List<Field> fields) {
        this.random = random;
        this.fields = fields;
    }

    /** A condition, or null where the schema has no field for it. */
    @Nullable
    Rule condition() {
        return switch (random.nextInt(3)) {
            case 0 -> dates();
            case 1 -> instants();
            default -> functions();
        };
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private @Nullable String field(Predicate<FieldType> wanted) {
        List<Field> found =
                fields.stream().filter(field -> wanted.test(field.type())).toList();
        return found.isEmpty() ? null : any(found).name();
    }

    private String whole() {
        String field = field(type -> type instanceof FieldType.IntegerType);
        return field == null || random.nextBoolean() ? String.valueOf(random.nextInt(40) - 5) : field;
    }

    private @Nullable Rule dates() {
        String date = date(2);
        String other = date(1);
        if (date == null || other == null) {
            return null;
        }
        DayOfWeek day = DayOfWeek.of(1 + random.nextInt(7));
        Month month = Month.of(1 + random.nextInt(12));
        String constant = LocalDate.ofEpochDay(random.nextInt(20)).toString();
        return switch (random.nextInt(14)) {
            case 0 -> Rule.same(date + any(List.of(".leapYear", ".isLeapYear()")));
            case 1 -> Rule.same(date + any(List.of(".isBefore(", ".isAfter(", ".isEqual(")) + other + ")");
            case 2 -> Rule.same("(" + date + any(RELATIONS) + other + ")");
            case 3 -> Rule.same("(" + date + ".dayOfWeek" + any(RELATIONS) + other + ".dayOfWeek)");
            case 4 -> new Rule(date + ".dayOfWeek == '" + day + "'", date + ".dayOfWeek.name() == '" + day + "'");
            case 5 -> Rule.same("(" + date + "?.year" + any(RELATIONS) + other + "?.plusYears(2)?.year)");
            case 6 -> Rule.same("(" + date + ".month" + any(RELATIONS) + other + ".month)");
            case 7 -> new Rule(date + ".month != '" + month + "'", date + ".month.name() != '" + month + "'");
            case 8 ->
                new Rule(
                        "{'SUNDAY', '" + day + "'}.contains(" + date + ".dayOfWeek)",
                        "{'SUNDAY', '" + day + "'}.contains(" + date + ".dayOfWeek.name())");
            case 9 ->
                new Rule(
                        "(" + date + ".isBefore('" + constant + "'))",
                        "(" + date + ".isBefore(T(java.time.LocalDate).parse('" + constant + "')))");
            default -> Rule.same("(" + date + "." + any(DATE_NUMBERS) + any(RELATIONS) + whole() + ")");
        };
    }

    private @Nullable String date(int depth) {
        String instant = field(type -> type instanceof FieldType.InstantType);
        String field = field(type -> type instanceof FieldType.DateType);
        if (depth > 0 && random.nextBoolean()) {
            String inner = date(depth - 1);
            return inner == null ? null : inner + "." + any(DATE_SHIFTS) + "(" + whole() + ")";
        }
        if (instant != null && random.nextInt(4) == 0) {
            return "#date(" + instant + ")";
        }
        return field == null || random.nextInt(5) == 0 ? "#date('1970-01-31')" : field;
    }

    private @Nullable Rule instants() {
        String field = field(type -> type instanceof FieldType.InstantType);
        if (field == null) {
            return null;
        }
        String instant = random.nextBoolean() ? field : field + "." + any(INSTANT_SHIFTS) + "(" + whole() + ")";
        String date = field(type -> type instanceof FieldType.DateType);
        String other = date != null && random.nextBoolean() ? "#instant(" + date + ")" : field;
        return switch (random.nextInt(8)) {
            case 0 -> Rule.same(instant + any(List.of(".isBefore(", ".isAfter(")) + other + ")");
            case 1 -> Rule.same("(" + instant + any(RELATIONS) + other + ")");
            case 2 -> Rule.same("(#" + any(List.of("hour", "minute")) + "(" + instant + ")" + any(RELATIONS) + "1)");
            case 3 -> Rule.same("(" + instant + " < #instant('1970-01-01T00:00:01.5Z'))");
            default -> Rule.same("(" + instant + "." + any(INSTANT_NUMBERS) + any(RELATIONS) + whole() + ")");
        };
    }

    private @Nullable Rule functions() {
        Field field = any(fields);
        String name = field.name();
        String call = switch (field.type()) {
            case FieldType.IntegerType _ ->
                any(List.of(
                        "#picky(" + name + ") > 3",
                        "#narrow(" + name + ") > 3",
                        "#nonzero(" + name + ") == null",
                        "#rank(null, " + name + ", true) > 5",
                        "#price(" + name + ") > 5"));
            case FieldType.DecimalType _ ->
                any(List.of("#scaled(" + name + ", 3) > 5", "#price(" + name + ") > 5", "#half(" + name + ") > 1"));
            case FieldType.FloatType _ -> any(List.of("#half(" + name + ") >= 1", "#price(" + name + ") < 5"));
            case FieldType.DateType _ -> "#nextDay(" + name + ")?.dayOfMonth > 5";
            case FieldType.InstantType _ -> "#later(" + name + ") > " + name;
            case FieldType.BooleanType _ -> "#opposite(" + name + ")";
            case FieldType.StringType _, FieldType.EnumType _ ->
                any(List.of(
                        "#size(" + name + ") > 2",
                        "#size(" + name + ".trim().toUpperCase()) > 2",
                        "#rank(" + name + ", 7, false) > 2",
                        "#label(" + name + ", " + whole() + ") > 'b'",
                        "#label(" + name + ", 3).startsWith(" + name + ")",
                        "#label(" + name + ", " + whole() + ")?.length() > 4",
                        "#label(" + name + ", " + whole() + ") == null",
                        "#label(" + name + ", " + whole() + ").endsWith('€0')"));
            default -> null;
        };
        return call == null ? null : Rule.same("(" + call + ")");
    }
}
