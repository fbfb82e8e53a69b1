package io.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordCodec;
import io.millrace.expression.RandomSchemas;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as servers tell them to clients. */
class SerializationTest {

    private static Schema copy(Schema schema) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(schema);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Schema) in.readObject();
        }
    }

    private static void assertSame(Schema copy, Schema schema) {
        assertThat(copy).isNotSameAs(schema).hasToString(schema.toString());
        assertThat(copy.fingerprint()).isEqualTo(schema.fingerprint());
        assertThat(List.copyOf(copy.virtualFields())).isEqualTo(List.copyOf(schema.virtualFields()));
        assertThat(copy.baseLength()).isEqualTo(schema.baseLength());
        assertThat(copy.recordLength()).isEqualTo(schema.recordLength());
        assertThat(List.copyOf(copy.fields())).isEqualTo(List.copyOf(schema.fields()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trade", "radius-accounting"})
    void shouldReportBuiltInSchemas(String name) throws Exception {
        Schema schema = Schemas.builtIn().get(name);
        Schema copy = copy(schema);

        assertSame(copy, schema);
        if (schema.layout() instanceof TaggedLayout tagged) {
            assertThat(copy.layout())
                    .asInstanceOf(InstanceOfAssertFactories.type(TaggedLayout.class))
                    .satisfies(layout -> assertThat(layout.fields().toString())
                            .isEqualTo(tagged.fields().toString()));
        }
    }

    @Test
    void shouldMatchPatternsAfterwards() throws Exception {
        Schema schema = copy(SchemaReader.read(
                "t.yml",
                "schema: t\nfields: [{ name: a, type: string, length: 3, pattern: '[a-z]+' }]"
                        .getBytes(StandardCharsets.UTF_8)));
        Constraint constraint = Objects.requireNonNull(schema.field("a")).constraint();
        assertThat(constraint.refusal("abc")).isNull();
        assertThat(constraint.refusal("ABC")).isEqualTo("Use a text that matches '[a-z]+'.");
    }

    @Property(tries = 200)
    void shouldReportAnySchemaWithWhatWasAdded(@ForAll long seed) throws Exception {
        Schema schema = RandomSchemas.next(new Random(seed));
        Schema extended = schema.extend(schema.fields().iterator().next().as("added", 0));

        assertSame(copy(extended), extended);
        assertSame(copy(extended.stored()), extended.stored());
        assertThat(RecordCodec.of(copy(schema)).codecs()).hasSameSizeAs(schema.fields());
    }
}
