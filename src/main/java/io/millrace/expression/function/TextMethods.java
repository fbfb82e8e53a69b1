package io.millrace.expression.function;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextMapping;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.TextRelation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.NameMethods;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operand.TextJoins;
import io.millrace.expression.operand.TextOperands;
import io.millrace.expression.operand.Unification;
import io.millrace.expression.operator.Comparisons;
import io.millrace.schema.NearestName;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The methods of {@link String} that texts and names have. Calls on constants are computed during compilation. */
final class TextMethods {

    private static final List<String> NAMES = List.of(
            "charAt",
            "contains",
            "endsWith",
            "equals",
            "equalsIgnoreCase",
            "indexOf",
            "isBlank",
            "isEmpty",
            "length",
            "replace",
            "startsWith",
            "substring",
            "toLowerCase",
            "toUpperCase",
            "trim");

    /** What Java's {@link Character#isWhitespace} accepts. */
    private static final String BLANK = "[\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}"
            + "\\x{2028}\\x{2029}\\x{205f}\\x{3000}]*";

    /** A call with its arguments. */
    private record Call(String name, List<Ir> arguments, Place place) {
        Ir argument() {
            return arguments.getFirst();
        }
    }

    private TextMethods() {}

    /** Returns the node of a method call; the target is a text or a name. */
    static Ir call(Ir target, String name, List<Ir> arguments, Place place) {
        if (!NAMES.contains(name)) {
            throw place.error(
                    ErrorCode.NOT_ALLOWED,
                    "a method call, ." + name + "(...) is not allowed",
                    NearestName.advice(name, NAMES));
        }
        if (!TextOperands.isText(target)) {
            throw place.error(
                    ErrorCode.TYPE_MISMATCH, "." + name + "(...) can't be applied to bytes and addresses", "");
        }
        return call(target, new Call(name, arguments, place));
    }

    /** Returns whether texts have a property of this name, from {@link String#isEmpty} and {@link String#isBlank}. */
    static boolean isProperty(String name) {
        return name.equals("empty") || name.equals("blank");
    }

    static Ir property(Ir target, String name, Place place) {
        return call(target, name.equals("empty") ? "isEmpty" : "isBlank", List.of(), place);
    }

    private static Ir call(Ir target, Call call) {
        if (target instanceof Ir.Choice choice && TextOperands.isChoiceOfTexts(choice)) {
            return Unification.choice(
                    choice.condition(), call(choice.ifTrue(), call), call(choice.ifFalse(), call), call.place);
        }
        return switch (call.name) {
            case "startsWith" -> test(TextRelation.STARTS_WITH, target, call);
            case "endsWith" -> test(TextRelation.ENDS_WITH, target, call);
            case "contains" -> test(TextRelation.CONTAINS, target, call);
            case "equalsIgnoreCase" -> test(TextRelation.SAME_IN_ANY_CASE, target, call);
            case "equals" -> {
                count(call, 1);
                yield Comparisons.compare(Relation.EQ, Ir.Present.of(target), call.argument(), call.place);
            }
            case "isEmpty" -> isEmpty(target, call);
            case "isBlank" -> isBlank(target, call);
            case "charAt" -> charAt(target, call);
            case "replace" -> replace(target, call);
            case "length" -> length(target, call);
            case "indexOf" -> index(target, call);
            case "substring" -> substring(target, call);
            case "toUpperCase" -> mapped(TextMapping.UPPER, target, call);
            case "toLowerCase" -> mapped(TextMapping.LOWER, target, call);
            case "trim" -> mapped(TextMapping.TRIM, target, call);
            default -> throw new IllegalArgumentException(call.name);
        };
    }

    private static void count(Call call, int count) {
        if (call.arguments.size() != count) {
            throw call.place.error(
                    ErrorCode.TYPE_MISMATCH,
                    "." + call.name + "(...) takes " + count + " argument" + (count == 1 ? "" : "s") + ", not "
                            + call.arguments.size(),
                    "");
        }
    }

    /** Returns the only argument, which must be a text. */
    private static Ir textArgument(Call call) {
        count(call, 1);
        if (!TextOperands.isText(call.argument())) {
            throw call.place.error(
                    ErrorCode.TYPE_MISMATCH,
                    "." + call.name + "(...) takes a text, not " + Place.describe(call.argument()),
                    "");
        }
        return TextOperands.text(call.argument(), call.place);
    }

    private static Ir test(TextRelation test, Ir target, Call call) {
        Ir other = textArgument(call);
        if (other instanceof Ir.Text(String constant)) {
            Predicate<String> predicate = text -> test.holds(text, constant);
            if (target instanceof Ir.Text(String text)) {
                return Constants.truth(predicate.test(text));
            }
            if (target.type() instanceof ValueType.Name(var dictionary)) {
                return NameMethods.test(target, dictionary, predicate);
            }
            if (test != TextRelation.SAME_IN_ANY_CASE) {
                TextOperands.requirePossible(TextOperands.text(target, call.place), other, call.place);
            }
        }
        return new TextNode.TextAnswer(test, TextOperands.text(target, call.place), other);
    }

