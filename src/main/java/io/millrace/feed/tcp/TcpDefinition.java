package io.millrace.feed.tcp;

import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;

import io.millrace.codec.frame.Framing;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Records that senders transmit over TCP.
 *
 * @param sslBundle name of the SSL bundle that secures connections, or null for unencrypted ones
 */
record TcpDefinition(TcpOptions options, @Nullable String sslBundle) implements FeedDefinition {

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public String describe() {
        return "TCP at " + options.host() + ":" + options.port();
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        boolean fixed = options.framing() instanceof Framing.Fixed;
        int longest = options.limits().recordLength();
        if (fixed && schema.baseLength() == 0) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "framing",
                    "Framing 'fixed' needs records of one length, but those of schema '" + schema.name()
                            + "' vary. Use length-prefixed or delimited.");
        } else if (!fixed && schema.baseLength() > longest) {
            check.problem(
                    INVALID_SIZE,
                    "max-record-length",
                    "Invalid size '" + longest + "B'. Use at least " + schema.baseLength()
                            + "B, the length of the records of schema '" + schema.name() + "'.");
        }
    }

    @Override
    public Feed create(FeedContext context) {
        return new TcpFeed(
                options,
                sslBundle == null ? null : context.sslContexts().apply(sslBundle),
                context.schema(),
                context.batchRecords());
    }
}
