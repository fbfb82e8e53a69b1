package io.millrace.feed;

import io.millrace.schema.Schema;
import io.netty.handler.ssl.SslContext;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * What a pipeline provides to its feed.
 *
 * @param schema schema of the records, with all fields that steps add
 * @param batchRecords maximum number of records per poll. Of fixed records there are also not more than
 *     {@value #BATCH_BYTES} bytes, or one record, so that a batch stays in a processor's cache while all steps read it.
 *     Feeds of records whose lengths vary limit their bytes themselves.
 * @param split part of the source to read
 * @param sslContexts returns the TLS context of a server with the SSL bundle of a name
 */
@API(status = API.Status.STABLE)
public record FeedContext(Schema schema, int batchRecords, Split split, Function<String, SslContext> sslContexts) {

    private static final int BATCH_BYTES = 256 << 10;

    public FeedContext {
        int length = schema.baseLength();
        if (length > 0) {
            batchRecords = Math.clamp(BATCH_BYTES / length, 1, batchRecords);
        }
    }
}
