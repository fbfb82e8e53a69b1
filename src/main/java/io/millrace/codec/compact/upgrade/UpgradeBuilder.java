package io.millrace.codec.compact.upgrade;

import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.compact.upgrade.GroupUpgrade.MemberUpgrade;
import io.millrace.codec.compact.upgrade.GroupUpgrade.MemberUpgrade.ValueForm;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import io.millrace.schema.FieldType.BooleanType;
import io.millrace.schema.FieldType.BytesType;
import io.millrace.schema.FieldType.DateType;
import io.millrace.schema.FieldType.DecimalType;
import io.millrace.schema.FieldType.EnumType;
import io.millrace.schema.FieldType.FloatType;
import io.millrace.schema.FieldType.InstantType;
import io.millrace.schema.FieldType.IntegerType;
import io.millrace.schema.FieldType.IpType;
import io.millrace.schema.FieldType.Numbered;
import io.millrace.schema.FieldType.StringType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares the members of two versions of a compact layout. Not thread-safe. */
final class UpgradeBuilder {

    private static final int NONE = -1;

    private final Map<String, String> sources;
    private int places;

    /** @param sources former paths by path */
    UpgradeBuilder(Map<String, String> sources) {
        this.sources = sources;
    }

    /** Returns the number of members of the older version in the groups that were compared. */
    int places() {
        return places;
    }

    GroupUpgrade record(CompactGroup from, CompactGroup to) {
        return group("the record", from, "", to, "");
    }

    /**
     * @param path path of the older group, for messages
     * @param fromPrefix prefix of the paths in the older group
     * @param toPrefix prefix of the paths in the newer group
     */
    private GroupUpgrade group(String path, CompactGroup from, String fromPrefix, CompactGroup to, String toPrefix) {
        int firstPlace = places;
        places += from.members().size();
        List<MemberUpgrade> members = new ArrayList<>();
        int bits = 0;
        boolean same = to.members().size() >= from.members().size();
        for (CompactMember member : to.members()) {
            int index = source(member, from, fromPrefix, toPrefix);
            int presence = member.optional() ? bits++ : NONE;
            int bit = isBit(member) ? bits++ : NONE;
            boolean appended = members.size() >= from.members().size();
            if (index == NONE) {
                if (!member.optional()) {
                    throw invalid(member, "It is new and required, and stored records have no value");
                }
                members.add(new MemberUpgrade(NONE, presence, bit, ValueForm.COPY));
                same &= appended;
            } else {
                CompactMember old = from.members().get(index);
                if (old.optional() && !member.optional()) {
                    throw invalid(member, "It is required, and stored records may lack it");
                }
                MemberUpgrade.Form form = form(old, member);
                members.add(new MemberUpgrade(firstPlace + index, presence, bit, form));
                same &= !appended
                        && index == members.size() - 1
                        && old.optional() == member.optional()
                        && form.sameBytes();
            }
        }
        boolean unchanged = same
                && members.size() == from.members().size()
                && members.stream().allMatch(member -> member.form() == ValueForm.COPY);
        return new GroupUpgrade(
                path,
                CompactScope.of(from, false).root().steps(),
                bits(from),
                firstPlace,
                List.copyOf(members),
                bits,
                same,
                unchanged);
    }

