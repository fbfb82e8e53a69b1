package io.millrace.bench;

import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints the bytes of the messages of {@code src/test/resources/messages}, and of an order of ten legs, in each format.
 * Protobuf, Avro and Fory are encoded by their libraries with schemas derived from ours, so all carry the same values.
 * Run it by {@code ./mvnw -Pbench verify -Dbench.main=io.millrace.bench.MessageSizes}.
 */
public final class MessageSizes {

    private static final Path MESSAGES = Path.of("src/test/resources/messages");

    private MessageSizes() {}

    static void main() throws IOException {
        print("message", List.of("JSON", "compact", "protobuf", "avro", "fory row", "sbe", "compact gz", "json gz"));
        for (String name : List.of("pacs008", "camt053", "fpml-swap")) {
            print(
                    SchemaReader.read(MESSAGES.resolve(name + ".yml")),
                    Files.readAllBytes(MESSAGES.resolve(name + ".json")));
        }
        List<byte[]> orders = new ArrayList<>();
        GroupsData data = new GroupsData();
        data.json(1, orders::add);
        print(GroupsData.SCHEMA, orders.getFirst());
        System.out.println(
                "order, encoded by the codec that sbe-tool generates: " + new SbeOrders(data.orders()).averageBytes());
    }

    private static void print(Schema schema, byte[] json) throws IOException {
        JsonToCompact reader = new JsonToCompact(schema);
        reader.append(json, 0, json.length);
        byte[] compact = reader.encoder().toBytes();
        CompactGroup root = ((CompactLayout) schema.layout()).root();
        JsonNode message = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build()
                .readTree(json);
        print(
                schema.name(),
                List.of(
                        json.length,
                        compact.length,
                        PeerProtobuf.bytes(root, message).length,
                        new PeerAvro().bytes(root, message).length,
                        PeerFory.bytes(root, message).length,
                        PeerSbe.length(root, message),
                        gzip(compact),
                        gzip(json)));
    }

    private static void print(String name, List<?> cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-12s", name));
        cells.forEach(cell -> line.append(String.format(Locale.ROOT, "%12s", cell)));
        System.out.println(line);
    }

    private static int gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.size();
    }
}
