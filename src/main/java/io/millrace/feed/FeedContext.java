package io.millrace.feed;

import io.millrace.schema.Schema;
import io.netty.handler.ssl.SslContext;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * What a pipeline provides to its feed.
 *
 * @param schema schema of the records, with all fields that steps add
 * @param batchRecords maximum number of records per poll
 * @param split part of the source to read
 * @param sslContexts returns the TLS context of a server with the SSL bundle of a name
 */
@API(status = API.Status.STABLE)
public record FeedContext(Schema schema, int batchRecords, Split split, Function<String, SslContext> sslContexts) {}
