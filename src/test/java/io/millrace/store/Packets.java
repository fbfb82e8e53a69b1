package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** RADIUS accounting requests made by hand, attribute by attribute, and batches of them. */
public final class Packets {

    public static final Schema SCHEMA = Schemas.builtIn().get("radius-accounting");

    public static final int START = 1;
    public static final int STOP = 2;
    public static final int INTERIM = 3;

    private static final int HEADER = 20;
    private static final int VENDOR = 10415;

    private final ByteArrayOutputStream attributes = new ByteArrayOutputStream();

    private Packets() {}

    /** A request of a session. */
    public static Packets of(int status, String session) {
        return new Packets().number(40, status).text(44, session);
    }

    public Packets number(int type, int value) {
        return attribute(type, ByteBuffer.allocate(4).putInt(value).array());
    }

    public Packets text(int type, String value) {
        return attribute(type, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Address of the gateway, the last byte given. */
    public Packets nas(int last) {
        return attribute(4, new byte[] {10, 0, 0, (byte) last});
    }

    public Packets imsi(String imsi) {
        byte[] text = imsi.getBytes(StandardCharsets.US_ASCII);
        return attribute(
                26,
                ByteBuffer.allocate(6 + text.length)
                        .putInt(VENDOR)
                        .put((byte) 1)
                        .put((byte) (2 + text.length))
                        .put(text)
                        .array());
    }

    public Packets attribute(int type, byte[] value) {
        attributes.write(type);
        attributes.write(2 + value.length);
        attributes.writeBytes(value);
        return this;
    }

    /** The packet's bytes, its authenticator all zero. */
    public byte[] bytes() {
        byte[] body = attributes.toByteArray();
        return ByteBuffer.allocate(HEADER + body.length)
                .put((byte) 4)
                .put((byte) 7)
                .putShort((short) (HEADER + body.length))
                .put(HEADER, body)
                .array();
    }

    /** Records back to back behind some other bytes, their fields found, at a position of their feed. */
    public static RecordBatch batch(Schema schema, long from, byte[]... records) {
        RecordBatch batch = fill(new RecordBatch(schema), from, records);
        TaggedFinder.of(schema).admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        return batch;
    }

    /** Makes a batch show records, without looking for their fields. */
    public static RecordBatch fill(RecordBatch batch, long from, byte[]... records) {
        int[] bounds = new int[records.length + 1];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {1, 2, 3});
        for (int i = 0; i < records.length; i++) {
            bounds[i] = bytes.size();
            bytes.writeBytes(records[i]);
        }
        bounds[records.length] = bytes.size();
        bytes.writeBytes(new byte[] {4, 5});
        return batch.fill(bytes.toByteArray(), bounds, records.length, from);
    }
}
