package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import io.millrace.regex.PatternException;
import io.millrace.regex.TextPattern;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the constraints of Bean Validation into those of a schema. A constraint that a schema can't express becomes a
 * comment behind the field, and a note. Not thread-safe.
 */
final class BeanConstraints {

    private static final Set<String> PACKAGES = Set.of(
            "jakarta/validation/constraints/", "javax/validation/constraints/", "org/hibernate/validator/constraints/");

    /** Constraints that are known by their names alone. */
    private static final Set<String> KNOWN = Set.of(
            "Null",
            "NotNull",
            "NotEmpty",
            "NotBlank",
            "Size",
            "Length",
            "Pattern",
            "Min",
            "Max",
            "DecimalMin",
            "DecimalMax",
            "Range",
            "Positive",
            "PositiveOrZero",
            "Negative",
            "NegativeOrZero",
            "Digits",
            "AssertTrue",
            "AssertFalse",
            "Email",
            "Past",
            "PastOrPresent",
            "Future",
            "FutureOrPresent");

    /** As {@link String#isBlank}. */
    private static final String NOT_BLANK = "(?s).*\\P{javaWhitespace}.*";

    private static final Map<String, String> FLAGS = Map.of("CASE_INSENSITIVE", "i", "DOTALL", "s");
    private static final int MAX_ELEMENTS = 0xFFFF;
    private static final String MAX = "max";

    private final ClassPath classes;
    private final List<Map<String, String>> conditions = new ArrayList<>();
    private final Collection<String> notes;

    /** @param notes receives a line for each constraint that a schema can't express */
    BeanConstraints(ClassPath classes, Collection<String> notes) {
        this.classes = classes;
        this.notes = notes;
    }

    /** Returns the constraints of the schema, beyond those of fields. */
    List<Map<String, String>> conditions() {
        return conditions;
    }

    /**
     * Adds the constraints of a single value or a group, or of an element of a list.
     *
     * @param scope part that contains the value; of an element, {@link Scope#elements}
     * @param noted name of the member in notes
     */
    void addToValue(ModelField field, Annotations annotations, Scope scope, String noted) {
        String name = scope.name(field.name());
        Target target = new Target(field, name, scope, noted);
        NumberLimits limits = NumberLimits.of(field);
        List<String> patterns = new ArrayList<>();
        for (Annotations.Stated each : checked(annotations, target)) {
            boolean done = switch (each.name()) {
                case "NotNull" -> true;
                case "Null" -> target.require(each, name + " == null", "absent");
                case "NotEmpty" -> target.isText() && field.with("required", true) != null;
                case "NotBlank" -> target.isText() && patterns.add(NOT_BLANK);
                case "Size", "Length" -> target.isText() && size(field, each);
                case "Pattern" -> target.isText() && pattern(each, patterns);
                case "AssertTrue" -> target.isTruth() && target.require(each, name, "true");
                case "AssertFalse" -> target.isTruth() && target.require(each, "!" + name, "false");
                default -> limits != null && limit(limits, each);
            };
            if (!done) {
                unchecked(each, target);
            }
        }
        if (limits != null) {
            limits.addTo(field);
        }
        for (int i = 0; i < patterns.size(); i++) {
            if (i == 0) {
                field.with("pattern", patterns.getFirst());
            } else {
                String regex = patterns.get(i).replace("'", "''");
                target.require("Pattern", name + " matches '" + regex + "'", "a text that matches '" + regex + "'");
            }
        }
    }

    /** Adds the constraints of a list; those of its elements are its field's. */
    void addToList(ModelField field, Annotations annotations, Scope scope, String noted) {
        String name = scope.name(field.name());
        Target target = new Target(field, name, scope, noted);
        long most = MAX_ELEMENTS;
        List<Annotations.Stated> checked = checked(annotations, target);
        for (Annotations.Stated each : checked) {
            switch (each.name()) {
                case "NotEmpty" -> target.require(each, "!" + name + ".isEmpty()", "a list with elements");
                case "NotNull" -> {
                    boolean never = checked.stream()
                            .noneMatch(other -> other.name().equals("NotEmpty")
                                    || (other.name().equals("Size") && other.number("min", 0) > 0));
                    if (never) {
                        target.weaker(each, "null reads as an empty list, which it allows");
                    }
                }
                case "Size" -> {
                    most = Math.min(most, each.number(MAX, most));
                    long least = each.number("min", 0);
                    if (least > 0 && annotations.required()) {
                        target.require(each, name + ".size() >= " + least, "a list of at least " + least);
                    } else if (least > 0) {
                        target.require(
                                each,
                                name + ".isEmpty() or " + name + ".size() >= " + least,
                                "a list of at least " + least + ", or null");
                        target.weaker(each, "an empty list reads as null, which it allows");
                    }
                }
                default -> unchecked(each, target);
            }
        }
        if (most == 0) {
            target.require("Size", name + ".isEmpty()", "an empty list");
        }
        field.with("repeat", most == MAX_ELEMENTS || most == 0 ? "many" : most);
    }

    /** Reports constraints of a class, or of a getter that is left out, none of which are imported. */
    void refuse(Annotations annotations, String what) {
        annotations.stated().stream()
                .filter(this::isConstraint)
                .forEach(each -> notes.add(what + ": @" + each.name()
                        + " is not checked. Write it as a condition under 'constraints' of the schema."));
    }

    private List<Annotations.Stated> checked(Annotations annotations, Target target) {
        List<Annotations.Stated> checked = new ArrayList<>();
        for (Annotations.Stated each : annotations.stated()) {
            if (isConstraint(each)) {
                if (each.isDefault()) {
                    checked.add(each);
                } else {
                    target.weaker(each, "it applies to groups of constraints, which a schema does not have");
                }
            }
        }
        return checked;
    }

