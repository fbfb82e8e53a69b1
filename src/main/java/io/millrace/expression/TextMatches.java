package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.regex.PatternException;
import io.millrace.expression.regex.TextPattern;

/** The operator {@code matches}: a regular expression that is written down, over a text. */
final class TextMatches {

    private TextMatches() {}

    static Ir matches(Ir value, Ir regex, Place place) {
        if (!(regex instanceof Ir.Text(String pattern))) {
            throw place.error(
                    ErrorCode.TYPE_MISMATCH,
                    "'matches' needs a regular expression that is written down, not " + Place.describe(regex),
                    "write it in quotes: 'A[0-9]+'");
        }
        if (!TextOperands.isText(value)) {
            throw place.error(ErrorCode.TYPE_MISMATCH, "'matches' does not go with " + Place.describe(value), "");
        }
        if (value instanceof Ir.Text(String text)) {
            return Constants.truth(matches(compile(pattern, TextCharset.UTF8, place), text));
        }
        if (value.type() instanceof ValueType.Name(var dictionary)) {
            TextPattern compiled = compile(pattern, TextCharset.UTF8, place);
            return NameMethods.test(value, dictionary, name -> matches(compiled, name));
        }
        Ir text = TextOperands.text(value, place);
        compile(pattern, TextForm.of(text).charset(), place);
        return new Ir.TextMatch(text, pattern);
    }

    private static boolean matches(TextPattern pattern, String text) {
        byte[] bytes = TextCharset.UTF8.encode(text);
        return pattern.matches(bytes, 0, bytes.length);
    }

    private static TextPattern compile(String regex, TextCharset charset, Place place) {
        try {
            return TextPattern.of(regex, charset.charset());
        } catch (PatternException e) {
            throw place.error(ErrorCode.BAD_CONSTANT, "'" + regex + "' can't be used: " + e.getMessage(), e.hint());
        }
    }
}
