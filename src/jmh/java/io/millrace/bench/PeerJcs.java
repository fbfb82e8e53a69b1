package io.millrace.bench;

import java.util.Properties;
import org.apache.commons.jcs3.JCS;
import org.apache.commons.jcs3.access.CacheAccess;
import org.apache.commons.jcs3.engine.CompositeCacheAttributes;
import org.apache.commons.jcs3.engine.ElementAttributes;

/** JCS on the heap, values by reference. */
final class PeerJcs implements Peer {

    private final CacheAccess<Long, byte[]> cache;

    PeerJcs(long entries) {
        CompositeCacheAttributes attributes = new CompositeCacheAttributes();
        attributes.setMaxObjects((int) (entries + entries / 10));
        attributes.setUseDisk(false);
        attributes.setUseLateral(false);
        attributes.setUseRemote(false);
        ElementAttributes element = new ElementAttributes();
        element.setIsEternal(true);
        JCS.setConfigProperties(new Properties());
        cache = JCS.getInstance("bench", attributes);
        cache.setDefaultElementAttributes(element);
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value);
    }

    @Override
    public int get(long key) {
        byte[] value = cache.get(key);
        return value == null ? -1 : value.length;
    }

    @Override
    public void close() {
        cache.clear();
        JCS.shutdown();
    }
}
