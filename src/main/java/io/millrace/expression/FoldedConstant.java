package io.millrace.expression;

/**
 * A constant of a typed form, brought to the raw form of what it meets.
 *
 * @param type in the words of the typed form
 * @param raw what the code holds, as the typed form writes it; digits as text, since JSON keeps no more than 53 bits
 * @param meaning the value that this stands for: a name or text in quotes, a number, a date, an instant
 */
public record FoldedConstant(String type, String raw, String meaning) {}
