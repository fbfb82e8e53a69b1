package io.millrace.view.expression;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random SpEL expressions over the getters of a type: paths, indexes, selections, projections, methods and operators.
 * The same seed has the same expressions.
 */
final class RandomExpressions {

    private static final int MAX_INDEX = 3;

    private final Class<?> root;
    private final List<String> texts;
    private final Random random;

    /** A value that an expression has. */
    private record Value(String text, Type type) {

        Class<?> raw() {
            return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
        }

        Type argument() {
            return type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : Object.class;
        }

        boolean isList() {
            return Collection.class.isAssignableFrom(raw()) && argument() instanceof Class<?>;
        }

        boolean isNumber() {
            return Number.class.isAssignableFrom(raw())
                    || List.of(int.class, long.class, double.class).contains(raw());
        }

        boolean isGroup() {
            return !raw().isPrimitive()
                    && !raw().isArray()
                    && !raw().isEnum()
                    && !raw().getName().startsWith("java.");
        }
    }

    /** A list of elements of a type. */
    private record ListOf(Class<?> element) implements ParameterizedType {

        @Override
        public Type[] getActualTypeArguments() {
            return new Type[] {element};
        }

        @Override
        public Type getRawType() {
            return List.class;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }
    }

    /** @param texts texts that records contain */
    RandomExpressions(Class<?> root, List<String> texts, Random random) {
        this.root = root;
        this.texts = texts;
        this.random = random;
    }

    /** Returns an expression of any type. */
    String next() {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> truth(root, 2);
            case 3 -> number(root, 2);
            case 4 -> text(root, 2);
            case 5, 6, 7 -> list(root, 3).text();
            case 8 -> method(value(root, 2));
            default -> value(root, 3).text();
        };
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String oneOf(String... all) {
        return all[random.nextInt(all.length)];
    }

    /** Returns a type and those that it states as its subtypes. */
    private static Stream<Class<?>> choices(Class<?> type) {
        JsonSubTypes annotated = type.getAnnotation(JsonSubTypes.class);
        Stream<Class<?>> subtypes = annotated != null
                ? Arrays.stream(annotated.value()).map(JsonSubTypes.Type::value)
                : type.isSealed() ? Arrays.stream(type.getPermittedSubclasses()) : Stream.of();
        return Stream.concat(Stream.of(type), subtypes.flatMap(RandomExpressions::choices));
    }

    private String instanceOf(Class<?> type) {
        return " instanceof T(" + oneOf(choices(type).toList()).getName() + ")";
    }

