/** Records out of capture files: UDP datagrams to a port, read again from any position. */
@NullMarked
package io.millrace.feed.pcap;

import org.jspecify.annotations.NullMarked;
