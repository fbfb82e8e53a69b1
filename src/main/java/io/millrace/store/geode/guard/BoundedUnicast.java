package io.millrace.store.geode.guard;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.util.Filter;
import org.jgroups.util.Table;

/**
 * JGroups' protocol of reliable messages between two processes, with limits: a number of peers that are not members,
 * which anyone could pretend to be, and of messages that wait for an earlier one. JGroups has none for either. The
 * oldest peers are forgotten, and messages beyond the limit are sent again by their sender. JGroups creates one by the
 * name of this class in {@link MembershipStack}. Thread-safe.
 */
public final class BoundedUnicast extends UNICAST3 {

    static final int MAX_STRANGERS = 32;
    static final int WAITING_OF_STRANGER = 8;
    static final int WAITING_OF_MEMBER = 256;

    private final Set<Address> strangers = new LinkedHashSet<>();

    /** Called by JGroups. */
    public BoundedUnicast() {
        setId(ClassConfigurator.getProtocolId(UNICAST3.class)); // that of the headers that members exchange
    }

    @Override
    protected ReceiverEntry createReceiverEntry(Address sender, long seqno, short connection) {
        int limit = isStranger(sender) ? WAITING_OF_STRANGER : WAITING_OF_MEMBER;
        ReceiverEntry created = new ReceiverEntry(new BoundedTable(seqno - 1, limit), connection);
        ReceiverEntry existing = recv_table.putIfAbsent(sender, created);
        return existing == null ? created : existing;
    }

    @Override
    protected SenderEntry getSenderEntry(Address destination) {
        var _ = isStranger(destination);
        return super.getSenderEntry(destination);
    }

    /** Returns whether an address is not a member's, and forgets the oldest of such addresses if there are too many. */
    private boolean isStranger(Address address) {
        if (members.contains(address)) {
            return false;
        }
        Address oldest = null;
        synchronized (strangers) {
            strangers.remove(address);
            strangers.add(address);
            if (strangers.size() > MAX_STRANGERS) {
                Iterator<Address> all = strangers.iterator();
                oldest = all.next();
                all.remove();
            }
        }
        if (oldest != null && !members.contains(oldest)) {
            recv_table.remove(oldest);
            removeSendConnection(oldest);
        }
        return true;
    }

    /** Messages of a peer, of which only those up to a distance from the first missing one are stored. */
    private static final class BoundedTable extends Table<Message> {

        private final int limit;

        private BoundedTable(long offset, int limit) {
            super(2, limit, offset, DEFAULT_RESIZE_FACTOR, 0);
            this.limit = limit;
        }

        @Override
        protected boolean _add(long seqno, Message element, boolean checkIfResizeNeeded, Filter<Message> removeFilter) {
            return seqno - hd <= limit && super._add(seqno, element, true, removeFilter);
        }

        /** Called with the greatest number of several messages, of which those within the limit are added. */
        @Override
        protected void resize(long seqno) {
            if (seqno - hd <= limit) {
                super.resize(seqno);
            }
        }
    }
}
