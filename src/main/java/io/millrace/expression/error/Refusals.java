package io.millrace.expression.error;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FloatLiteral;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/** The errors for parts of SpEL that are not part of the language, each with an alternative. */
public final class Refusals {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    private Refusals() {}

    public static ExpressionException of(SpelNode node, Place place) {
        return switch (node) {
            case CompoundExpression compound -> inside(compound, place);
            case TypeReference _ -> notAllowed(place, "a type, T(...)", FUNCTION);
            case ConstructorReference _ -> notAllowed(place, "a constructor, new ...", FUNCTION);
            case BeanReference _ -> notAllowed(place, "a bean, @...", FUNCTION);
            case Assign _ -> notAllowed(place, "an assignment", "use a set step, or == to compare");
            case OpInc _ -> notAllowed(place, "'++'", "use a set step");
            case OpDec _ -> notAllowed(place, "'--'", "use a set step");
            case VariableReference _ -> notAllowed(place, "a variable, #...", "name the field itself");
            case MethodReference method
            when isTarget(place, method) ->
                notAllowed(place, "a method call, ." + method.getName() + "(...)", FUNCTION);
            case MethodReference method ->
                notAllowed(place, method.getName() + "(...) without '#'", "write #" + method.getName() + "(...)");
            case Selection _ ->
                notAllowed(place, "a selection, .?[...]", "name the elements: legs[0].amount > 5 or ...");
            case Projection _ -> notAllowed(place, "a projection, .![...]", "name the elements: legs[0].amount + ...");
            case Indexer _ -> notAllowed(place, "an index without a field", "write the field's name before it");
            case InlineList _ ->
                notAllowed(place, "a list by itself", "write {...}.contains(field) or field between {1, 5}");
            case InlineMap _ -> notAllowed(place, "a map", "enrich from a table");
            case OperatorPower _ -> notAllowed(place, "'^'", "multiply");
            case OperatorInstanceof _ -> notAllowed(place, "'instanceof'", "types come from the schema");
            case FloatLiteral _ -> notAllowed(place, "a float constant", "write it without the f");
            default -> notAllowed(place, node.getClass().getSimpleName(), FUNCTION);
        };
    }

    private static boolean isTarget(Place place, MethodReference method) {
        int before = method.getStartPosition() - 1;
        return before >= 0 && place.expression().charAt(before) == '.';
    }

    /** Returns the error for the first part of a path that is not allowed there. */
    private static ExpressionException inside(CompoundExpression compound, Place place) {
        for (int i = 0; i < compound.getChildCount(); i++) {
            SpelNode part = compound.getChild(i);
            switch (part) {
                case TypeReference _,
                        ConstructorReference _,
                        BeanReference _,
                        VariableReference _,
                        MethodReference _,
                        Selection _,
                        Projection _ -> {
                    return of(part, new Place(place.expression(), part.getStartPosition()));
                }
                default -> {
                    // A part that is allowed in a path.
                }
            }
        }
        return notAllowed(place, "a path that does not start with a field", "name the field itself");
    }

    private static ExpressionException notAllowed(Place place, String what, String hint) {
        return place.error(ErrorCode.NOT_ALLOWED, what + " is not allowed", hint);
    }
}
