package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.TestBudget;
import io.millrace.codec.FieldValueException;
import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import io.millrace.model.ModelWriter;
import io.millrace.view.RecordViews;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.ValidationException;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.constraints.AssertFalse;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Negative;
import jakarta.validation.constraints.NegativeOrZero;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Null;
import jakarta.validation.constraints.Past;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Views find a violation exactly where Hibernate Validator finds one in the object, or the comment behind the field
 * says that a constraint is not checked.
 */
class BeanValidationTest {

    private static final long SEED = 41;
    private static final int RANDOM_VALUES = 200;

    /** A group of constraints. */
    interface Draft {}

    /** A constraint of an application. */
    @Constraint(validatedBy = EvenValidator.class)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Even {
        String message() default "odd";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};
    }

    /** Its validator. */
    public static class EvenValidator implements ConstraintValidator<Even, Integer> {
        @Override
        public boolean isValid(@Nullable Integer value, ConstraintValidatorContext context) {
            return value == null || value % 2 == 0;
        }
    }

    /** Messages need no expression language here. */
    private static final class Template implements MessageInterpolator {
        @Override
        public String interpolate(String template, Context context) {
            return template;
        }

        @Override
        public String interpolate(String template, Context context, Locale locale) {
            return template;
        }
    }

    /** Views that only validate. */
    public interface AnyView {}

    /** A part of the record. */
    public record Part(
            @NotBlank String name,
            @Min(5) int number,
            @Size(min = 1, max = 2) @NotNull List<@Size(max = 3) String> tags,
            @Nullable @AssertTrue Boolean open) {}

    /** Constraints of all kinds; each member is changed alone. */
    @SuppressWarnings("MultipleNullnessAnnotations") // @NotNull of a group allows null elsewhere
    public record Subject(
            @Nullable @Size(min = 2, max = 5) String size,
            @Size(max = 4) @NotNull String shortText,

            @Size.List({@Size(min = 1, max = 9), @Size(min = 3)}) @NotNull
            String sizes,

            @NotBlank String notBlank,
            @NotEmpty String notEmpty,
            @Nullable @Pattern(regexp = "[A-Z]{3}") String pattern,

            @Nullable @Pattern(regexp = "[a-z]{3}é?", flags = Pattern.Flag.CASE_INSENSITIVE)
            String ignoringCase,

            @Nullable
            @Pattern(
                    regexp = "a.b",
                    flags = {Pattern.Flag.DOTALL, Pattern.Flag.CASE_INSENSITIVE})
            String dotAll,

            @Nullable @Pattern(regexp = "[a-z]*") @Pattern(regexp = ".*b.*") @Size(max = 6)
            String patterns,

            @NotBlank @Pattern(regexp = "[ x'\\\\]*") String blankOrX,
            @Nullable @Pattern(regexp = "(?=.*b)[a-c]*") String lookahead,

            @Nullable
            @Pattern(
                    regexp = "é*",
                    flags = {Pattern.Flag.CASE_INSENSITIVE, Pattern.Flag.UNICODE_CASE})
            String unicodeCase,

            @Nullable @Email String email,
            @Nullable @Null String nothing,
            @Min(3) int min,
            @Max(300) byte max,

            @Nullable @Min(2) @Positive @Max(9) @DecimalMax("7.5")
            Integer between,

            @DecimalMin(value = "5", inclusive = false) long above,
            @DecimalMax(value = "-5.5", inclusive = false) short below,
            @Positive long positive,
            @Negative int negative,
            @PositiveOrZero int positiveOrZero,
            @NegativeOrZero int negativeOrZero,
            @Digits(integer = 3, fraction = 0) int digits,
            @Digits(integer = 19, fraction = 0) long manyDigits,
            @Nullable @Digits(integer = 3, fraction = 2) BigDecimal amount,

            @NotNull @Digits(integer = 9, fraction = 2) @DecimalMin(value = "0.1", inclusive = false)
            BigDecimal fee,

            @Nullable @Digits(integer = 9, fraction = 3) @Positive @DecimalMax("10.0005")
            BigDecimal rate,

            @Positive double positiveReal,

            @DecimalMin(value = "0.1", inclusive = false) @DecimalMax("0.3")
            double betweenReals,

            @DecimalMin("0.1") @DecimalMax(value = "0.7", inclusive = false)
            float betweenFloats,

            @Min(1) @Max(10) double realMin,
            @Digits(integer = 2, fraction = 1) double realDigits,
            @AssertTrue boolean yes,
            @Nullable @AssertFalse Boolean no,
            @Nullable @Past LocalDate past,
            @Nullable @Future LocalDate future,
            @Nullable @Even Integer even,
            @Nullable @Size(max = 2, groups = Draft.class) String draft,
            @Nullable @NotNull(groups = Draft.class) String draftRequired,
            Optional<@Size(max = 3) String> optional,
            Optional<@NotBlank String> optionalRequired,
            @Nullable @Size(max = 2) List<@Size(min = 2, max = 3) String> texts,
            @NotEmpty List<@Min(2) @NotNull Integer> numbers,
            @NotNull @Size(min = 2, max = 3) List<LocalDate> days,
            @Nullable @Size(min = 2) List<Boolean> maybe,
            @NotNull List<Long> list,
            @Nullable @Size(max = 0) List<Long> empty,
            @Nullable @Valid Part part,
            @NotNull @Valid Part required,
            @Nullable List<@Valid Part> parts) {}

    private static final Part PART = new Part("n", 5, List.of("a"), null);

    private static final List<@Nullable Object> VALID = Arrays.asList(
            null,
            "",
            "abc",
            "x",
            "x",
            null,
            null,
            null,
            null,
            "x",
            null,
            null,
            null,
            null,
            3,
            (byte) 1,
            null,
            6L,
            (short) -6,
            1L,
            -1,
            0,
            0,
            0,
            0L,
            null,
            new BigDecimal("1.00"),
            null,
            1.0,
            0.2,
            0.5f,
            1.0,
            1.0,
            true,
            null,
            null,
            null,
            null,
            null,
            null,
            Optional.empty(),
            Optional.of("x"),
            List.of(),
            List.of(2),
            List.of(LocalDate.EPOCH, LocalDate.EPOCH),
            null,
            List.of(),
            null,
            null,
            PART,
            List.of());

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "\t\n",
            "\u00A0",
            "\u2003",
            "a",
            "AB",
            "ABC",
            "abc",
            "aBcÉ",
            "abcé",
            "ABCD",
            "a\nb",
            "A.B",
            "ab",
            "abcdefg",
            "x",
            " x",
            "\u0000x",
            "\u001f",
            "it's",
            "\\",
            "é",
            "É",
            "éÉ",
            "a@b",
            "a@b.com",
            "@",
            "b",
            "ca",
            "\uD83D\uDE00",
            "\uD83D\uDE00\uD83D\uDE00",
            "\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00",
            "a\uD83D\uDE00",
            "\uD83D\uDE00abc",
            "ÀÀÀÀ",
            "\u2028x");

    private static final List<Double> REALS = List.of(
            0.0,
            1.0,
            -1.0,
            0.1,
            Math.nextUp(0.1),
            Math.nextDown(0.1),
            0.3,
            Math.nextUp(0.3),
            Math.nextDown(0.3),
            0.7,
            Math.nextDown(0.7),
            Math.nextUp(0.7),
            Double.MIN_VALUE,
            -Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.NaN,
            10.0,
            Math.nextUp(10.0),
            Math.nextDown(1.0),
            99.9,
            100.0,
            0.25);

    @Test
    void shouldFindWhatHibernateValidatorFinds() throws IOException, ReflectiveOperationException {
        ClassImport.Result imported =
                ClassImport.read("t", Subject.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE);
        RecordViews<AnyView> views = RecordViews.of(AnyView.class, ClassImportTest.schema(imported.schema()));
        RecordViews<Subject> anything = RecordViews.of(Subject.class, ClassImportTest.schema(withoutConstraints()));
        RecordComponent[] components = Subject.class.getRecordComponents();
        Random random = new Random(SEED);
        Set<String> weaker = new TreeSet<>();
        List<String> differences = new ArrayList<>();
        try (ValidatorFactory factory = Validation.byDefaultProvider()
                .configure()
                .messageInterpolator(new Template())
                .buildValidatorFactory()) {
            Validator validator = factory.getValidator();
            assertThat(validator.validate(subject(VALID))).isEmpty();
            assertThat(violation(views, anything, subject(VALID))).isEmpty();
            for (int i = 0; i < components.length; i++) {
                ModelField field = imported.schema().fields().get(i);
                boolean checked = !field.comment().contains("is not checked");
                int invalid = 0;
                List<@Nullable Object> values = values(components[i].getGenericType(), random);
                for (Object value : values) {
                    List<@Nullable Object> all = new ArrayList<>(VALID);
                    all.set(i, value);
                    Subject subject = subject(all);
                    boolean expected = isInvalid(validator, subject);
                    String found = violation(views, anything, subject);
                    invalid += expected ? 1 : 0;
                    if (expected == found.isEmpty()) {
                        if (expected && !checked) {
                            weaker.add(field.name());
                        } else {
                            differences.add(field + " = " + value + ": " + expected + " " + found);
                        }
                    }
                }
                boolean never =
                        Set.of("draft", "draftRequired", "manyDigits", "max").contains(field.name());
                if ((invalid == 0) != never || invalid == values.size()) {
                    differences.add(field.name() + ": " + invalid + " of " + values.size() + " are invalid");
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(weaker)
                .containsExactly(
                        "email", "even", "future", "list", "lookahead", "maybe", "past", "realDigits", "unicodeCase");
        assertThat(imported.notes().stream()
                        .filter(note -> !note.startsWith("Views return "))
                        .map(note -> note.substring(0, note.indexOf(':'))))
                .containsExactlyInAnyOrder(
                        "email",
                        "even",
                        "future",
                        "list",
                        "lookahead",
                        "maybe",
                        "past",
                        "realDigits",
                        "unicodeCase",
                        "draft",
                        "draftRequired");
    }

    /** Returns whether the validator finds a violation. It throws an exception for digits of NaN. */
    private static boolean isInvalid(Validator validator, Subject subject) {
        try {
            return !validator.validate(subject).isEmpty();
        } catch (ValidationException _) {
            return true;
        }
    }

    /** Returns why views refuse an object or find a violation in it, or an empty text. */
    private static String violation(RecordViews<AnyView> views, RecordViews<Subject> anything, Subject subject) {
        try {
            String stored = views.validate(views.of(anything.bytes(subject))).toString();
            return stored.equals("[]") ? "" : stored;
        } catch (FieldValueException | IllegalArgumentException | NullPointerException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static ModelSchema withoutConstraints() throws IOException {
        ModelSchema schema = ClassImport.read(
                        "t", Subject.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE)
                .schema();
        schema.constrain(List.of());
        free(schema.fields());
        return schema;
    }

    private static void free(List<ModelField> fields) {
        for (ModelField field : fields) {
            Stream.of("min", "max", "pattern", "required").forEach(field::without);
            free(field.fields());
        }
    }

    private static Subject subject(List<@Nullable Object> values) throws ReflectiveOperationException {
        Class<?>[] types = Arrays.stream(Subject.class.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        return Subject.class.getDeclaredConstructor(types).newInstance(values.toArray());
    }

    /** Returns values at the edges, and random ones. */
    private static List<@Nullable Object> values(Type type, Random random) {
        Set<@Nullable Object> values = new LinkedHashSet<>();
        for (int i = 0; i < TestBudget.of(RANDOM_VALUES); i++) {
            values.add(value(type, random, i));
        }
        boolean nullable = type instanceof Class<?> plain
                ? !plain.isPrimitive()
                : !type.getTypeName().contains("Optional");
        if (nullable) {
            values.add(null);
        }
        return new ArrayList<>(values);
    }

    private static Object value(Type type, Random random, int index) {
        if (type instanceof ParameterizedType parameterized) {
            Type argument = parameterized.getActualTypeArguments()[0];
            if (parameterized.getRawType() == Optional.class) {
                return index == 0 ? Optional.empty() : Optional.of(value(argument, random, index));
            }
            int size = index < 4 ? index : random.nextInt(4);
            return Stream.generate(() -> value(argument, random, random.nextInt(60)))
                    .limit(size)
                    .toList();
        }
        return switch (((Class<?>) type).getSimpleName()) {
            case "String" -> text(random, index);
            case "boolean", "Boolean" -> index % 2 == 0;
            case "byte" -> (byte) number(random, index);
            case "short" -> (short) number(random, index);
            case "int", "Integer" -> (int) number(random, index);
            case "long", "Long" -> index == 0 ? (Object) Long.MAX_VALUE : (Object) number(random, index);
            case "float" -> REALS.get(index % REALS.size()).floatValue();
            case "double" -> index < REALS.size() ? REALS.get(index) : Double.valueOf(random.nextInt(1200) / 10.0);
            case "BigDecimal" -> decimal(random);
            case "LocalDate" -> LocalDate.EPOCH.plusDays(random.nextInt(65_000));
            case "Part" ->
                new Part(
                        text(random, index),
                        random.nextInt(4, 8),
                        Collections.nCopies(random.nextInt(4), text(random, index)),
                        random.nextInt(4) == 0 ? Boolean.FALSE : null);
            default -> throw new AssertionError(type);
        };
    }

    private static String text(Random random, int index) {
        return index < TEXTS.size()
                ? TEXTS.get(index)
                : random.ints(random.nextInt(5), 0, TEXTS.size())
                        .mapToObj(TEXTS::get)
                        .collect(Collectors.joining());
    }

    private static long number(Random random, int index) {
        return index < 40 ? index - 20 : random.nextInt(4_000) - 2_000L;
    }

    /** Returns a number of up to four decimals, none of which is a zero at the end beyond the second one. */
    private static BigDecimal decimal(Random random) {
        BigDecimal number = BigDecimal.valueOf(random.nextInt(40_000_000) - 20_000_000, random.nextInt(2, 5));
        return number.stripTrailingZeros()
                .setScale(Math.max(2, number.stripTrailingZeros().scale()));
    }

    /** A part whose rules a validator checks only with {@code @Valid}. */
    public record Plain(
            Part part,
            @Nullable @Min(value = 3, groups = Draft.class) Integer grouped) {}

    @Test
    void shouldCheckPartsWithoutValidToo() throws IOException {
        ClassImport.Result imported =
                ClassImport.read("t", Plain.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE);
        RecordViews<Plain> views = RecordViews.of(Plain.class, ClassImportTest.schema(imported.schema()));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> views.bytes(new Plain(new Part("n", 4, List.of("a"), null), 1)))
                .withMessageContaining("Use 5 or more.");
        assertThat(imported.notes())
                .containsExactly("grouped: @Min is not checked: it applies to groups of constraints,"
                        + " which a schema does not have.");
    }

    /** A member that is never null. */
    public interface Named {
        @NotNull
        String getName();

        void setName(String name);
    }

    @Test
    void shouldFindNoNullInANewView() throws IOException {
        RecordViews<Named> views = RecordViews.of(
                Named.class,
                ClassImportTest.schema(ClassImport.read(
                                "t", Named.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE)
                        .schema()));
        assertThat(views.create().getName()).isEmpty();
        assertThat(views.validate(views.create())).isEmpty();
    }

    /** A constraint of a class. */
    @Constraint(validatedBy = {})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Consistent {}

    /** Has rules that are no rules of fields. */
    @Consistent
    public static class Rules {
        private int low;

        @Max(5)
        public int getLow() {
            return low;
        }

        public void setLow(int low) {
            this.low = low;
        }

        @AssertTrue
        public boolean isOrdered() {
            return getLow() < 3;
        }
    }

    @Test
    void shouldReportConstraintsOfClassesAndOfComputedValues() throws IOException {
        ClassImport.Result imported =
                ClassImport.read("t", Rules.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE);
        assertThat(ModelWriter.write(imported.schema())).contains("{ name: low, type: i32, max: 5 }");
        String name = BeanValidationTest.class.getName() + ".Rules";
        assertThat(imported.notes())
                .containsExactly(
                        "Type " + name + ": @Consistent is not checked. Write it as a condition under 'constraints' of"
                                + " the schema.",
                        "Left out ordered: " + name + " computes it.",
                        "ordered: @AssertTrue is not checked. Write it as a condition under 'constraints' of the"
                                + " schema.",
                        "Views are equal if all their members are. Objects of these classes are equal only to"
                                + " themselves: " + Rules.class.getName() + ".");
    }

    @Test
    void shouldWriteConstraintsAsAPersonWould() throws IOException {
        String text = ModelWriter.write(
                ClassImport.read("t", Subject.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE)
                        .schema());
        assertThat(text)
                .contains("name: size, type: string, length: 15, charset: utf8, optional: true, min: 2, max: 5")
                .contains("name: ignoringCase, type: string, length: 255, charset: utf8, optional: true,"
                        + " pattern: \"(?i)[a-z]{3}é?\"")
                .contains("name: email, type: string, length: 255, charset: utf8, optional: true }"
                        + "  # no @Size: length 255 is a guess; @Email is not checked: a schema has no such rule")
                .contains("name: texts, type: string, length: 9, charset: utf8, min: 2, max: 3, repeat: 2")
                .contains("name: above, type: i64, min: 6 }")
                .contains("name: fee, type: decimal, scale: 2, min: 0.11, max: 999999999.99 }")
                .contains("""
                          - name: numbers-NotEmpty
                            condition: "!numbers.isEmpty()"
                            message: "numbers must be a list with elements"
                        """)
                .contains("""
                          - name: parts-tags-Size
                            each: parts
                            condition: "tags.size() >= 1"
                        """)
                .contains("condition: \"part == null or (part.tags.size() >= 1)\"");
    }
}
