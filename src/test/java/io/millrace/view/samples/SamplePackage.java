package io.millrace.view.samples;

import java.lang.invoke.MethodHandles;

/** Lets tests define classes in this package. */
public final class SamplePackage {

    private SamplePackage() {}

    /** Defines a class with the class loader of the tests. */
    public static void define(byte[] bytes) throws IllegalAccessException {
        MethodHandles.lookup().defineClass(bytes);
    }
}
