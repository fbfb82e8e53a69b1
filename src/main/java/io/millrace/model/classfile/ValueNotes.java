package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects members whose values views return in another form than objects do. Not thread-safe. */
final class ValueNotes {

    static final String DECIMAL = "java.math.BigDecimal";
    private static final String DATE = "java.util.Date";

    private final Set<String> decimals = new LinkedHashSet<>();
    private final Set<String> dates = new LinkedHashSet<>();
    private final Set<String> nullableLists = new LinkedHashSet<>();

    /**
     * @param member name of the member in notes
     * @param type type of the value, or of an element
     */
    void add(String member, String type, ModelField field) {
        if (type.equals(DECIMAL)) {
            decimals.add(member + " (" + field.get("scale") + ")");
        } else if (type.equals(DATE)) {
            dates.add(member);
        }
    }

    void addNullableList(String member) {
        nullableLists.add(member);
    }

    /** Returns a line for each kind of difference. */
    List<String> all() {
        List<String> notes = new ArrayList<>();
        if (!decimals.isEmpty()) {
            notes.add("Views return a BigDecimal with the scale of its field, such as 1.50 for 1.5 if the scale is 2."
                    + " BigDecimal.equals and toString distinguish these, compareTo does not. Members, with their"
                    + " scale: " + String.join(", ", decimals) + ".");
        }
        if (!nullableLists.isEmpty()) {
            notes.add("Views return an empty list or array for null. Members that can be null: "
                    + String.join(", ", nullableLists) + ".");
        }
        if (!dates.isEmpty()) {
            notes.add("Views return a Date for an object of a subclass, such as Timestamp. Members: "
                    + String.join(", ", dates) + ".");
        }
        return notes;
    }
}
