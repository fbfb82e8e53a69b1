package io.millrace.bench;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The bytes of a message in Avro: a record per group, a union with null for what can be missing, {@code long} for
 * numbers, decimals (times ten to the power of their scale), days, milliseconds and codes. Not thread-safe.
 */
final class PeerAvro {

    private int records;

    byte[] bytes(CompactGroup root, JsonNode message) {
        Schema schema = record(root);
        GenericRecord encoded = value(schema, root, message);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(schema).write(encoded, encoder);
            encoder.flush();
            GenericRecord read = new GenericDatumReader<GenericRecord>(schema)
                    .read(null, DecoderFactory.get().binaryDecoder(out.toByteArray(), null));
            if (!read.toString().equals(encoded.toString())) {
                throw new IllegalStateException("Avro read another message");
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Schema schema(CompactGroup root) {
        return record(root);
    }

    private Schema record(CompactGroup group) {
        List<Schema.Field> fields = new ArrayList<>();
        for (CompactMember member : group.members()) {
            Schema type = type(member);
            boolean union = member.optional() && !(member instanceof CompactPart part && part.repeats());
            fields.add(new Schema.Field(
                    PeerMessage.name(member),
                    union ? Schema.createUnion(Schema.create(Schema.Type.NULL), type) : type,
                    null,
                    (Object) null));
        }
        return Schema.createRecord("R" + records++, null, null, false, fields);
    }

    private Schema type(CompactMember member) {
        return switch (member) {
            case CompactPart part
            when part.repeats() ->
                Schema.createArray(part.bare() ? type(part.group().members().getFirst()) : record(part.group()));
            case CompactPart part -> record(part.group());
            case CompactValue value ->
                Schema.create(
                        switch (PeerMessage.type(value)) {
                            case FieldType.StringType _ -> Schema.Type.STRING;
                            case FieldType.FloatType _ -> Schema.Type.DOUBLE;
                            case FieldType.BooleanType _ -> Schema.Type.BOOLEAN;
                            default -> Schema.Type.LONG;
                        });
        };
    }

    private GenericRecord value(Schema schema, CompactGroup group, JsonNode object) {
        GenericRecord record = new GenericData.Record(schema);
        for (CompactMember member : group.members()) {
            JsonNode node = PeerMessage.get(object, member);
            Schema declared = schema.getField(PeerMessage.name(member)).schema();
            Schema type = declared.isUnion() ? declared.getTypes().get(1) : declared;
            if (member instanceof CompactPart part && part.repeats()) {
                record.put(PeerMessage.name(member), elements(type, part, node));
            } else if (node != null) {
                record.put(
                        PeerMessage.name(member),
                        member instanceof CompactPart part ? value(type, part.group(), node) : value(member, node));
            }
        }
        return record;
    }

    private List<Object> elements(Schema type, CompactPart part, @Nullable JsonNode nodes) {
        if (nodes == null) {
            return List.of();
        }
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(node -> part.bare()
                        ? value(part.group().members().getFirst(), node)
                        : value(type.getElementType(), part.group(), node))
                .toList();
    }

    private static Object value(CompactMember member, JsonNode node) {
        CompactValue value = (CompactValue) member;
        return switch (PeerMessage.type(value)) {
            case FieldType.StringType _ -> node.asString();
            case FieldType.FloatType _ -> node.doubleValue();
            case FieldType.BooleanType _ -> node.booleanValue();
            default -> PeerMessage.number(value, node);
        };
    }
}
