/** Rules for the Java types of records: which objects views can replace, and what they would lose or change. */
@NullMarked
package io.millrace.codec.javatype;

import org.jspecify.annotations.NullMarked;
