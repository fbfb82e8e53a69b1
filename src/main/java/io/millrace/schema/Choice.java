package io.millrace.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choice of types that a group has: one of its members is there, and says which type. Immutable.
 *
 * @param members names of the members by the names of the types, in the order of the schema
 * @param itself whether no member has to be there; then the group has the type that the others extend
 */
public record Choice(Map<String, String> members, boolean itself) implements Serializable {

    public Choice {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /**
     * Returns the constraint that at most one member is there, and one at least if there has to be one, or null if it
     * always holds.
     *
     * @param path path of the group
     */
    @Nullable
    public RecordConstraint constraint(String path) {
        int list = path.lastIndexOf(CompactPart.ELEMENTS);
        String each = list < 0 ? "" : path.substring(0, list).replace(CompactPart.ELEMENTS, "");
        String group = list < 0 ? path : path.substring(list + CompactPart.ELEMENTS.length());
        String inner = group.startsWith(".") ? group.substring(1) : group;
        String prefix = inner.isEmpty() ? "" : inner + ".";
        List<String> names =
                members.values().stream().map(name -> prefix + name).toList();
        List<String> conditions = new ArrayList<>();
        if (!itself) {
            conditions.add("("
                    + String.join(
                            " or ",
                            names.stream().map(name -> name + " != null").toList()) + ")");
        }
        for (int i = 0; i < names.size(); i++) {
            for (int k = i + 1; k < names.size(); k++) {
                conditions.add("(" + names.get(i) + " == null or " + names.get(k) + " == null)");
            }
        }
        if (conditions.isEmpty()) {
            return null;
        }
        String condition = String.join(" and ", conditions);
        return new RecordConstraint(
                "choice-" + path.replaceAll("[^A-Za-z0-9_]+", "-").replaceAll("-$", ""),
                each,
                prefix.isEmpty() ? condition : inner + " == null or (" + condition + ")",
                "it has " + (itself ? "at most one of " : "exactly one of ") + String.join(", ", members.values()));
    }
}
