package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Name;
import io.millrace.schema.FieldType;

/**
 * The encoding and the maximum lengths of a text while a record is processed.
 *
 * @param charset the character set of the bytes
 * @param width the maximum number of bytes, if no letter takes more bytes in the other case
 * @param bound the maximum number of bytes
 */
public record TextForm(TextCharset charset, int width, int bound) {

    /** The maximum growth of a letter in the other case: U+0390 takes six bytes instead of two. */
    private static final int GROWTH = 3;

    /** The maximum bytes of one UTF-16 unit in UTF-8: three, or two for each unit of a surrogate pair. */
    private static final int UNIT_BYTES = 3;

    /** Larger than the longest constant; bounds stop growing here. */
    private static final int BOUND_MAX = 1 << 20;

    /** Returns the form of a text; the bytes of fields that are not strings are used as they are. */
    public static TextForm of(Ir text) {
        return switch (text) {
            case Ir.Load(var field) ->
                exact(
                        field.type() instanceof FieldType.StringType string
                                ? TextCharset.of(string.charset())
                                : TextCharset.LATIN1,
                        field.type().bytes());
            case Ir.Text(String value) -> constant(value);
            case Ir.Absent _ -> exact(TextCharset.ASCII, 0);
            case TextNode.NameText(var value) ->
                ((Name) value.type())
                        .dictionary().valuesByCode().values().stream()
                                .map(TextForm::constant)
                                .reduce(exact(TextCharset.ASCII, 0), TextForm::join);
            case TextNode.Substring(var value, var begin, var end) -> of(value).part(begin, end);
            case TextNode.Mapped(var mapping, var value) -> of(value).mapped(mapping);
            case TextNode.Joined(var left, var right) -> of(left).followedBy(of(right));
            case TextNode.Replaced(var value, String target, String replacement) ->
                of(value).replaced(constant(target), constant(replacement));
            case Ir.Call call -> exact(TextCharset.UTF8, call.width());
            case Ir.Choice(var ignoredCondition, var ifTrue, var ifFalse, var ignoredType) ->
                of(ifTrue).join(of(ifFalse));
            case Ir.Present(var value) -> of(value);
            case Fold fold -> of(fold.value());
            default -> throw new IllegalArgumentException("no text: " + IrText.of(text));
        };
    }

    private static TextForm exact(TextCharset charset, int bytes) {
        return new TextForm(charset, bytes, bytes);
    }

    private static TextForm constant(String value) {
        TextCharset charset = TextCharset.smallest(value);
        return exact(charset, charset.encode(value).length);
    }

    private TextForm join(TextForm other) {
        TextCharset both = charset.join(other.charset);
        TextForm a = in(both);
        TextForm b = other.in(both);
        return new TextForm(both, Math.max(a.width, b.width), Math.max(a.bound, b.bound));
    }

    private TextForm followedBy(TextForm other) {
        TextCharset both = charset.join(other.charset);
        TextForm a = in(both);
        TextForm b = other.in(both);
        return new TextForm(both, a.width + b.width, Math.min(BOUND_MAX, a.bound + b.bound));
    }

    private TextForm replaced(TextForm target, TextForm replacement) {
        TextCharset all = charset.join(target.charset).join(replacement.charset);
        int targetBytes = target.in(all).width;
        int growth = Math.max(0, replacement.in(all).width - targetBytes);
        TextForm before = in(all);
        return new TextForm(all, before.width + before.width / targetBytes * growth, (int)
                Math.min(BOUND_MAX, before.bound + (long) before.bound / targetBytes * growth));
    }

    /** Returns the form of the same texts in a larger character set. */
    public TextForm in(TextCharset larger) {
        return charset == TextCharset.LATIN1 && larger == TextCharset.UTF8
                ? new TextForm(larger, 2 * width, 2 * bound)
                : new TextForm(larger, width, bound);
    }

    private TextForm part(Ir begin, Ir end) {
        long from = begin instanceof Ir.Constant(var ignoredType, long raw) ? raw : 0;
        long max = end instanceof Ir.Constant(var ignoredType, long raw)
                ? (raw - from) * (charset == TextCharset.UTF8 ? UNIT_BYTES : 1)
                : Integer.MAX_VALUE;
        // Each unit before the substring takes at least one byte.
        return new TextForm(charset, (int) Math.clamp(width - from, 0, max), (int) Math.clamp(bound - from, 0, max));
    }

    private TextForm mapped(TextMapping mapping) {
        if (mapping == TextMapping.TRIM || charset == TextCharset.ASCII) {
            return this;
        }
        return charset == TextCharset.LATIN1
                ? in(TextCharset.UTF8)
                : new TextForm(charset, width, Math.min(BOUND_MAX, GROWTH * bound));
    }
}
