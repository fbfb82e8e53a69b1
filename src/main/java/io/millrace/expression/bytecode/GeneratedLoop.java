package io.millrace.expression.bytecode;

/**
 * A generated and loaded loop over the records of a batch.
 *
 * @param loop an instance of the generated class, or a choice between two of them
 * @param codeBytes length of the generated code in bytes; for two loops the sum
 */
public record GeneratedLoop<T>(T loop, int codeBytes) {}
