package io.millrace.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges an import into a schema that a person may have edited since the last import. What differs from the last import
 * was made by hand and stays. Everything else follows the new import, except that dictionaries and frequent texts only
 * grow, because their order is the meaning of stored codes. Not thread-safe.
 */
public final class ModelMerge {

    /** Attributes that only grow, at their end. */
    private static final Set<String> GROWING = Set.of("values", "frequent", "choice");

    /** Attributes that do not depend on the type of a field. */
    private static final Set<String> ANY_TYPE = Set.of("optional", "repeat", "label");

    /** Precedes the paths of types and their fields in messages. */
    private static final String TYPES = "types.";

    private final List<String> changes = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final boolean known;

    private ModelMerge(boolean known) {
        this.known = known;
    }

    /**
     * The outcome of a merge.
     *
     * @param changes how the merged schema differs from the current one, a line each: {@code +} for an added field,
     *     {@code -} for a removed one, {@code ~} for a changed one
     * @param notes changes made by hand that an import would have undone, a line each
     */
    public record Result(ModelSchema schema, List<String> changes, List<String> notes) {}

    /**
     * Merges an import.
     *
     * @param current the schema as it is, or null if there is none
     * @param last the last import, or null if there was none; then everything in the current schema was made by hand
     */
    public static Result merge(@Nullable ModelSchema current, @Nullable ModelSchema last, ModelSchema imported) {
        ModelMerge merge = new ModelMerge(last != null);
        if (current == null) {
            merge.added(TYPES, imported.types());
            merge.added("", imported.fields());
            return new Result(imported, merge.changes, merge.notes);
        }
        ModelSchema base = last == null ? current : last;
        ModelSchema merged = new ModelSchema();
        merged.head().addAll(current.head().equals(base.head()) && last != null ? imported.head() : current.head());
        merged.tail().addAll(current.tail());
        merged.attributes().putAll(current.attributes());
        merged.constrain(merge.constraints(byName(current), last == null ? Map.of() : byName(last), byName(imported)));
        imported.attributes().forEach((key, value) -> {
            if (key.equals(ModelSchema.CONSTRAINTS)) {
                return;
            }
            Object now = current.attributes().get(key);
            if (!value.equals(now) && Objects.equals(now, base.attributes().get(key)) && last != null) {
                merged.attributes().put(key, value);
                merge.changes.add("~ " + key + ": " + now + " -> " + value);
            }
        });
        merged.types()
                .addAll(merge.fields(
                        TYPES, current.types(), last == null ? List.of() : last.types(), imported.types()));
        merged.fields()
                .addAll(merge.fields(
                        "", current.fields(), last == null ? List.of() : last.fields(), imported.fields()));
        return new Result(merged, merge.changes, merge.notes);
    }

    private static Map<String, Map<String, String>> byName(ModelSchema schema) {
        Map<String, Map<String, String>> constraints = new LinkedHashMap<>();
        schema.constraints().forEach(each -> constraints.put(each.getOrDefault("name", ""), each));
        return constraints;
    }

    private List<Map<String, String>> constraints(
            Map<String, Map<String, String>> current,
            Map<String, Map<String, String>> last,
            Map<String, Map<String, String>> imported) {
        Set<String> names = new LinkedHashSet<>(current.keySet());
        names.addAll(imported.keySet());
        List<Map<String, String>> merged = new ArrayList<>();
        for (String name : names) {
            Map<String, String> now = current.get(name);
            Map<String, String> next = imported.get(name);
            boolean touched = !Objects.equals(now, last.get(name));
            Map<String, String> constraint = touched && (now != null || last.containsKey(name)) ? now : next;
            if (constraint != null) {
                merged.add(constraint);
            }
            if (!Objects.equals(constraint, now)) {
                String sign = now == null ? "+" : constraint == null ? "-" : "~";
                Map<String, String> shown = Objects.requireNonNull(constraint == null ? now : constraint);
                changes.add(sign + " constraint " + name + ": " + shown.get("condition"));
            } else if (!Objects.equals(constraint, next) && last.containsKey(name)) {
                notes.add("= constraint " + name + " was changed by hand, and stays as it is");
            }
        }
        return merged;
    }

    private void added(String prefix, List<ModelField> fields) {
        for (ModelField field : fields) {
            changes.add("+ " + prefix + field.name() + ": " + field.describe());
            added(inner(prefix, field), field.fields());
        }
    }

    private static String inner(String prefix, ModelField field) {
        return prefix + field.name() + (field.attributes().containsKey("repeat") ? "[]." : ".");
    }

