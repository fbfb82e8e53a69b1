package io.millrace.expression.bytecode;

/**
 * A loop over the records of a batch, generated and loaded.
 *
 * @param loop an instance of the generated class
 * @param codeBytes how long its code is, in bytes
 */
public record GeneratedLoop<T>(T loop, int codeBytes) {}
