package io.millrace.bench;

import com.google.protobuf.CodedInputStream;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.fory.format.row.binary.BinaryArray;
import org.apache.fory.format.row.binary.BinaryRow;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.memory.MemoryUtils;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The orders of {@link GroupsData} in the formats of other projects, and the rule of {@link CompactBenchmark} over them
 * in Java: objects that a Protobuf parser fills (hand-written with Protobuf's reader, as generated code does), Avro's
 * generic records, and Fory's rows, which are read in place. Not thread-safe.
 */
final class PeerOrders {

    private static final long LIMIT = 1000_00;
    private static final long NOTIONAL = 1_000_000_00;

    private final List<byte[]> protobuf = new ArrayList<>();
    private final List<byte[]> avro = new ArrayList<>();
    private final List<byte[]> fory = new ArrayList<>();
    private final GenericDatumReader<GenericRecord> avroReader;
    private final org.apache.fory.format.type.Schema forySchema;
    private @Nullable BinaryDecoder decoder;

    PeerOrders(List<byte[]> json) {
        CompactGroup root = ((CompactLayout) GroupsData.SCHEMA.layout()).root();
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();
        Schema schema = new PeerAvro().schema(root);
        avroReader = new GenericDatumReader<>(schema);
        forySchema = PeerFory.schema(root);
        json.forEach(text -> {
            var message = mapper.readTree(text);
            protobuf.add(PeerProtobuf.bytes(root, message));
            avro.add(new PeerAvro().bytes(root, message));
            fory.add(PeerFory.bytes(root, message));
        });
    }

    /** Returns the average bytes of an order in each format. */
    String sizes() {
        return "Protobuf " + average(protobuf) + ", Avro " + average(avro) + ", Fory " + average(fory);
    }

    private static long average(List<byte[]> orders) {
        return orders.stream().mapToLong(bytes -> bytes.length).sum() / orders.size();
    }

    /** An order as generated code of Protobuf holds it. */
    private static final class Order {
        private long id;
        private long currency;
        private long limit;
        private final List<Leg> legs = new ArrayList<>();
    }

    private record Leg(long notional, double rate, boolean open) {}

    int protobuf() {
        int kept = 0;
        for (byte[] bytes : protobuf) {
            Order order = order(bytes);
            if (order.id > 10
                    && order.currency != GroupsData.JPY
                    && order.limit > LIMIT
                    && order.legs.stream().anyMatch(leg -> leg.notional > NOTIONAL && leg.open)) {
                kept++;
            }
        }
        return kept;
    }

    private static Order order(byte[] bytes) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            Order order = new Order();
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                switch (tag >>> 3) {
                    case 1 -> order.id = in.readSInt64();
                    case 2 -> order.currency = in.readUInt64();
                    case 3 -> order.limit = in.readSInt64();
                    case 4 -> order.legs.add(leg(in));
                    default -> in.skipField(tag);
                }
            }
            return order;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Leg leg(CodedInputStream in) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        long notional = 0;
        double rate = 0;
        boolean open = false;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> 3) {
                case 1 -> notional = in.readSInt64();
                case 2 -> rate = in.readDouble();
                case 3 -> open = in.readBool();
                default -> in.skipField(tag);
            }
        }
        in.popLimit(limit);
        return new Leg(notional, rate, open);
    }

    int avro() {
        int kept = 0;
        for (byte[] bytes : avro) {
            GenericRecord order = record(bytes);
            if ((long) order.get(0) > 10
                    && (long) order.get(1) != GroupsData.JPY
                    && (long) order.get(2) > LIMIT
                    && hasLeg((List<?>) order.get(3))) {
                kept++;
            }
        }
        return kept;
    }

    private GenericRecord record(byte[] bytes) {
        try {
            decoder = DecoderFactory.get().binaryDecoder(bytes, decoder);
            return avroReader.read(null, decoder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasLeg(List<?> legs) {
        for (Object each : legs) {
            GenericRecord leg = (GenericRecord) each;
            if ((long) leg.get(0) > NOTIONAL && (boolean) leg.get(2)) {
                return true;
            }
        }
        return false;
    }

    int fory() {
        int kept = 0;
        for (byte[] bytes : fory) {
            MemoryBuffer buffer = MemoryUtils.wrap(bytes);
            BinaryRow order = new BinaryRow(forySchema);
            order.pointTo(buffer, 0, bytes.length);
            if (order.getInt64(0) > 10
                    && order.getInt64(1) != GroupsData.JPY
                    && order.getInt64(2) > LIMIT
                    && hasLeg(order.getArray(3))) {
                kept++;
            }
        }
        return kept;
    }

    private static boolean hasLeg(BinaryArray legs) {
        for (int i = 0; i < legs.numElements(); i++) {
            BinaryRow leg = legs.getStruct(i);
            if (leg.getInt64(0) > NOTIONAL && leg.getBoolean(2)) {
                return true;
            }
        }
        return false;
    }
}
