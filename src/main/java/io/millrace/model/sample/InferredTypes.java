package io.millrace.model.sample;

/**
 * Which types are inferred. By default, types have space for values that the samples do not have: the first samples
 * rarely contain the largest number or all names.
 *
 * @param dictionaries whether texts become an enum if few distinct ones occur often; other texts are then rejected
 * @param smallestIntegers whether integers get the smallest type that holds all samples, instead of 64 bits
 */
public record InferredTypes(boolean dictionaries, boolean smallestIntegers) {}
