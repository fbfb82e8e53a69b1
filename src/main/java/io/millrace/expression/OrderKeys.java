package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;

/**
 * Decides which values an order needs two keys for. The key of an absent value is {@link Long#MIN_VALUE}. If a present
 * value can have that key too, another key has to say which of the two it is. Stateless.
 */
public final class OrderKeys {

    private OrderKeys() {}

    /** Returns whether a present value of a field can have the key of an absent one. */
    public static boolean needTwo(Field field) {
        return field.optional()
                && switch (field.type()) {
                    case FieldType.IntegerType(var storage) -> needTwo(field, storage);
                    case FieldType.DecimalType(var storage, int _) -> needTwo(field, storage);
                    case FieldType.DateType(var storage) -> storage.signed() && needTwo(field, storage);
                    case FieldType.InstantType(var storage, var _) -> storage.signed() && needTwo(field, storage);
                    case FieldType.StringType _ -> field.nullFlag();
                    case FieldType.EnumType _,
                            FieldType.BooleanType _,
                            FieldType.FloatType _,
                            FieldType.BytesType _,
                            FieldType.IpType _ -> false;
                };
    }

    private static boolean needTwo(Field field, IntStorage storage) {
        return storage.bits() == Long.SIZE && (field.nullFlag() || field.nullRaw() != storage.min());
    }

    /** Returns whether a present value can have the key of an absent one. */
    static boolean needTwo(Ir value) {
        return value.optional()
                && switch (value) {
                    case Ir.Load(var field) -> needTwo(field);
                    case Ir.ByCode _ -> false;
                    default ->
                        value.type() == Basic.WHOLE
                                || value.type() == Basic.TEXT
                                || value.type() instanceof ValueType.Decimal
                                || value.type() instanceof ValueType.Moment;
                };
    }
}
