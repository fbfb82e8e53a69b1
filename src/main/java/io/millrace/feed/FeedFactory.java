package io.millrace.feed;

import io.millrace.extension.Extension;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A kind of feed, such as {@code tcp}. Reads the properties of feeds of this kind.
 *
 * <p>An application adds a kind with a bean of this type. A kind that is registered as a service instead, in
 * {@code META-INF/services/io.millrace.feed.FeedFactory}, is also known to commands such as {@code check}, which start
 * no application; the built-in kinds are. Such a class is public and has a public constructor without parameters.
 *
 * <p>Stateless: one factory reads the properties of all feeds of its kind.
 *
 * @param <P> type of the properties
 */
@API(status = API.Status.STABLE)
public interface FeedFactory<P> extends Extension<P> {

    /**
     * Checks the properties of a feed. May read files; starts nothing.
     *
     * @param check receives everything that is wrong
     * @return the feed, with substitutes for invalid values so that it can be checked further; null if that is
     *     impossible, after an error was reported
     */
    @Nullable
    FeedDefinition define(P properties, FeedCheck check);
}
