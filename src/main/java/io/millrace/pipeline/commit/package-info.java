/** What partitions store, and the commits with its positions, from which another process continues. */
@NullMarked
package io.millrace.pipeline.commit;

import org.jspecify.annotations.NullMarked;
