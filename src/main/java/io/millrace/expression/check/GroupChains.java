package io.millrace.expression.check;

import io.millrace.expression.check.Operand.Elements;
import io.millrace.expression.check.Operand.Part;
import io.millrace.expression.check.Operand.Single;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.error.Refusals;
import io.millrace.expression.function.Methods;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks names, chains and variables of expressions over records with groups. Inside of a selection or projection,
 * names belong to the element, as in SpEL. Not thread-safe.
 */
final class GroupChains {

    private final Checker checker;
    private final Schema schema;
    private final GroupNames names;

    /** What {@code #this} is, to which names belong. */
    private Operand scope = Part.ROOT;

    GroupChains(Checker checker, Schema schema) {
        this.checker = checker;
        this.schema = schema;
        this.names = new GroupNames(schema);
    }

    /** Returns whether records of the schema have groups. */
    boolean apply() {
        return names.any();
    }

    /** Runs a check in which names belong to the record. */
    <T> T inRecord(Supplier<T> check) {
        return in(Part.ROOT, check);
    }

    private <T> T in(Operand inner, Supplier<T> check) {
        Operand outer = scope;
        scope = inner;
        T result = check.get();
        scope = outer;
        return result;
    }

    /**
     * Returns whether a condition holds for all elements of a repeating part.
     *
     * @param outer what contains the part
     * @param path names of the part and of those that contain it, from the outermost one
     * @param condition checks the condition of an element
     */
    Ir each(Part outer, List<String> path, Supplier<Ir> condition) {
        List<String> rest = path.subList(1, path.size());
        return switch (names.member(outer, path.getFirst())) {
            case Part group when !rest.isEmpty() -> each(group, rest, condition);
            case Elements list -> {
                Ir holds = rest.isEmpty() ? in(list.item(), condition) : each((Part) list.item(), rest, condition);
                yield Lists.hasNone(list.where(new Ir.Not(holds)));
            }
            case null, default -> throw new IllegalArgumentException("'" + path + "' is not a list");
        };
    }

    /** Checks a chain such as {@code legs.?[rate > 1].![party.name].contains('x')}. */
    Operand chain(CompoundExpression compound, Place place) {
        Operand value = head(compound.getChild(0), compound, place);
        for (int i = 1; i < compound.getChildCount(); i++) {
            SpelNode part = compound.getChild(i);
            Operand target = value;
            // Each part is an operand of the next, so the typed form gets as deep.
            value = checker.deeper(i, at(part, place), () -> step(target, part, place));
        }
        return value;
    }

    private Operand head(SpelNode node, CompoundExpression compound, Place place) {
        if (SyntaxTree.isRefusedHead(node) && !(node instanceof VariableReference)) {
            throw Refusals.of(compound, place);
        }
        return checker.operand(node, place.expression());
    }

    /** Checks a name that is not part of a chain, or begins one. */
    Operand name(PropertyOrFieldReference reference, Place place) {
        return property(scope, reference, place);
    }

    /** Checks {@code #this} and {@code #root}. */
    Operand variable(VariableReference variable, Place place) {
        return switch (variable.toStringAST()) {
            case "#this" -> scope;
            case "#root" -> Part.ROOT;
            default -> throw Refusals.of(variable, place);
        };
    }

    /** Checks a method without a target, which belongs to {@code #this}. */
    Operand method(MethodReference method, Place place) {
        if (scope instanceof Part) {
            throw Refusals.of(method, place);
        }
        return call(scope, method, place);
    }

    private Operand step(Operand target, SpelNode part, Place place) {
        Place own = at(part, place);
        return switch (part) {
            case PropertyOrFieldReference reference -> property(target, reference, own);
            case MethodReference method -> call(target, method, own);
            case Indexer indexer -> element(list(target, "an index", own), indexer, own);
            case Selection selection -> select(list(target, "a selection", own), selection, own);
            case Projection projection -> project(list(target, "a projection", own), projection, own);
            default -> throw Refusals.of(part, own);
        };
    }

    private static Place at(SpelNode node, Place place) {
        return new Place(place.expression(), node.getStartPosition());
    }

