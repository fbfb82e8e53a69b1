package io.millrace.web.answer;

import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonTooLongException;
import io.millrace.schema.Schema;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.StoredForms;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads stored compact records as JSON objects, from byte to byte without a map. The objects are those that
 * {@link StoredRecords} and Jackson make. Not thread-safe.
 */
final class CompactRecordJson implements StoredRecordReader<byte[]> {

    private final CompactToJson writer;
    private final JsonBuffer json = new JsonBuffer();
    private final StoredRecords records;
    private final JsonMapper mapper;

    /** @param records decodes all stored fields of the schema's records */
    CompactRecordJson(Schema schema, StoredRecords records, JsonMapper mapper) {
        this.writer = new CompactToJson(schema, JsonForm.API);
        this.records = records;
        this.mapper = mapper;
    }

    /** Returns whether the records that a region stores are compact ones, without fields that steps have added. */
    static boolean canWrite(Schema stored) {
        return stored.layout().nests() && StoredForms.of(stored).prefixLength() == 0;
    }

    @Override
    public byte[] read(byte[] stored, int from, int to) {
        json.clear();
        try {
            writer.write(stored, from, to, json);
            return json.toBytes();
        } catch (JsonTooLongException e) {
            throw new NoResultException(String.join(" ", e.reasons()));
        } catch (JsonRecordException _) {
            // Throws what is wrong with the record, as for all other queries.
            return mapper.writeValueAsBytes(records.decode(stored, from, to));
        }
    }
}
