package io.millrace.expression.ir;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;

/** The parameter and result types of functions written in Java. */
public enum JavaType {
    /** A whole number. */
    LONG(long.class),
    /** A whole number of 32 bits. */
    INT(int.class),
    /** A double. */
    DOUBLE(double.class),
    /** A boolean. */
    BOOLEAN(boolean.class),
    /** A text or a name. */
    STRING(String.class),
    /** A decimal. */
    DECIMAL(BigDecimal.class),
    /** A date. */
    DATE(LocalDate.class),
    /** An instant. */
    INSTANT(Instant.class);

    private final Class<?> type;

    JavaType(Class<?> type) {
        this.type = type;
    }

    /** Returns the class of values that are never absent. */
    public Class<?> type() {
        return type;
    }

    /** Returns the type of a class; a wrapper such as {@link Long} has the type of its primitive type. */
    public static Optional<JavaType> of(Class<?> type) {
        Class<?> unwrapped = MethodType.methodType(type).unwrap().returnType();
        return Arrays.stream(values()).filter(java -> java.type == unwrapped).findFirst();
    }
}