    private static Ir isEmpty(Ir target, Call call) {
        count(call, 0);
        if (target instanceof Ir.Text(String text)) {
            return Constants.truth(text.isEmpty());
        }
        if (target.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.test(target, dictionary, String::isEmpty);
        }
        return new TextNode.EmptyText(Ir.Present.of(TextOperands.text(target, call.place)));
    }

    private static Ir isBlank(Ir target, Call call) {
        count(call, 0);
        if (target instanceof Ir.Text(String text)) {
            return Constants.truth(text.isBlank());
        }
        if (target.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.test(target, dictionary, String::isBlank);
        }
        return new TextNode.TextMatch(TextOperands.text(target, call.place), BLANK);
    }

    /** Returns the character at an index, as a text. */
    private static Ir charAt(Ir target, Call call) {
        count(call, 1);
        Ir index = call.argument();
        if (index.type() != Basic.WHOLE) {
            throw call.place.error(
                    ErrorCode.TYPE_MISMATCH, ".charAt(...) takes a whole number, not " + Place.describe(index), "");
        }
        Ir end = Numbers.arithmetic(NumberNode.Operator.ADD, index, Constants.whole(1), call.place);
        return substring(target, new Call("substring", List.of(index, end), call.place));
    }

    private static Ir replace(Ir target, Call call) {
        count(call, 2);
        if (!(call.argument() instanceof Ir.Text(String sought))
                || !(call.arguments.getLast() instanceof Ir.Text(String replacement))
                || sought.isEmpty()) {
            throw call.place.error(
                    ErrorCode.TYPE_MISMATCH,
                    ".replace(...) takes two constant texts, of which the first is not empty",
                    "write .replace('a', 'b')");
        }
        return TextJoins.replace(target, sought, replacement, call.place);
    }

    private static Ir length(Ir target, Call call) {
        count(call, 0);
        if (target instanceof Ir.Text(String text)) {
            return Constants.whole(text.length());
        }
        if (target.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.number(target, dictionary, String::length);
        }
        return new TextNode.TextLength(TextOperands.text(target, call.place));
    }

    private static Ir index(Ir target, Call call) {
        Ir sought = textArgument(call);
        if (sought instanceof Ir.Text(String constant)) {
            if (target instanceof Ir.Text(String text)) {
                return Constants.whole(text.indexOf(constant));
            }
            if (target.type() instanceof ValueType.Name(var dictionary)) {
                return NameMethods.number(target, dictionary, name -> name.indexOf(constant));
            }
            TextOperands.requirePossible(TextOperands.text(target, call.place), sought, call.place);
        }
        return new TextNode.TextIndex(TextOperands.text(target, call.place), sought);
    }

    private static Ir mapped(TextMapping mapping, Ir target, Call call) {
        count(call, 0);
        if (target instanceof Ir.Text(String text)) {
            return new Ir.Text(mapping.of(text));
        }
        if (target.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.text(target, dictionary, mapping::of, call.place);
        }
        return new TextNode.Mapped(mapping, TextOperands.text(target, call.place));
    }

    private static Ir substring(Ir target, Call call) {
        if (call.arguments.size() != 2) {
            count(call, 1);
        }
        for (Ir argument : call.arguments) {
            if (argument.type() != Basic.WHOLE) {
                throw call.place.error(
                        ErrorCode.TYPE_MISMATCH,
                        ".substring(...) takes whole numbers, not " + Place.describe(argument),
                        "");
            }
        }
        Ir begin = call.argument();
        Ir end = call.arguments.size() == 1 ? new Ir.Absent() : call.arguments.getLast();
        if (begin instanceof Ir.Constant(var ignoredType, long beginIndex)
                && (end instanceof Ir.Absent || end instanceof Ir.Constant)) {
            UnaryOperator<String> cut = end instanceof Ir.Constant(var ignoredType2, long endIndex)
                    ? text -> text.substring(clamped(beginIndex), clamped(endIndex))
                    : text -> text.substring(clamped(beginIndex));
            if (target instanceof Ir.Text(String text)) {
                return cut(text, cut, call.place);
            }
            if (target.type() instanceof ValueType.Name(var dictionary)) {
                return NameMethods.text(target, dictionary, cut, call.place);
            }
        }
        Ir text = TextOperands.text(target, call.place);
        requireRange(TextForm.of(text).bound(), begin, end, call.place);
        return new TextNode.Substring(text, begin, end);
    }

    /** Returns an index as an int: an index past the range of int is past the end of every text too. */
    private static int clamped(long index) {
        return Math.clamp(index, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static Ir cut(String text, UnaryOperator<String> cut, Place place) {
        String part;
        try {
            part = cut.apply(text);
        } catch (IndexOutOfBoundsException e) {
            throw place.error(ErrorCode.BAD_CONSTANT, "the text '" + text + "' has no such part", "");
        }
        TextOperands.requireWellFormed(part, place);
        return new Ir.Text(part);
    }

    /** Refuses constants for which every text would be rejected. */
    private static void requireRange(int units, Ir begin, Ir end, Place place) {
        long from = begin instanceof Ir.Constant(var ignoredType, long raw) ? raw : 0;
        long to = end instanceof Ir.Constant(var ignoredType, long raw) ? raw : Math.max(from, 0);
        if (from < 0 || to < from || to > units) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "no text there has a part from " + from + (end instanceof Ir.Constant ? " to " + to : ""),
                    "it has at most " + units + " characters");
        }
    }
}