    private Operand property(Operand target, PropertyOrFieldReference reference, Place place) {
        String name = reference.getName();
        return switch (target) {
            case Single(var value) -> new Single(Methods.property(value, name, reference.isNullSafe(), place));
            case Elements list when name.equals("empty") -> new Single(Lists.isEmpty(list));
            case Elements _ ->
                throw place.error(
                        ErrorCode.UNKNOWN_FIELD,
                        "a list has no field '" + name + "'",
                        "for the field of each element write: .![" + name + "]");
            case Part part -> member(part, name, place);
        };
    }

    private Operand member(Part part, String name, Place place) {
        Operand member = names.member(part, name);
        if (member != null) {
            return member;
        }
        VirtualField computed = schema.virtualField(part.member(name));
        if (computed == null) {
            throw part.path().isEmpty() ? FieldPaths.unknown(name, schema, place) : names.unknown(part, name, place);
        }
        return new Single(checker.computed(computed, place));
    }

    private Operand call(Operand target, MethodReference method, Place place) {
        List<Ir> arguments = checker.arguments(method, place);
        return new Single(
                switch (target) {
                    case Single(var value) ->
                        Methods.call(value, method.getName(), arguments, method.isNullSafe(), place);
                    case Elements list -> Lists.method(list, method.getName(), arguments, place);
                    case Part _ -> throw Refusals.of(method, place);
                });
    }

    private static Elements list(Operand target, String what, Place place) {
        if (target instanceof Elements list) {
            return list;
        }
        throw place.error(
                ErrorCode.TYPE_MISMATCH,
                what + " needs a part that repeats",
                target instanceof Part ? "name a field: party.name" : "it is already a single value");
    }

    private static Operand element(Elements list, Indexer indexer, Place place) {
        if (!(indexer.getChild(0) instanceof IntLiteral literal)) {
            throw place.error(
                    ErrorCode.NOT_ALLOWED,
                    "an index must be a whole number written down",
                    "write for example legs[1].amount, or select the element: legs.^[amount > 5].amount");
        }
        BigInteger index = WholeLiterals.value(literal, place);
        if (index.bitLength() >= Integer.SIZE) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT, "invalid index '" + index + "'", "a part has at most 65535 elements");
        }
        return Lists.pick(list, FoldKind.AT, index.intValue());
    }

    private Operand select(Elements list, Selection selection, Place place) {
        Ir condition = in(list.item(), () -> checker.condition(selection.getChild(0), ".?[...]", place));
        Elements selected = list.where(condition);
        return switch (selection.toStringAST().charAt(0)) {
            case '^' -> Lists.pick(selected, FoldKind.FIRST, 0);
            case '$' -> Lists.pick(selected, FoldKind.LAST, 0);
            default -> selected;
        };
    }

    private Operand project(Elements list, Projection projection, Place place) {
        Operand item = in(list.item(), () -> checker.operand(projection.getChild(0), place.expression()));
        return list.as(item);
    }

    /** Returns the node of a comparison of two groups or elements, or null if it is none. */
    @Nullable
    Ir equality(Relation relation, Operand left, Operand right, Place place) {
        return new GroupEquality(names, place).compare(relation, left, right);
    }

    /** Returns the node of a comparison of a group or an element with null, or null if it is none. */
    @Nullable
    Ir presence(Relation relation, Operand left, Operand right) {
        boolean equality = relation == Relation.EQ || relation == Relation.NE;
        Part part = left instanceof Part first ? first : right instanceof Part second ? second : null;
        Operand other = left instanceof Part ? right : left;
        if (!equality || part == null || part.equals(Part.ROOT) || !other.equals(new Single(new Ir.Absent()))) {
            return null;
        }
        Ir present = Lists.isPresent(part, names.presence(part));
        return relation == Relation.NE ? present : new Ir.Not(present);
    }

    /** Returns the value of an operand that has one. */
    static Ir value(Operand operand, Place place) {
        return switch (operand) {
            case Single(var value) -> value;
            case Elements _ ->
                throw bare(place, "a list", "make one value of it: .size(), .isEmpty(), .contains(...), #sum(...)");
            case Part(var path, var ignoredPicks)
            when path.isEmpty() -> throw bare(place, "the record", "name a field: #root.id");
            case Part _ ->
                throw bare(place, "a group", "name a field of it, or compare it with null or with another group");
        };
    }

    private static ExpressionException bare(Place place, String what, String hint) {
        return place.error(ErrorCode.NOT_ALLOWED, what + " by itself is not allowed", hint);
    }
}