    /** Returns whether an annotation is a constraint: a known one, or one whose class says so. */
    private boolean isConstraint(Annotations.Stated annotation) {
        if (KNOWN.contains(annotation.name()) || PACKAGES.stream().anyMatch(annotation.type()::startsWith)) {
            return true;
        }
        ClassModel model = classes.find(annotation.type());
        return model != null
                && model.findAttribute(Attributes.runtimeVisibleAnnotations()).isPresent()
                && Annotations.of(List.of(model), 0).has("Constraint");
    }

    private void unchecked(Annotations.Stated annotation, Target target) {
        target.weaker(annotation, "a schema has no such rule");
    }

    /** A text has as many characters as {@link String#length} returns. */
    private static boolean size(ModelField field, Annotations.Stated size) {
        long min = Math.max(size.number("min", 0), number(field, "min", 0));
        long max = Math.min(size.number(MAX, Integer.MAX_VALUE), number(field, MAX, Integer.MAX_VALUE));
        if (min > 0) {
            field.with("min", min);
        }
        if (max < Integer.MAX_VALUE) {
            field.with(MAX, max);
        }
        return true;
    }

    private static long number(ModelField field, String attribute, long otherwise) {
        return field.get(attribute) instanceof String text ? Long.parseLong(text) : otherwise;
    }

    /** Adds a pattern, if Millrace has its flags and its syntax. */
    private static boolean pattern(Annotations.Stated pattern, List<String> patterns) {
        StringBuilder flags = new StringBuilder();
        for (Object flag : pattern.list("flags")) {
            String letter = FLAGS.get(flag);
            if (letter == null) {
                return false;
            }
            flags.append(letter);
        }
        String regex = (flags.isEmpty() ? "" : "(?" + flags + ")") + pattern.text("regexp");
        try {
            TextPattern.of(regex, StandardCharsets.UTF_8);
            return patterns.add(regex);
        } catch (PatternException _) {
            return false;
        }
    }

    private static boolean limit(NumberLimits limits, Annotations.Stated limit) {
        boolean inclusive = limit.flag("inclusive", true);
        switch (limit.name()) {
            case "Min" -> limits.atLeast(bound(limit, "value"), true);
            case "Max" -> limits.atMost(bound(limit, "value"), true);
            case "DecimalMin" -> limits.atLeast(bound(limit, "value"), inclusive);
            case "DecimalMax" -> limits.atMost(bound(limit, "value"), inclusive);
            case "Positive" -> limits.atLeast(BigDecimal.ZERO, false);
            case "PositiveOrZero" -> limits.atLeast(BigDecimal.ZERO, true);
            case "Negative" -> limits.atMost(BigDecimal.ZERO, false);
            case "NegativeOrZero" -> limits.atMost(BigDecimal.ZERO, true);
            case "Range" -> {
                limits.atLeast(BigDecimal.valueOf(limit.number("min", 0)), true);
                limits.atMost(BigDecimal.valueOf(limit.number(MAX, Long.MAX_VALUE)), true);
            }
            case "Digits" -> {
                BigDecimal end = BigDecimal.ONE.movePointRight((int) limit.number("integer", 0));
                limits.atLeast(end.negate(), false);
                limits.atMost(end, false);
                // Validators count 0 as a digit, and the decimals of the shortest text.
                return !limits.isReal() && limits.scale() + limit.number("integer", 0) > 0;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static BigDecimal bound(Annotations.Stated limit, String element) {
        return new BigDecimal(String.valueOf(limit.values().get(element)));
    }

    /** What constraints apply to. Its name is the one that conditions use. */
    private final class Target {
        private final ModelField field;
        private final String name;
        private final Scope scope;
        private final String noted;

        Target(ModelField field, String name, Scope scope, String noted) {
            this.field = field;
            this.name = name;
            this.scope = scope;
            this.noted = noted;
        }

        boolean isText() {
            return "string".equals(field.get("type"));
        }

        boolean isTruth() {
            return "boolean".equals(field.get("type"));
        }

        /** Adds a condition with the message of the annotation, unless that is the name of a resource. */
        boolean require(Annotations.Stated annotation, String condition, String valid) {
            String message = annotation.text("message");
            return require(
                    annotation.name(),
                    condition,
                    valid,
                    message == null || message.isEmpty() || message.contains("{") ? null : message);
        }

        /** @param valid what a valid value is, for messages */
        boolean require(String annotation, String condition, String valid) {
            return require(annotation, condition, valid, null);
        }

        private boolean require(String annotation, String condition, String valid, @Nullable String message) {
            Map<String, String> constraint = new LinkedHashMap<>();
            String full = scope.full(field.name());
            String start = full.replace('.', '-') + "-" + annotation;
            long same = conditions.stream()
                    .filter(each -> String.valueOf(each.get("name")).matches(start + "(-[0-9]+)?"))
                    .count();
            constraint.put("name", same == 0 ? start : start + "-" + (same + 1));
            if (!scope.list().isEmpty()) {
                constraint.put("each", scope.list());
            }
            boolean optional = "true".equals(field.get("optional"));
            String isAbsent = name + " == null";
            String absent = condition.equals(isAbsent) ? "" : optional ? isAbsent + " or " : scope.absent();
            constraint.put("condition", absent + (absent.isEmpty() ? condition : "(" + condition + ")"));
            constraint.put("message", message == null ? full + " must be " + valid : message);
            conditions.add(constraint);
            return true;
        }

        void weaker(Annotations.Stated annotation, String reason) {
            String text = "@" + annotation.name() + " is not checked: " + reason;
            field.comment(field.comment().isEmpty() ? text : field.comment() + "; " + text);
            notes.add(noted + ": " + text + ".");
        }
    }
}
