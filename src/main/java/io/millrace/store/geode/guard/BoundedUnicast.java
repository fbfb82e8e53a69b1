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

    /** Greatest distance to the next message: a list of the missing ones has to fit into a datagram. */
    static final int AHEAD_OF_STRANGER = 64;

    static final int AHEAD_OF_MEMBER = 1 << 18;

    private final Set<Address> strangers = new LinkedHashSet<>();

    /** Called by JGroups. */
    public BoundedUnicast() {
        setId(ClassConfigurator.getProtocolId(UNICAST3.class)); // that of the headers that members exchange
    }

    @Override
    protected ReceiverEntry createReceiverEntry(Address sender, long seqno, short connection) {
        var _ = isStranger(sender);
        ReceiverEntry created = new ReceiverEntry(new BoundedTable(sender, seqno - 1), connection);
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

    /**
     * Messages of a peer that wait for an earlier one. The next one is always stored, and any one if there is no other:
     * so what is refused is requested again.
     */
    private final class BoundedTable extends Table<Message> {

        private final Address sender;

        private BoundedTable(Address sender, long offset) {
            super(2, WAITING_OF_MEMBER, offset, DEFAULT_RESIZE_FACTOR, 0);
            this.sender = sender;
        }

        @Override
        protected boolean _add(long seqno, Message element, boolean checkIfResizeNeeded, Filter<Message> removeFilter) {
            boolean member = members.contains(sender);
            boolean space = size < (member ? WAITING_OF_MEMBER : WAITING_OF_STRANGER) || seqno == hd + 1;
            return space && isNear(seqno, member) && super._add(seqno, element, true, removeFilter);
        }

        /** Called with the greatest number of several messages. */
        @Override
        protected void resize(long seqno) {
            if (isNear(seqno, members.contains(sender))) {
                super.resize(seqno);
            }
        }

        private boolean isNear(long seqno, boolean member) {
            return seqno - hd <= (member ? AHEAD_OF_MEMBER : AHEAD_OF_STRANGER);
        }
    }
}
