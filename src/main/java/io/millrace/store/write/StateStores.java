package io.millrace.store.write;

import io.millrace.store.catalog.StoredDefinition;

/** The stores of the states of measures: one on disk, and one in memory. Thread-safe. */
public interface StateStores {

    /**
     * Opens the store of states; does nothing if it is already open.
     *
     * @param persistent whether they are also stored on disk
     */
    void openStates(boolean persistent);

    /**
     * Compares a measure with the definition that its state was stored under, and stores the new one if the state can
     * be used with it. A state that is not stored is not compared.
     *
     * @param name in the catalog: {@link StoredDefinition#measureName}
     * @param persistent whether its states are on disk
     * @throws io.millrace.store.error.DefinitionChangedException if its state can't be used
     * @throws io.millrace.store.error.StoreException if states were not opened, or the store does not answer
     */
    void openMeasure(String name, StoredDefinition definition, boolean persistent);

    /**
     * Returns the store of states.
     *
     * @throws io.millrace.store.error.StoreException if it was not opened
     */
    StateStore states(boolean persistent);
}
