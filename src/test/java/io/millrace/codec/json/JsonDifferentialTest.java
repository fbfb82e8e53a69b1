package io.millrace.codec.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.Admission;
import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactCodec;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.compact.CompactRecords;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares the JSON of this package with Jackson's, on random texts, damaged texts and random records. */
class JsonDifferentialTest {

    private static final List<String> SCALARS = List.of(
            "0", "-0", "-1.50", "1e9", "1E-7", "123456789012345678901234567890", "0.1e+3", "true", "false", "null");
    private static final List<String> PIECES = List.of(
            "a", "Z", "é", "€", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\u00e9", "\\uD83D\\uDE00", "\\b", " ");
    private static final String DAMAGE = "{}[]\",:\\0123456789.eE+-tfnu \n\u0001x";

    private static final String CHARACTERS = "aZ09 ~\u007F\u0080é€\"\\/\b\f\n\r\t\u0001\u001F!#[]";
    private static final List<Long> EDGES = LongStream.concat(
                    LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE),
                    LongStream.iterate(1, power -> 10 * power).limit(19).flatMap(power -> LongStream.of(power, -power)))
            .boxed()
            .toList();
    private static final int MUTATIONS = 50;
    private static final int MARGIN = 16;
    private static final JsonMapper NUMBERS = new JsonMapper();

    private final JsonFactory jackson = new JsonFactory();
    private final JsonScanner scanner = new JsonScanner();
    private final JsonMapper plain = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private final JsonMapper escaped = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    @Property(tries = 3000)
    void shouldAcceptTheTextsThatJacksonAccepts(@ForAll long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        appendObject(text, random, 0);
        byte[] intact = text.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(accepts(intact)).as(text.toString()).isTrue();
        byte[] damaged = damaged(intact, random);
        String shown = new String(damaged, StandardCharsets.ISO_8859_1);
        if (accepts(damaged)) {
            assertThat(jacksonAccepts(damaged)).as(shown).isTrue();
        } else if (isUtf8(damaged) && !hasHalfOfAPair(damaged)) {
            assertThat(jacksonAccepts(damaged)).as(shown).isFalse();
        }
    }

    @Property(tries = 500)
    void shouldReadTheRecordsThatJacksonWrites(@ForAll long seed) {
        Random random = new Random(seed);
        CompactSamples samples = new CompactSamples(random);
        Schema schema = samples.schema();
        byte[] row = new CompactEncoder(schema).blank();
        List<ChildRows> children = schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        samples.fill(schema, row, children, 0);
        String text = json(schema, row, children);
        assertThat(compactJson(schema, row, children)).isEqualTo(text);
        JsonNode tree = plain.readTree(text);
        schema.fields().stream()
                .filter(field -> !field.name().contains(".") && !field.name().endsWith("?"))
                .forEach(field -> assertSameValue(field, row, tree));
        byte[] rewritten = escaped.writeValueAsBytes(shuffled(tree, random));
        JsonToRow reader = new JsonToRow(schema);
        reader.read(rewritten, 0, rewritten.length);
        String again = json(schema, reader.row(), reader.children());
        assertThat(withoutNegativeZero(again)).isEqualTo(withoutNegativeZero(text));
    }

