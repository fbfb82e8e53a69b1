package io.millrace.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.text.ConversionResult;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.query.StoredRecords;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON to compact records and back, against Jackson 3 with record classes: orders of ten legs, and the pacs.008 message
 * of {@code src/test/resources/messages}. Run it by {@code ./mvnw -Pbench verify -Dbench=JsonBenchmark}. The arms whose
 * names end with {@code In} read JSON, the others write it; those of {@code convert} do what the command does, on whole
 * files in memory; those of {@code answer} write a stored record as the HTTP API does, without and with a map of its
 * values. Nanoseconds a message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class JsonBenchmark {

    private static final int COUNT = 1024;
    private static final Path PACS = Path.of("src/test/resources/messages");

    /** What the messages are. */
    @Param({"order", "pacs008"})
    public String message;

    private final List<byte[]> texts = new ArrayList<>();
    private final List<Object> objects = new ArrayList<>();
    private final List<byte[]> records = new ArrayList<>();
    private final JsonBuffer buffer = new JsonBuffer();
    private byte[] jsonFile = {};
    private byte[] recordFile = {};
    private Schema schema;
    private JsonToCompact in;
    private CompactToJson out;
    private CompactToJson answers;
    private StoredRecords stored;
    private JsonMapper mapper;
    private ObjectReader reader;
    private ObjectWriter writer;

    @Setup
    public void setUp() throws IOException {
        boolean order = message.equals("order");
        schema = order ? GroupsData.SCHEMA : SchemaReader.read(PACS.resolve("pacs008.yml"));
        in = new JsonToCompact(schema);
        out = new CompactToJson(schema, JsonForm.FILE);
        answers = new CompactToJson(schema, JsonForm.API);
        stored = StoredRecords.of(schema);
        mapper = order
                ? JsonMapper.builder().build()
                : JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                        .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                        .build();
        reader = mapper.readerFor(order ? CompactBenchmark.Order.class : CreditTransfer.class);
        writer = mapper.writer();
        if (order) {
            new GroupsData().json(COUNT, texts::add);
        } else {
            String text = Files.readString(PACS.resolve("pacs008.json")).strip();
            for (int i = 0; i < COUNT; i++) {
                texts.add(text.replace("223423423", String.valueOf(100_000_000 + i))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        long textBytes = 0;
        long recordBytes = 0;
        for (byte[] text : texts) {
            in.encoder().clear();
            in.append(text, 0, text.length);
            byte[] record = in.encoder().toBytes();
            records.add(record);
            objects.add(reader.readValue(text));
            textBytes += text.length;
            recordBytes += record.length;
            buffer.clear();
            out.write(record, 0, record.length, buffer);
            in.encoder().clear();
            in.append(buffer.bytes(), 0, buffer.length());
            if (!Arrays.equals(record, in.encoder().toBytes())) {
                throw new IllegalStateException(new String(buffer.toBytes(), StandardCharsets.UTF_8));
            }
        }
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (byte[] text : texts) {
            lines.write(text);
            lines.write('\n');
        }
        jsonFile = lines.toByteArray();
        ByteArrayOutputStream binary = new ByteArrayOutputStream();
        convert(RecordFormat.JSON, RecordFormat.BINARY, jsonFile, binary);
        recordFile = binary.toByteArray();
        System.out.println("bytes of a message: JSON " + textBytes / COUNT + ", compact " + recordBytes / COUNT);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int millraceIn() {
        CompactEncoder encoder = in.encoder();
        encoder.clear();
        for (byte[] text : texts) {
            in.append(text, 0, text.length);
        }
        return encoder.length();
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void jacksonIn(Blackhole hole) {
        for (byte[] text : texts) {
            hole.consume(reader.<Object>readValue(text));
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int millraceOut() {
        buffer.clear();
        for (byte[] record : records) {
            out.write(record, 0, record.length, buffer);
        }
        return buffer.length();
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void jacksonOut(Blackhole hole) {
        for (Object object : objects) {
            hole.consume(writer.writeValueAsBytes(object));
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void convertIn() throws IOException {
        convert(RecordFormat.JSON, RecordFormat.BINARY, jsonFile, OutputStream.nullOutputStream());
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void convertOut() throws IOException {
        convert(RecordFormat.BINARY, RecordFormat.JSON, recordFile, OutputStream.nullOutputStream());
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void answerOut(Blackhole hole) {
        for (byte[] record : records) {
            buffer.clear();
            answers.write(record, 0, record.length, buffer);
            hole.consume(buffer.toBytes());
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void answerOfMapsOut(Blackhole hole) {
        for (byte[] record : records) {
            hole.consume(mapper.writeValueAsBytes(stored.decode(record, 0)));
        }
    }

    private void convert(RecordFormat from, RecordFormat to, byte[] file, OutputStream result) throws IOException {
        ConversionResult converted = from.convert(to, schema, new ByteArrayInputStream(file), result, bad -> {
            throw new IllegalStateException(bad.toString());
        });
        if (converted.records() != COUNT) {
            throw new IllegalStateException(converted.toString());
        }
    }
}
