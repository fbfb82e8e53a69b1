package io.millrace.model.classfile;

import java.lang.classfile.AttributedElement;
import java.lang.classfile.Signature;
import java.util.List;

/**
 * A member of a type that becomes a field.
 *
 * @param name name of the property, such as {@code amount} for {@code getAmount()}
 * @param type type, in which type variables are replaced by what they stand for
 * @param elements what may have annotations: its field, getters, setters and record component
 * @param getter whether the member has a getter, which views need
 * @param computed whether the member has no field and no setter
 */
record JavaMember(String name, Signature type, List<AttributedElement> elements, boolean getter, boolean computed) {

    /** Returns whether an annotation says that it is not part of the record. */
    boolean ignored() {
        return annotations().ignored();
    }

    /** Returns the annotations of the member. */
    Annotations annotations() {
        return annotations(0);
    }

    /** Returns the annotations of the member, or of the elements of its list. */
    Annotations annotations(int depth) {
        return Annotations.of(elements, depth);
    }
}
