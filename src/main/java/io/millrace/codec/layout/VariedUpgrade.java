package io.millrace.codec.layout;

import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.Map;

/** Rewrites the bytes of a record that varies in length as those of the next version of its schema. Thread-safe. */
@FunctionalInterface
public interface VariedUpgrade {

    /** The bytes are those of the next version. */
    VariedUpgrade NONE = Arrays::copyOfRange;

    /** Returns the bytes of the record in the next version. */
    byte[] upgrade(byte[] bytes, int start, int end);

    /** Returns the upgrade of records; a tagged record is the same in every version of its schema. */
    static VariedUpgrade of(Schema from, Schema to, Map<String, String> sources) {
        return NONE;
    }
}
