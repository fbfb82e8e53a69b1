package io.millrace.codec.compact.upgrade;

import io.millrace.codec.compact.CompactSamples;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A random newer version of a compact schema, and what it does to records as
 * {@link io.millrace.codec.compact.CompactMaps}.
 */
final class RandomEvolution {

    /** Former paths of renamed members. */
    final Map<String, String> renames = new HashMap<>();

    private final Random random;
    private final CompactSamples samples;

    /** Share of members that change, as one of so many. */
    private final int rarity;

    private final Schema schema;
    private final UnaryOperator<Map<String, Object>> values;
    private int names;

    /** A newer group, and what it does to the values of the older one. */
    private record Group(CompactGroup members, UnaryOperator<Map<String, Object>> values) {}

    /** A newer member, and what it does to a value of the older one, which has another name. */
    private record Member(CompactMember member, String name, String formerName, UnaryOperator<Object> value) {}

    /** @param samples made the members of the older version */
    RandomEvolution(Random random, CompactSamples samples, Schema from) {
        this.random = random;
        this.samples = samples;
        this.rarity = 2 + random.nextInt(20);
        Group root = group(((CompactLayout) from.layout()).root(), "", "");
        this.schema = Schema.of(from.name(), new CompactLayout(root.members), List.of());
        this.values = root.values;
    }

    /** Returns the newer version. */
    Schema schema() {
        return schema;
    }

    /** Returns what a record of the older version is in the newer one. */
    Map<String, Object> values(Map<String, Object> record) {
        return values.apply(record);
    }

    private boolean rarely() {
        return random.nextInt(rarity) == 0;
    }

    private Group group(CompactGroup from, String fromPrefix, String toPrefix) {
        List<Member> stayed = new ArrayList<>();
        List<CompactMember> members = new ArrayList<>();
        for (CompactMember member : from.members()) {
            if (!rarely()) {
                stayed.add(member(member, fromPrefix, toPrefix));
                members.add(stayed.getLast().member);
            }
        }
        if (rarely()) {
            Collections.shuffle(members, random);
        }
        while (rarely()) {
            members.add(samples.optionalMember(toPrefix));
        }
        while (members.isEmpty() || rarely()) {
            members.add(random.nextInt(members.size() + 1), samples.optionalMember(toPrefix));
        }
        return new Group(new CompactGroup(members), old -> {
            Map<String, Object> now = new LinkedHashMap<>();
            for (Member member : stayed) {
                Object value = old.get(member.formerName);
                if (value != null) {
                    now.put(member.name, member.value.apply(value));
                }
            }
            return now;
        });
    }

    private Member member(CompactMember from, String fromPrefix, String toPrefix) {
        String formerName = from.path().substring(fromPrefix.length());
        String name = formerName;
        if (rarely()) {
            name = "r" + names++ + (formerName.endsWith("[]") ? "[]" : "");
            renames.put(toPrefix + name, from.path());
        }
        String path = toPrefix + name;
        return switch (from) {
            case CompactValue value -> {
                Map<String, String> codes = new HashMap<>();
                yield new Member(value(value, path, codes), name, formerName, named(codes));
            }
            case CompactPart part -> part(part, path, name, formerName);
        };
    }

    @SuppressWarnings("unchecked")
    private Member part(CompactPart from, String path, String name, String formerName) {
        if (from.bare()) {
            Map<String, String> codes = new HashMap<>();
            CompactValue element = (CompactValue) from.group().members().getFirst();
            CompactPart part = part(from, path, new CompactGroup(List.of(value(element, path, codes, false))));
            UnaryOperator<Object> one = named(codes);
            return new Member(part, name, formerName, each(one));
        }
        Group group = group(from.group(), from.path() + ".", path + ".");
        UnaryOperator<Object> one = value -> group.values.apply((Map<String, Object>) value);
        return new Member(part(from, path, group.members), name, formerName, from.repeats() ? each(one) : one);
    }

    private CompactPart part(CompactPart from, String path, CompactGroup group) {
        return new CompactPart(path, from.optional() || rarely(), from.maxElements(), from.bare(), group);
    }

    private static UnaryOperator<Object> each(UnaryOperator<Object> one) {
        return list -> ((List<?>) list)
                .stream().map(value -> one.apply((Object) value)).toList();
    }

    private static UnaryOperator<Object> named(Map<String, String> codes) {
        return value -> value instanceof String name && codes.containsKey(name) ? codes.get(name) : value;
    }

    private CompactValue value(CompactValue from, String path, Map<String, String> codes) {
        return value(from, path, codes, from.optional() || rarely());
    }

    /** @param codes receives new names of codes by former name */
    private CompactValue value(CompactValue from, String path, Map<String, String> codes, boolean optional) {
        FieldType type =
                rarely() ? wider(from.field().type(), codes) : from.field().type();
        Field field = Field.of(path, type, 0);
        List<String> frequent = new ArrayList<>(from.frequent());
        if (type instanceof FieldType.StringType && rarely()) {
            frequent.addAll(List.of("m1", "b"));
        }
        return new CompactValue(optional ? field.withNullFlag() : field, frequent);
    }

    private FieldType wider(FieldType type, Map<String, String> codes) {
        return switch (type) {
            case FieldType.IntegerType(var storage) -> new FieldType.IntegerType(wider(storage));
            case FieldType.DecimalType(var storage, int scale) -> new FieldType.DecimalType(wider(storage), scale);
            case FieldType.InstantType(var storage, var unit) -> new FieldType.InstantType(wider(storage), unit);
            case FieldType.EnumType(var storage, var names) -> new FieldType.EnumType(storage, more(names, codes));
            case FieldType.StringType(int bytes, Charset charset, byte pad) ->
                new FieldType.StringType(
                        bytes + random.nextInt(9),
                        charset.equals(StandardCharsets.US_ASCII) && random.nextBoolean()
                                ? StandardCharsets.UTF_8
                                : charset,
                        pad);
            default -> type;
        };
    }

    /** Returns a wider storage: of the same sign, or a signed one that holds the unsigned numbers. */
    private IntStorage wider(IntStorage storage) {
        int bytes = storage.bytes() + random.nextInt(9 - storage.bytes());
        boolean signed = storage.signed() || (bytes > storage.bytes() && random.nextBoolean());
        return IntStorage.of(bytes, signed, storage.order());
    }

    private Dictionary more(Dictionary names, Map<String, String> codes) {
        SortedMap<Integer, String> byCode = new TreeMap<>(names.namesByCode());
        byCode.replaceAll((code, name) -> {
            String now = random.nextBoolean() ? name : name + "2";
            codes.put(name, now);
            return now;
        });
        byCode.put(7, "Heat");
        return new Dictionary(byCode);
    }
}