    private static @Nullable ModelField find(List<ModelField> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private List<ModelField> fields(
            String prefix, List<ModelField> current, List<ModelField> last, List<ModelField> imported) {
        List<ModelField> merged = new ArrayList<>();
        for (ModelField field : current) {
            ModelField before = find(last, field.name());
            ModelField now = find(imported, field.name());
            String path = prefix + field.name();
            if (now != null) {
                merged.add(before == null ? byHand(path, field, now) : field(prefix, field, before, now));
            } else if (before == null) {
                merged.add(field);
            } else if (field.sameAs(before)) {
                changes.add("- " + path + ": " + field.describe());
            } else {
                notes.add("= " + path + ": is no longer in the input, and stays because it was changed by hand");
                merged.add(field);
            }
        }
        for (ModelField field : imported) {
            if (find(current, field.name()) == null) {
                if (find(last, field.name()) == null) {
                    added(prefix, List.of(field));
                    merged.add(field);
                } else {
                    notes.add("= " + prefix + field.name() + ": was removed by hand, and stays removed");
                }
            }
        }
        return merged;
    }

    /** Returns a field that was in the schema before any import: its attributes stay, its group grows. */
    private ModelField byHand(String path, ModelField current, ModelField imported) {
        if (!current.attributes().equals(imported.attributes())) {
            notes.add("= " + path + ": " + current.describe() + " stays. The import has: " + imported.describe());
        }
        if (current.fields().isEmpty() || imported.fields().isEmpty()) {
            return current;
        }
        ModelField merged = copy(current);
        merged.fields().addAll(fields(path + ".", current.fields(), List.of(), imported.fields()));
        return merged;
    }

    private static ModelField copy(ModelField field) {
        ModelField copy = new ModelField(field.name()).comment(field.comment());
        copy.attributes().putAll(field.attributes());
        copy.remarks().addAll(field.remarks());
        return copy;
    }

    private ModelField field(String prefix, ModelField current, ModelField last, ModelField imported) {
        ModelField merged = new ModelField(current.name());
        merged.remarks().addAll(current.remarks());
        merged.comment(current.comment().equals(last.comment()) ? imported.comment() : current.comment());
        boolean retyped = !Objects.equals(current.get("type"), last.get("type"));
        Set<String> names = new LinkedHashSet<>(current.attributes().keySet());
        names.addAll(imported.attributes().keySet());
        Map<String, Object> kept = new LinkedHashMap<>();
        Map<String, Object> changed = new LinkedHashMap<>();
        for (String name : names) {
            Object now = current.get(name);
            Object next = imported.get(name);
            boolean touched = !Objects.equals(now, last.get(name)) || (retyped && !ANY_TYPE.contains(name));
            Object value = GROWING.contains(name) && !retyped ? grown(now, last.get(name), next) : touched ? now : next;
            if (value != null) {
                merged.attributes().put(name, value);
            }
            if (!Objects.equals(value, now)) {
                changed.put(name, now + " -> " + value);
            } else if (!Objects.equals(value, next) && !GROWING.contains(name)) {
                kept.put(name, now + " (import: " + next + ")");
            }
        }
        String path = prefix + current.name();
        changed.forEach((name, change) -> changes.add("~ " + path + ": " + name + " " + text(change)));
        kept.forEach((name, change) ->
                notes.add("= " + path + ": " + name + " " + text(change) + " stays, changed by hand"));
        boolean groups = !current.fields().isEmpty() && !imported.fields().isEmpty();
        if (groups) {
            merged.fields().addAll(fields(inner(prefix, imported), current.fields(), last.fields(), imported.fields()));
        } else {
            boolean group = "group".equals(merged.get("type")) || TYPES.equals(prefix);
            merged.fields().addAll(group ? group(current, imported) : List.of());
        }
        return merged;
    }

    private static List<ModelField> group(ModelField current, ModelField imported) {
        return imported.fields().isEmpty() ? current.fields() : imported.fields();
    }

    private static String text(Object change) {
        return change.toString().replace("null", "none");
    }

    /** Returns a list with the elements that an import adds, or the value of the person who edited it. */
    private @Nullable Object grown(@Nullable Object now, @Nullable Object before, @Nullable Object next) {
        if (now instanceof List<?> list && next instanceof List<?> more) {
            Set<Object> all = new LinkedHashSet<>(list);
            more.stream()
                    .filter(element -> !(before instanceof List<?> old && old.contains(element)))
                    .forEach(all::add);
            return all.size() == list.size() ? now : List.copyOf(all);
        }
        return Objects.equals(now, before) && known ? next : now;
    }
}
