package io.millrace.cli.stored;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.admin.StoredData;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Reads the catalog of stored data from the data folder of a stopped service, or from a running service. */
public final class StoredCatalog {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    private StoredCatalog() {}

    /**
     * Returns the entries of the catalog.
     *
     * @param place a folder, or the URL of a service
     * @param user user of the service
     * @param passwordFile file with the user's password; null if the service is open
     * @throws StoreException if the catalog can't be read
     */
    public static List<CatalogEntry> read(String place, String user, @Nullable Path passwordFile) {
        if (place.startsWith("http://") || place.startsWith("https://")) {
            return request(place, user, passwordFile);
        }
        try (QuietLogging _ = new QuietLogging();
                StoredData stored = StoredData.inFolder(Path.of(place))) {
            return stored.entries();
        }
    }

    private static List<CatalogEntry> request(String place, String user, @Nullable Path passwordFile) {
        String url = (place.endsWith("/") ? place.substring(0, place.length() - 1) : place) + "/api/catalog";
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
            if (passwordFile != null) {
                request.header("Authorization", "Basic " + credentials(user, passwordFile));
            }
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new StoreException("Unexpected status '" + response.statusCode() + "' from '" + url + "': "
                        + response.body().strip());
            }
            return DefinitionText.readEntries(response.body());
        } catch (IOException | IllegalArgumentException e) {
            throw new StoreException(
                    "'" + url + "' can't be read: " + (e.getMessage() == null ? e.toString() : e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("'" + url + "' was not read in time.", e);
        }
    }

    private static String credentials(String user, Path passwordFile) {
        try {
            return HttpHeaders.encodeBasicAuth(
                    user, Files.readString(passwordFile).strip(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StoreException("Password file '" + passwordFile + "' can't be read: " + e, e);
        }
    }
}
