package io.millrace.expression.ir;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;

/** What functions written in Java take and give. */
public enum JavaType {
    /** A whole number. */
    LONG(long.class),
    /** A whole number of 32 bits. */
    INT(int.class),
    /** A double. */
    DOUBLE(double.class),
    /** A truth value. */
    BOOLEAN(boolean.class),
    /** A text or a name. */
    STRING(String.class),
    /** A decimal. */
    DECIMAL(BigDecimal.class),
    /** A day. */
    DATE(LocalDate.class),
    /** A moment. */
    INSTANT(Instant.class);

    private final Class<?> type;

    JavaType(Class<?> type) {
        this.type = type;
    }

    /** The class that stands for it where no value is absent. */
    public Class<?> type() {
        return type;
    }

    /** What a class stands for; a wrapper such as {@link Long} for the same as its primitive type. */
    public static Optional<JavaType> of(Class<?> type) {
        Class<?> unwrapped = MethodType.methodType(type).unwrap().returnType();
        return Arrays.stream(values()).filter(java -> java.type == unwrapped).findFirst();
    }
}
