package io.millrace.extension;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the command {@code check --connect} finds where a feed or an output reads or writes. Used by one
 * thread, which is interrupted after {@link #TIMEOUT}.
 */
@API(status = API.Status.STABLE)
public interface ConnectionCheck {

    /** Time after which a check that has not ended counts as failed. */
    Duration TIMEOUT = Duration.ofSeconds(5);

    /** Reports that it was reached. The detail is a short text, such as {@code 4 partitions}, or empty. */
    void ok(String detail);

    /** Reports that there is nothing to reach. */
    void nothing();

    /** Reports something that does not prevent records from being read or written. */
    void warning(String detail);

    /** Reports something that prevents records from being read or written: what is wrong, and what to do. */
    void failed(String detail);

    /**
     * Checks that a TCP port can be opened, and reports the result. The port stays open until all feeds and outputs
     * have been checked, so that two with the same port are found. At most one port can be checked for each of them.
     *
     * @param host name or address to listen on; null for all addresses
     * @param port 0 for any free port
     */
    void tcpPort(@Nullable String host, int port);

    /** Checks that a UDP port can be opened, as {@link #tcpPort} does for TCP. */
    void udpPort(@Nullable String host, int port);
}
