package io.millrace.web.request;

import java.util.HexFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The JSON of records and of values of their fields. It is the same in each application, so settings of the
 * application's own mapper do not apply.
 */
public final class RecordJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .addModule(new SimpleModule("millrace-records").addSerializer(byte[].class, new Hexadecimal()))
            .build();

    private RecordJson() {}

    /** Returns the mapper that writes records. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** Writes bytes as hexadecimal digits, as in text files. */
    private static final class Hexadecimal extends ValueSerializer<byte[]> {
        @Override
        public void serialize(byte[] bytes, JsonGenerator json, SerializationContext context) {
            json.writeString(HexFormat.of().formatHex(bytes));
        }
    }
}
