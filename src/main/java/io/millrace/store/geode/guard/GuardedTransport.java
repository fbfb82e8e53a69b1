package io.millrace.store.geode.guard;

import io.millrace.store.geode.guard.MemberDatagram.Sender;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.geode.distributed.internal.membership.api.MemberIdentifier;
import org.apache.geode.distributed.internal.membership.gms.messenger.Transport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.annotations.Property;
import org.jgroups.util.UUID;

/**
 * The transport of datagrams between members, which {@linkplain MemberDatagram checks} each one before JGroups reads
 * it. JGroups creates one by the name of this class in {@link MembershipStack}. Thread-safe.
 */
public final class GuardedTransport extends Transport<MemberIdentifier> {

    private static final int MAX_KNOWN = 256;

    /** Members and the latest former members, oldest first. */
    private final Set<Address> known = new LinkedHashSet<>();

    private Set<Address> latestView = Set.of();

    private final MemberLease lease = MemberLease.current();
    private final RefusalLog refusals = new RefusalLog("membership");

    @Property(description = "Whether members encrypt their messages")
    boolean encrypted;

    /** Called by JGroups. */
    public GuardedTransport() {}

    @Override
    public void receive(Address sender, byte[] data, int offset, int length) {
        try {
            MemberDatagram.check(data, offset, length, this::sender, encrypted);
        } catch (IOException e) {
            refusals.refused(sender, String.valueOf(e.getMessage()));
            return;
        }
        super.receive(sender, data, offset, length);
    }

    @Override
    public Object down(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            View view = (View) event.getArg();
            remember(view.getMembers());
            lease.members(view.size());
        }
        return super.down(event);
    }

    private void remember(List<Address> view) {
        synchronized (known) {
            latestView = Set.copyOf(view);
            known.removeAll(view);
            known.addAll(view);
            Iterator<Address> oldest = known.iterator();
            for (int left = known.size() - Math.max(MAX_KNOWN, view.size()); left > 0; left--) {
                oldest.next();
                oldest.remove();
            }
        }
    }

    private Sender sender(UUID address) {
        synchronized (known) {
            if (known.isEmpty() || latestView.contains(address)) {
                return Sender.MEMBER;
            }
            // A removed member learns that it was removed in answer to its messages.
            return known.contains(address) ? Sender.FORMER_MEMBER : Sender.STRANGER;
        }
    }
}
