package io.millrace.schema.evolution;

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
import io.millrace.schema.FieldType.StringType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription.FieldDescription;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to read records of one version of a schema as records of the next one. A change is accepted only if
 * every value keeps its meaning, and no value that is present becomes absent. {@code docs/reference/schemas.md} lists
 * the accepted changes. Immutable.
 *
 * @param refused changes with which stored records can't be read as records of the next version
 * @param accepted changes with which they can
 */
public record SchemaEvolution(List<String> refused, List<String> accepted) {

    public SchemaEvolution {
        refused = List.copyOf(refused);
        accepted = List.copyOf(accepted);
    }

    /**
     * Compares two versions of a schema.
     *
     * @param stored version that records are stored with
     * @param next version to read them as; its {@linkplain Schema#formerNames former names} refer to the stored one
     */
    public static SchemaEvolution between(SchemaDescription stored, SchemaDescription next) {
        if (stored.sameBytes(next)) {
            return new SchemaEvolution(List.of(), List.of());
        }
        return new Comparison(stored, next).compare();
    }

    /** Returns whether stored records can be read as records of the next version. */
    public boolean isAccepted() {
        return refused.isEmpty();
    }

    /**
     * Returns for each field or part of the next version that the stored version has, its path there, in order.
     *
     * @param stored version that records are stored with
     */
    public static Map<String, String> sources(SchemaDescription stored, SchemaDescription next) {
        Set<String> known = new LinkedHashSet<>();
        stored.fields().forEach(field -> known.add(field.name()));
        Map<String, String> sources = new LinkedHashMap<>();
        for (FieldDescription field : next.fields()) {
            String path = formerPath(field.name(), known, next.formerNames());
            if (known.contains(path)) {
                sources.put(field.name(), path);
            }
        }
        return sources;
    }

    /**
     * Returns whether texts of all records of a version are also texts of records of the next one: no name was
     * replaced.
     */
    public static boolean acceptsTexts(SchemaDescription stored, SchemaDescription next) {
        Map<String, FieldDescription> before = new LinkedHashMap<>();
        stored.fields().forEach(field -> before.put(field.name(), field));
        Map<String, String> sources = sources(stored, next);
        return next.fields().stream()
                .filter(field -> sources.containsKey(field.name()))
                .allMatch(field -> {
                    String path = Objects.requireNonNull(sources.get(field.name()));
                    SortedMap<Integer, String> names =
                            Objects.requireNonNull(before.get(path)).values();
                    return field.name().equals(path)
                            && (names == null
                                    || Objects.requireNonNullElseGet(
                                                    field.values(), () -> new TreeMap<Integer, String>())
                                            .values()
                                            .containsAll(names.values()));
                });
    }

    /** Returns whether a description contains a field. */
    public static boolean describes(SchemaDescription schema, String field) {
        return schema.fields().stream().anyMatch(each -> each.name().equals(field));
    }

    /** Returns whether the codes of a field that both versions have under one name have the same names as before. */
    public static boolean hasSameNames(SchemaDescription stored, SchemaDescription next, String field) {
        SortedMap<Integer, String> before = names(stored, field);
        return names(next, field).entrySet().containsAll(before.entrySet());
    }

    private static SortedMap<Integer, String> names(SchemaDescription schema, String field) {
        return schema.fields().stream()
                .filter(each -> each.name().equals(field))
                .map(FieldDescription::values)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(TreeMap::new);
    }

    /** Returns the path in the stored version of a field or part; the stored version may lack it. */
    private static String formerPath(String path, Set<String> stored, Map<String, String> formerNames) {
        if (path.endsWith(".")) { // the elements of a list of values
            return formerPath(path.substring(0, path.length() - 1), stored, formerNames) + ".";
        }
        int dot = path.lastIndexOf('.');
        String parent = dot < 0 ? "" : formerPath(path.substring(0, dot), stored, formerNames) + ".";
        String same = parent + path.substring(dot + 1);
        String former = formerNames.get(path);
        return stored.contains(same) || former == null ? same : parent + former.substring(former.lastIndexOf('.') + 1);
    }

