package io.millrace.expression.operator;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.NameMethods;
import io.millrace.expression.operand.TextOperands;
import io.millrace.regex.PatternException;
import io.millrace.regex.TextPattern;

/** The types of {@code matches}: a text and a constant regular expression. */
public final class TextMatches {

    private TextMatches() {}

    /**
     * Returns whether a regular expression matches the whole text.
     *
     * @param place the operator
     * @param regexPlace the right operand
     */
    public static Ir check(Ir value, Ir regex, Place place, Place regexPlace) {
        if (!(regex instanceof Ir.Text(String pattern))) {
            throw regexPlace.error(
                    ErrorCode.NOT_ALLOWED,
                    "'matches' needs a regular expression that is written down, not " + Place.describe(regex),
                    "it is compiled before there are records: write it in quotes");
        }
        if (!TextOperands.isText(value)) {
            throw place.error(ErrorCode.TYPE_MISMATCH, "'matches' needs a text, not " + Place.describe(value), "");
        }
        return matches(value, pattern, regexPlace);
    }

    private static Ir matches(Ir value, String regex, Place place) {
        if (value instanceof Ir.Choice choice && TextOperands.isChoiceOfTexts(choice)) {
            return new Ir.Choice(
                    choice.condition(),
                    matches(choice.ifTrue(), regex, place),
                    matches(choice.ifFalse(), regex, place),
                    Basic.BOOLEAN);
        }
        if (value instanceof Ir.Text(String text)) {
            return Constants.truth(matches(compile(regex, TextCharset.UTF8, place), text));
        }
        if (value.type() instanceof ValueType.Name(var dictionary)) {
            TextPattern pattern = compile(regex, TextCharset.UTF8, place);
            return NameMethods.test(value, dictionary, name -> matches(pattern, name));
        }
        Ir text = TextOperands.text(value, place);
        TextPattern checked = compile(regex, TextForm.of(text).charset(), place);
        return new TextNode.TextMatch(text, checked.regex());
    }

    private static boolean matches(TextPattern pattern, String text) {
        byte[] bytes = TextCharset.UTF8.encode(text);
        return pattern.matches(bytes, 0, bytes.length);
    }

    private static TextPattern compile(String regex, TextCharset charset, Place place) {
        try {
            return TextPattern.of(regex, charset.charset());
        } catch (PatternException e) {
            throw inside(place, e.index()).error(ErrorCode.BAD_CONSTANT, e.problem(), e.hint());
        }
    }

    /** Returns the position of a character in a text constant, in which quotes are doubled. */
    private static Place inside(Place place, int index) {
        String expression = place.expression();
        char quote = expression.charAt(place.position());
        if (quote != '\'' && quote != '"') {
            return place;
        }
        int position = place.position() + 1;
        for (int i = 0; i < index; i++) {
            position += expression.charAt(position) == quote ? 2 : 1;
        }
        return new Place(expression, position);
    }
}
