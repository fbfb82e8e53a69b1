package io.millrace.model.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.model.ModelReader;
import io.millrace.model.ModelSchema;
import io.millrace.model.ModelWriter;
import io.millrace.model.sample.RandomSamples.Values;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An inferred schema reads the samples from which it was inferred, whatever they are. */
class SamplePropertyTest {

    private static final int ROUNDS = TestBudget.of(400);

    @Test
    void shouldReadAllObjectsWithTheSchemaInferredFromThem() throws IOException {
        for (long seed = 0; seed < ROUNDS; seed++) {
            RandomSamples samples = new RandomSamples(seed);
            Map<String, Values> type = samples.type(3);
            int records = new Random(seed).nextInt(300) + 1;
            List<String> objects = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                objects.add(samples.object(type));
            }
            boolean lines = seed % 2 == 0 || records == 1;
            String json = lines ? String.join("\n", objects) : "[" + String.join(",\n ", objects) + "]";
            if (!json.contains(":")) {
                continue;
            }
            check(new JsonSampleFormat(), seed, json, records);
        }
    }

    @Test
    void shouldReadAllLinesWithTheSchemaInferredFromThem() throws IOException {
        for (long seed = 0; seed < ROUNDS; seed++) {
            RandomSamples samples = new RandomSamples(seed);
            Map<String, Values> type = new LinkedHashMap<>(samples.type(0));
            type.put("last", samples.single());
            int records = new Random(seed).nextInt(300) + 1;
            check(new CsvSampleFormat(), seed, samples.csv(type, records), records);
        }
    }

    private static void check(SampleFormat format, long seed, String text, int records) throws IOException {
        List<Path> files = List.of(Path.of("samples"));
        SampleFormat.Opener opener = _ -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        ModelSchema model = format.infer("inferred", new InferredTypes(seed % 3 == 0, seed % 2 == 0), files, opener);
        String yaml = ModelWriter.write(model);
        Schema schema = SchemaReader.read("inferred.yml", yaml.getBytes(StandardCharsets.UTF_8));
        List<String> rejects = new ArrayList<>();

        assertThat(format.convert(schema, files, opener, rejects::add))
                .as("seed %d: %s\n%s", seed, rejects, yaml)
                .isEqualTo(records);
        assertThat(rejects).as("seed %d", seed).isEmpty();
        assertThat(ModelReader.read(yaml).sameAs(model)).as(yaml).isTrue();
        assertThat(ModelWriter.write(ModelReader.read(yaml))).isEqualTo(yaml);
    }
}
