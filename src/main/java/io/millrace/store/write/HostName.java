package io.millrace.store.write;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this host as stored keys and values contain it. */
public final class HostName {

    private HostName() {}

    /**
     * Returns the name with every character other than ASCII letters, digits and {@code . _ -} replaced by {@code -},
     * or {@code localhost} if the host has no name. May wait for the name service. Any thread may call it.
     */
    public static String get() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
