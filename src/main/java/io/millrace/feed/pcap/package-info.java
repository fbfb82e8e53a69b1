/** Records of capture files: UDP datagrams of a port, replayable from any position. */
@NullMarked
package io.millrace.feed.pcap;

import org.jspecify.annotations.NullMarked;
