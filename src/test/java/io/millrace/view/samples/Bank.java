package io.millrace.view.samples;

import java.math.BigDecimal;
import java.util.List;

/** Interfaces of an application, which generated interfaces extend. */
public final class Bank {

    private Bank() {}

    /** Has a type variable for the values of a getter and a setter. */
    public interface Identified<K extends Comparable<K>> {

        K getId();

        void setId(K id);

        default boolean precedes(Identified<K> other) {
            return getId().compareTo(other.getId()) < 0;
        }
    }

    /** Names a superclass of the generated getter's type, and implements another getter. */
    public interface Priced {

        Number getPrice();

        default long getQuantity() {
            return 1;
        }

        default BigDecimal total() {
            return new BigDecimal(getPrice().toString()).multiply(BigDecimal.valueOf(getQuantity()));
        }
    }

    /** Has a getter of a list whose elements have an interface of the application too. */
    public interface Basket {

        List<? extends Priced> getLegs();

        default BigDecimal total() {
            return getLegs().stream().map(Priced::total).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /** Has methods with the names of those that generated classes use. */
    public interface Copied {

        default boolean isValid() {
            return false;
        }

        default String copy() {
            return "copy";
        }

        default String copies() {
            return "copies";
        }

        default String content() {
            return "content";
        }

        default String list() {
            return "list";
        }
    }
}
