package io.millrace.cli.stored;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.service.Credentials;
import io.millrace.cli.service.QuietLogging;
import io.millrace.cli.service.ServiceClient;
import io.millrace.cli.service.ServiceException;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.admin.DataFolder;
import io.millrace.store.geode.admin.StoredData;
import java.nio.file.Path;
import java.util.List;

/** Reads the catalog of stored data from the data folder of a stopped service, or from a running service. */
public final class StoredCatalog {

    private StoredCatalog() {}

    /**
     * Returns the entries of the catalog.
     *
     * @param place a folder, or the URL of a service
     * @param credentials user of the service
     * @throws StoreException if the catalog can't be read
     */
    public static List<CatalogEntry> read(String place, Credentials credentials) {
        if (isService(place)) {
            return request(place, credentials);
        }
        try (QuietLogging _ = new QuietLogging();
                StoredData stored = new DataFolder(Path.of(place))) {
            return stored.entries();
        }
    }

    /** Returns whether a place is the URL of a service. */
    public static boolean isService(String place) {
        return place.startsWith("http://") || place.startsWith("https://");
    }

    private static List<CatalogEntry> request(String url, Credentials credentials) {
        try (ServiceClient client = ServiceClient.of(url, credentials.authorization(System.getenv()))) {
            return DefinitionText.readEntries(client.get("/api/catalog").toString());
        } catch (ServiceException e) { // Its message has a code.
            throw new StoreException(String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new StoreException(CommandErrorCode.INVALID_ARGUMENT.message(String.valueOf(e.getMessage())), e);
        }
    }
}
