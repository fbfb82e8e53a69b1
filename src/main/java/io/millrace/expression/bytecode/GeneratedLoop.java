package io.millrace.expression.bytecode;

/**
 * What works the records of a batch, generated and loaded.
 *
 * @param loop an instance of the generated class, or what chooses between two of them
 * @param codeBytes how long the generated code is, in bytes; of two loops both
 */
public record GeneratedLoop<T>(T loop, int codeBytes) {}
