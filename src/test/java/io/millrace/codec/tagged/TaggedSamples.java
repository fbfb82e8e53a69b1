package io.millrace.codec.tagged;

import io.millrace.schema.Container;
import io.millrace.schema.ElementForm;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedField;
import io.millrace.schema.TaggedLayout;
import io.millrace.schema.yaml.SchemaReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Random tagged schemas, and random records of them. */
final class TaggedSamples {

    private static final List<String> WHOLE = List.of(
            "type: u8",
            "type: u16",
            "type: u32",
            "type: u64",
            "type: i16, order: little",
            "type: i32",
            "type: i64",
            "type: u32, bits: 3..17",
            "type: f32",
            "type: f64, order: little",
            "type: ipv4",
            "type: ipv6",
            "type: instant, as: u32, unit: s",
            "type: date, as: i32",
            "type: boolean",
            "type: enum, as: u8, values: { 1: A, 3: B, 200: C }",
            "type: enum, as: u32, values: [A, B, C]",
            "type: string, length: 9, charset: utf8",
            "type: string, length: 30, charset: ascii",
            "type: string, length: 3, charset: latin1",
            "type: bytes, length: 12",
            "type: plmn",
            "type: quarter-hours",
            "type: count");
    private static final List<String> WIDE_TAGS = List.of("0x101", "7", "70000", "0xFFFFFFFF");

    private final Random random;
    private int names;

    TaggedSamples(Random random) {
        this.random = random;
    }

    Schema schema() {
        int tagBytes = 1 + (random.nextBoolean() ? 0 : random.nextInt(4));
        String text = "schema: random\nlayout: tagged\nheader: 4\n" + elements(tagBytes, "") + "fields:\n"
                + "  - { name: head, type: u16, at: 1 }\n" + fields("  ", tagBytes, 0);
        return SchemaReader.read("random.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private String elements(int tagBytes, String indent) {
        return indent + "elements: { tag: " + tagBytes + ", length: " + (1 + random.nextInt(4)) + ", counts: "
                + (random.nextBoolean() ? "all" : "value") + " }\n";
    }

    private String fields(String indent, int tagBytes, int depth) {
        StringBuilder text = new StringBuilder();
        int count = 1 + random.nextInt(depth == 0 ? 10 : 4);
        for (int i = 0; i < count; i++) {
            text.append(
                    switch (random.nextInt(depth < 2 ? 8 : 6)) {
                        case 0 -> field(indent, ", tag: " + tag(tagBytes) + ", at: " + random.nextInt(4));
                        case 1 -> field(indent, ", tag: " + tag(tagBytes) + ", at: { 0: 1, 1: 2, 65: 3 }");
                        case 2 -> field(indent, ", repeat: 3, tag: " + tag(tagBytes));
                        case 3 -> field(indent, ", occurrence: 1, tag: " + tag(tagBytes));
                        case 6, 7 -> group(indent, tagBytes, depth);
                        default ->
                            field(
                                    indent,
                                    ", tag: " + tag(tagBytes) + (random.nextInt(8) == 0 ? ", required: true" : ""));
                    });
        }
        return text.toString();
    }

    private String field(String indent, String where) {
        return indent + "- { name: f" + names++ + ", " + WHOLE.get(random.nextInt(WHOLE.size())) + where + " }\n";
    }

    private String group(String indent, int tagBytes, int depth) {
        int inner = 1 + random.nextInt(2);
        return indent + "- type: group\n" + indent + "  tag: " + tag(tagBytes) + "\n"
                + (random.nextBoolean()
                        ? indent + "  vendor: " + (random.nextBoolean() ? 10415 : 0xFFFF_FFFFL) + "\n"
                        : "")
                + elements(inner, indent + "  ") + indent + "  fields:\n" + fields(indent + "    ", inner, depth + 1);
    }

    private String tag(int tagBytes) {
        return tagBytes > 1 && random.nextInt(4) == 0
                ? WIDE_TAGS.get(random.nextInt(tagBytes == 2 ? 2 : WIDE_TAGS.size()))
                : Integer.toString(random.nextInt(6));
    }

    /** Returns a record of which most elements have fields of a schema. */
    byte[] record(Schema schema) {
        TaggedLayout layout = (TaggedLayout) schema.layout();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes(layout.headerLength()));
        int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            TaggedField field =
                    layout.fields().get(random.nextInt(layout.fields().size()));
            out.writeBytes(element(field, 0, layout.form()));
        }
        return out.toByteArray();
    }

    private byte[] element(TaggedField field, int depth, ElementForm form) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        long tag = field.tag();
        if (depth < field.containers().size()) {
            Container container = field.containers().get(depth);
            tag = container.tag();
            Long vendor = container.vendor();
            if (vendor != null) {
                value.writeBytes(number(vendor, Integer.BYTES));
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                value.writeBytes(element(field, depth + 1, container.form()));
            }
        } else {
            int offset = field.part().offset();
            int width = field.reading().bytes();
            int length = random.nextInt(8) == 0 ? random.nextInt(20) : Math.max(offset, 0) + width;
            value.writeBytes(bytes(width == 0 || random.nextInt(8) == 0 ? length + random.nextInt(14) : length));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(number(tag, form.tagBytes()));
        out.writeBytes(number(value.size() + (form.lengthOfAll() ? form.headerLength() : 0), form.lengthBytes()));
        out.writeBytes(value.toByteArray());
        return out.toByteArray();
    }

    private static byte[] number(long number, int width) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[width - 1 - i] = (byte) (number >>> (8 * i));
        }
        return bytes;
    }

    /** Returns small numbers, text, or any bytes. */
    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        int form = random.nextInt(3);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte)
                    switch (form) {
                        case 0 -> i < length - 1 ? 0 : random.nextInt(4);
                        case 1 -> 'A' + random.nextInt(26);
                        default -> random.nextInt();
                    };
        }
        return bytes;
    }
}
