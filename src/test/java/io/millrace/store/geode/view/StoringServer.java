package io.millrace.store.geode.view;

import java.io.IOException;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.cache.server.CacheServer;

/**
 * A server with a partitioned region that the argument names. It uses no class of Millrace. It prints its port, and
 * ends when its input does.
 */
final class StoringServer {

    static final String PORT = "port ";

    private StoringServer() {}

    public static void main(String[] arguments) throws IOException {
        try (Cache cache = new CacheFactory()
                .set("mcast-port", "0")
                .set("locators", "")
                .set("log-level", "error")
                .create()) {
            cache.createRegionFactory(RegionShortcut.PARTITION).create(arguments[0]);
            CacheServer server = cache.addCacheServer();
            server.setPort(0);
            server.start();
            System.out.println(PORT + server.getPort());
            while (System.in.read() >= 0) {
                // nothing is written
            }
        }
    }
}
