package io.millrace.expression;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;

/**
 * Where the code that Spring generates is known not to do what its interpreter does. Each limit names the node that it
 * comes from, so that it excuses nothing else:
 *
 * <ul>
 *   <li>Elvis: generates code that does not verify where its value is a primitive, because one branch leaves it boxed.
 *   <li>Elvis: its type is that of the record it was asked last. A field of longs with an int constant, {@code f ?: 3},
 *       so ends in a cast of the Integer to Long where the field is absent.
 *   <li>{@code >} and {@code >=}: true where an operand is NaN, which the interpreter and Java compare as false.
 * </ul>
 */
final class SpringLimits {

    private SpringLimits() {}

    /** Whether Spring is known to fail to compile an expression. */
    static boolean explainRefusal(SpelNode root, SpelEvaluationException failure) {
        return failure.getMessageCode() == SpelMessage.EXCEPTION_COMPILING_EXPRESSION && holds(root, Elvis.class);
    }

    /** Whether Spring's code is known to fail, or to be wrong, on a record. */
    static boolean explainAnswer(SpelNode root, EvaluationContext context, byte[] record, @Nullable Throwable failure) {
        return failure == null
                ? comparesNaN(root, new ExpressionState(context, new TypedValue(record)))
                : failure.getCause() instanceof ClassCastException && holds(root, Elvis.class);
    }

    private static boolean holds(SpelNode node, Class<? extends SpelNode> type) {
        return type.isInstance(node)
                || IntStream.range(0, node.getChildCount()).anyMatch(i -> holds(node.getChild(i), type));
    }

    private static boolean comparesNaN(SpelNode node, ExpressionState state) {
        boolean here = (node instanceof OpGT || node instanceof OpGE)
                && (isNaN(node.getChild(0), state) || isNaN(node.getChild(1), state));
        return here || IntStream.range(0, node.getChildCount()).anyMatch(i -> comparesNaN(node.getChild(i), state));
    }

    private static boolean isNaN(SpelNode node, ExpressionState state) {
        try {
            return node.getValue(state) instanceof Double number && number.isNaN();
        } catch (EvaluationException e) {
            return false;
        }
    }
}
