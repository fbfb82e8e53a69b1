package io.millrace.codec.compact;

import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
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
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the plan of the records of a schema: which members are in which row. */
final class PlanBuilder {

    private static final int NONE = -1;

    private static final Dictionary BOOLEAN = Dictionary.of("false", "true");

    private final Schema schema;
    private final List<String> lists;

    private PlanBuilder(Schema schema, boolean elements) {
        this.schema = schema;
        this.lists =
                elements ? schema.groups().stream().map(RepeatedGroup::path).toList() : List.of();
    }

    /**
     * @param schema schema of the compact layout, with a row for each repeating part whose elements are wanted
     * @param use which of them to read
     */
    static GroupPlan of(Schema schema, FinderUse use) {
        CompactLayout layout = (CompactLayout) schema.layout();
        PlanBuilder builder = new PlanBuilder(schema, use.readsElements());
        if (!use.readsValues()) {
            return builder.group(layout.root(), _ -> null, false, new byte[0]);
        }
        List<Field> fields = schema.fields().stream()
                .filter(field -> field.offset() < schema.foundLength())
                .toList();
        Function<String, @Nullable Field> found = path -> {
            Field field = schema.field(path);
            return field != null && field.offset() < schema.foundLength() ? field : null;
        };
        return builder.group(layout.root(), found, false, blank(fields, schema.foundLength()));
    }

    /** Returns a row in which every optional value is absent. */
    private static byte[] blank(List<Field> fields, int length) {
        byte[] row = new byte[length];
        for (Field field : fields) {
            if (field.nullFlag()) {
                row[field.nullFlagAt()] = 1;
            }
        }
        return row;
    }

    private GroupPlan group(CompactGroup group, Function<String, @Nullable Field> row, boolean bare, byte[] blank) {
        List<MemberPlan> members = new ArrayList<>();
        int bits = 0;
        int wanted = 0;
        for (CompactMember member : group.members()) {
            boolean optional = member.optional() && !bare;
            int presence = optional ? bits++ : NONE;
            boolean bit = !bare && member instanceof CompactValue value && value.isBit();
            MemberPlan plan = switch (member) {
                case CompactValue value -> value(value, row.apply(value.path()), presence, bit ? bits++ : NONE);
                case CompactPart part -> part(part, row, presence);
            };
            members.add(plan);
            if (plan.wanted() && plan.kind() != Kind.BIT) {
                wanted = members.size();
            }
        }
        return new GroupPlan(List.copyOf(members), bits, wanted, bare, blank);
    }

    private MemberPlan part(CompactPart part, Function<String, @Nullable Field> row, int presence) {
        if (part.repeats()) {
            int list = lists.indexOf(part.path());
            GroupPlan inner;
            if (list == NONE) {
                inner = group(part.group(), _ -> null, part.bare(), new byte[0]);
            } else {
                RepeatedGroup rows = schema.groups().get(list);
                inner = group(part.group(), rows::field, part.bare(), blank(rows.fields(), rows.rowLength()));
            }
            return new MemberPlan(
                    Kind.LIST,
                    part.path(),
                    presence,
                    NONE,
                    NONE,
                    NONE,
                    0,
                    null,
                    null,
                    null,
                    List.of(),
                    inner,
                    list,
                    part.maxElements());
        }
        Field there = part.optional() ? row.apply(part.presence()) : null;
        return new MemberPlan(
                Kind.GROUP,
                part.path(),
                presence,
                NONE,
                there == null ? NONE : there.offset(),
                NONE,
                1,
                null,
                null,
                null,
                List.of(),
                group(part.group(), row, false, new byte[0]),
                NONE,
                0);
    }

    private static MemberPlan value(CompactValue value, @Nullable Field placed, int presence, int bit) {
        FieldType type = value.field().type();
        IntStorage storage = type instanceof FieldType.Numbered numbered ? numbered.storage() : null;
        Charset charset = type instanceof FieldType.StringType text ? text.charset() : null;
        List<byte[]> frequent = charset == null
                ? List.of()
                : value.frequent().stream().map(text -> text.getBytes(charset)).toList();
        return new MemberPlan(
                bit == NONE ? kind(type) : Kind.BIT,
                value.path(),
                presence,
                bit,
                placed == null ? NONE : placed.offset(),
                placed != null && placed.nullFlag() ? placed.nullFlagAt() : NONE,
                type.bytes(),
                storage,
                names(type),
                charset,
                frequent,
                null,
                NONE,
                0);
    }

    private static @Nullable Dictionary names(FieldType type) {
        return switch (type) {
            case FieldType.EnumType coded -> coded.dictionary();
            case FieldType.BooleanType _ -> BOOLEAN;
            default -> null;
        };
    }

    static Kind kind(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(var storage) -> storage.signed() ? Kind.SIGNED : Kind.UNSIGNED;
            case FieldType.InstantType(var storage, var ignoredUnit) -> storage.signed() ? Kind.SIGNED : Kind.UNSIGNED;
            case FieldType.DecimalType _ -> Kind.DECIMAL;
            case FieldType.DateType _ -> Kind.DATE;
            case FieldType.EnumType _ -> Kind.CODE;
            case FieldType.BooleanType _ -> Kind.UNSIGNED;
            case FieldType.FloatType _ -> Kind.REAL;
            case FieldType.StringType _ -> Kind.TEXT;
            case FieldType.BytesType _, FieldType.IpType _ -> Kind.RAW;
        };
    }
}
