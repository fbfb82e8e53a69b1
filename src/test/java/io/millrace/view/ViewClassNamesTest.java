package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The names of the classes of views. The types are of this test alone, so that their first views are its own. */
class ViewClassNamesTest {

    /** A record with a part. */
    interface Ticket {
        int getId();

        Place getPlace();

        default @Nullable String title() {
            return null;
        }
    }

    /** A part. */
    interface Place {
        int getRow();
    }

    /** A record whose views are created by several threads. */
    interface Shared {
        int getId();
    }

    /** A record with a computed value. */
    interface Priced {
        int getId();

        int getPrice();
    }

    private static Schema schema(String type) {
        return SchemaReader.read("ticket.yml", """
                schema: ticket
                layout: compact
                fields:
                  - { name: id, type: %s }
                  - { name: place, type: group, fields: [{ name: row, type: i32 }] }
                """.formatted(type).getBytes(StandardCharsets.UTF_8));
    }

    private static Class<?> classOf(RecordViews<?> views) {
        return views.create().getClass();
    }

    @Test
    void shouldBeFoundByClassLoadersBelowThatOfTheType() throws Exception {
        Ticket view = RecordViews.of(Ticket.class, schema("i32")).create();
        ClassLoader below = new ClassLoader(Ticket.class.getClassLoader()) {};
        for (Object each : List.of(view, view.getPlace())) {
            assertThat(each.getClass().isHidden()).isFalse();
            assertThat(Class.forName(each.getClass().getName(), false, below)).isSameAs(each.getClass());
        }
        assertThat(view.getClass().getName()).startsWith(Ticket.class.getName() + "$$Mutable");
        assertThat(view.getPlace().getClass().getName()).startsWith(Place.class.getName() + "$$Mutable");
    }

    /** Other tools may store the name with the bytes. */
    @Test
    void shouldDifferIfTheSchemasDo() {
        String name = classOf(RecordViews.of(Ticket.class, schema("i16"))).getName();
        assertThat(classOf(RecordViews.of(Ticket.class, schema("u16"))).getName())
                .isNotEqualTo(name)
                .hasSameSizeAs(name);
        assertThat(classOf(RecordViews.builder(Ticket.class, schema("i16"))
                                .key("id")
                                .build())
                        .getName())
                .isNotEqualTo(name)
                .hasSameSizeAs(name);
    }

    @Test
    void shouldHaveTheSameClassesIfTheyAreCreatedAgain() {
        Schema schema = schema("i8");
        RecordViews<Ticket> views = RecordViews.of(Ticket.class, schema);
        RecordViews.builder(Ticket.class, schema).key("id").build();
        assertThat(RecordViews.of(Ticket.class, schema)).isSameAs(views);
    }

    /** Named classes stay until their class loader goes, so functions that differ each time must not define more. */
    @Test
    void shouldBeHiddenIfTheFunctionsOfTheSameNameDiffer() {
        Schema schema = schema("i32");
        List<RecordViews<Priced>> views = IntStream.range(0, 3)
                .mapToObj(price -> RecordViews.builder(Priced.class, schema)
                        .computed("price", priced -> price)
                        .build())
                .toList();
        assertThat(views).extracting(each -> classOf(each).isHidden()).containsExactly(false, true, true);
        assertThat(views).extracting(each -> each.create().getPrice()).containsExactly(0, 1, 2);
    }

    @Test
    void shouldBeUsableWhicheverThreadDefinesThem() {
        Schema schema = schema("i32");
        List<Class<?>> classes = IntStream.range(0, 8)
                .parallel()
                .<Class<?>>mapToObj(_ -> classOf(RecordViews.of(Shared.class, schema)))
                .toList();
        assertThat(classes).filteredOn(each -> !each.isHidden()).isNotEmpty();
        assertThat(classes).allMatch(Shared.class::isAssignableFrom);
    }
}
