package io.millrace.corpus;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an aggregate query.
 *
 * @param groups aggregates by the keys of the group, as {@link Found#plain} returns them
 * @param failed number of records without a result
 */
record Rows(Map<List<@Nullable Object>, List<@Nullable Object>> groups, long failed) {}
