package io.millrace.model.classfile;

import java.lang.classfile.Signature;
import java.util.List;

/**
 * A member of a type that becomes a field.
 *
 * @param name name of the property, such as {@code amount} for {@code getAmount()}
 * @param type type, in which type variables are replaced by what they stand for
 * @param getter whether the member has a getter, which views need
 * @param bodies names of its getters and setters that do more than return or set a field
 */
record JavaMember(String name, Signature type, Annotations annotations, boolean getter, List<String> bodies) {}
