package io.millrace.expression.check;

import io.millrace.expression.check.Operand.Elements;
import io.millrace.expression.check.Operand.Part;
import io.millrace.expression.check.Operand.Single;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operator.Comparisons;
import io.millrace.schema.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Folds the elements of a repeating part to one value: methods of lists, choices of an element, aggregates. */
final class Lists {

    private static final List<String> METHODS = List.of("size", "isEmpty", "contains");

    private Lists() {}

    /** Returns the node of a method of a list. */
    static Ir method(Elements list, String name, List<Ir> arguments, Place place) {
        if (!METHODS.contains(name)) {
            throw place.error(
                    ErrorCode.UNKNOWN_FUNCTION, "a list has no ." + name + "(...)", NearestName.advice(name, METHODS));
        }
        boolean takesValue = name.equals("contains");
        if (arguments.size() != (takesValue ? 1 : 0)) {
            throw place.error(
                    ErrorCode.TYPE_MISMATCH,
                    "." + name + "(...) can't be applied to " + arguments.size() + " arguments",
                    "write ." + name + (takesValue ? "(value)" : "()"));
        }
        return switch (name) {
            case "size" -> list.folded(Fold.count(list.path(), list.filter()));
            case "isEmpty" -> isEmpty(list);
            default -> contains(list, arguments.getFirst(), place);
        };
    }

    static Ir isEmpty(Elements list) {
        return list.folded(hasNone(list));
    }

    /** Returns whether a part of the record has no elements, also if the group that contains it is absent. */
    static Ir hasNone(Elements list) {
        return new Ir.Not(Fold.any(list.path(), list.filter()));
    }

    private static Ir contains(Elements list, Ir sought, Place place) {
        if (!(list.item() instanceof Single(var value))) {
            throw place.error(
                    ErrorCode.TYPE_MISMATCH,
                    ".contains(...) can't be applied to "
                            + (list.item() instanceof Elements ? "lists of lists" : "groups"),
                    "select a field of them, as in legs.![currency].contains('USD')");
        }
        Stream.concat(Stream.of(list.path()), list.picks().stream().map(Pick::path))
                .filter(path -> readsElement(sought, path))
                .findFirst()
                .ifPresent(path -> {
                    throw place.error(
                            ErrorCode.NOT_ALLOWED,
                            "a value of one element of " + path + " can't be sought in all of them",
                            "count equal values, or compare with an aggregate such as #max(...)");
                });
        Elements equal = list.where(Comparisons.compare(Relation.EQ, value, sought, place));
        return list.folded(Fold.any(equal.path(), equal.filter()));
    }

    /** Returns whether a value is computed from the element of a part that a fold outside of the value is at. */
    private static boolean readsElement(Ir value, String path) {
        return switch (value) {
            case Ir.Load(var field) -> field.name().startsWith(path);
            case Fold fold when fold.path().equals(path) -> false;
            case Fold fold when fold.path().startsWith(path) -> true;
            default -> value.operands().stream().anyMatch(operand -> readsElement(operand, path));
        };
    }

    /** Returns one of the elements. */
    static Operand pick(Elements list, FoldKind kind, int index) {
        Pick pick = new Pick(kind, list.path(), index, list.filter());
        List<Pick> picks = Stream.concat(Stream.of(pick), list.picks().stream()).toList();
        return switch (list.item()) {
            case Single(var value) -> new Single(Pick.of(picks, value));
            case Part(var path, var inner) ->
                new Part(path, Stream.concat(inner.stream(), picks.stream()).toList());
            case Elements(var path, var filter, var item, var presence, var inner) ->
                new Elements(
                        path,
                        filter,
                        item,
                        presence,
                        Stream.concat(inner.stream(), picks.stream()).toList());
        };
    }

    /** Returns whether an element or group, seen from the row that contains it by a condition, is there. */
    static Ir isPresent(Part part, Ir presence) {
        if (part.picks().isEmpty()) {
            return presence;
        }
        Pick first = part.picks().getFirst();
        if (part.picks().size() == 1 && presence.equals(Fold.ALL) && first.kind() != FoldKind.AT) {
            return Fold.any(first.path(), first.filter());
        }
        Ir no = new Ir.Constant(Basic.BOOLEAN, 0);
        return new Ir.Fallback(Pick.of(part.picks(), presence), OptionalLong.empty(), no, Basic.BOOLEAN);
    }

    /** Returns the node of an aggregate function, such as {@code #sum(legs.![amount])}. */
    static Ir aggregate(String name, List<Operand> arguments, Place place) {
        if (arguments.size() != 1 || !(arguments.getFirst() instanceof Elements list)) {
            throw wrong(name, arguments.size() == 1 ? describe(arguments.getFirst()) : "other than one list", place);
        }
        return aggregate(FoldKind.valueOf(name.toUpperCase(Locale.ROOT)), list, place);
    }

