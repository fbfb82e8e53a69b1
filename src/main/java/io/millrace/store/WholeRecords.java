package io.millrace.store;

import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes single records with all that can be read of them: stored fields, then virtual ones, of which each is computed
 * by itself so that one without a result hides nothing else. Thread-safe.
 */
public final class WholeRecords {

    private final StoredRecords stored;
    private final Map<String, StoredRecords> virtual = new LinkedHashMap<>();

    /**
     * Compiles the virtual fields of a region's records.
     *
     * @param functions that they may call
     * @throws io.millrace.expression.ExpressionException where one can't be computed
     */
    public WholeRecords(Schema schema, FunctionRegistry functions) {
        stored = StoredRecords.of(schema);
        for (VirtualField field : schema.virtualFields()) {
            virtual.put(field.name(), StoredRecords.of(schema, List.of(field.name()), functions));
        }
    }

    /**
     * A record's values by field name, null where absent; null too where a virtual field has no result.
     *
     * @param record its {@linkplain StoredForm stored form}
     * @throws io.millrace.codec.FieldValueException where the bytes of a field are no value of its type
     * @throws StoreException where a tagged record can't be read
     */
    public synchronized Map<String, @Nullable Object> decode(byte[] record) {
        Map<String, @Nullable Object> values = stored.decode(record, 0);
        virtual.forEach((name, computed) -> {
            try {
                values.putAll(computed.decode(record, 0));
            } catch (NoResultException _) {
                values.put(name, null);
            }
        });
        return values;
    }
}
