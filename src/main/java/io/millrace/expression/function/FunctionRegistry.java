package io.millrace.expression.function;

import io.millrace.expression.error.FunctionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The functions that expressions can call in addition to the built-in ones. Immutable. */
@API(status = API.Status.STABLE)
public final class FunctionRegistry {

    private static final FunctionRegistry EMPTY = new FunctionRegistry(Map.of());

    private final Map<String, ExpressionFunction> functions;

    private FunctionRegistry(Map<String, ExpressionFunction> functions) {
        this.functions = functions;
    }

    /** Returns a registry without functions. */
    public static FunctionRegistry empty() {
        return EMPTY;
    }

    /**
     * Returns a registry of functions.
     *
     * @throws FunctionException for a name that is invalid, built in or not unique, and for a result of unknown scale
     *     or width
     */
    public static FunctionRegistry of(Collection<ExpressionFunction> functions) {
        Map<String, ExpressionFunction> byName = new TreeMap<>();
        for (ExpressionFunction function : functions) {
            String name = function.name();
            if (!isName(name)) {
                throw new FunctionException(name, "Invalid name. Use letters and digits.");
            }
            if (BuiltInFunctions.NAMES.contains(name) || BuiltInFunctions.AGGREGATES.contains(name)) {
                throw new FunctionException(name, "Duplicate name: a built-in function has it. Rename this one.");
            }
            if (byName.putIfAbsent(name, function) != null) {
                throw new FunctionException(name, "Duplicate name. Rename one.");
            }
            function.requireComplete();
        }
        return new FunctionRegistry(byName);
    }

    /**
     * Returns a registry of the functions of each {@link FunctionProvider} on the class path.
     *
     * @throws FunctionException for a function that can't be registered
     */
    public static FunctionRegistry installed() {
        List<ExpressionFunction> functions = new ArrayList<>();
        ServiceLoader.load(FunctionProvider.class).forEach(provider -> functions.addAll(provider.functions()));
        return of(functions);
    }

    /**
     * Returns a registry of these functions and others.
     *
     * @throws FunctionException for a function that can't be registered
     */
    public FunctionRegistry with(Collection<ExpressionFunction> others) {
        List<ExpressionFunction> all = new ArrayList<>(functions.values());
        all.addAll(others);
        return of(all);
    }

    /** Returns whether the parser accepts the text as the name of a function. */
    private static boolean isName(String name) {
        try {
            return new SpelExpressionParser().parseRaw("#" + name + "()").getAST()
                            instanceof FunctionReference reference
                    && reference.toStringAST().equals("#" + name + "()");
        } catch (ParseException | IllegalStateException e) {
            return false;
        }
    }

    @Nullable
    ExpressionFunction named(String name) {
        return functions.get(name);
    }

    /** Returns all names, sorted. */
    Collection<String> names() {
        return functions.keySet();
    }
}
