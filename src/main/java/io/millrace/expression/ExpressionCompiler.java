package io.millrace.expression;

import io.millrace.expression.check.Checker;
import io.millrace.expression.check.FieldPaths;
import io.millrace.expression.check.ResultTypes;
import io.millrace.expression.check.Targets;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.expression.ir.FieldStore;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.range.FieldCondition;
import io.millrace.expression.range.FieldConditions;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.springframework.util.function.SingletonSupplier;

/**
 * Compiles SpEL expressions over the records of one schema to loops over their bytes.
 * {@code docs/reference/expressions.md} describes the language, its types, and the differences from stock SpEL.
 *
 * <p>All methods throw {@link ExpressionException} for an invalid expression. They find every mistake that does not
 * depend on the values of a record. Safe for use by many threads.
 *
 * <p>The compiled loops are safe for use by many threads, and only remember whether a decimal has needed more than 64
 * bits. For a record they allocate only if they reject it, call a function that accepts or returns objects, change or
 * ignore the case of letters beyond ASCII, combine a decimal of more than 15 digits with a double, divide decimals or
 * multiply wide ones past 64 bits, assign a double near a tie to a decimal, or meet the first decimal that needs more
 * than 64 bits. Buffers for computed texts are allocated once for each run, and some arrays of numbers for a router or
 * a filter whose conditions need several loops.
 *
 * <p>The loops reject a record if they read a code that its dictionary does not contain, or a boolean other than 0 and
 * 1, as {@link io.millrace.codec.RejectReason.Kind#INVALID_VALUE}. They check only the fields that they read. If a sink
 * throws an exception, the loop ends and the batch must not be used any more.
 */
@API(status = API.Status.STABLE)
public final class ExpressionCompiler {

    private final Schema schema;
    private final FunctionRegistry functions;

    /** @param schema the fields that expressions can read, including those that earlier steps added */
    public ExpressionCompiler(Schema schema) {
        this(schema, FunctionRegistry.empty());
    }

    /**
     * @param schema the fields that expressions can read, including those that earlier steps added
     * @param functions the functions that expressions can call in addition to the built-in ones
     */
    public ExpressionCompiler(Schema schema, FunctionRegistry functions) {
        this.schema = schema;
        this.functions = functions;
    }

    private Checked check(String expression) {
        return Checked.of(expression, new Checker(schema, functions).check(expression));
    }

    private static Place start(String expression) {
        return new Place(expression, 0);
    }

    private Checked checkCondition(String expression) {
        return Checked.of(expression, new Checker(schema, functions).condition(expression));
    }

    private ConditionLoops conditions() {
        return new ConditionLoops(schema);
    }

    /** Compiles a condition. */
    public Compiled<BatchFilter> filter(String expression) {
        return conditions().filter(checkCondition(expression));
    }

    /**
     * Compiles a condition on the elements of a repeating part. The filter selects the records of which no element
     * violates it.
     *
     * @param part name of the part, such as {@code legs.fees}; it must exist
     */
    @API(status = API.Status.INTERNAL)
    public Compiled<BatchFilter> filterByEach(String part, String condition) {
        Ir ir = new Checker(schema, functions).conditionOnEach(part, condition);
        return conditions().filter(Checked.of(condition, ir));
    }

    /**
     * Returns whether a condition on the elements of a repeating part reads, of these elements, only the one that it is
     * evaluated for.
     *
     * @param part name of the part, such as {@code legs.fees}; it must exist
     */
    @API(status = API.Status.INTERNAL)
    public boolean readsOneElement(String part, String condition) {
        List<String> parts = folds(new Checker(schema, functions).conditionOnEach(part, condition))
                .map(path -> path.replace("[]", ""))
                .filter(path -> part.equals(path) || part.startsWith(path + "."))
                .toList();
        return parts.size() == Set.copyOf(parts).size();
    }

    private static Stream<String> folds(Ir ir) {
        Stream<String> inner = ir.operands().stream().flatMap(ExpressionCompiler::folds);
        return ir instanceof Fold fold ? Stream.concat(Stream.of(fold.path()), inner) : inner;
    }

    /**
     * Compiles a condition in parts, for values that are not evaluated record by record.
     *
     * @param leaveOut selects the fields whose tests are left out of {@link SplitCondition#rest()}
     */
    @API(status = API.Status.INTERNAL)
    public SplitCondition split(String expression, Predicate<Field> leaveOut) {
        Checked checked = checkCondition(expression);
        Map<Field, FieldCondition> tests = new LinkedHashMap<>();
        List<Ir> first = new ArrayList<>();
        List<Ir> rest = new ArrayList<>();
        for (Ir condition : ConditionLoops.operands(checked.ir())) {
            FieldCondition test = FieldConditions.of(condition);
            if (test != null) {
                tests.merge(test.field(), test, FieldCondition::and);
            }
            (test != null && leaveOut.test(test.field()) ? first : rest).add(condition);
        }
        List<Ir> whole = new ArrayList<>(first);
        whole.addAll(rest);
        return new SplitCondition(
                List.copyOf(tests.values()),
                SingletonSupplier.of(() -> conditions().filter(checked.part(ConditionLoops.all(whole)))),
                Stream.concat(checked.step().reads().stream().map(Field::name), checked.step().groups().stream())
                        .collect(Collectors.toSet()),
                rest.isEmpty() ? null : conditions().filter(checked.part(ConditionLoops.all(rest))));
    }

