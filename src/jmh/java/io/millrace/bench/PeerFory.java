package io.millrace.bench;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.util.List;
import org.apache.fory.format.row.binary.BinaryArray;
import org.apache.fory.format.row.binary.BinaryRow;
import org.apache.fory.format.row.binary.writer.BinaryArrayWriter;
import org.apache.fory.format.row.binary.writer.BinaryRowWriter;
import org.apache.fory.format.row.binary.writer.BinaryWriter;
import org.apache.fory.format.type.DataType;
import org.apache.fory.format.type.DataTypes;
import org.apache.fory.format.type.Field;
import org.apache.fory.format.type.Schema;
import tools.jackson.databind.JsonNode;

/** The bytes of a message in Fory's row format: a struct per group, 64 bits for numbers. Stateless. */
final class PeerFory {

    private PeerFory() {}

    static byte[] bytes(CompactGroup root, JsonNode message) {
        return row(root, message).toBytes();
    }

    static Schema schema(CompactGroup group) {
        return DataTypes.schema(fields(group));
    }

    private static List<Field> fields(CompactGroup group) {
        return group.members().stream()
                .map(member -> DataTypes.field(PeerMessage.name(member), type(member)))
                .toList();
    }

    private static DataType type(CompactMember member) {
        return switch (member) {
            case CompactPart part when part.repeats() -> DataTypes.list(elementType(part));
            case CompactPart part -> DataTypes.struct(fields(part.group()));
            case CompactValue value ->
                switch (PeerMessage.type(value)) {
                    case FieldType.StringType _ -> DataTypes.utf8();
                    case FieldType.FloatType _ -> DataTypes.float64();
                    case FieldType.BooleanType _ -> DataTypes.bool();
                    default -> DataTypes.int64();
                };
        };
    }

    private static DataType elementType(CompactPart part) {
        return part.bare() ? type(part.group().members().getFirst()) : DataTypes.struct(fields(part.group()));
    }

    static BinaryRow row(CompactGroup group, JsonNode object) {
        BinaryRowWriter writer = new BinaryRowWriter(schema(group));
        writer.reset();
        for (int i = 0; i < group.members().size(); i++) {
            CompactMember member = group.members().get(i);
            JsonNode node = PeerMessage.get(object, member);
            if (node == null) {
                writer.setNullAt(i);
            } else {
                write(writer, i, member, node);
            }
        }
        return writer.getRow();
    }

    private static void write(BinaryWriter writer, int index, CompactMember member, JsonNode node) {
        switch (member) {
            case CompactPart part when part.repeats() -> writer.write(index, array(part, node));
            case CompactPart part -> writer.write(index, row(part.group(), node));
            case CompactValue value -> {
                switch (PeerMessage.type(value)) {
                    case FieldType.StringType _ -> writer.write(index, node.asString());
                    case FieldType.FloatType _ -> writer.write(index, node.doubleValue());
                    case FieldType.BooleanType _ -> writer.write(index, node.booleanValue());
                    default -> writer.write(index, PeerMessage.number(value, node));
                }
            }
        }
    }

    private static BinaryArray array(CompactPart part, JsonNode nodes) {
        BinaryArrayWriter writer =
                new BinaryArrayWriter(DataTypes.arrayField(PeerMessage.name(part), elementType(part)));
        writer.reset(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            if (part.bare()) {
                write(writer, i, part.group().members().getFirst(), nodes.get(i));
            } else {
                writer.write(i, row(part.group(), nodes.get(i)));
            }
        }
        return writer.toArray();
    }
}
