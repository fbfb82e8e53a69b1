package io.millrace.expression.check;

import io.millrace.expression.check.Operand.Single;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionLimits;
import io.millrace.expression.error.Place;
import io.millrace.expression.error.Refusals;
import io.millrace.expression.function.BuiltInFunctions;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.expression.function.Functions;
import io.millrace.expression.function.Methods;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode.Operator;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operand.TextJoins;
import io.millrace.expression.operand.TextOperands;
import io.millrace.expression.operand.Unification;
import io.millrace.expression.operator.Comparisons;
import io.millrace.expression.operator.ListOperators;
import io.millrace.expression.operator.TextMatches;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorMatches;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Parses an expression, refuses all nodes that are not part of the language, and derives the types from the schema. One
 * checker serves one compilation; it is not thread-safe.
 */
public final class Checker {

    private final Schema schema;
    private final Functions functions;
    private final GroupChains groups;
    private final CheckedFields checkedFields = new CheckedFields();
    private int depth;

    public Checker(Schema schema, FunctionRegistry functions) {
        this.schema = schema;
        this.functions = new Functions(functions);
        this.groups = new GroupChains(this, schema);
    }

    /** Checks a whole expression. */
    public Ir check(String expression) {
        return guarded(expression, root -> check(root, expression));
    }

    /** Nodes are nested without brackets too, and some of Spring's methods call themselves for each level. */
    private static Ir guarded(String expression, Function<SpelNode, Ir> check) {
        SpelNode root = SyntaxTree.parse(expression);
        try {
            return check.apply(root);
        } catch (StackOverflowError e) {
            throw ExpressionLimits.tooDeep(new Place(expression, 0));
        }
    }

    /** Checks a condition. */
    public Ir condition(String expression) {
        return guarded(expression, root -> condition(root, expression));
    }

    /**
     * Checks a condition on elements, to which its names belong, and returns whether it holds for all of them.
     *
     * @param part name of the repeating part, such as {@code legs.fees}
     */
    public Ir conditionOnEach(String part, String expression) {
        return guarded(
                expression,
                root -> groups.each(Operand.Part.ROOT, List.of(part.split("\\.")), () -> condition(root, expression)));
    }

    private Ir condition(SpelNode root, String expression) {
        Ir checked = check(root, expression);
        if (checked.type() != Basic.BOOLEAN) {
            throw new Place(expression, 0)
                    .error(
                            ErrorCode.NOT_BOOLEAN,
                            "a condition is needed, this is " + Place.describe(checked),
                            "compare it with something");
        }
        return checked;
    }

    private Ir check(SpelNode node, String text) {
        return GroupChains.value(operand(node, text), new Place(text, node.getStartPosition()));
    }

    /** Checks a part of an expression, which need not be a single value. */
    Operand operand(SpelNode node, String text) {
        Place place = new Place(text, node.getStartPosition());
        return deeper(1, place, () -> groups.apply() ? withGroups(node, place) : new Single(checkNode(node, place)));
    }

    private Operand withGroups(SpelNode node, Place place) {
        return switch (node) {
            case CompoundExpression compound
            when SyntaxTree.isContains(compound) -> new Single(contains(compound, place));
            case CompoundExpression compound -> groups.chain(compound, place);
            case PropertyOrFieldReference reference -> groups.name(reference, place);
            case VariableReference variable -> groups.variable(variable, place);
            case MethodReference method -> groups.method(method, place);
            default -> new Single(checkNode(node, place));
        };
    }

    /** Runs a check of operands that are some levels deeper. */
    <T> T deeper(int levels, Place place, Supplier<T> check) {
        if (depth + levels > ExpressionLimits.DEPTH_MAX) {
            throw ExpressionLimits.tooDeep(place);
        }
        depth += levels;
        T result = check.get();
        depth -= levels;
        return result;
    }

    private void deepen(Place place) {
        if (++depth > ExpressionLimits.DEPTH_MAX) {
            throw ExpressionLimits.tooDeep(place);
        }
    }

