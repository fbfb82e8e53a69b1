package io.millrace.cli.convert;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code HOST:PORT}, where HOST may be a name, an IPv4 address, or an IPv6 address in brackets. */
final class ServerAddress {

    private static final int LAST_PORT = 65_535;

    private ServerAddress() {}

    /**
     * Returns the resolved address.
     *
     * @param option name of the option whose value the text is, for messages
     * @throws IllegalArgumentException if the address is invalid, or the host is unknown
     */
    static InetSocketAddress parse(String option, String text) {
        URI uri = uri(text);
        if (uri == null || uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > LAST_PORT) {
            throw new IllegalArgumentException("Invalid address '" + text + "' for '" + option
                    + "'. Use HOST:PORT, such as 127.0.0.1:1813 or [::1]:1813.");
        }
        InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "Unknown host '" + uri.getHost() + "' in '" + option + "'. Use the name or address of a host.");
        }
        return address;
    }

    private static @Nullable URI uri(String text) {
        try {
            URI uri = new URI("udp://" + text);
            return text.equals(uri.getAuthority()) && uri.getUserInfo() == null ? uri : null;
        } catch (URISyntaxException _) {
            return null;
        }
    }
}