    /** One comparison. */
    private static final class Comparison {

        private final SchemaDescription stored;
        private final SchemaDescription next;
        private final Map<String, FieldDescription> before = new LinkedHashMap<>();
        private final Map<String, String> sources;
        private final List<String> refused = new ArrayList<>();
        private final List<String> accepted = new ArrayList<>();

        Comparison(SchemaDescription stored, SchemaDescription next) {
            this.stored = stored;
            this.next = next;
            stored.fields().forEach(field -> before.put(field.name(), field));
            sources = sources(stored, next);
        }

        SchemaEvolution compare() {
            boolean fixed = stored.isFixed() && next.isFixed();
            String records = SchemaDifference.records(stored);
            if (!fixed && !records.equals(SchemaDifference.records(next))) {
                refused.add(records + " are stored, " + SchemaDifference.of(next) + " are configured");
            }
            if (!fixed && !stored.name().equals(next.name())) {
                refused.add("records of schema '" + stored.name() + "' are stored, of schema '" + next.name()
                        + "' are configured");
            }
            next.fields().forEach(this::compare);
            Set<String> removed = new LinkedHashSet<>(before.keySet());
            removed.removeAll(sources.values());
            for (String path : removed) {
                if (!removed.contains(SchemaDifference.group(path))) {
                    accepted.add("field '" + path + "' (" + before.get(path) + ") was removed");
                }
            }
            if (refused.isEmpty() && accepted.isEmpty()) {
                accepted.add("the places of fields changed");
            }
            return new SchemaEvolution(refused, accepted);
        }

        private void compare(FieldDescription field) {
            String path = sources.get(field.name());
            if (path == null) {
                appended(field);
                return;
            }
            FieldDescription known = Objects.requireNonNull(before.get(path));
            if (!local(path).equals(local(field.name()))) {
                accepted.add("field '" + path + "' was renamed '" + field.name() + "'");
            }
            String refusal = refusal(known, field);
            String change = "field '" + field.name() + "' changed" + SchemaDifference.change(known, field);
            if (refusal != null) {
                refused.add(change + refusal);
            } else if (!known.sameMeaning(field)) {
                accepted.add(change);
            }
        }

        /** Returns a path without the names of the groups that contain it. */
        private static String local(String path) {
            return path.substring(path.lastIndexOf('.') + 1);
        }

        private void appended(FieldDescription field) {
            String group = SchemaDifference.group(field.name());
            if (!group.isEmpty() && !field.isPlaced() && !sources.containsKey(group)) {
                return; // its group was added too
            }
            String what = "field '" + field.name() + "' was added (" + field + ")";
            if (field.absent() == null) {
                refused.add(what + ": stored records have no value. Use 'optional: true'"
                        + (field.isPlaced() ? " and 'absent: flag'" : ""));
            } else {
                accepted.add(what);
            }
        }

        /**
         * Returns why values of a stored field can't be read as those of the next one, as the end of a message, or null
         * if they can.
         */
        private static @Nullable String refusal(FieldDescription known, FieldDescription field) {
            if (known.isPart() || field.isPart()) {
                return known.type().equals(field.type()) ? absence(known, field, null, null) : "";
            }
            FieldType from = known.fieldType();
            FieldType to = field.fieldType();
            String reason = refusal(from, to);
            if (reason == null && !field.isPlaced()) {
                reason = frequent(known, field);
            }
            return reason != null ? reason : absence(known, field, from, to);
        }

