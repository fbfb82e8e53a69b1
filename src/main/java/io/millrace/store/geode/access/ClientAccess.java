package io.millrace.store.geode.access;

import java.security.Principal;
import java.util.Set;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.operations.ExecuteFunctionOperationContext;
import org.apache.geode.cache.operations.KeyOperationContext;
import org.apache.geode.cache.operations.OperationContext;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.security.AccessControl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorizes each operation of a client on a server. Geode creates one for each connection, by the name of
 * {@link #create}. Thread-safe.
 *
 * <p>A client may run the query function, and nothing else on a server: no other function, no OQL, no continuous query,
 * no change to a region itself. It may read values; with role {@link UserRole#INGEST} it may write them, where a write
 * to a region of records also needs the term of its writer. A {@link UserRole#READER} reads no internal region of
 * Millrace, because their values prove the right to write. The definitions with which servers read regions are written
 * by servers only.
 */
@SuppressWarnings("deprecation") // as with PasswordCheck
public final class ClientAccess implements AccessControl {

    /** Id of the only function that clients may run. */
    public static final String QUERY_FUNCTION = "millrace-query";

    private static final Logger LOG = LoggerFactory.getLogger(ClientAccess.class);

    private static final String INTERNAL_PREFIX = "millrace-";

    private static final String DEFINITIONS = "millrace-definitions";
    private static final String VERSIONS = "millrace-versions";

    /** Keys of measures among the definitions of regions; clients define measures. */
    private static final String MEASURES = "measure/";

    /** Definitions of regions, which a client needs to decode records. */
    private static final Set<String> SHARED_WITH_READERS = Set.of("millrace-catalog", DEFINITIONS, VERSIONS);

    private KnownUser user = new KnownUser("", UserRole.READER);
    private @Nullable DistributedMember client;

    private ClientAccess() {}

    /** Called by Geode. */
    public static AccessControl create() {
        return new ClientAccess();
    }

    @Override
    public void init(@Nullable Principal principal, @Nullable DistributedMember member, Cache cache) {
        if (principal instanceof KnownUser known) {
            user = known;
        }
        client = member;
    }

    @Override
    public boolean authorizeOperation(@Nullable String regionName, OperationContext operation) {
        String region = regionName == null ? "" : regionName.replaceFirst("^/", "");
        boolean allowed = switch (operation.getOperationCode()) {
            case EXECUTE_FUNCTION ->
                operation instanceof ExecuteFunctionOperationContext call
                        && QUERY_FUNCTION.equals(call.getFunctionId());
            case GET, CONTAINS_KEY, KEY_SET -> mayRead(region);
            case PUT, PUTALL, DESTROY, REMOVEALL -> user.role() != UserRole.READER && mayWrite(region, operation);
            default -> false;
        };
        if (!allowed) {
            LOG.warn(
                    "Refused an operation of a client: operation={} region={} user={} client={}",
                    operation.getOperationCode(),
                    region,
                    user.name(),
                    client);
        }
        return allowed;
    }

    private static boolean mayWrite(String region, OperationContext operation) {
        return switch (region) {
            case VERSIONS -> false;
            case DEFINITIONS ->
                operation instanceof KeyOperationContext one
                        && one.getKey() instanceof String key
                        && key.startsWith(MEASURES);
            default -> true;
        };
    }

    private boolean mayRead(String region) {
        return user.role() != UserRole.READER
                || !region.startsWith(INTERNAL_PREFIX)
                || SHARED_WITH_READERS.contains(region);
    }

    @Override
    public void close() {
        // no resources
    }
}
