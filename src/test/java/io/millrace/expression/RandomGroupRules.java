package io.millrace.expression;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random conditions on records of {@link GroupRecords#ORDERS}, with folds inside of folds. */
final class RandomGroupRules {

    private static final List<String> RELATIONS = List.of("==", "!=", "<", "<=", ">", ">=");
    private static final List<String> CURRENCIES = List.of("'EUR'", "'GBP'", "'USD'");

    private final Random random;

    RandomGroupRules(Random random) {
        this.random = random;
    }

    /** A condition on a record. */
    String condition(int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            return joined(() -> condition(depth - 1));
        }
        return switch (random.nextInt(15)) {
            case 13 -> lists(absentList());
            case 14 -> aggregates(absentList());
            case 0 -> list("legs", depth) + ".size() " + relation() + " " + random.nextInt(4);
            case 1 -> random.nextInt(3) + " " + relation() + " " + list("legs", depth) + ".size()";
            case 2 -> list("legs", depth) + (random.nextBoolean() ? ".isEmpty()" : ".empty");
            case 3 -> list("legs", depth) + ".![currency].contains(" + currency("currency") + ")";
            case 4 -> list("legs", depth) + ".![name].contains(" + oneOf(List.of("'x'", "'ann'", "null")) + ")";
            case 5 -> picked(depth);
            case 6 -> aggregate(depth) + " " + relation() + " " + number();
            case 7 -> aggregate(depth) + " " + relation() + " " + aggregate(depth);
            case 8 ->
                "#count(" + list("legs", depth)
                        + oneOf(List.of("", ".![bonus]", ".![party?.name]", ".![fees]", ".![codes]")) + ") "
                        + relation() + " " + random.nextInt(3);
            case 9 ->
                oneOf(List.of(
                        "party == null",
                        "party != null",
                        "party?.rank > 1",
                        "party?.name == 'ann'",
                        "legs.^[open]?.party " + oneOf(List.of("==", "!=")) + " legs.$[amount > 1]?.party",
                        "legs.?[party == #root.legs.^[true].party].size() > " + random.nextInt(3),
                        "legs.![fees].?[size() > 1].size() > 0",
                        "legs.![fees.![amount]].size() > 1"));
            case 10 -> bare();
            case 11 ->
                list("legs", depth) + ".![" + number("amount", "quantity") + "].?[#this " + relation() + " " + number()
                        + "].size() > " + random.nextInt(2);
            default -> oneOf(List.of("id > 2", "limit > 1", "currency == 'EUR'", "total > 3"));
        };
    }

    /** A list of numbers that is null where its group or element is absent. */
    private String absentList() {
        String leg = "legs." + oneOf(List.of("^", "$")) + "[" + leg(0) + "]";
        return oneOf(List.of(
                "party?.lines?.![amount]",
                "party?.lines?.?[amount != null]?.![amount]",
                "party?.marks",
                leg + "?.fees?.![amount]",
                leg + "?.codes"));
    }

    private String lists(String list) {
        // Stock SpEL finds a long among longs only.
        return switch (random.nextInt(list.endsWith("]") ? 3 : 4)) {
            case 0 -> list + "?.size() " + relation() + " " + random.nextInt(3);
            case 1 -> "(" + list + "?.isEmpty() ?: false)";
            case 2 -> list + "?.size() == null";
            default -> "(" + list + "?.contains(2L) ?: true)";
        };
    }

    private String aggregates(String list) {
        return "#" + oneOf(List.of("count", "sum", "min", "max", "avg")) + "(" + list + ") "
                + oneOf(List.of("== null", relation() + " " + number()));
    }

    private String bare() {
        return oneOf(List.of(
                "tags.contains('x')",
                "tags.?[#this == 'x' or #this.length() > 1].size() > 1",
                "tags.^[#this != 'x'] == 'yy'",
                "tags.![length()].contains(1)",
                "sizes.?[#this > #root.id].size() > 0",
                "sizes.$[#this > 1] == 3",
                "#sum(sizes) > 4",
                "#avg(sizes) >= 1.5",
                "sizes.contains(id)"));
    }

    private String picked(int depth) {
        String leg = "legs." + oneOf(List.of("^", "$")) + "[" + leg(depth) + "]";
        return leg
                + switch (random.nextInt(7)) {
                    case 0 -> " " + oneOf(List.of("==", "!=")) + " null";
                    case 1 -> "?.amount " + relation() + " " + number();
                    case 2 -> "?.name == " + oneOf(List.of("'x'", "null"));
                    case 3 -> "?.party?.name == 'x'";
                    case 4 -> "?.rate " + relation() + " 0.25";
                    case 5 -> "?.fees?.size() " + relation() + " " + random.nextInt(3);
                    default -> "?.currency == " + currency("currency");
                };
    }

    private String aggregate(int depth) {
        String function = oneOf(List.of("sum", "min", "max", "avg"));
        String value = switch (random.nextInt(8)) {
            case 6 -> "fees.![amount]";
            case 7 -> "fees.?[" + fee() + "].![amount * 2]";
            case 0 -> "amount";
            case 1 -> "bonus";
            case 2 -> "quantity";
            case 3 -> "amount * quantity";
            case 4 -> "#" + oneOf(List.of("sum", "max", "avg")) + "(fees.![amount])";
            default -> "amount + #root.id";
        };
        return "#" + function + "(" + list("legs", depth) + ".![" + value + "])";
    }

    /** Elements of the legs. */
    private String list(String legs, int depth) {
        String list = random.nextInt(8) == 0 ? "#root." + legs : legs;
        while (random.nextInt(2) == 0) {
            list += ".?[" + leg(depth) + "]";
        }
        return list;
    }

    /** A condition on a leg. */
    private String leg(int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            return joined(() -> leg(depth - 1));
        }
        return switch (random.nextInt(13)) {
            case 0 -> oneOf(List.of("amount", "quantity", "bonus", "rate")) + " " + relation() + " " + number();
            case 1 -> "open";
            case 2 -> "currency " + oneOf(List.of("==", "!=")) + " " + currency("#root.currency");
            case 3 -> oneOf(List.of("party == null", "party != null", "party?.rank > 1", "party?.name == 'x'"));
            case 4 -> "fees.?[" + fee() + "].size() " + relation() + " " + random.nextInt(3);
            case 5 -> "fees.![kind].contains('TAX')";
            case 6 -> "codes.contains(" + random.nextInt(4) + "L)";
            case 7 -> "name == " + oneOf(List.of("'x'", "'é'", "null"));
            case 8 -> "amount " + relation() + " #root.limit";
            case 9 -> "quantity % 2 == 0";
            case 10 -> "#sum(fees.![amount]) " + relation() + " amount";
            case 11 -> "#this.day > #date('2026-01-02')";
            default -> "amount " + relation() + " #" + oneOf(List.of("min", "max", "avg")) + "(#root.legs.![amount])";
        };
    }

    private String fee() {
        return switch (random.nextInt(3)) {
            case 0 -> "kind == 'TAX'";
            case 1 -> "amount > 1 and #this.kind == 'DUTY'";
            default -> "amount " + relation() + " " + number();
        };
    }

    private String joined(Supplier<String> condition) {
        return switch (random.nextInt(4)) {
            case 0 -> "(" + condition.get() + " or " + condition.get() + ")";
            case 1 -> "not (" + condition.get() + ")";
            case 2 -> "((" + condition.get() + ") ? (" + condition.get() + ") : (" + condition.get() + "))";
            default -> "(" + condition.get() + " and " + condition.get() + ")";
        };
    }

    private String currency(String field) {
        return random.nextInt(4) == 0 ? field : oneOf(CURRENCIES);
    }

    private String number(String... fields) {
        return oneOf(List.of(fields)) + (random.nextInt(3) == 0 ? " * 2" : "");
    }

    private String number() {
        return oneOf(List.of("-1", "0", "1", "2", "3", "5"));
    }

    private String relation() {
        return oneOf(RELATIONS);
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
