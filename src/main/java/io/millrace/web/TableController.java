package io.millrace.web;

import io.millrace.schema.NearestName;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.TableException;
import io.millrace.table.TableStatus;
import io.millrace.table.Tables;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the status of tables, and reloads them. */
@RestController
@RequestMapping(ApiPath.BASE + "/tables")
class TableController {

    private final Tables tables;

    TableController(Tables tables) {
        this.tables = tables;
    }

    @GetMapping
    List<TableStatus> all() {
        return tables.all().stream().map(Table::status).toList();
    }

    @GetMapping("/{name}")
    TableStatus one(@PathVariable String name) {
        return named(name).status();
    }

    /** Reloads a table's file; returns its new status. */
    @PostMapping("/{name}/reload")
    Mono<TableStatus> reload(@PathVariable String name) {
        return Workers.run(() -> reload(named(name)));
    }

    private static TableStatus reload(Table table) {
        if (!(table instanceof ServedTable served)) {
            throw new ApiException(
                    ApiErrorCode.NO_FILE,
                    "Table '" + table.name() + "' has no file: it follows a region. Reload tables of files only.");
        }
        try {
            served.reload();
        } catch (TableException e) {
            throw new ApiException(ApiErrorCode.BAD_TABLE, String.valueOf(e.getMessage()));
        }
        return served.status();
    }

    private Table named(String name) {
        return tables.named(name)
                .orElseThrow(() -> new ApiException(
                        ApiErrorCode.UNKNOWN_TABLE,
                        "Unknown table '" + name + "'" + NearestName.hint(name, tables.names())));
    }
}