    private Ir checkNode(SpelNode node, Place place) {
        return switch (node) {
            case IntLiteral literal -> Constants.whole(WholeLiterals.whole(literal, place));
            case LongLiteral literal -> Constants.whole(((Number) SyntaxTree.value(literal)).longValue());
            case RealLiteral literal ->
                Constants.real(literal, ((Number) SyntaxTree.value(literal)).doubleValue(), place);
            case BooleanLiteral literal -> Constants.truth((Boolean) SyntaxTree.value(literal));
            case StringLiteral literal -> TextOperands.constant((String) SyntaxTree.value(literal), place);
            case NullLiteral _ -> new Ir.Absent();
            case OpAnd _ -> new Ir.And(conditions(node, OpAnd.class, "and", place));
            case OpOr _ -> new Ir.Or(conditions(node, OpOr.class, "or", place));
            case OperatorNot _ -> new Ir.Not(condition(node.getChild(0), "not", place));
            case OpEQ _ -> compare(Relation.EQ, node, place);
            case OpNE _ -> compare(Relation.NE, node, place);
            case OpLT _ -> compare(Relation.LT, node, place);
            case OpLE _ -> compare(Relation.LE, node, place);
            case OpGT _ -> compare(Relation.GT, node, place);
            case OpGE _ -> compare(Relation.GE, node, place);
            case OpPlus _ ->
                node.getChildCount() == 1
                        ? Numbers.plus(child(node, 0, place), place)
                        : arithmetic(Operator.ADD, node, place);
            case OpMinus _ ->
                node.getChildCount() == 1 ? negated(node.getChild(0), place) : arithmetic(Operator.SUB, node, place);
            case OpMultiply _ -> arithmetic(Operator.MUL, node, place);
            case OpDivide _ -> arithmetic(Operator.DIV, node, place);
            case OpModulus _ -> arithmetic(Operator.REM, node, place);
            case OperatorMatches _ ->
                TextMatches.check(child(node, 0, place), child(node, 1, place), place, at(node.getChild(1), place));
            case OperatorBetween _ ->
                ListOperators.between(child(node, 0, place), list(node.getChild(1), place), place);
            case Ternary _ ->
                Unification.choice(
                        condition(node.getChild(0), "?", place), child(node, 1, place), child(node, 2, place), place);
            case Elvis _ -> Unification.fallback(child(node, 0, place), child(node, 1, place), place);
            case CompoundExpression compound when SyntaxTree.isContains(compound) -> contains(compound, place);
            case CompoundExpression compound -> chain(compound, place);
            case PropertyOrFieldReference _ -> field(List.of(node), place);
            case FunctionReference function -> call(function, place);
            default -> throw Refusals.of(node, place);
        };
    }

    /** Returns the negated value. The smallest long is written as the negation of a number that no long holds. */
    private Ir negated(SpelNode node, Place place) {
        return node instanceof IntLiteral literal
                        && WholeLiterals.value(literal, place).negate().equals(BigInteger.valueOf(Long.MIN_VALUE))
                ? Constants.whole(Long.MIN_VALUE)
                : Numbers.negate(check(node, place.expression()), place);
    }

    private static Place at(SpelNode node, Place place) {
        return new Place(place.expression(), node.getStartPosition());
    }

    private Ir child(SpelNode node, int index, Place place) {
        return check(node.getChild(index), place.expression());
    }

    private List<Ir> conditions(SpelNode node, Class<?> operator, String symbol, Place place) {
        List<Ir> checked = new ArrayList<>();
        for (SpelNode operand : SyntaxTree.operands(node, operator)) {
            checked.add(condition(operand, symbol, place));
        }
        return List.copyOf(checked);
    }

    Ir condition(SpelNode node, String symbol, Place place) {
        Ir checked = check(node, place.expression());
        if (checked.type() != Basic.BOOLEAN) {
            throw at(node, place)
                    .error(
                            ErrorCode.TYPE_MISMATCH,
                            "'" + symbol + "' needs a condition, not " + Place.describe(checked),
                            checked instanceof Ir.Text
                                    ? "repeat the comparison, or write: {'a', 'b'}.contains(field)"
                                    : "compare it with something");
        }
        return checked;
    }

