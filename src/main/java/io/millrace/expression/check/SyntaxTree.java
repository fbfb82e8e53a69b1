package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionLimits;
import io.millrace.expression.error.Place;
import io.millrace.expression.error.SyntaxErrors;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Calls Spring's parser, and reads from its nodes what they do not expose. */
final class SyntaxTree {

    private static final SpelParserConfiguration CONFIGURATION =
            new SpelParserConfiguration(SpelCompilerMode.OFF, null, false, false, 0, ExpressionLimits.LENGTH_MAX);

    private SyntaxTree() {}

    /** Parses an expression. */
    static SpelNode parse(String expression) {
        ExpressionLimits.check(expression);
        try {
            return new SpelExpressionParser(CONFIGURATION)
                    .parseRaw(WholeLiterals.masked(expression))
                    .getAST();
        } catch (ParseException e) {
            throw SyntaxErrors.of(expression, e);
        } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // The last for a number that ends with its exponent's letter or sign, such as 8e.
            throw new Place(expression, 0)
                    .error(
                            ErrorCode.SYNTAX,
                            expression.isBlank() ? "the expression is empty" : "the expression is not valid",
                            "");
        } catch (StackOverflowError e) {
            // ExpressionLimits.check counts brackets, but not thousands of conditionals or signs in a row.
            throw ExpressionLimits.tooDeep(new Place(expression, 0));
        }
    }

    static Object value(Literal literal) {
        return Objects.requireNonNull(literal.getLiteralValue().getValue());
    }

    /**
     * Returns the name without {@code #} and arguments, which the node does not expose. Its text would contain the
     * arguments, which may be nested too deeply to be written.
     */
    static String name(FunctionReference function, String expression) {
        return expression
                .substring(function.getStartPosition() + 1, function.getEndPosition())
                .strip();
    }

    /** Returns the operands of a chain such as {@code a and b and c}, which the parser nests to the left. */
    static Collection<SpelNode> operands(SpelNode node, Class<?> operator) {
        Deque<SpelNode> operands = new ArrayDeque<>();
        SpelNode rest = node;
        while (operator.isInstance(rest)) {
            operands.push(rest.getChild(1));
            rest = rest.getChild(0);
        }
        operands.push(rest);
        return operands;
    }

    static List<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild).toList();
    }

    /** Returns whether a node asks whether a list contains a value, such as {@code {1, 5}.contains(field)}. */
    static boolean isContains(CompoundExpression compound) {
        return compound.getChildCount() == 2
                && compound.getChild(0) instanceof InlineList
                && compound.getChild(1) instanceof MethodReference method
                && method.getName().equals("contains")
                && !method.isNullSafe()
                && method.getChildCount() == 1;
    }

    /** Returns whether no chain can begin with a node. */
    static boolean isRefusedHead(SpelNode node) {
        return switch (node) {
            case InlineList _, TypeReference _, ConstructorReference _, BeanReference _, VariableReference _ -> true;
            default -> false;
        };
    }
}
