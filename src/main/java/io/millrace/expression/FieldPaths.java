package io.millrace.expression;

import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/** Field paths such as {@code legs[1].amount}, out of the nodes that the parser makes of them. */
final class FieldPaths {

    private FieldPaths() {}

    /** The path that a node stands for, or null where it is none. */
    static @Nullable String path(SpelNode node, Place place) {
        return switch (node) {
            case PropertyOrFieldReference reference -> name(reference, place);
            case CompoundExpression compound -> compound(compound, place);
            default -> null;
        };
    }

    private static String name(PropertyOrFieldReference reference, Place place) {
        if (reference.isNullSafe()) {
            throw place.error(
                    ErrorCode.NOT_ALLOWED,
                    "'?.' is not needed: a field inside a group is absent by itself",
                    "write '.' instead");
        }
        return reference.getName();
    }

    private static @Nullable String compound(CompoundExpression compound, Place place) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < compound.getChildCount(); i++) {
            switch (compound.getChild(i)) {
                case PropertyOrFieldReference reference -> {
                    path.append(path.isEmpty() ? "" : ".").append(name(reference, place));
                }
                case Indexer indexer when !path.isEmpty() -> path.append(index(indexer, place));
                default -> {
                    return null;
                }
            }
        }
        return path.toString();
    }

    private static String index(Indexer indexer, Place place) {
        if (indexer.getChild(0) instanceof IntLiteral literal && !((SpelNodeImpl) indexer).isNullSafe()) {
            return "[" + literal.getOriginalValue() + "]";
        }
        throw new Place(place.expression(), indexer.getStartPosition())
                .error(
                        ErrorCode.NOT_ALLOWED,
                        "an index must be a whole number written down",
                        "elements lie at fixed places: write for example legs[1].amount");
    }

    static ExpressionException unknown(String path, Schema schema, Place place) {
        List<String> names = schema.names();
        return place.error(
                ErrorCode.UNKNOWN_FIELD,
                "schema " + schema.name() + " has no field '" + path + "'",
                NearestName.advice(path, names));
    }
}
