package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import io.millrace.model.ModelWriter;
import io.millrace.schema.Schema;
import io.millrace.view.RecordViews;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The import of a model of 27 types, many of which are those of several members. The class of the records is not one of
 * them, because its members are the fields of the schema, nor are the enums, whose constants are values of fields.
 */
class LargeImportTest {

    private static final List<Class<?>> TYPES = Arrays.stream(CreditTransfers.class.getDeclaredClasses())
            .filter(type -> type != CreditTransfers.Message.class && !type.isEnum())
            .toList();

    /** A message whose parts are read when their getters are called. */
    public interface MessageView {
        CreditTransfers.Header getHeader();

        List<CreditTransfers.Transfer> getTransfers();
    }

    private final ClassImport.Result imported = ClassImport.read(
            "t", CreditTransfers.Message.class.getName(), ClassImportTest.classPath(), ClassImport.Options.NONE);

    private int values;

    LargeImportTest() throws IOException {}

    @Test
    void shouldWriteEachTypeOnce() throws IOException {
        ModelSchema schema = imported.schema();
        String text = ModelWriter.write(schema);
        long lines = text.lines().count();

        assertThat(TYPES).hasSize(27);
        assertThat(schema.types())
                .extracting(ModelField::name)
                .containsExactlyInAnyOrderElementsOf(
                        TYPES.stream().map(Class::getSimpleName).toList());
        assertThat(schema.types())
                .extracting(type -> type.attributes() + " " + type.fields())
                .doesNotHaveDuplicates();
        assertThat(text).doesNotContain("type: group");
        // A line for each field, at most three for the name and the keys of each type, and six of the schema.
        assertThat(lines).isLessThanOrEqualTo(schema.size() + 3 * TYPES.size() + 6);
        assertThat(Files.readString(Path.of("docs/guides/model-records.md")))
                .contains("27 types", lines + " lines", inPlaces(schema.fields(), schema) + " fields")
                .contains(type("Charge", text), type("Intermediary", text));
    }

    private static String type(String name, String text) {
        Matcher type = Pattern.compile("(?m)^  " + name + ":\n(    .*\n)+").matcher(text);
        assertThat(type.find()).isTrue();
        return type.group();
    }

    /** Returns the number of fields if those of each type were written wherever a field has the type. */
    private static int inPlaces(List<ModelField> fields, ModelSchema schema) {
        int count = fields.size();
        for (ModelField field : fields) {
            for (ModelField type : schema.types()) {
                Object name = field.get("type");
                if (type.name().equals(name) || Objects.equals(name, type.get("extends"))) {
                    count += inPlaces(type.fields(), schema);
                }
            }
        }
        return count;
    }

    @Test
    void shouldNoteEachMemberOnce() {
        assertThat(imported.notes())
                .containsExactly(
                        "Left out Identification.person: " + CreditTransfers.class.getName()
                                + ".Identification computes it.",
                        "Contact.email: @Email is not checked: a schema has no such rule.",
                        "Views return a BigDecimal with the scale of its field, such as 1.50 for 1.5 if the scale is 2."
                                + " BigDecimal.equals and toString distinguish these, compareTo does not. Members, with"
                                + " their scale: Amount.value (5), Transfer.exchangeRate (6), Tax.rate (6).",
                        "Views return an empty list or array for null. Members that can be null: Address.lines,"
                                + " Transfer.charges, Company.others, Person.others, Transfer.intermediaries,"
                                + " ReportDetail.information, Report.details, Transfer.reports, Remittance.texts,"
                                + " Remittance.invoices, transfers.");
    }

    @Test
    void shouldRoundTripAFilledMessage() {
        Schema schema = ClassImportTest.schema(imported.schema());
        RecordViews<CreditTransfers.Message> views = RecordViews.of(CreditTransfers.Message.class, schema);
        CreditTransfers.Message message = filled(CreditTransfers.Message.class);

        assertThat(values).isGreaterThan(1000);
        assertThat(views.isValid(message)).isTrue();
        byte[] record = views.bytes(message);
        assertThat(views.of(record)).isEqualTo(message);
        MessageView view = RecordViews.of(MessageView.class, schema).of(record);
        assertThat(view.getHeader()).isEqualTo(message.header());
        assertThat(view.getTransfers()).isEqualTo(message.transfers());
    }

    /** Returns a record with a value for each component, most of which no other component has. */
    @SuppressWarnings("unchecked")
    private <T> T filled(Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return (T) constructor.newInstance(Arrays.stream(components)
                    .map(component -> value(component.getGenericType(), component.getAccessor()))
                    .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param accessor has the constraints of the value */
    private Object value(Type type, Method accessor) {
        values++;
        if (type instanceof ParameterizedType list) {
            Type element = list.getActualTypeArguments()[0];
            return List.of(value(element, accessor), value(element, accessor));
        }
        Class<?> single = (Class<?>) type;
        if (single.isEnum()) {
            return single.getEnumConstants()[values % single.getEnumConstants().length];
        }
        if (single.isSealed()) {
            return filled(single.getPermittedSubclasses()[values % single.getPermittedSubclasses().length]);
        }
        return switch (single.getSimpleName()) {
            case "String" -> text(accessor.getAnnotation(Size.class));
            case "BigDecimal" -> {
                Digits digits = accessor.getAnnotation(Digits.class);
                yield BigDecimal.valueOf(values, digits == null ? 6 : digits.fraction());
            }
            case "LocalDate" -> LocalDate.ofEpochDay(values);
            case "Instant" -> Instant.ofEpochSecond(values, values);
            case "UUID" -> new UUID(values, values);
            default -> filled(single);
        };
    }

    /** Returns capital letters, as many as a code has. */
    private String text(@Nullable Size size) {
        int length = size == null ? 5 : Math.min(size.max(), 5);
        return Integer.toString(values, 26)
                .chars()
                .mapToObj(digit -> String.valueOf((char) ('A' + Character.digit(digit, 26))))
                .collect(Collectors.joining())
                .transform(letters -> "A".repeat(5) + letters)
                .transform(letters -> letters.substring(letters.length() - length));
    }
}
