package io.millrace.store.catalog;

import java.util.List;

/** The definitions of the data that a store has on disk. Thread-safe. */
public interface StoreCatalog {

    /**
     * Returns the definitions that regions and measures on disk were stored under, by name, open or not.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    List<CatalogEntry> catalog();
}
