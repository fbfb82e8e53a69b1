package io.millrace.feed.generator;

import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.schema.Schema;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a generator of records.
 *
 * @param rate records per second; 0 for as many as the pipeline processes
 * @param count total number of records; 0 for no end
 * @param seed seed of the random values; equal seeds generate equal records
 */
public record GeneratorProperties(
        @DefaultValue("0") long rate,
        @DefaultValue("0") long count,
        @DefaultValue("1") long seed) implements FeedDefinition {

    @Override
    public String describe() {
        return rate == 0 ? "generator" : String.format(Locale.ROOT, "generator, %,d records a second", rate);
    }

    @Override
    public FeedEnd end() {
        return count == 0 ? FeedEnd.NEVER : FeedEnd.FINAL;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        if (!GeneratorFeed.canMake(schema)) {
            check.schemaProblem("Schema '" + schema.name()
                    + "' has the tagged layout, of which the feed 'generator' supports 'radius-accounting' only.");
        }
    }

    @Override
    public boolean splittable(Schema schema) {
        return true;
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) {
        check.nothing();
    }

    @Override
    public Feed create(FeedContext context) {
        return new GeneratorFeed(context.schema().base(), seed, count, rate, context.batchRecords(), context.split());
    }
}
