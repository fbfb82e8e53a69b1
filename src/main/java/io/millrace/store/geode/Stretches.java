package io.millrace.store.geode;

import io.millrace.store.PartSource;
import java.io.Serializable;
import java.util.List;

/**
 * Asks for an answer stretch by stretch. What has been asked is remembered here and nowhere else: each time, any member
 * that has a bucket goes on where the bucket's last stretch ended, so that a member may fail in between, or a bucket
 * move, and nothing is told twice or missed. Not thread-safe.
 */
final class Stretches<P extends Serializable> implements PartSource<P> {

    /** Asks those that have the region's buckets. */
    interface Asking<P extends Serializable> {

        List<Stretch<P>> ask(long limit, Places from, Slice slice);
    }

    private final Slice slice;
    private final Asking<P> asking;
    private Places reached = Places.NONE;
    private boolean ended;

    Stretches(Slice slice, Asking<P> asking) {
        this.slice = slice;
        this.asking = asking;
    }

    @Override
    public List<P> next(long limit, long nanos) {
        List<Stretch<P>> found = asking.ask(limit, reached, slice.within(nanos));
        ended = found.stream().allMatch(stretch -> stretch.reached().done());
        for (Stretch<P> stretch : found) {
            reached = reached.with(stretch.reached());
        }
        return found.stream().map(Stretch::part).toList();
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
