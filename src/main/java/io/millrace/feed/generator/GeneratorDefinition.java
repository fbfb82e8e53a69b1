package io.millrace.feed.generator;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.schema.Schema;
import java.util.Locale;

/**
 * Generated records.
 *
 * @param rate records per second, or 0 for no limit
 * @param count total number of records, or 0 for no limit
 * @param seed seed of the generator; equal seeds generate equal records
 */
record GeneratorDefinition(long rate, long count, long seed) implements FeedDefinition {

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
        if (!BatchMaker.canMake(schema)) {
            check.schemaProblem("Schema '" + schema.name()
                    + "' has the tagged layout, of which the feed 'generator' supports 'radius-accounting' only.");
        }
    }

    @Override
    public boolean splittable(Schema schema) {
        return true;
    }

    @Override
    public Feed create(FeedContext context) {
        return new GeneratorFeed(context.schema().base(), seed, count, rate, context.batchRecords(), context.split());
    }
}