    /** Aggregates the values of a list; of a list of lists, those of all inner lists. */
    private static Ir aggregate(FoldKind kind, Elements list, Place place) {
        if (list.item() instanceof Elements inner) {
            return switch (kind) {
                case COUNT -> fold(FoldKind.SUM, list, aggregate(kind, inner, place), place);
                case AVG -> average(list, place);
                default -> fold(kind, list, aggregate(kind, inner, place), place);
            };
        }
        if (kind == FoldKind.COUNT) {
            Elements counted = list.item() instanceof Single(var value) && value.optional()
                    ? list.where(new Ir.Not(new Ir.IsAbsent(value)))
                    : list;
            return list.foldedOrZero(Fold.count(list.path(), counted.filter()), place);
        }
        if (!(list.item() instanceof Single(var value)) || !accepts(kind, value.type())) {
            throw wrong(kind.name().toLowerCase(Locale.ROOT), "a list of " + describe(list.item()), place);
        }
        return fold(kind, list, value, place);
    }

    private static Ir fold(FoldKind kind, Elements list, Ir value, Place place) {
        Fold fold = new Fold(kind, list.path(), 0, list.filter(), value, type(kind, value));
        return kind == FoldKind.SUM ? list.foldedOrZero(fold, place) : list.foldedOrAbsent(fold);
    }

    /** Returns the average of the values of all inner lists; absent if there is none. */
    private static Ir average(Elements lists, Place place) {
        Ir sum = aggregate(FoldKind.SUM, lists, place);
        Ir count = aggregate(FoldKind.COUNT, lists, place);
        boolean exact = sum.type() instanceof ValueType.Decimal;
        Ir average = exact
                ? Numbers.arithmetic(NumberNode.Operator.DIV, sum, count, place)
                : Numbers.arithmetic(NumberNode.Operator.DIV, Numbers.toDouble(sum), Numbers.toDouble(count), place);
        Ir none = Comparisons.compare(Relation.EQ, count, Constants.whole(0), place);
        return new Ir.Choice(none, new Ir.Absent(), average, average.type());
    }

    private static ValueType type(FoldKind kind, Ir value) {
        if (kind == FoldKind.SUM && value.type() instanceof ValueType.Decimal(int scale, int bits)) {
            return new ValueType.Decimal(scale, Magnitude.ofElements(bits));
        }
        return kind == FoldKind.AVG && value.type() == Basic.WHOLE ? Basic.DOUBLE : value.type();
    }

    private static boolean accepts(FoldKind kind, ValueType type) {
        boolean ordered = type == Basic.DATE || type instanceof ValueType.Moment;
        return type.isNumber() || (ordered && (kind == FoldKind.MIN || kind == FoldKind.MAX));
    }

    private static ExpressionException wrong(String name, String given, Place place) {
        String values = name.equals("count")
                ? ""
                : name.equals("min") || name.equals("max")
                        ? ", a list of numbers, dates or instants"
                        : ", a list of numbers";
        return place.error(
                ErrorCode.TYPE_MISMATCH,
                "#" + name + "(...) can't be applied to " + given,
                "write #" + name + "(legs.![amount])" + values);
    }

    private static String describe(Operand operand) {
        return switch (operand) {
            case Single(var value) -> Place.describe(value);
            case Part _ -> "a group";
            case Elements _ -> "a list";
        };
    }

    /** Returns a comparison, as a search for any element if it compares a number of elements with nothing. */
    static Ir simplified(Ir comparison) {
        if (comparison instanceof Ir.Comparison(var relation, Ir.Constant constant, Fold fold, boolean ignoredTotal)) {
            return simplified(comparison, relation.flipped(), fold, constant.raw());
        }
        if (comparison instanceof Ir.Comparison(var relation, Fold fold, Ir.Constant constant, boolean ignoredTotal)) {
            return simplified(comparison, relation, fold, constant.raw());
        }
        return comparison;
    }

    private static Ir simplified(Ir comparison, Relation relation, Fold fold, long number) {
        if (fold.kind() != FoldKind.COUNT) {
            return comparison;
        }
        Ir any = Fold.any(fold.path(), fold.filter());
        boolean some = (number == 0 && (relation == Relation.GT || relation == Relation.NE))
                || (number == 1 && relation == Relation.GE);
        boolean none = (number == 0 && (relation == Relation.EQ || relation == Relation.LE))
                || (number == 1 && relation == Relation.LT);
        return some ? any : none ? new Ir.Not(any) : comparison;
    }
}