        private static @Nullable String refusal(FieldType from, FieldType to) {
            return switch (from) {
                case IntegerType one when to instanceof IntegerType other -> narrower(one, other);
                case DecimalType one
                when to instanceof DecimalType other ->
                    one.scale() == other.scale() ? narrower(one, other) : ": the stored numbers have another scale";
                case DateType one when to instanceof DateType other -> narrower(one, other);
                case InstantType one
                when to instanceof InstantType other ->
                    one.unit() == other.unit() ? narrower(one, other) : ": the stored numbers have another unit";
                case EnumType one when to instanceof EnumType other -> names(one, other);
                case BooleanType _ when to instanceof BooleanType -> null;
                case StringType one when to instanceof StringType other -> text(one, other);
                case FloatType _, BytesType _, IpType _ -> from.equals(to) ? null : "";
                default -> "";
            };
        }

        private static @Nullable String narrower(FieldType.Numbered from, FieldType.Numbered to) {
            IntStorage inner = from.storage();
            IntStorage outer = to.storage();
            boolean fits = outer.smallest().compareTo(inner.smallest()) <= 0
                    && outer.largest().compareTo(inner.largest()) >= 0;
            return fits ? null : ": not all stored numbers fit";
        }

        /**
         * A code keeps its meaning if its name stays, or if the old and the new name are in one of the versions only.
         */
        private static @Nullable String names(EnumType from, EnumType to) {
            Map<Integer, String> before = from.dictionary().namesByCode();
            Map<Integer, String> after = to.dictionary().namesByCode();
            for (Map.Entry<Integer, String> entry : before.entrySet()) {
                String name = after.get(entry.getKey());
                if (name == null) {
                    return ". Code " + entry.getKey() + " would have no name";
                }
                if (!name.equals(entry.getValue())
                        && (before.containsValue(name) || after.containsValue(entry.getValue()))) {
                    return ". Code " + entry.getKey() + " would have another meaning";
                }
            }
            return narrower(from, to);
        }

        private static @Nullable String text(StringType from, StringType to) {
            if (to.bytes() < from.bytes()) {
                return ": not all stored texts fit";
            }
            if (from.pad() != to.pad()) {
                return ": the stored texts have another padding";
            }
            boolean readable = from.charset().equals(to.charset())
                    || (from.charset().equals(StandardCharsets.US_ASCII) && extendsAscii(to.charset()));
            return readable ? null : ": the stored texts have another charset";
        }

        private static boolean extendsAscii(Charset charset) {
            return charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.ISO_8859_1);
        }

        /** The numbers of frequent texts must keep their texts. */
        private static @Nullable String frequent(FieldDescription known, FieldDescription field) {
            if (known.fieldType() instanceof EnumType) {
                return null;
            }
            SortedMap<Integer, String> before = Objects.requireNonNullElseGet(known.values(), TreeMap::new);
            SortedMap<Integer, String> after = Objects.requireNonNullElseGet(field.values(), TreeMap::new);
            return after.headMap(before.size()).equals(before) ? null : "";
        }

        /** Returns why a value that is present might become absent, or the other way round, or null if none can. */
        private static @Nullable String absence(
                FieldDescription known, FieldDescription field, @Nullable FieldType from, @Nullable FieldType to) {
            String before = known.absent();
            String after = field.absent();
            if (after == null) {
                return before == null ? null : ": the field is required, and stored records may lack it";
            }
            if (after.equals(FieldDescription.NULL_FLAG) || after.equals(FieldDescription.MISSING)) {
                return null;
            }
            // The number of no other value changes either, and a longer text only has more padding.
            boolean same = after.equals(before) && from != null && to != null;
            boolean outside = from instanceof FieldType.Numbered numbered
                    && to instanceof FieldType.Numbered other
                    && isOutside(numbered.storage(), other.storage(), new BigInteger(after));
            return same || outside ? null : ": a stored value can be the one that means absent. Use 'absent: flag'";
        }

        private static boolean isOutside(IntStorage values, IntStorage next, BigInteger absent) {
            BigInteger number =
                    next.unsignedLong() && absent.signum() < 0 ? absent.add(BigInteger.TWO.pow(64)) : absent;
            return number.compareTo(values.smallest()) < 0 || number.compareTo(values.largest()) > 0;
        }
    }
}
