package io.millrace.store.geode.access;

import java.io.ObjectInputFilter;

/**
 * A filter of the classes that may be deserialized: values of the JDK, Millrace's queries and their results, and what
 * Geode's members exchange. All other classes are refused before an object is created.
 *
 * <p>Geode has a filter of its own, which is enabled in every process and applies to its streams, but allows all of
 * {@code java.**}: some of these classes look up names, open sockets, or deserialize bytes without a filter. So the
 * executable also {@linkplain #install installs} a filter for the whole JVM; the JDK merges both, and a class has to
 * pass each of them (JEP 290, JEP 415).
 */
public final class DeserializationFilter {

    /**
     * Millrace's own classes, and limits above the values of a cluster; in the syntax of JEP 290. Each further level of
     * sets within sets doubles the time that their hash codes take.
     */
    public static final String OWN = "io.millrace.**;maxdepth=20;maxrefs=10000000;maxarray=16777216";

    private static final String VALUES = "java.lang.*;java.math.*;java.time.*;java.util.*;java.util.concurrent.*;"
            + "java.util.concurrent.atomic.*;java.util.concurrent.locks.*;"
            + "java.io.File;java.io.IOException;java.io.EOFException;java.io.FileNotFoundException;"
            + "java.io.InterruptedIOException;java.io.InvalidClassException;java.io.NotSerializableException;"
            + "java.io.ObjectStreamException;java.io.StreamCorruptedException;java.io.UncheckedIOException;"
            + "java.net.Inet*;java.net.BindException;java.net.ConnectException;java.net.NoRouteToHostException;"
            + "java.net.SocketException;java.net.SocketTimeoutException;java.net.UnknownHostException;"
            + "java.nio.channels.*;java.security.GeneralSecurityException;java.security.cert.CertificateException;"
            + "javax.net.ssl.SSL*;";

    /** Geode's own filter restricts its classes further. */
    private static final String GEODE =
            "org.apache.geode.**;" + "org.apache.logging.log4j.Level;org.apache.logging.log4j.spi.StandardLevel;";

    /** Classes that a JMX manager and gfsh exchange over RMI, which also has filters of its own. */
    private static final String MANAGEMENT =
            "java.rmi.**;javax.management.**;javax.rmi.ssl.**;javax.security.auth.*;sun.rmi.**;";

    private DeserializationFilter() {}

    /**
     * Installs the filter for this JVM, unless it has one: {@code jdk.serialFilter} replaces it. Called by the
     * executable's main method only.
     *
     * @param management whether this process may be a JMX manager
     */
    public static synchronized void install(boolean management) {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(create(management));
        }
    }

    /** Returns the filter of a JVM. */
    static ObjectInputFilter create(boolean management) {
        return ObjectInputFilter.Config.createFilter(VALUES + GEODE + (management ? MANAGEMENT : "") + OWN + ";!*");
    }
}
