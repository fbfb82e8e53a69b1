package io.millrace.expression;

import io.millrace.expression.bytecode.GeneratedLoop;
import io.millrace.expression.bytecode.RecordLoop;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.TextOperands;
import io.millrace.expression.operator.NameComparisons;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.List;

/**
 * Compiles one expression as a key or an order. {@link ExpressionCompiler} describes the results.
 *
 * @param schema the schema that the expression was checked against
 */
record KeyCompiler(Schema schema, Checked checked) {

    private static final int ORDERED_BYTES_MAX = 8;

    private Ir ir() {
        return checked.ir();
    }

    private Place start() {
        return new Place(checked.step().expression(), 0);
    }

    /** @param orAbsent whether an absent value has a key, the smallest long, instead of rejecting the record */
    Compiled<BatchKeys> numbers(boolean orAbsent) {
        ValueType type = ir().type();
        if (type == Basic.DOUBLE || type == Basic.TEXT || type == Basic.ABSENT) {
            throw refused(ir(), "a key", "use a whole number, decimal, date, instant or name");
        }
        return keys(ir(), orAbsent);
    }

    private Compiled<BatchKeys> keys(Ir value, boolean orAbsent) {
        return Compiled.of(
                schema,
                List.of(checked.as(value)),
                compiler -> keys(compiler.keys(value, orAbsent)),
                ElementLoops::keys);
    }

    private static GeneratedLoop<BatchKeys> keys(GeneratedLoop<RecordLoop> generated) {
        return generated.as(loop -> loop::runAll);
    }

    Compiled<BatchKeys> bits() {
        return ir() instanceof Ir.Load load && load.isUnsignedLong()
                ? Compiled.of(schema, List.of(checked), compiler -> keys(compiler.bits(load)), ElementLoops::keys)
                : numbers(false);
    }

    boolean isUnsigned() {
        return ir() instanceof Ir.Load load && load.isUnsignedLong();
    }

    Compiled<BatchTexts> texts(FieldType.StringType type) {
        Ir text = TextOperands.isText(ir()) ? TextOperands.text(ir(), start()) : ir();
        if (text.type() != Basic.TEXT || TextOperands.isOpaque(text)) {
            throw refused(text, "a key among texts", "use a text or a name");
        }
        TextCharset charset = TextForm.of(text).charset();
        if (TextCharset.of(type.charset()).compareTo(charset) < 0) {
            throw refused(
                    text,
                    "a key among texts of " + type.charset(),
                    "it may have characters of " + charset.charset() + ": give the table's key that charset");
        }
        return Compiled.of(
                schema,
                List.of(checked.as(text)),
                compiler -> compiler.texts(text, type).as(loop -> loop::runAll),
                ElementLoops::texts);
    }

    Compiled<BatchKeys> ordered() {
        Ir value = ir().type() instanceof ValueType.Name(var dictionary)
                ? NameComparisons.ranked(ir(), dictionary)
                : TextOperands.text(ir(), start());
        if (value.type() == Basic.ABSENT || (value.type() == Basic.TEXT && !isOrderedText(value))) {
            throw refused(value, "an order", "texts must take at most 8 bytes, as name.substring(0, 2) does");
        }
        return keys(value, true);
    }

    List<Compiled<BatchKeys>> order() {
        Compiled<BatchKeys> keys = isUnsigned() ? keys(new NumberNode.Unsigned((Ir.Load) ir()), true) : ordered();
        return OrderKeys.needTwo(ir()) ? List.of(keys(new Ir.Not(new Ir.IsAbsent(ir())), true), keys) : List.of(keys);
    }

    private static boolean isOrderedText(Ir text) {
        return !TextOperands.isOpaque(text)
                && !(text instanceof Ir.Text)
                && TextForm.of(text).bound() <= ORDERED_BYTES_MAX;
    }

    private ExpressionException refused(Ir value, String use, String hint) {
        return start().error(ErrorCode.NO_KEY, Place.describe(value) + " can't be used as " + use, hint);
    }
}
