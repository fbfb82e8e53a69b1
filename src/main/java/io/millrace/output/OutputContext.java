package io.millrace.output;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a partition of a pipeline provides to the writer of an output. One writer at a time is open for a pipeline, an
 * instance, a partition and a part, in whatever process.
 *
 * @param output name of the output
 * @param pipeline name of the pipeline
 * @param instance name of the process if each has records of its own, as with a feed without positions; otherwise null
 * @param partition number of the partition, from 0
 * @param part what is written: null for the records that steps send to the output, {@code rejects} for rejected
 *     records, the name of a measure for its rows, that and the name of an alert for its events, such as
 *     {@code turnover#high}
 * @param schema schema of the records, with all fields that steps add
 * @param rejects receives records that the output can't hold, while they are appended. Those of a part are logged,
 *     others are stored with the rejects of the pipeline
 */
@API(status = API.Status.STABLE)
public record OutputContext(
        String output,
        String pipeline,
        @Nullable String instance,
        int partition,
        @Nullable String part,
        Schema schema,
        RejectSink rejects) {

    /**
     * Returns a name that no other writer of the output has, for files and keys: {@code trades-0},
     * {@code trades+turnover-0} for the rows of a measure, {@code calls@host-1-0} for one of several processes.
     * Characters that file names can't have are encoded as in a URL.
     */
    public String name() {
        return encoded(pipeline)
                + (part == null ? "" : "+" + part.replace('#', '+'))
                + (instance == null ? "" : "@" + encoded(instance))
                + "-" + partition;
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
