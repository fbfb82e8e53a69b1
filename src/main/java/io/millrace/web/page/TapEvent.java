package io.millrace.web.page;

import io.millrace.codec.FieldBytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that passed a tap, in JSON.
 *
 * @param time when, in milliseconds since 1970
 * @param passed records that passed since the event before
 * @param record its values, as queries tell them
 * @param bytes as they came, hexadecimal
 * @param fields where in these bytes the values lie
 * @param added what steps have added; null where they have added nothing so far
 */
record TapEvent(
        long time,
        long passed,
        Map<String, @Nullable Object> record,
        String bytes,
        List<FieldBytes> fields,
        @Nullable Added added) {

    /** Fields beside the record. */
    record Added(String bytes, List<FieldBytes> fields) {}
}
