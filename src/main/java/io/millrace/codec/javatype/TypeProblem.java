package io.millrace.codec.javatype;

import org.jspecify.annotations.Nullable;

/**
 * Why views can't replace the objects of a type, or would differ from them.
 *
 * @param reason a main clause, such as {@code its field 'id' is public, and a view does not have its value}
 * @param advice what to do instead of accepting it, such as {@code Make it private}; can be empty
 * @param option what accepts it, or null if nothing does
 * @param name name of the method, field or class for which it is accepted
 */
public record TypeProblem(
        String reason, String advice, @Nullable Option option, String name) {

    /** A method of the builder of views by which an application accepts a problem. */
    public enum Option {
        /** Accepts that views do not call a method. */
        REPLACE_BODIES("replaceBodies"),
        /** Accepts that a field has its initial value in a view. */
        ALLOW_FIELD_USE("allowFieldUse"),
        /** Accepts that views are serialized in their own form. */
        REPLACE_SERIALIZATION("replaceSerialization"),
        /** Accepts that members of a subclass are lost. */
        IGNORE_MEMBERS("ignoreMembersOf"),
        /** Accepts it at import only: views check the values. */
        IMPORT("");

        private final String method;

        Option(String method) {
            this.method = method;
        }

        /** Returns a call of the method, or an empty text if none is needed. */
        public String call(Iterable<String> names) {
            String quote = this == IGNORE_MEMBERS ? "" : "\"";
            String end = this == IGNORE_MEMBERS ? ".class" : "\"";
            String separator = end + ", " + quote;
            return method.isEmpty() ? "" : method + "(" + quote + String.join(separator, names) + end + ")";
        }
    }

    /**
     * Returns a sentence of what is wrong, and one of what to do.
     *
     * @param type name of the type
     * @param accepting what accepts it, such as {@code --allow id}; empty if nothing does
     */
    public String message(String type, String accepting) {
        String accept = "ccept this with " + accepting;
        String todo = advice.isEmpty() ? "A" + accept : accepting.isEmpty() ? advice : advice + ", or a" + accept;
        return "Unable to create views of " + type + ": " + reason + ". " + todo + ".";
    }
}
