package io.millrace.view;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A row of the table of tools in the guide about differences of views, which the test, or the tests of the class, hold.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface FrameworkSupport {

    /** Returns the tool. */
    String tool();

    /** Returns what works. */
    String works();

    /** Returns what is refused or differs, and what to use instead. */
    String otherwise() default "";
}
