/** Captures that tests build, and what the feed brings of them. */
@NullMarked
package io.millrace.feed.pcap;

import org.jspecify.annotations.NullMarked;
