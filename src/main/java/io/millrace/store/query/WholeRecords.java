package io.millrace.store.query;

import io.millrace.codec.FieldValueException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes single records with all readable fields: stored fields, then virtual ones, each computed separately so that
 * one without a result hides no other. Thread-safe.
 */
public final class WholeRecords {

    private final StoredRecords stored;
    private final Map<String, StoredRecords> virtual = new LinkedHashMap<>();

    /**
     * Compiles the virtual fields of a region's records.
     *
     * @param functions that they may call
     * @throws io.millrace.expression.error.ExpressionException if one can't be computed
     */
    public WholeRecords(Schema schema, FunctionRegistry functions) {
        stored = StoredRecords.of(schema);
        for (VirtualField field : schema.virtualFields()) {
            virtual.put(field.name(), StoredRecords.of(schema, List.of(field.name()), functions));
        }
    }

    /**
     * Returns a record's values by field name, null if absent, or if a virtual field has no result.
     *
     * @param record its {@linkplain io.millrace.store.region.StoredForm stored form}
     * @throws NoResultException if the bytes of a field are not a value of its type
     * @throws io.millrace.store.error.StoreException if the record can't be read
     */
    public synchronized Map<String, @Nullable Object> decode(byte[] record) {
        Map<String, @Nullable Object> values = stored(record);
        virtual.forEach((name, computed) -> {
            try {
                values.putAll(computed.decode(record, 0));
            } catch (NoResultException _) {
                values.put(name, null);
            }
        });
        return values;
    }

    private Map<String, @Nullable Object> stored(byte[] record) {
        try {
            return stored.decode(record, 0);
        } catch (FieldValueException e) {
            // Callers distinguish it from a key that is not a value of its field.
            throw new NoResultException(String.valueOf(e.getMessage()));
        }
    }
}
