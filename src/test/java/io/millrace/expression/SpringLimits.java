package io.millrace.expression;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.MethodReference;
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
 *   <li>A method of an int called with a long, {@code date.withDayOfMonth(f)}: Spring converts the argument and refuses
 *       to compile, but forgets that it converted where the record that it was asked last has a number past 32 bits.
 *       The code then does not verify, or casts the Long to Integer where the field is optional.
 *   <li>{@code >} and {@code >=}: true where an operand is NaN, which the interpreter and Java compare as false.
 * </ul>
 */
final class SpringLimits {

    private SpringLimits() {}

    /** Whether Spring is known to fail to compile an expression. */
    static boolean explainRefusal(SpelNode root, SpelEvaluationException failure) {
        return failure.getMessageCode() == SpelMessage.EXCEPTION_COMPILING_EXPRESSION
                && (holds(root, Elvis.class)
                        || (NestedExceptionUtils.getMostSpecificCause(failure) instanceof VerifyError
                                && holdsCallWithArgument(root)));
    }

    private static boolean holdsCallWithArgument(SpelNode node) {
        return (node instanceof MethodReference && node.getChildCount() > 0)
                || children(node).anyMatch(SpringLimits::holdsCallWithArgument);
    }

    private static Stream<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
    }

    /** Whether Spring's code is known to fail, or to be wrong, on a record. */
    static boolean explainAnswer(SpelNode root, EvaluationContext context, byte[] record, @Nullable Throwable failure) {
        return failure == null
                ? comparesNaN(root, new ExpressionState(context, new TypedValue(record)))
                : failure.getCause() instanceof ClassCastException
                        && (holds(root, Elvis.class) || holdsCallWithArgument(root));
    }

    private static boolean holds(SpelNode node, Class<? extends SpelNode> type) {
        return type.isInstance(node) || children(node).anyMatch(child -> holds(child, type));
    }

    private static boolean comparesNaN(SpelNode node, ExpressionState state) {
        boolean here = (node instanceof OpGT || node instanceof OpGE)
                && (isNaN(node.getChild(0), state) || isNaN(node.getChild(1), state));
        return here || children(node).anyMatch(child -> comparesNaN(child, state));
    }

    private static boolean isNaN(SpelNode node, ExpressionState state) {
        try {
            return node.getValue(state) instanceof Number number && Double.isNaN(number.doubleValue());
        } catch (EvaluationException e) {
            return false;
        }
    }
}