    private static List<Value> getters(Class<?> type) {
        return choices(type)
                .flatMap(each -> Arrays.stream(each.getMethods()))
                .filter(method -> method.getParameterCount() == 0
                        && method.getDeclaringClass() != Object.class
                        && method.getName().matches("(get|is)[A-Z].*"))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> new Value(property(method.getName()), method.getGenericReturnType()))
                .distinct()
                .filter(value -> !value.text().equals("valid"))
                .toList();
    }

    private static String property(String getter) {
        String rest = getter.substring(getter.startsWith("is") ? 2 : 3);
        return rest.substring(0, 1).toLowerCase(Locale.ROOT) + rest.substring(1);
    }

    /** Returns a value of a type, through groups and elements of lists up to a depth. */
    private Value value(Class<?> type, int depth) {
        return walk(oneOf(getters(type)), depth);
    }

    private Value walk(Value start, int depth) {
        Value value = start;
        for (int i = 0; i < depth; i++) {
            if (value.isGroup()) {
                Value inner = oneOf(getters(value.raw()));
                value = new Value(value.text() + dot() + inner.text(), inner.type());
            } else if (value.isList() && random.nextBoolean()) {
                value = element(value);
            }
        }
        return value;
    }

    private String dot() {
        return oneOf(".", ".", "?.");
    }

    private Value element(Value list) {
        boolean indexed = random.nextInt(3) > 0 && List.class.isAssignableFrom(list.raw());
        String text = indexed
                ? list.text() + oneOf("", "", "?.") + "[" + random.nextInt(MAX_INDEX) + "]"
                : list.text() + dot() + oneOf("^[", "$[") + condition(list) + "]";
        return new Value(text, list.argument());
    }

    /** Returns a condition of the elements of a list. */
    private String condition(Value list) {
        Class<?> element = (Class<?>) list.argument();
        if (new Value("", element).isGroup()) {
            return truth(element, 1);
        }
        return element == String.class
                ? oneOf("length() > 3", "#this != ''", "#this == '" + oneOf(texts) + "'", "#this matches '[A-Z]+'")
                : oneOf("#this != null", "true", "toString().length() > 1");
    }

    private Value find(Class<?> type, Predicate<Value> wanted) {
        for (int i = 0; i < 30; i++) {
            Value value = value(type, random.nextInt(3));
            if (wanted.test(value)) {
                return value;
            }
        }
        return new Value("'" + oneOf(texts) + "'.length()", int.class);
    }

    private String truth(Class<?> type, int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            String left = truth(type, depth - 1);
            String right = truth(type, depth - 1);
            return switch (random.nextInt(5)) {
                case 0 -> "(" + left + " or " + right + ")";
                case 1 -> "!(" + left + ")";
                case 2 -> "(" + left + " ? " + right + " : " + truth(type, 0) + ")";
                default -> "(" + left + " and " + right + ")";
            };
        }
        if (depth > 0 && random.nextInt(3) == 0) {
            String list = list(type, depth).text();
            return switch (random.nextInt(4)) {
                case 0 -> list + dot() + "isEmpty()";
                case 1 ->
                    (list.startsWith("{") ? "" : "#this.") + list + dot() + "size() " + comparison() + " "
                            + random.nextInt(MAX_INDEX);
                case 2 -> list + ".contains('" + oneOf(texts) + "')";
                default -> list + " != null";
            };
        }
        return atom(value(type, random.nextInt(3)), type);
    }

    private String comparison() {
        return oneOf("==", "!=", "<", "<=", ">", ">=");
    }

    /** Returns a condition about one value. */
    private String atom(Value value, Class<?> type) {
        String text = value.text();
        if (value.isNumber()) {
            return switch (random.nextInt(4)) {
                case 0 -> text + " " + comparison() + " " + number(type, 0);
                case 1 -> text + " between {" + literal() + ", 1000000}";
                case 2 -> text + oneOf(" == null", " != null");
                default -> text + " " + comparison() + " " + literal();
            };
        }
        Class<?> raw = value.raw();
        if (raw == boolean.class) {
            return text;
        }
        if (raw == String.class) {
            return switch (random.nextInt(6)) {
                case 0 -> text + " matches '" + oneOf("[A-Z]{3}", ".*a.*", "\\w*", "") + "'";
                case 1 ->
                    text + dot() + oneOf("contains", "startsWith", "endsWith", "equals") + "('" + oneOf(texts) + "')";
                case 2 -> text + " between {'A', 'M'}";
                case 3 -> text + dot() + oneOf("isEmpty()", "isBlank()");
                default -> text + " " + comparison() + " '" + oneOf(texts) + "'";
            };
        }
        if (raw.isEnum()) {
            String constant = "T(" + raw.getName() + ")." + oneOf(List.of(raw.getEnumConstants()));
            return oneOf(
                    text + dot() + "name() == '" + oneOf(List.of(raw.getEnumConstants())) + "'",
                    text + oneOf(" == ", " != ") + constant,
                    text + dot() + "compareTo(" + constant + ") >= 0",
                    text + " < " + constant,
                    text + instanceOf(raw));
        }
        if (raw == LocalDate.class) {
            return oneOf(
                    text + dot() + "year > 2024",
                    text + dot() + "isAfter(T(java.time.LocalDate).parse('2025-06-01'))",
                    text + " > T(java.time.LocalDate).EPOCH");
        }
        if (raw == Instant.class) {
            return oneOf(
                    text + dot() + "isBefore(T(java.time.Instant).ofEpochSecond(1800000000))",
                    text + " == null",
                    text + dot() + "epochSecond % 2 == 0");
        }
        if (raw == Optional.class) {
            return text + oneOf(".isPresent()", ".isEmpty()", ".orElse('') == '" + oneOf(texts) + "'");
        }
        return value.isGroup() && random.nextBoolean() ? text + instanceOf(raw) : text + oneOf(" == null", " != null");
    }

    private String literal() {
        return oneOf("0", "1", "-1", "2.5", "100", "1000L", "0.01", "5");
    }

    private String number(Class<?> type, int depth) {
        if (depth > 0 && random.nextBoolean()) {
            return "(" + number(type, depth - 1) + oneOf(" + ", " - ", " * ", " / ", " % ") + number(type, depth - 1)
                    + ")";
        }
        if (depth > 0 && random.nextInt(3) == 0) {
            return list(type, 1).text() + dot() + "size()";
        }
        Value value = find(type, Value::isNumber);
        if (value.raw() == BigDecimal.class && random.nextInt(3) == 0) {
            return value.text()
                    + dot()
                    + oneOf(
                            "negate()",
                            "abs()",
                            "signum()",
                            "scale()",
                            "setScale(1, T(java.math.RoundingMode).HALF_UP)",
                            "stripTrailingZeros()",
                            "toPlainString().length()",
                            "intValue()",
                            "compareTo(T(java.math.BigDecimal).TEN)");
        }
        return switch (random.nextInt(8)) {
            case 0 -> literal();
            case 1 -> "-" + value.text();
            case 2 -> "(" + value.text() + " ?: 0)";
            case 3 -> value.text() + "^2";
            default -> value.text();
        };
    }

    private String text(Class<?> type, int depth) {
        Value value = find(type, each -> each.raw() == String.class);
        return switch (depth > 0 ? random.nextInt(6) : 0) {
            case 1 -> value.text() + dot() + oneOf("toUpperCase()", "trim()", "substring(0, 1)", "concat('x')");
            case 2 ->
                value.text() + " + '/' + "
                        + find(
                                        type,
                                        each -> !each.isGroup()
                                                && !each.isList()
                                                && !each.raw().isArray())
                                .text();
            case 3 -> "(" + truth(type, 1) + " ? " + text(type, 0) + " : '" + oneOf(texts) + "')";
            case 4 -> "(" + value.text() + " ?: '" + oneOf(texts) + "')";
            case 5 -> value.text() + dot() + oneOf("length()", "toString()", "hashCode()", "charAt(0)", "bytes.length");
            default -> value.text();
        };
    }

    /** Returns a list: that of a getter, a selection or a projection of one, or one of expressions. */
    private Value list(Class<?> type, int depth) {
        List<Value> lists = getters(type).stream().filter(Value::isList).toList();
        if (lists.isEmpty() || random.nextInt(8) == 0) {
            return new Value(
                    "{" + value(type, 1).text() + ", " + number(type, 0) + ", '" + oneOf(texts) + "'}", Object.class);
        }
        Value list = ofOneSubtype(oneOf(lists));
        if (depth > 0 && random.nextInt(4) > 0) {
            list = new Value(list.text() + dot() + "?[" + condition(list) + "]", list.type());
        }
        Class<?> element = (Class<?>) list.argument();
        if (depth > 0 && random.nextInt(3) > 0) {
            return new Value(list.text() + dot() + "![" + projected(element, depth - 1) + "]", Object.class);
        }
        return list;
    }

    private Value ofOneSubtype(Value list) {
        List<Class<?>> subtypes = choices((Class<?>) list.argument()).skip(1).toList();
        if (subtypes.isEmpty() || random.nextBoolean()) {
            return list;
        }
        Class<?> subtype = oneOf(subtypes);
        return new Value(list.text() + dot() + "?[#this instanceof T(" + subtype.getName() + ")]", new ListOf(subtype));
    }

    private String projected(Class<?> element, int depth) {
        if (!new Value("", element).isGroup()) {
            return element == String.class
                    ? oneOf("length()", "toLowerCase()", "#this + '.'", "#this", "contains('a')")
                    : oneOf("#this", "toString()");
        }
        return switch (random.nextInt(6)) {
            case 0 -> truth(element, 1);
            case 1 -> number(element, 1);
            case 2 -> text(element, 1);
            case 3 -> depth > 0 ? list(element, depth).text() : "#this";
            default -> value(element, 1).text();
        };
    }

    private String method(Value value) {
        if (value.raw().isPrimitive()) {
            return value.text() + " + ''";
        }
        if (value.raw() == Optional.class) {
            return value.text() + oneOf(".orElse('none')", ".isPresent()", ".map(null)");
        }
        return value.isList()
                ? value.text() + dot() + oneOf("size()", "isEmpty()", "get(0)", "stream().count()", "iterator().next()")
                : value.isGroup() || value.raw().isArray() ? value.text() : value.text() + dot() + "toString()";
    }

    /** Returns distinct expressions. */
    List<String> distinct(int count) {
        return Stream.generate(this::next)
                .distinct()
                .limit(count)
                .map(Objects::requireNonNull)
                .toList();
    }
}
