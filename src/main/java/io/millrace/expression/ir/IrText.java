package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the text form of typed expressions: operator first, in parentheses; constants as {@code type:raw}. */
public final class IrText {

    private IrText() {}

    /** Writes a node and its operands. */
    public static String of(Ir node) {
        return switch (node) {
            case Ir.Load(var field) -> field.name();
            case Ir.Constant(var type, long raw) -> type == Basic.WHOLE ? Long.toString(raw) : type + ":" + raw;
            case Ir.WideConstant(var type, var raw) -> type + ":" + raw;
            case Ir.Real(double value, var ignoredDecimal) -> Double.toString(value);
            case Ir.Text(String value) -> "'" + value.replace("'", "''") + "'";
            case Ir.Absent _ -> "absent";
            case NumberNode.Arithmetic(var operator, var ignoredLeft, var ignoredRight, var type) ->
                list(operator.name().toLowerCase(Locale.ROOT) + " " + type, node.operands());
            case NumberNode.Quotient(var ignoredLeft2, int power, var ignoredRight2, var type) ->
                list("quotient^" + power + " " + type, node.operands());
            case NumberNode.Negation _ -> list("neg " + node.type(), node.operands());
            case NumberNode.Absolute _ -> list("abs " + node.type(), node.operands());
            case NumberNode.Rounded(var ignoredValue3, var ignoredPower, var mode) ->
                list(mode.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + node.type(), node.operands());
            case NumberNode.Scaled(var ignoredValue, long factor, var type) ->
                list("scale*" + factor + " " + type, node.operands());
            case NumberNode.ToDouble _ -> list("double", node.operands());
            case NumberNode.Unsigned _ -> list("unsigned", node.operands());
            case Ir.ByCode(var value, var table, var type) -> "(by-code " + type + " " + of(value) + " " + table + ")";
            case Ir.Present _ -> list("present", node.operands());
            case TextNode.NameText _ -> list("text", node.operands());
            case TextNode.Substring _ -> list("substring", node.operands());
            case TextNode.Mapped(var mapping, var ignoredValue2) -> list(mapping.tag(), node.operands());
            case TextNode.Joined _ -> list("join", node.operands());
            case TextNode.Replaced(var value, String target, String replacement) ->
                "(replace " + of(value) + " " + of(new Ir.Text(target)) + " " + of(new Ir.Text(replacement)) + ")";
            case TextNode.TextLength _ -> list("length", node.operands());
            case TextNode.TextIndex _ -> list("index", node.operands());
            case Ir.Retyped _ -> list("as " + node.type(), node.operands());
            case Ir.Calendar(var function, var operands, var type) -> list(function.method() + " " + type, operands);
            case Ir.Call(String name, var ignoredHandle, var operands, var type, var ignoredWidth) ->
                list("#" + name + " " + type, operands);
            case Ir.Comparison(var relation, var ignoredLeft, var ignoredRight, boolean total) ->
                list(relation.tag() + (total ? "-total" : ""), node.operands());
            case Ir.ScaledComparison(var relation, var ignoredLeft2, long factor, var ignoredRight2) ->
                list(relation.tag() + "*" + factor, node.operands());
            case Ir.MixedComparison(var relation, var ignoredDecimal, var ignoredReal) ->
                list(relation.tag() + "-mixed", node.operands());
            case Ir.Membership(var value, var members, boolean ifAbsent) ->
                "(in" + (ifAbsent ? "-or-absent" : "") + " " + of(value) + " " + members + ")";
            case TextNode.SameText _ -> list("same", node.operands());
            case TextNode.TextOrder(var relation, var ignoredLeft3, var ignoredRight3) ->
                list(relation.tag() + "-text", node.operands());
            case TextNode.TextAnswer(var test, var ignoredValue4, var ignoredOther2) ->
                list(test.tag(), node.operands());
            case TextNode.TextMatch(var value, String regex) ->
                "(matches " + of(value) + " " + of(new Ir.Text(regex)) + ")";
            case TextNode.TextMembership(var value, var members) -> "(in " + of(value) + " " + members + ")";
            case TextNode.EmptyText _ -> list("empty", node.operands());
            case Ir.IsAbsent _ -> list("absent", node.operands());
            case Ir.And(var operands) -> list("and", operands);
            case Ir.Or(var operands) -> list("or", operands);
            case Ir.Not _ -> list("not", node.operands());
            case Ir.Choice(var ignoredCondition, var ignoredIfTrue, var ignoredIfFalse, var type) ->
                list("choose " + type, node.operands());
            case Ir.Fallback(var ignoredValue, var empty, var ignoredOther, var type) ->
                list("else " + type + (empty.isPresent() ? " empty=" + empty.getAsLong() : ""), node.operands());
            case Fold fold -> fold(fold);
        };
    }

    /** Writes the part, the filter after {@code where} unless all elements pass it, and the value. */
    private static String fold(Fold fold) {
        FoldKind kind = fold.kind();
        return "(" + kind.tag()
                + (kind == FoldKind.AT ? " " + fold.index() : "")
                + (kind.aggregates() ? " " + fold.type() : "")
                + " " + fold.path()
                + (fold.isOfAll() ? "" : " where " + of(fold.filter()))
                + (kind.picks() || kind.aggregates() ? " " + of(fold.value()) : "")
                + ")";
    }

    /** Writes an assignment: {@code set}, the divisor unless it is 1, the field, and the value. */
    public static String of(FieldStore store) {
        return "(set" + (store.divisor() == 1 ? "" : "/" + store.divisor()) + " "
                + store.target().name() + " " + of(store.value()) + ")";
    }

    private static String list(String head, List<Ir> operands) {
        return operands.stream().map(IrText::of).collect(Collectors.joining(" ", "(" + head + " ", ")"));
    }
}
