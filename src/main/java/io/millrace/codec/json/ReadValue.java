package io.millrace.codec.json;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.StringCodec;

/** Reads a single value. */
final class ReadValue implements ReadNode {

    private final String path;
    private final FieldCodec codec;
    private final ByteValue bytes;

    private ReadValue(String path, FieldCodec codec) {
        this.path = path;
        this.codec = codec;
        bytes = ByteValues.of(codec);
    }

    /** Returns a reader of a field's value. */
    static ReadValue of(String path, FieldCodec codec) {
        return new ReadValue(path, codec);
    }

    @Override
    public boolean required() {
        return !codec.field().optional();
    }

    @Override
    public void read(JsonInput json, byte[] into, int at, int parent) {
        try {
            read(json, into, at);
        } catch (FieldValueException e) {
            json.error("Invalid value '" + e.value() + "' of '" + path + "'. " + e.reason());
        }
    }

    private void read(JsonInput json, byte[] into, int at) {
        JsonScanner scanner = json.scanner();
        switch (scanner.peek()) {
            case '"' -> {
                scanner.string();
                if (!bytes.putText(scanner, into, at)) {
                    text(scanner.text(), into, at);
                }
            }
            case 'n' -> {
                scanner.literal(JsonConstant.NULL);
                codec.putAbsent(into, at);
            }
            case 't' -> truth(scanner, true, into, at);
            case 'f' -> truth(scanner, false, into, at);
            case '{', '[' -> {
                json.error("Invalid value of '" + path + "': an object or an array. Use a single value.");
                scanner.skip();
            }
            default -> {
                scanner.number();
                if (!bytes.putNumber(scanner, into, at)) {
                    codec.setText(into, at, scanner.text());
                }
            }
        }
    }

    private void truth(JsonScanner scanner, boolean value, byte[] into, int at) {
        scanner.literal(value ? JsonConstant.TRUE : JsonConstant.FALSE);
        if (codec instanceof BooleanCodec truth) {
            truth.put(into, at, value);
        } else {
            codec.setText(into, at, String.valueOf(value));
        }
    }

    /** Writes a text; an empty one is a value of an optional string, not an absent one. */
    private void text(String text, byte[] into, int at) {
        if (text.isEmpty() && codec instanceof StringCodec) {
            codec.setValue(into, at, text);
        } else {
            codec.setText(into, at, text);
        }
    }
}