    /**
     * Compiles conditions of which the first that holds determines the branch.
     *
     * @param conditions at least one
     */
    public Compiled<BatchRouter> router(List<String> conditions) {
        return conditions().router(conditions.stream().map(this::checkCondition).toList());
    }

    /**
     * Compiles assignments, which run in order for each record: later ones read the results of earlier ones.
     *
     * <p>Values are exact: a whole number or decimal that its field can't hold exactly is rejected as
     * {@link io.millrace.codec.RejectReason.Kind#OUT_OF_RANGE}. Only a double is rounded, half to even, to a decimal's
     * scale. An absent value for a required field is rejected too, and so is a value that equals the encoding of the
     * absent value of its field.
     *
     * @param assignments at least one; the targets are found by name in the schema
     */
    public Compiled<BatchSetter> setter(List<Assignment> assignments) {
        return Parts.of(assignments, Parts.MAX, this::oneSetter, (first, _, second) -> Parts.setters(first, second));
    }

    private Compiled<BatchSetter> oneSetter(List<Assignment> assignments) {
        List<Checked> values = new ArrayList<>();
        List<FieldStore> stores = new ArrayList<>();
        for (Assignment assignment : assignments) {
            Checked checked = check(assignment.expression());
            Place place = start(assignment.expression());
            Field target = schema.field(assignment.target().name());
            if (target == null) {
                FieldPaths.requireNoElement(assignment.target().name(), schema, place);
                throw FieldPaths.unknown(assignment.target().name(), schema, place);
            }
            FieldStore store = Targets.store(target, checked.ir(), place);
            stores.add(store);
            values.add(checked.into(store));
        }
        return Compiled.of(
                schema,
                values,
                compiler -> compiler.setter(stores).as(loop -> (batch, rejects) -> loop.runAll(batch, null, rejects)),
                ElementLoops::setter);
    }

    /** Returns the type of a new field that is to hold the value of an expression. */
    public FieldType resultType(String expression) {
        return ResultTypes.of(check(expression).ir(), start(expression));
    }

    /**
     * Returns a new field that can hold every value of an expression; its offset is set when a schema is extended by
     * it.
     */
    public Field resultField(String name, String expression) {
        FieldPaths.requireNoElement(name, schema, start(expression));
        Ir value = check(expression).ir();
        Field field = Field.of(name, ResultTypes.of(value, start(expression)), 0);
        if (!value.optional()) {
            return field;
        }
        return value instanceof Ir.Load(var source) && !source.nullFlag() && holds(field.type(), source.nullRaw())
                ? field.asOptional(source.nullRaw())
                : field.withNullFlag();
    }

    private static boolean holds(FieldType type, long raw) {
        return !(type instanceof FieldType.Numbered numbered)
                || numbered.storage().holds(raw);
    }

    private KeyCompiler key(String expression) {
        return new KeyCompiler(schema, check(expression));
    }

    /**
     * Compiles a key: the raw number of a whole number, decimal, date, instant, name (its code) or boolean. A record in
     * which it is absent is rejected.
     */
    public Compiled<BatchKeys> keys(String expression) {
        return key(expression).numbers(false);
    }

    /** Compiles a key like {@link #keys}, which for an absent value is the smallest long. */
    @API(status = API.Status.INTERNAL)
    public Compiled<BatchKeys> keysOrAbsent(String expression) {
        return key(expression).numbers(true);
    }

    /**
     * Compiles a key as {@link #keys} does, except that an unsigned field of 64 bits has all its numbers as keys: those
     * from 2^63 as the long of the same bits.
     */
    @API(status = API.Status.INTERNAL)
    public Compiled<BatchKeys> bitKeys(String expression) {
        return key(expression).bits();
    }

    /** Returns whether an expression is an unsigned field of 64 bits, whose keys from 2^63 are negative longs. */
    @API(status = API.Status.INTERNAL)
    public boolean isUnsigned(String expression) {
        return key(expression).isUnsigned();
    }

    /**
     * Compiles a key that is a text or a name. A record in which it is absent is rejected.
     *
     * @param type the type of the table's keys
     */
    public Compiled<BatchTexts> textKeys(String expression, FieldType.StringType type) {
        return key(expression).texts(type);
    }

    /**
     * Compiles an order: longs that are ordered like the values. An absent value comes first, a NaN last. Names are
     * ordered by name, not by code. Texts must take at most 8 bytes.
     */
    public Compiled<BatchKeys> orderKeys(String expression) {
        return key(expression).ordered();
    }

    /**
     * Compiles an order as {@link #orderKeys} does, also of unsigned fields of 64 bits with numbers from 2^63.
     *
     * @return the keys, the most important first: one, or two if a present value could have the key of an absent one.
     *     The first is then 0 for an absent value and 1 for all others
     */
    @API(status = API.Status.INTERNAL)
    public List<Compiled<BatchKeys>> order(String expression) {
        return key(expression).order();
    }
}
