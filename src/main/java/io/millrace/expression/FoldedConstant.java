package io.millrace.expression;

import org.apiguardian.api.API;

/**
 * A constant of a typed form, in the raw form of the value that it is combined with.
 *
 * @param type the type, as the typed form writes it
 * @param raw the value in the code, as the typed form writes it; numbers as text, since JSON numbers have 53 exact bits
 * @param meaning the value that it represents: a quoted name or text, a number, a date, an instant
 */
@API(status = API.Status.STABLE)
public record FoldedConstant(String type, String raw, String meaning) {}