    private Ir compare(Relation relation, SpelNode node, Place place) {
        if (WholeLiterals.isHuge(node.getChild(1), place)) {
            return compareHuge(relation, node.getChild(0), (IntLiteral) node.getChild(1), place);
        }
        if (WholeLiterals.isHuge(node.getChild(0), place)) {
            return compareHuge(relation.flipped(), node.getChild(1), (IntLiteral) node.getChild(0), place);
        }
        Operand left = operand(node.getChild(0), place.expression());
        Operand right = operand(node.getChild(1), place.expression());
        Ir presence = groups.presence(relation, left, right);
        if (presence != null) {
            return presence;
        }
        Ir equality = groups.equality(relation, left, right, place);
        if (equality != null) {
            return equality;
        }
        Ir first = GroupChains.value(left, at(node.getChild(0), place));
        Ir second = GroupChains.value(right, at(node.getChild(1), place));
        return Lists.simplified(Comparisons.compare(relation, first, second, place));
    }

    private Ir compareHuge(Relation relation, SpelNode value, IntLiteral literal, Place place) {
        return Comparisons.compareHuge(
                relation, check(value, place.expression()), WholeLiterals.value(literal, place), place);
    }

    private Ir call(FunctionReference function, Place place) {
        String name = SyntaxTree.name(function, place.expression());
        return BuiltInFunctions.AGGREGATES.contains(name)
                ? Lists.aggregate(name, operands(function, place), place)
                : functions.call(name, arguments(function, place), place);
    }

    private List<Operand> operands(SpelNode call, Place place) {
        return SyntaxTree.children(call).stream()
                .map(child -> operand(child, place.expression()))
                .toList();
    }

    private Ir arithmetic(Operator operator, SpelNode node, Place place) {
        Ir left = child(node, 0, place);
        Ir right = child(node, 1, place);
        return operator == Operator.ADD && TextJoins.apply(left, right)
                ? TextJoins.join(left, right, place)
                : Numbers.arithmetic(operator, left, right, place);
    }

    private Ir contains(CompoundExpression compound, Place place) {
        List<Ir> elements = list(compound.getChild(0), place);
        return ListOperators.contains(elements, child(compound.getChild(1), 0, place), place);
    }

    private List<Ir> list(SpelNode node, Place place) {
        Place own = at(node, place);
        if (!(node instanceof InlineList)) {
            throw own.error(ErrorCode.TYPE_MISMATCH, "a list is needed here", "write it in braces: {1, 5}");
        }
        ExpressionLimits.checkList(node.getChildCount(), own);
        return arguments(node, own);
    }

    /** Checks a value followed by methods and properties: {@code legs[0].name.toLowerCase().length()}. */
    private Ir chain(CompoundExpression compound, Place place) {
        List<SpelNode> parts = SyntaxTree.children(compound);
        int head = FieldPaths.length(parts, schema);
        Ir value = head > 0 ? field(parts.subList(0, head), place) : head(parts.getFirst(), compound, place);
        List<SpelNode> accesses = parts.subList(Math.max(1, head), parts.size());
        for (SpelNode part : accesses) {
            // Each part is an operand of the next, so the typed form gets as deep.
            deepen(at(part, place));
            value = evaluate(value, part, compound, place);
        }
        depth -= accesses.size();
        return value;
    }

    private Ir head(SpelNode node, CompoundExpression compound, Place place) {
        if (SyntaxTree.isRefusedHead(node)) {
            throw Refusals.of(compound, place);
        }
        return check(node, place.expression());
    }

    private Ir evaluate(Ir value, SpelNode part, CompoundExpression compound, Place place) {
        Place partPlace = at(part, place);
        return switch (part) {
            case MethodReference method ->
                Methods.call(value, method.getName(), arguments(method, place), method.isNullSafe(), partPlace);
            case PropertyOrFieldReference property ->
                Methods.property(value, property.getName(), property.isNullSafe(), partPlace);
            default -> throw Refusals.of(compound, place);
        };
    }

    List<Ir> arguments(SpelNode call, Place place) {
        return SyntaxTree.children(call).stream()
                .map(child -> check(child, place.expression()))
                .toList();
    }

    private Ir field(List<SpelNode> parts, Place place) {
        String path = FieldPaths.path(parts, place);
        Field field = schema.field(path);
        if (field != null) {
            return new Ir.Load(field);
        }
        VirtualField computed = schema.virtualField(path);
        if (computed == null) {
            throw FieldPaths.unknown(path, schema, place);
        }
        return computed(computed, place);
    }

    /** Returns the node of a computed field, whose names belong to the record. */
    Ir computed(VirtualField field, Place place) {
        return checkedFields.node(field, place, () -> groups.inRecord(() -> check(field.expression())));
    }
}
