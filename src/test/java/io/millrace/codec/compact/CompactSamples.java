package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Random compact schemas, and random records of them as rows. */
public final class CompactSamples {

    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8);
    private static final String LETTERS = "aZ0 ~é€\"\\/\n\u0001";

    private final Random random;
    private int names;

    public CompactSamples(Random random) {
        this.random = random;
    }

    public Schema schema() {
        return Schema.of("random", new CompactLayout(group("", 0)), List.of());
    }

    private CompactGroup group(String prefix, int depth) {
        List<CompactMember> members = new ArrayList<>();
        int count = 1 + random.nextInt(depth == 0 ? 12 : 5);
        for (int i = 0; i < count; i++) {
            members.add(member(prefix, depth));
        }
        return new CompactGroup(members);
    }

    private CompactMember member(String prefix, int depth) {
        String path = prefix + "f" + names++;
        return switch (random.nextInt(depth < 3 ? 8 : 5)) {
            case 5 -> part(path, random.nextBoolean(), 0, depth);
            case 6 -> part(path + "[]", true, 1 + random.nextInt(9), depth);
            case 7 ->
                new CompactPart(path + "[]", true, 20, true, new CompactGroup(List.of(value(path + "[]", false))));
            default -> value(path, random.nextBoolean());
        };
    }

    /** Returns a member that can be missing, of a group that is the record if the prefix is empty. */
    public CompactMember optionalMember(String prefix) {
        return switch (member(prefix, 2)) {
            case CompactValue value -> new CompactValue(value.field().withNullFlag(), value.frequent());
            case CompactPart part -> new CompactPart(part.path(), true, part.maxElements(), part.bare(), part.group());
        };
    }

    private CompactPart part(String path, boolean optional, int maxElements, int depth) {
        return new CompactPart(path, optional, maxElements, false, group(path + ".", depth + 1));
    }

    private CompactValue value(String path, boolean optional) {
        FieldType type = type();
        Field field = Field.of(path, type, 0);
        List<String> frequent =
                type instanceof FieldType.StringType && random.nextBoolean() ? List.of("aa", "", "Z") : List.of();
        return new CompactValue(optional ? field.withNullFlag() : field, frequent);
    }

    private FieldType type() {
        IntStorage storage = IntStorage.of(1 + random.nextInt(8), random.nextBoolean(), ByteOrder.BIG_ENDIAN);
        return switch (random.nextInt(10)) {
            case 0, 1 -> new FieldType.IntegerType(storage);
            case 2 -> new FieldType.DecimalType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN), random.nextInt(19));
            case 3 -> new FieldType.DateType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN));
            case 4 -> new FieldType.InstantType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN), TimeUnit.MILLISECONDS);
            case 5 ->
                new FieldType.EnumType(
                        IntStorage.of(2, false, ByteOrder.BIG_ENDIAN),
                        new Dictionary(new TreeMap<>(Map.of(0, "A", 1, "B", 300, "C"))));
            case 6 -> new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN));
            case 7 -> new FieldType.FloatType(random.nextBoolean() ? 4 : 8, ByteOrder.BIG_ENDIAN);
            case 8 -> random.nextBoolean() ? new FieldType.BytesType(1 + random.nextInt(20)) : new FieldType.IpType(16);
            default ->
                new FieldType.StringType(
                        3 + random.nextInt(300), CHARSETS.get(random.nextInt(CHARSETS.size())), (byte) 0);
        };
    }

    /** Fills the row of a record, and adds rows to its repeating parts, whose elements' rows are filled too. */
    public void fill(Schema schema, byte[] row, List<ChildRows> children, int ordinal) {
        CompactLayout layout = (CompactLayout) schema.layout();
        fill(layout.root(), schema, List.copyOf(schema.fields()), row, 0, children, ordinal);
    }

    private void fill(
            CompactGroup group,
            Schema schema,
            List<Field> fields,
            byte[] row,
            int rowAt,
            List<ChildRows> children,
            int parent) {
        for (CompactMember member : group.members()) {
            switch (member) {
                case CompactValue value -> fill(field(fields, value.path()), value, row, rowAt);
                case CompactPart part
                when part.repeats() -> {
                    int index = index(schema, part.path());
                    RepeatedGroup rows = schema.groups().get(index);
                    int count = random.nextInt(Math.min(part.maxElements(), 5) + 1);
                    children.get(index).begin(parent);
                    for (int i = 0; i < count; i++) {
                        byte[] blank = new byte[rows.rowLength()];
                        rows.fields().stream().filter(Field::nullFlag).forEach(field -> blank[field.nullFlagAt()] = 1);
                        int element = children.get(index).add(parent, blank);
                        int at = element * rows.rowLength();
                        fill(
                                part.group(),
                                schema,
                                rows.fields(),
                                children.get(index).rows(),
                                at,
                                children,
                                element);
                    }
                }
                case CompactPart part -> {
                    boolean there = !part.optional() || random.nextBoolean();
                    if (part.optional()) {
                        row[rowAt + field(fields, part.presence()).offset()] = (byte) (there ? 1 : 0);
                    }
                    if (there) {
                        fill(part.group(), schema, fields, row, rowAt, children, parent);
                    }
                }
            }
        }
    }

    static int index(Schema schema, String path) {
        return schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(path);
    }

    private static Field field(List<Field> fields, String path) {
        return fields.stream()
                .filter(field -> field.name().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private void fill(Field field, CompactValue value, byte[] row, int rowAt) {
        if (field.optional() && random.nextInt(3) == 0) {
            return;
        }
        int at = rowAt + field.offset();
        switch (field.type()) {
            case FieldType.EnumType type ->
                RawBytes.put(row, at, type.storage(), List.of(0, 1, 300).get(random.nextInt(3)));
            case FieldType.BooleanType _ -> row[at] = (byte) random.nextInt(2);
            case FieldType.Numbered type -> RawBytes.put(row, at, type.storage(), number(type.storage()));
            case FieldType.FloatType type -> real(type, row, at);
            case FieldType.StringType type -> {
                byte[] text = text(type, value);
                System.arraycopy(text, 0, row, at, text.length);
            }
            case FieldType.BytesType _, FieldType.IpType _ -> {
                for (int i = 0; i < field.type().bytes(); i++) {
                    row[at + i] = (byte) random.nextInt();
                }
            }
        }
        if (field.nullFlag()) {
            row[rowAt + field.nullFlagAt()] = 0;
        }
    }

    private long number(IntStorage storage) {
        long raw = switch (random.nextInt(5)) {
            case 0 -> storage.min();
            case 1 -> storage.max();
            case 2 -> random.nextInt(200);
            case 3 -> (random.nextInt(1000) - 500) * (long) Math.pow(10, random.nextInt(15));
            default -> random.nextLong() >> random.nextInt(64);
        };
        int unused = Long.SIZE - storage.bits();
        return storage.signed() ? raw << unused >> unused : raw << unused >>> unused;
    }

    private void real(FieldType.FloatType type, byte[] row, int at) {
        double value = switch (random.nextInt(6)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt(10_000) / 10_000.0;
            case 2 -> -0.0;
            case 3 -> random.nextFloat();
            case 4 -> Double.NaN;
            default -> random.nextGaussian() * 1e6;
        };
        if (type.bytes() == 8) {
            RawBytes.putLong(row, at, Double.doubleToRawLongBits(value));
        } else {
            RawBytes.putInt(row, at, Float.floatToRawIntBits((float) value));
        }
    }

    private byte[] text(FieldType.StringType type, CompactValue value) {
        if (!value.frequent().isEmpty() && random.nextBoolean()) {
            return value.frequent().get(random.nextInt(value.frequent().size())).getBytes(type.charset());
        }
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(type.bytes() + 1);
        while (true) {
            char next = LETTERS.charAt(random.nextInt(LETTERS.length()));
            if (!type.charset().newEncoder().canEncode(next)) {
                next = 'x';
            }
            byte[] longer = (text.toString() + next).getBytes(type.charset());
            if (longer.length > length) {
                return text.toString().getBytes(type.charset());
            }
            text.append(next);
        }
    }
}
