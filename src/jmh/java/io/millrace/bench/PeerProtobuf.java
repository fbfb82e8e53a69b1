package io.millrace.bench;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import tools.jackson.databind.JsonNode;

/**
 * The bytes of a message in Protobuf: a message per group, {@code sint64} for signed numbers, decimals (times ten to
 * the power of their scale), days and milliseconds, {@code uint64} for the others and for codes. Stateless.
 */
final class PeerProtobuf {

    private PeerProtobuf() {}

    static byte[] bytes(CompactGroup root, JsonNode message) {
        try {
            FileDescriptorProto file = FileDescriptorProto.newBuilder()
                    .setName("message.proto")
                    .setSyntax("proto2")
                    .addMessageType(type("Message", root))
                    .build();
            Descriptor type = FileDescriptor.buildFrom(file, new FileDescriptor[0])
                    .getMessageTypes()
                    .getFirst();
            DynamicMessage encoded = message(type, root, message);
            byte[] bytes = encoded.toByteArray();
            if (!DynamicMessage.parseFrom(type, bytes).equals(encoded)) {
                throw new IllegalStateException("Protobuf read another message");
            }
            return bytes;
        } catch (DescriptorValidationException | InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DescriptorProto type(String name, CompactGroup group) {
        DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(name);
        int number = 0;
        for (CompactMember member : group.members()) {
            FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                    .setName(PeerMessage.name(member))
                    .setNumber(++number)
                    .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
            CompactMember value = member;
            if (member instanceof CompactPart part) {
                if (part.repeats()) {
                    field.setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
                }
                if (part.bare()) {
                    value = part.group().members().getFirst();
                } else {
                    type.addNestedType(type("T" + number, part.group()));
                    field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName("T" + number);
                }
            }
            if (value instanceof CompactValue single) {
                field.setType(type(single));
            }
            type.addField(field);
        }
        return type.build();
    }

    private static FieldDescriptorProto.Type type(CompactValue value) {
        return switch (PeerMessage.type(value)) {
            case FieldType.StringType _ -> FieldDescriptorProto.Type.TYPE_STRING;
            case FieldType.FloatType _ -> FieldDescriptorProto.Type.TYPE_DOUBLE;
            case FieldType.BooleanType _ -> FieldDescriptorProto.Type.TYPE_BOOL;
            case FieldType.EnumType _ -> FieldDescriptorProto.Type.TYPE_UINT64;
            case FieldType.Numbered type
            when !type.storage().signed() && !(type instanceof FieldType.DateType) ->
                FieldDescriptorProto.Type.TYPE_UINT64;
            case FieldType.Numbered _ -> FieldDescriptorProto.Type.TYPE_SINT64;
            default -> throw new IllegalArgumentException(value.path());
        };
    }

    private static DynamicMessage message(Descriptor type, CompactGroup group, JsonNode object) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (CompactMember member : group.members()) {
            JsonNode node = PeerMessage.get(object, member);
            if (node == null) {
                continue;
            }
            FieldDescriptor field = type.findFieldByName(PeerMessage.name(member));
            if (member instanceof CompactPart part && part.repeats()) {
                node.forEach(element -> message.addRepeatedField(field, element(field, part, element)));
            } else if (member instanceof CompactPart part) {
                message.setField(field, message(field.getMessageType(), part.group(), node));
            } else {
                message.setField(field, value((CompactValue) member, node));
            }
        }
        return message.build();
    }

    private static Object element(FieldDescriptor field, CompactPart part, JsonNode element) {
        return part.bare()
                ? value((CompactValue) part.group().members().getFirst(), element)
                : message(field.getMessageType(), part.group(), element);
    }

    private static Object value(CompactValue value, JsonNode node) {
        return switch (PeerMessage.type(value)) {
            case FieldType.StringType _ -> node.asString();
            case FieldType.FloatType _ -> node.doubleValue();
            case FieldType.BooleanType _ -> node.booleanValue();
            default -> PeerMessage.number(value, node);
        };
    }
}
