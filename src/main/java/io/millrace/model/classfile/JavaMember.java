package io.millrace.model.classfile;

import java.lang.classfile.Signature;

/**
 * A member of a type that becomes a field.
 *
 * @param name name of the property, such as {@code amount} for {@code getAmount()}
 * @param type type, in which type variables are replaced by what they stand for
 * @param getter whether the member has a getter, which views need
 */
record JavaMember(String name, Signature type, Annotations annotations, boolean getter) {}
