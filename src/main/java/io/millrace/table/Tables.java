package io.millrace.table;

import java.util.List;
import java.util.Optional;

/**
 * All tables of a configuration.
 *
 * @param all in the order of the configuration
 */
public record Tables(List<Table> all) {

    public Tables {
        all = List.copyOf(all);
    }

    /** Returns the table with a name. */
    public Optional<Table> named(String name) {
        return all.stream().filter(table -> table.name().equals(name)).findFirst();
    }

    /** Returns the names of all tables. */
    public List<String> names() {
        return all.stream().map(Table::name).toList();
    }
}
