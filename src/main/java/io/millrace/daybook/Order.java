package io.millrace.daybook;

/**
 * An order, as it was written into a {@link DayBook}.
 *
 * @param ticket what is traded
 * @param amount how many of it
 * @param price for each, in whatever unit the book is kept in, say hundredths
 * @param buy whether it buys; else it sells
 */
public record Order(int ticket, int amount, int price, boolean buy) {}
