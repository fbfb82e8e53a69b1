package io.millrace.web.page;

import io.millrace.codec.record.FieldBytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that passed a tap, in JSON.
 *
 * @param time when, in milliseconds since 1970
 * @param passed records that passed since the previous event
 * @param record its values, as in query results
 * @param bytes as received, in hexadecimal digits
 * @param fields location of the values in these bytes
 * @param added fields that steps have added; null if there are none so far
 */
record TapEvent(
        long time,
        long passed,
        Map<String, @Nullable Object> record,
        String bytes,
        List<FieldBytes> fields,
        @Nullable Added added) {

    /** Fields next to the record. */
    record Added(String bytes, List<FieldBytes> fields) {}
}
