package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.source.GeneratedSources;
import io.millrace.view.source.GeneratedSources.Generated;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New parts of types that several parts of a record have. */
class PartPlacesTest {

    /** A right part has one level less in {@code left} than in {@code rights}. */
    private static final String SCHEMA = """
            schema: part-places
            layout: compact
            types:
              Left:
                fields:
                  - { name: name, type: string, length: 9 }
                  - { name: right, type: Right, optional: true, depth: 2 }
              Right:
                fields:
                  - { name: number, type: i64 }
                  - { name: left, type: Left, optional: true, depth: 2 }
            fields:
              - { name: left, type: Left }
              - { name: rights, type: Right, repeat: 5 }
            """;

    /** A part that contains the other kind of part. */
    public interface Left {
        String getName();

        void setName(String name);

        @Nullable
        Right getRight();

        void setRight(@Nullable Right right);
    }

    /** A part that contains the other kind of part. */
    public interface Right {
        long getNumber();

        void setNumber(long number);

        @Nullable
        Left getLeft();

        void setLeft(@Nullable Left left);
    }

    /** What contains both. */
    public interface Both {
        Left getLeft();

        void setLeft(Left left);

        List<Right> getRights();
    }

    private static RecordViews<Both> views() {
        return RecordViews.of(
                Both.class, SchemaReader.read("part-places.yml", SCHEMA.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a part with parts in it: right, left, right and left. */
    private static Right deep(RecordViews<Both> views, Right right) {
        Right inner = views.create(Right.class);
        Left innermost = views.create(Left.class);
        innermost.setName("in");
        inner.setNumber(2);
        inner.setLeft(innermost);
        Left left = views.create(Left.class);
        left.setRight(inner);
        right.setNumber(1);
        right.setLeft(left);
        return right;
    }

    @Test
    void shouldCreateThePartWithTheMostLevels() {
        RecordViews<Both> views = views();
        Both both = views.create();
        Right right = deep(views, views.create(Right.class));
        both.getRights().add(right);
        right.setNumber(7);

        Right read = views.view(both).getRights().getFirst();
        assertThat(read.getNumber()).isEqualTo(7);
        Right inner =
                Objects.requireNonNull(Objects.requireNonNull(read.getLeft()).getRight());
        assertThat(inner.getNumber()).isEqualTo(2);
        assertThat(Objects.requireNonNull(inner.getLeft()).getName()).isEqualTo("in");

        Left left = views.create(Left.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    left.setRight(right);
                    both.setLeft(left);
                })
                .withMessageContaining("the type contains itself more often than the schema allows");
        Right flat = views.create(Right.class);
        flat.setNumber(8);
        left.setRight(flat);
        both.setLeft(left);
        assertThat(Objects.requireNonNull(views.view(both).getLeft().getRight()).getNumber())
                .isEqualTo(8);
    }

    @Test
    void shouldCreateThePartOfAPlace() {
        RecordViews<Both> views = views();
        Right right = views.create(Right.class, "left.right");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> deep(views, right))
                .withMessageContaining("the type contains itself more often than the schema allows");
        Both both = views.create();
        right.setNumber(3);
        both.getRights().add(right);
        right.setNumber(4);
        assertThat(both.getRights()).extracting(Right::getNumber).containsExactly(3L);

        Right element = views.create(Right.class, "rights[]");
        both.getRights().add(element);
        element.setNumber(5);
        assertThat(both.getRights()).extracting(Right::getNumber).containsExactly(3L, 5L);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.create(Right.class, "left"))
                .withMessageStartingWith("Unknown part " + Right.class.getName() + " of " + Both.class.getName()
                        + " with the path 'left'. Use one of: [left.right, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.create(Right.class, ""))
                .withMessageContaining("Use one of: [left.right, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.create(String.class, "left"))
                .withMessage("Unknown part java.lang.String of " + Both.class.getName() + " with the path 'left'.");
    }

    /** A name, of a length that depends on the part. */
    public interface Named {
        String getName();

        void setName(String name);
    }

    /** Two names. */
    public interface Pair {
        Named getLong();

        void setLong(Named named);

        Named getShort();

        void setShort(Named named);
    }

    @Test
    void shouldRefuseToChooseBetweenPartsThatHoldDifferentValues() {
        for (String layout : List.of("fixed", "compact")) {
            RecordViews<Pair> views = RecordViews.of(Pair.class, Orders.schema(layout, """
                      - name: short
                        type: group
                        fields: [ { name: name, type: string, length: 3 } ]
                      - name: long
                        type: group
                        fields: [ { name: name, type: string, length: 9 } ]
                    """));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> views.create(Named.class))
                    .withMessage("Ambiguous part " + Named.class.getName() + " of " + Pair.class.getName()
                            + ": [short, long] hold different values. Use the path of one of them.");
            Pair pair = views.create();
            Named named = views.create(Named.class, "long");
            named.setName("123456789");
            pair.setLong(named);
            assertThat(views.view(pair).getLong().getName()).isEqualTo("123456789");
            assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> pair.setShort(named));
        }
    }

    @Test
    void shouldCreatePartsOfGeneratedClassesForAllPlaces(@TempDir Path folder) throws Exception {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("part-places.yml"), SCHEMA);
        Generated generated = GeneratedSources.compile(schemas, folder).getFirst();
        for (GeneratedSources.Factory factory : List.of(generated.classic(), generated.binary())) {
            Object record = factory.create();
            Object right = creator(factory, "createRight").invoke(factory.constant());
            Object left = creator(factory, "createLeft").invoke(factory.constant());
            Object inner = creator(factory, "createRight").invoke(factory.constant());
            Object innermost = creator(factory, "createLeft").invoke(factory.constant());
            set(innermost, "setName", "in");
            set(inner, "setLeft", innermost);
            set(left, "setRight", inner);
            set(right, "setLeft", left);
            set(record, "setRights", List.of(right));
            byte[] bytes = generated.binary().bytes(record);
            assertThat(generated.binary().of(bytes)).asString().contains("name=in");
        }
    }

    private static Method creator(GeneratedSources.Factory factory, String name) {
        return factory.creators().stream()
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void set(Object record, String setter, Object value) throws ReflectiveOperationException {
        for (Class<?> type : record.getClass().getInterfaces()) {
            for (Method method : type.getMethods()) {
                if (method.getName().equals(setter)) {
                    method.invoke(record, value);
                    return;
                }
            }
        }
        throw new NoSuchMethodException(setter);
    }
}
