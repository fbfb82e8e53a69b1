package tail;

import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Feeds that follow a growing file. */
public final class TailFeedFactory implements FeedFactory<TailFeedFactory.Tail> {

    @Override
    public String name() {
        return "tail";
    }

    @Override
    public Class<Tail> propertiesType() {
        return Tail.class;
    }

    @Override
    public FeedDefinition define(Tail tail, FeedCheck check) {
        check.readable("path", tail.path());
        return tail;
    }

    /**
     * A feed as configured.
     *
     * @param path path of the file
     */
    public record Tail(Path path) implements FeedDefinition {

        @Override
        public String describe() {
            return "growing file " + path;
        }

        @Override
        public void check(Schema schema, FeedCheck check) {
            if (schema.baseLength() == 0) {
                check.schemaProblem("The feed 'tail' needs records of one length. Use a schema of the fixed layout.");
            }
        }

        @Override
        public Feed create(FeedContext context) {
            return new TailFeed(path, context.schema(), context.batchRecords());
        }

        @Override
        public void connect(int partitions, ConnectionCheck check) throws IOException {
            check.ok(Files.size(path) + " bytes");
        }
    }
}