    /** Returns the index of the older member that a newer one comes from, or -1 if it is new. */
    private int source(CompactMember member, CompactGroup from, String fromPrefix, String toPrefix) {
        String known = sources.get(member.path());
        String path = known == null ? fromPrefix + member.path().substring(toPrefix.length()) : known;
        List<CompactMember> members = from.members();
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).path().equals(path)) {
                return i;
            }
        }
        if (known != null) {
            throw invalid(member, "Its group had no member '" + known + "'");
        }
        return NONE;
    }

    private static boolean isBit(CompactMember member) {
        return member instanceof CompactValue value && value.isBit();
    }

    private static int bits(CompactGroup group) {
        int bits = 0;
        for (CompactMember member : group.members()) {
            bits += (member.optional() ? 1 : 0) + (isBit(member) ? 1 : 0);
        }
        return bits;
    }

    private MemberUpgrade.Form form(CompactMember from, CompactMember to) {
        if (from instanceof CompactValue one && to instanceof CompactValue other) {
            return value(one, other);
        }
        if (from instanceof CompactPart one
                && to instanceof CompactPart other
                && one.repeats() == other.repeats()
                && one.bare() == other.bare()) {
            return part(one, other);
        }
        throw invalid(to, "It was a " + kind(from) + ", and is a " + kind(to));
    }

    private static String kind(CompactMember member) {
        return switch (member) {
            case CompactValue _ -> "single value";
            case CompactPart part when part.bare() -> "list of values";
            case CompactPart part when part.repeats() -> "list of groups";
            case CompactPart _ -> "group";
        };
    }

    private MemberUpgrade.Form part(CompactPart from, CompactPart to) {
        if (from.bare()) {
            CompactValue element = (CompactValue) from.group().members().getFirst();
            ValueForm form = value(element, (CompactValue) to.group().members().getFirst());
            return form == ValueForm.COPY ? form : new MemberUpgrade.Values(CompactValueReader.of(element), form);
        }
        GroupUpgrade members = group(from.path(), from.group(), from.path() + ".", to.group(), to.path() + ".");
        if (members.unchanged()) {
            return ValueForm.COPY;
        }
        return from.repeats() ? new MemberUpgrade.Groups(members) : new MemberUpgrade.Group(members);
    }

    private static ValueForm value(CompactValue from, CompactValue to) {
        FieldType type = to.field().type();
        boolean fits = switch (from.field().type()) {
            case IntegerType old -> type instanceof IntegerType now && fits(old, now);
            case DecimalType old -> type instanceof DecimalType now && old.scale() == now.scale() && fits(old, now);
            case DateType old -> type instanceof DateType now && fits(old, now);
            case InstantType old -> type instanceof InstantType now && old.unit() == now.unit() && fits(old, now);
            case EnumType old -> type instanceof EnumType now && fits(old, now);
            case BooleanType _ -> type instanceof BooleanType;
            case FloatType old -> type instanceof FloatType now && old.bytes() == now.bytes();
            case StringType old -> type instanceof StringType now && fits(old, now) && extend(from, to);
            case BytesType old -> type.equals(old);
            case IpType old -> type.equals(old);
        };
        if (!fits) {
            throw invalid(to, "Stored values can't be read as values of its type");
        }
        if (from.frequent().isEmpty() && !to.frequent().isEmpty()) {
            return ValueForm.NUMBER_TEXT;
        }
        return isSigned(type) && !isSigned(from.field().type()) ? ValueForm.SIGN : ValueForm.COPY;
    }

    /** Returns whether the bytes are those of a signed number. Those of other types are the same for both. */
    private static boolean isSigned(FieldType type) {
        return switch (type) {
            case IntegerType whole -> whole.storage().signed();
            case InstantType instant -> instant.storage().signed();
            default -> false;
        };
    }

    private static boolean fits(Numbered from, Numbered to) {
        return to.storage().smallest().compareTo(from.storage().smallest()) <= 0
                && to.storage().largest().compareTo(from.storage().largest()) >= 0;
    }

    private static boolean fits(StringType from, StringType to) {
        boolean ascii = from.charset().equals(StandardCharsets.US_ASCII)
                && (to.charset().equals(StandardCharsets.UTF_8) || to.charset().equals(StandardCharsets.ISO_8859_1));
        return to.bytes() >= from.bytes() && (ascii || to.charset().equals(from.charset()));
    }

    /** Returns whether the numbers of frequent texts keep their texts. */
    private static boolean extend(CompactValue from, CompactValue to) {
        int known = from.frequent().size();
        return to.frequent().size() >= known && to.frequent().subList(0, known).equals(from.frequent());
    }

    private static IllegalArgumentException invalid(CompactMember member, String reason) {
        return new IllegalArgumentException("Invalid change of '" + member.path() + "': " + reason + ".");
    }
}
