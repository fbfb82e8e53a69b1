package treasury;

/** A currency of payments and balances. */
public enum Currency {
    EUR,
    GBP,
    USD
}
