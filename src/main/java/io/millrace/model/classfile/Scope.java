package io.millrace.model.classfile;

/**
 * The part of a record that contains a field, as constraints of the schema name it. Immutable.
 *
 * @param list path of the innermost list that contains the field, or an empty text
 * @param prefix path of the group that contains the field within the record or the element, with a dot behind, or an
 *     empty text
 * @param absent condition that holds if the group is absent, with {@code or} behind, or an empty text if it never is
 */
record Scope(String list, String prefix, String absent) {

    /** Name of an element that is a single value. */
    private static final String ELEMENT = "#this";

    static final Scope RECORD = new Scope("", "", "");

    /** Returns the scope of the members of a group. */
    Scope group(String name, boolean optional) {
        String path = prefix + name;
        return new Scope(list, path + ".", optional ? path + " == null or " : absent);
    }

    /** Returns the scope of the elements of a list. */
    Scope elements(String name) {
        return new Scope(full(name), "", "");
    }

    /** Returns the scope of elements that are single values. */
    Scope values(String name) {
        return new Scope(full(name), ELEMENT, "");
    }

    /** Returns the name of a member in conditions. */
    String name(String member) {
        return prefix.equals(ELEMENT) ? ELEMENT : prefix + member;
    }

    /** Returns the path of a member from the record. */
    String full(String name) {
        return prefix.equals(ELEMENT) ? list : (list.isEmpty() ? "" : list + ".") + prefix + name;
    }
}
