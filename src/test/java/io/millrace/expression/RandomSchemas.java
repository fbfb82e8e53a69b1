package io.millrace.expression;

import io.millrace.expression.RandomRules.Rule;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Random schemas: fields of all types, some in groups, some added on the way, some computed. */
public final class RandomSchemas {

    private static final List<TimeUnit> UNITS =
            List.of(TimeUnit.SECONDS, TimeUnit.MILLISECONDS, TimeUnit.MICROSECONDS, TimeUnit.NANOSECONDS);

    private RandomSchemas() {}

    /** A schema most of whose fields are optional, and represent absent in any of the ways that a field can. */
    public static Schema optional(Random random) {
        List<Field> fields = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < 4 + random.nextInt(6); i++) {
            fields.add(optional(random, Field.of("f" + i, type(random), at)));
            at = fields.getLast().end();
        }
        return new Schema("optional", at, fields, List.of());
    }

    private static Field optional(Random random, Field field) {
        return switch (random.nextInt(8)) {
            case 0 -> field;
            case 1, 2 -> field.withNullFlag();
            case 3, 4 -> field.asOptional(reserved(random, field.type()));
            default -> field.asOptional(Field.defaultNullRaw(field.type()));
        };
    }

    /** A number that may stand for absent. */
    private static long reserved(Random random, FieldType type) {
        return switch (type) {
            case FieldType.IntegerType _, FieldType.DecimalType _, FieldType.DateType _, FieldType.InstantType _ ->
                random.nextInt(2);
            case FieldType.FloatType _ -> 0;
            default -> Field.defaultNullRaw(type);
        };
    }

    public static Schema next(Random random) {
        List<Field> fields = new ArrayList<>();
        int at = random.nextInt(3);
        for (int i = 0; i < 4 + random.nextInt(8); i++) {
            fields.add(field(random, i, at));
            at = fields.getLast().end() + random.nextInt(2);
        }
        Schema plain = new Schema("random", at, fields, List.of());
        Schema schema = new Schema("random", at, fields, computed(random, plain));
        return random.nextInt(4) == 0 ? schema.extend(field(random, fields.size(), at)) : schema;
    }

    private static Field field(Random random, int number, int at) {
        String name = switch (random.nextInt(12)) {
            case 0 -> "group.f" + number;
            case 1 -> "legs[" + random.nextInt(3) + "].f" + number;
            default -> "f" + number;
        };
        FieldType type = type(random);
        Field field = Field.of(name, type, at);
        return switch (random.nextInt(6)) {
            case 0 -> field.asOptional(Field.defaultNullRaw(type));
            case 1 -> field.withNullFlag();
            default -> field;
        };
    }

    private static List<VirtualField> computed(Random random, Schema schema) {
        RandomRules rules = new RandomRules(random, schema);
        Rule condition = rules.condition(1);
        // Stock SpEL knows no computed fields: it gets the expression instead, which it must understand as we do.
        return random.nextInt(4) == 0
                        && condition.ours().equals(condition.stock())
                        && compiles(schema, condition.ours())
                ? List.of(new VirtualField("computed", condition.ours()))
                : List.of();
    }

    /** A constant with more decimals than its field has is refused. */
    private static boolean compiles(Schema schema, String condition) {
        try {
            new ExpressionCompiler(schema, SampleFunctions.REGISTRY).filter(condition);
            return true;
        } catch (ExpressionException e) {
            return false;
        }
    }

    private static FieldType type(Random random) {
        IntStorage storage = storage(random, 1 + random.nextInt(7));
        return switch (random.nextInt(11)) {
            case 0, 1 -> new FieldType.IntegerType(random.nextInt(4) == 0 ? storage(random, 8) : storage);
            case 2, 3 -> new FieldType.DecimalType(storage, random.nextInt(5));
            case 4 -> new FieldType.DateType(storage(random, 3));
            case 5 ->
                new FieldType.EnumType(
                        storage(random, 2),
                        random.nextBoolean() ? Dictionary.of("b", "a", "", "c") : Trades.CURRENCIES);
            case 6 -> new FieldType.BooleanType(storage(random, 1));
            case 7 -> new FieldType.FloatType(random.nextBoolean() ? 4 : 8, ByteOrder.BIG_ENDIAN);
            case 8 -> new FieldType.StringType(1 + random.nextInt(20), StandardCharsets.UTF_8, (byte) ' ');
            case 9 ->
                random.nextBoolean()
                        ? new FieldType.IpType(random.nextBoolean() ? 4 : 16)
                        : new FieldType.BytesType(1 + random.nextInt(2));
            default -> new FieldType.InstantType(storage, UNITS.get(random.nextInt(UNITS.size())));
        };
    }

    /** How a number is stored; some leave a few bits to others. */
    static IntStorage storage(Random random, int bytes) {
        boolean signed = random.nextBoolean();
        IntStorage storage =
                IntStorage.of(bytes, signed, random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int bits = 8 * bytes;
        return random.nextInt(4) == 0 ? storage.slice(random.nextInt(3), bits - 3) : storage;
    }
}