    @Property(tries = 500)
    void shouldWriteOrRejectMutatedRecordsAsAdmissionDoes(@ForAll long seed) {
        Random random = new Random(seed);
        CompactRecords sample = CompactRecords.of(seed);
        Mutations mutations = new Mutations(seed, List.of(sample.bytes()));
        CompactToJson writer = new CompactToJson(sample.schema(), JsonForm.FILE);
        CompactCodec codec = new CompactCodec(sample.schema());
        Admission admission = codec.admission();
        RecordBatch batch = new RecordBatch(sample.schema());
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] record = i % 2 == 0 ? mutations.next() : changed(sample.bytes(), random);
            byte[] placed = new byte[MARGIN + record.length + random.nextInt(2) * MARGIN];
            Arrays.fill(placed, (byte) random.nextInt());
            System.arraycopy(record, 0, placed, MARGIN, record.length);
            codec.show(batch, placed, MARGIN, MARGIN + record.length);
            List<String> reasons = new ArrayList<>();
            admission.admit(batch, (_, _, reason) -> reasons.add(reason.detail()));
            JsonBuffer out = new JsonBuffer();
            out.put('x');
            try {
                writer.write(placed, MARGIN, MARGIN + record.length, out);
            } catch (JsonRecordException e) {
                assertThat(e.reasons()).isEqualTo(reasons);
                assertThat(out.length()).isEqualTo(1);
                continue;
            }
            assertThat(reasons).isEmpty();
            byte[] row = Arrays.copyOfRange(batch.added(), batch.addedOffset(0), batch.added().length);
            JsonNode rows = NUMBERS.readTree(json(sample.schema(), row, batch.childRows()));
            JsonNode tree = NUMBERS.readTree(Arrays.copyOfRange(out.bytes(), 1, out.length()));
            assertThat(tree).isEqualTo(rows);
        }
    }

    private static byte[] changed(byte[] record, Random random) {
        byte[] changed = record.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        return changed;
    }

    @Property(tries = 3000)
    void shouldWriteNumbersAsTheLibraryOfJavaDoes(@ForAll long seed) {
        Random random = new Random(seed);
        long number = random.nextLong() >> random.nextInt(64);
        for (int i = 0; i < EDGES.size(); i++) {
            long edge = EDGES.get(i) + random.nextInt(3) - 1;
            assertThat(written(json -> json.number(edge))).isEqualTo(Long.toString(edge));
            for (int scale = 0; scale < 25; scale++) {
                int decimals = scale;
                assertThat(written(json -> json.decimal(edge, decimals)))
                        .isEqualTo(BigDecimal.valueOf(edge, scale).toPlainString());
                assertThat(written(json -> json.decimal(number, decimals)))
                        .isEqualTo(BigDecimal.valueOf(number, scale).toPlainString());
            }
        }
        assertThat(written(json -> json.number(number))).isEqualTo(Long.toString(number));
        Instant instant = Instant.ofEpochMilli(Math.floorMod(number, 253_402_300_800_000L));
        assertThat(written(json -> new IsoTime(TimeUnit.MILLISECONDS).writeUnits(instant.toEpochMilli(), json)))
                .isEqualTo("\"" + instant + "\"");
    }

    private static String written(Consumer<JsonBuffer> write) {
        JsonBuffer json = new JsonBuffer();
        write.accept(json);
        return new String(json.toBytes(), StandardCharsets.UTF_8);
    }

    @Property(tries = 3000)
    void shouldWriteTextsThatJacksonReads(@ForAll long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(40);
        boolean plain = random.nextBoolean();
        for (int i = 0; i < length; i++) {
            text.append(plain && random.nextInt(20) > 0 ? 'a' : CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        String expected = text.toString();
        byte[] utf8 = expected.getBytes(StandardCharsets.UTF_8);
        byte[] placed = new byte[3 + utf8.length + random.nextInt(10)];
        Arrays.fill(placed, (byte) random.nextInt());
        System.arraycopy(utf8, 0, placed, 3, utf8.length);
        String json = written(out -> out.string(placed, 3, utf8.length));
        assertThat(NUMBERS.readTree(json).stringValue()).isEqualTo(expected);
    }

    private static String json(Schema schema, byte[] row, List<ChildRows> children) {
        JsonBuffer out = new JsonBuffer();
        new RowToJson(schema).write(row, 0, children, 0, out);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    private static String compactJson(Schema schema, byte[] row, List<ChildRows> children) {
        CompactEncoder encoder = new CompactEncoder(schema);
        encoder.encode(row, 0, children, 0);
        JsonBuffer out = new JsonBuffer();
        new CompactToJson(schema, JsonForm.FILE).write(encoder.bytes(), 0, encoder.length(), out);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    /** Jackson's tree has decimals, which have no negative zero. */
    private static String withoutNegativeZero(String json) {
        return json.replaceAll("-0\\.0(?=[,\\]}])", "0.0");
    }

    private static void assertSameValue(Field field, byte[] row, JsonNode tree) {
        FieldCodec codec = FieldCodecs.of(field);
        JsonNode value = tree.get(field.name());
        if (codec.isAbsent(row, 0)) {
            assertThat(value.isNull()).isTrue();
        } else if (value.isNumber()) {
            assertThat(value.decimalValue()).isEqualByComparingTo(new BigDecimal(codec.text(row, 0)));
        } else {
            assertThat(value.asString()).isEqualTo(codec.text(row, 0));
        }
    }

    private boolean accepts(byte[] text) {
        try {
            scanner.reset(text, 0, text.length);
            scanner.skip();
            return scanner.peek() < 0;
        } catch (MalformedJsonException _) {
            return false;
        }
    }

    private boolean jacksonAccepts(byte[] text) {
        try (JsonParser parser = jackson.createParser(ObjectReadContext.empty(), text)) {
            boolean any = parser.nextToken() != null;
            parser.skipChildren();
            return any && parser.nextToken() == null;
        } catch (JacksonException _) {
            return false;
        }
    }

    private static boolean isUtf8(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    /** Returns whether a text may have an escape that Jackson reads as half of a surrogate pair. */
    private static boolean hasHalfOfAPair(byte[] text) {
        String rest = new String(text, StandardCharsets.UTF_8)
                .replace("\\\\", "_") // an escaped backslash, which begins no other escape
                .replaceAll("(?i)\\\\ud[89ab][0-9a-f]{2}\\\\ud[c-f][0-9a-f]{2}", "");
        return rest.matches("(?is).*\\\\ud[89a-f].*");
    }

    /** Writes no byte 0, by which Jackson recognizes other encodings than UTF-8. */
    private static byte[] damaged(byte[] text, Random random) {
        byte[] damaged = text.clone();
        int changes = 1 + random.nextInt(2);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(damaged.length);
            damaged[at] = random.nextInt(8) == 0
                    ? (byte) (1 + random.nextInt(255))
                    : (byte) DAMAGE.charAt(random.nextInt(DAMAGE.length()));
        }
        return damaged;
    }

    private static void appendObject(StringBuilder text, Random random, int depth) {
        text.append('{').append(space(random));
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : "," + space(random));
            appendString(text, random);
            text.append(space(random)).append(':').append(space(random));
            appendValue(text, random, depth);
            text.append(space(random));
        }
        text.append('}');
    }

    private static void appendValue(StringBuilder text, Random random, int depth) {
        switch (depth > 4 ? 0 : random.nextInt(5)) {
            case 0 -> text.append(SCALARS.get(random.nextInt(SCALARS.size())));
            case 1 -> appendObject(text, random, depth + 1);
            case 2 -> {
                text.append('[');
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    text.append(i == 0 ? "" : ",");
                    appendValue(text, random, depth + 1);
                }
                text.append(space(random)).append(']');
            }
            default -> appendString(text, random);
        }
    }

    private static void appendString(StringBuilder text, Random random) {
        text.append('"');
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        text.append('"');
    }

    private static String space(Random random) {
        return " \t\n\r".substring(0, random.nextInt(6) == 0 ? 1 + random.nextInt(4) : 0);
    }

    /** Returns the same tree with the members of objects in another order. */
    private JsonNode shuffled(JsonNode node, Random random) {
        if (node instanceof ArrayNode array) {
            ArrayNode result = plain.createArrayNode();
            array.forEach(element -> result.add(shuffled(element, random)));
            return result;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        List<String> names = new ArrayList<>(object.propertyNames());
        Collections.shuffle(names, random);
        ObjectNode result = plain.createObjectNode();
        names.forEach(name -> result.set(name, shuffled(object.get(name), random)));
        return result;
    }
}
