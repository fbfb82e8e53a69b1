package daybook;

/**
 * An order of a {@link DayBook}.
 *
 * @param ticket instrument that is traded
 * @param amount amount traded
 * @param price price per unit of the amount, in any unit that all orders share, such as hundredths
 * @param buy true if the order buys, false if it sells
 */
public record Order(int ticket, int amount, int price, boolean buy) {}
