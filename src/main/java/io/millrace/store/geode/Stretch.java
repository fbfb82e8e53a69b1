package io.millrace.store.geode;

import java.io.Serializable;

/**
 * What a member answers for its buckets in one {@link Slice}.
 *
 * @param part of the answer, found in this stretch
 * @param reached how far it came, in all of these buckets
 */
record Stretch<P extends Serializable>(P part, Places reached) implements Serializable {}
