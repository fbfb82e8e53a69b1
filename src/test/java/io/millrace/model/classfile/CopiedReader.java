package io.millrace.model.classfile;

/** Reads a field of a class of the same package. */
final class CopiedReader {

    private CopiedReader() {}

    static long read(ClassImportTest.Copied copied) {
        return copied.id;
    }
}
