package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;

/** Creates the codecs of fields. Stateless. */
public final class FieldCodecs {

    private FieldCodecs() {}

    /** Returns the codec of a field. */
    public static FieldCodec of(Field field) {
        return switch (field.type()) {
            case FieldType.IntegerType _ -> new LongCodec(field);
            case FieldType.DecimalType type -> new DecimalCodec(field, type);
            case FieldType.DateType _ -> new DateCodec(field);
            case FieldType.InstantType type -> new InstantCodec(field, type);
            case FieldType.EnumType type -> new EnumCodec(field, type);
            case FieldType.BooleanType _ -> new BooleanCodec(field);
            case FieldType.FloatType type -> new DoubleCodec(field, type);
            case FieldType.StringType type -> new StringCodec(field, type);
            case FieldType.BytesType _ -> new BytesCodec(field);
            case FieldType.IpType type -> new IpCodec(field, type);
        };
    }
}
