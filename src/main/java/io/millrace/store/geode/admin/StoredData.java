package io.millrace.store.geode.admin;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.write.Commit;
import java.util.List;
import java.util.Map;

/** The data of regions and measures, for tools: in the folder of a stopped service, or in a cluster. */
public interface StoredData extends AutoCloseable {

    /**
     * Returns what is stored, by name, each as {@linkplain CatalogEntry#open() not open}.
     *
     * @throws io.millrace.store.error.StoreException if it can't be read
     */
    List<CatalogEntry> entries();

    /**
     * Returns the names that {@link #remove} removes with this one: of a measure also the regions of its rows and
     * alerts, unless other measures store theirs there.
     *
     * @throws io.millrace.store.error.StoreException if nothing of this name is stored
     */
    default List<String> removedWith(String name) {
        return Removal.of(name, entries());
    }

    /**
     * Removes all data of a region, or a measure's state with the regions of its rows and alerts.
     *
     * @throws io.millrace.store.error.StoreException if that is not possible
     */
    default void remove(String name) {
        List<CatalogEntry> entries = entries();
        for (String one : Removal.of(name, entries)) {
            entries.stream().filter(entry -> entry.name().equals(one)).forEach(this::remove);
        }
    }

    /**
     * Returns the committed positions of pipelines in their feeds, by the name of their writers: {@code trades/0}.
     *
     * @throws io.millrace.store.error.StoreException if they can't be read
     */
    Map<String, Commit> positions();

    /**
     * Removes a pipeline's position in its feed and the states of its measures. Its records stay.
     *
     * @param writer as {@link #positions} names it
     * @throws io.millrace.store.error.StoreException if the writer is unknown, or the pipeline runs
     */
    void resetPosition(String writer);

    /**
     * Returns the log of manual changes, by time.
     *
     * @throws io.millrace.store.error.StoreException if it can't be read
     */
    Map<String, String> audit();

    /** Removes the data of one entry, and nothing else. */
    void remove(CatalogEntry entry);

    @Override
    void close();
}
