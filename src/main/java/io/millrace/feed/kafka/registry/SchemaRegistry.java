package io.millrace.feed.kafka.registry;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Looks up the types of schemas. All partitions of a pipeline share it, and a schema is requested once. Thread-safe:
 * one thread at a time requests.
 */
public final class SchemaRegistry {

    /** Types of data that are not records of the pipeline's schema. */
    private static final Map<String, String> REFUSED = Map.of("AVRO", "Avro", "PROTOBUF", "Protobuf");

    private static final Set<Integer> UNAUTHORIZED = Set.of(401, 403);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int MAX_SCHEMAS = 10_000;
    private static final int MAX_BODY_BYTES = 16 << 20;
    /** A registry that is replicated can receive a schema later than a broker receives its messages. */
    private static final long UNKNOWN_NANOS = Duration.ofSeconds(10).toNanos();

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RegistryFormat format;
    private final RegistryConnection connection;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Verdict> verdicts = new LinkedHashMap<>();

    /**
     * What is known about a schema.
     *
     * @param refusal why messages are rejected; null if they are accepted
     * @param unknown whether the registry did not have it, at the given time
     */
    private record Verdict(@Nullable String refusal, boolean unknown, long nanos) {}

    public SchemaRegistry(RegistryFormat format, RegistryConnection connection) {
        this(format, connection, System::nanoTime);
    }

    SchemaRegistry(RegistryFormat format, RegistryConnection connection, LongSupplier nanoTime) {
        this.format = format;
        this.connection = connection;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns why messages of a schema are rejected, or null if they are accepted. Requests a schema that is not known
     * yet, and waits for the response.
     *
     * @throws IOException if the registry can't be reached, or responds with an error
     */
    @Nullable
    String refusal(long id) throws IOException {
        lock.lock();
        try {
            Verdict verdict = verdicts.get(id);
            if (verdict == null || (verdict.unknown() && nanoTime.getAsLong() - verdict.nanos() > UNKNOWN_NANOS)) {
                verdict = request(id);
                verdicts.remove(id);
                if (verdicts.size() == MAX_SCHEMAS) {
                    verdicts.remove(verdicts.keySet().iterator().next());
                }
                verdicts.put(id, verdict);
            }
            return verdict.refusal();
        } finally {
            lock.unlock();
        }
    }

    private Verdict request(long id) throws IOException {
        HttpResponse<byte[]> response = send(connection.request(format.path(id)));
        JsonNode body = json(response.body());
        int status = response.statusCode();
        if (status == OK) {
            String type = format.type(response.headers(), body).toUpperCase(Locale.ROOT);
            String refused = REFUSED.get(type);
            return new Verdict(
                    refused == null
                            ? null
                            : "the message has " + refused + " data by schema " + id
                                    + ", which Millrace does not read. Send records of the pipeline's schema",
                    false,
                    0);
        }
        if (status == NOT_FOUND && format.isUnknownSchema(body)) {
            return new Verdict(
                    "the message has the schema ID " + id + ", which the registry at " + connection.url()
                            + " does not have",
                    true,
                    nanoTime.getAsLong());
        }
        throw new IOException("The schema registry at " + connection.url() + " has responded with status " + status
                + " to the request for schema " + id + ". " + hint(status));
    }

    private String hint(int status) {
        return UNAUTHORIZED.contains(status)
                ? "Check 'user' and 'password'."
                : status == NOT_FOUND
                        ? "Check that 'url' is the address of a registry with the API of '" + format.key() + "'."
                        : "It is asked again.";
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        // Requests are too rare to keep a connection.
        try (HttpClient client = connection.client()) {
            try {
                // The timeout of a request does not include the body.
                return client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES))
                        .get(connection.timeout().toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                client.shutdownNow();
            }
        } catch (ExecutionException e) {
            throw new IOException("The schema registry at " + connection.url() + " can't be reached.", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "The schema registry at " + connection.url() + " has not responded within "
                            + connection.timeout().toMillis() + " ms.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the schema registry.", e);
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }
}
