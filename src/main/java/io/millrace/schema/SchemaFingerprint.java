package io.millrace.schema;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Computes the {@linkplain Schema#fingerprint fingerprint} of a schema. Stateless. */
public final class SchemaFingerprint {

    private SchemaFingerprint() {}

    /** Returns the fingerprint; reads everything of the schema but its fingerprint. */
    static long of(Schema schema) {
        int origin = schema.describedFrom();
        RecordLayout layout = schema.layout();
        String form = layout.variesInLength() ? schema.name() + " " + layout : layout + " " + schema.recordLength();
        String canonical = schema.fields().stream()
                .filter(field -> field.offset() >= origin)
                .sorted(Comparator.comparingInt(Field::offset).thenComparing(Field::name))
                .map(field ->
                        field.name() + '@' + (field.offset() - origin) + ':' + meaning(field.type()) + absence(field))
                .collect(Collectors.joining("\n", form + "\n", "\n"));
        return hash(canonical);
    }

    /** Implements {@link Schema#fingerprint(Field)}. */
    static long of(Schema schema, Field field) {
        return hash(field.name()
                + ':'
                + meaning(field.type())
                + unknownCodes(field.type())
                + absence(field)
                + '\n'
                + schema.layout().source(field.name()));
    }

    private static long hash(String canonical) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /**
     * Returns whether codes without a name are values, as text. Not part of {@link #meaning}, because the stored bytes
     * are the same.
     */
    private static String unknownCodes(FieldType type) {
        return type instanceof FieldType.EnumType(IntStorage _, Dictionary names) && names.keepsUnknown()
                ? " unknown keep"
                : "";
    }

    /** Returns how a field represents absent. The text must not change, because fingerprints depend on it. */
    private static String absence(Field field) {
        return field.nullFlag() ? "?flag" : field.optional() ? "?" + field.nullRaw() : "";
    }

    /**
     * Returns the meaning of a type's bytes. The text must not change, because fingerprints of stored records depend on
     * it.
     */
    public static String meaning(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(IntStorage storage) -> "integer " + storage;
            case FieldType.DecimalType(IntStorage storage, int scale) -> "decimal " + storage + " scale " + scale;
            case FieldType.DateType(IntStorage storage) -> "days " + storage;
            case FieldType.InstantType(IntStorage storage, TimeUnit unit) -> "instant " + storage + " " + unit;
            case FieldType.EnumType(IntStorage storage, Dictionary names) -> "enum " + storage + " " + names;
            case FieldType.BooleanType(IntStorage storage) -> "boolean " + storage;
            case FieldType.FloatType(int bytes, ByteOrder order) -> "float " + bytes + " " + order;
            case FieldType.StringType(int bytes, Charset charset, byte pad) ->
                "string " + bytes + " " + charset + " " + pad;
            case FieldType.BytesType(int bytes) -> "bytes " + bytes;
            case FieldType.IpType(int bytes) -> "ip " + bytes;
        };
    }
}
