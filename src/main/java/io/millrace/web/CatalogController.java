package io.millrace.web;

import io.millrace.store.catalog.DefinitionText.EntryForm;
import io.millrace.store.catalog.StoreCatalog;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the stored definitions of persistent regions and of measures, whether they are open or not. */
@RestController
@RequestMapping(ApiPath.BASE + "/catalog")
class CatalogController {

    private final StoreCatalog store;

    CatalogController(StoreCatalog store) {
        this.store = store;
    }

    @GetMapping
    Mono<List<EntryForm>> all() {
        return Workers.run(() -> store.catalog().stream().map(EntryForm::of).toList());
    }
}
