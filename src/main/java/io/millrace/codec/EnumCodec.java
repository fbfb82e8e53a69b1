package io.millrace.codec;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import java.util.Collection;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes names of a dictionary, stored as their codes. */
@API(status = API.Status.STABLE)
public final class EnumCodec extends NumberedCodec {

    /** Comparing a name with more would slow down a feed of unknown names. */
    private static final int MAX_COMPARED = 200;

    private final Dictionary dictionary;

    EnumCodec(Field field, FieldType.EnumType type) {
        super(field);
        dictionary = type.dictionary();
    }

    /** Returns the names and their codes. */
    public Dictionary dictionary() {
        return dictionary;
    }

    /** Returns the stored code, which may have no name. Allocates nothing. */
    public long code(byte[] bytes, int record) {
        return rawNumber(bytes, record);
    }

    /** Writes the code of a name. Allocates nothing. */
    public void putCode(byte[] bytes, int record, long code) {
        writeNumber(bytes, record, code);
    }

    /** Returns the name. Throws {@link FieldValueException} if the code has no name. Allocates nothing. */
    public String name(byte[] bytes, int record) {
        long code = rawNumber(bytes, record);
        String name = dictionary.name(code);
        if (name == null) {
            throw refuse(code, noValue());
        }
        return name;
    }

    /** Writes a name. Throws {@link FieldValueException} if the dictionary does not contain it. Allocates nothing. */
    public void put(byte[] bytes, int record, String name) {
        int code = dictionary.code(name);
        if (code < 0) {
            throw refuse(name, advice(name));
        }
        String refusal = field().constraint().refusal(name);
        if (refusal != null) {
            throw refuse(name, refusal);
        }
        writeRaw(bytes, record, code, name);
    }

    @Override
    public boolean isValue(long raw) {
        return dictionary.name(raw) != null;
    }

    @Override
    String noValue() {
        return "No name of the dictionary has this code.";
    }

    private String advice(String name) {
        Collection<String> known = dictionary.namesByCode().values();
        return known.size() > MAX_COMPARED
                ? "Use one of the " + known.size() + " names of the dictionary."
                : NearestName.sentence(name, known);
    }

    @Override
    @Nullable
    String violationOfPresent(byte[] bytes, int record) {
        String fault = faultOfPresent(bytes, record);
        return fault == null ? field().constraint().refusal(name(bytes, record)) : fault;
    }

    @Override
    boolean emptyTextIsValue() {
        return dictionary.code("") >= 0;
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return name(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof String name)) {
            throw refuseType(value, "a String");
        }
        put(bytes, record, name);
    }

    @Override
    String format(byte[] bytes, int record) {
        return name(bytes, record);
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        put(bytes, record, text);
    }

    @Override
    boolean refusesBytes() {
        return !typeBounds().all() || !dictionary().dense();
    }
}
