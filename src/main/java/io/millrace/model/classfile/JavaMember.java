package io.millrace.model.classfile;

import java.lang.classfile.AttributedElement;
import java.lang.classfile.Signature;
import java.util.List;
import java.util.Map;

/**
 * A member of a type that becomes a field.
 *
 * @param name name of the property, such as {@code amount} for {@code getAmount()}
 * @param type type, in which type variables are replaced by what they stand for
 * @param elements what may have annotations: its field, getters, setters and record component
 * @param getter whether the member has a getter, which views need
 * @param bodies what its getters and setters do beyond returning or setting its field, by their names
 * @param computed whether the member has no field and no setter
 */
record JavaMember(
        String name,
        Signature type,
        List<AttributedElement> elements,
        boolean getter,
        Map<String, String> bodies,
        boolean computed) {

    /** Returns the annotations of the member. */
    Annotations annotations() {
        return annotations(0);
    }

    /** Returns the annotations of the member, or of the elements of its list. */
    Annotations annotations(int depth) {
        return Annotations.of(elements, depth);
    }
}
