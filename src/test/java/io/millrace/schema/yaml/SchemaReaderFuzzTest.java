package io.millrace.schema.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Any bytes are either a schema or a {@link SchemaException}. With JAZZER_FUZZ=1 set, Jazzer searches for others. */
class SchemaReaderFuzzTest {

    private static final String[] SPLICES = {
        "*currencies",
        "&x ",
        "{",
        "}",
        "[",
        "]",
        ": ",
        "\n  - ",
        "group",
        "fields: ",
        "bits: ",
        "0x",
        "-1",
        "<<: ",
        "optional: true",
        "99999999999999999999",
        "\"",
        "'",
        "#",
        "%",
        "\u0000",
        "u64",
        "f32",
        "absent: ",
        "min: ",
        "repeat: "
    };

    @FuzzTest
    void shouldReadOrRefuseAnything(byte[] yaml) {
        readOrRefuse(yaml);
    }

    @Property(tries = 3000)
    void shouldReadOrRefuseATradeThatWasTamperedWith(@ForAll Random random) throws IOException {
        StringBuilder yaml = new StringBuilder(trade());
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int from = random.nextInt(yaml.length());
            int to = Math.min(yaml.length(), from + random.nextInt(12));
            yaml.replace(from, to, SPLICES[random.nextInt(SPLICES.length)]);
        }

        readOrRefuse(yaml.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String trade() throws IOException {
        try (InputStream in = Objects.requireNonNull(Schemas.class.getResourceAsStream("/schemas/trade.yml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void readOrRefuse(byte[] yaml) {
        try {
            assertThat(SchemaReader.read("trade.yml", yaml).recordLength()).isPositive();
        } catch (SchemaException refused) {
            assertThat(refused.problems()).isNotEmpty().allSatisfy(problem -> {
                assertThat(problem.line()).isPositive();
                assertThat(problem.reason()).isNotBlank();
            });
        }
    }
}
