package io.millrace.store.geode.guard;

import io.millrace.store.geode.guard.MemberLease.Voters;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.geode.cache.Cache;
import org.apache.geode.distributed.internal.ClusterDistributionManager;
import org.apache.geode.distributed.internal.DistributionImpl;
import org.apache.geode.distributed.internal.DistributionManager;
import org.apache.geode.distributed.internal.membership.api.MemberIdentifier;
import org.apache.geode.distributed.internal.membership.api.MembershipClosedException;
import org.apache.geode.distributed.internal.membership.gms.GMSMembership;
import org.apache.geode.distributed.internal.membership.gms.GMSMembershipView;
import org.apache.geode.distributed.internal.membership.gms.Services;
import org.apache.geode.distributed.internal.membership.gms.interfaces.MessageHandler;
import org.apache.geode.distributed.internal.membership.gms.interfaces.Messenger;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatMessage;
import org.apache.geode.distributed.internal.membership.gms.messages.HeartbeatRequestMessage;
import org.apache.geode.distributed.internal.membership.gms.messenger.JGroupsMessenger;
import org.apache.geode.internal.cache.InternalCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the {@link MemberLease} of a server: asks all other members for a heartbeat, four times in a member timeout,
 * with the request that Geode's own failure detection uses, which all members answer. The answers reach that too.
 */
public final class LeaseRenewal<M extends MemberIdentifier> {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);

    private final MemberLease lease = MemberLease.current();
    private final Cache cache;
    private final Services<M> services;
    private int knownView = -1;

    private LeaseRenewal(Cache cache, Services<M> services) {
        this.cache = cache;
        this.services = services;
    }

    /** Begins to renew the current lease, until the cache is closed. */
    public static void start(Cache cache) {
        DistributionManager manager = ((InternalCache) cache).getDistributionManager();
        DistributionImpl distribution = (DistributionImpl) ((ClusterDistributionManager) manager).getDistribution();
        start(cache, ((GMSMembership<?>) distribution.getMembership()).getServices());
    }

    private static <M extends MemberIdentifier> void start(Cache cache, Services<M> services) {
        LeaseRenewal<M> renewal = new LeaseRenewal<>(cache, services);
        renewal.listen();
        renewal.lease.renewedBy(
                Thread.ofPlatform().daemon().name("millrace-lease").start(renewal::run));
    }

    /** Has this object see the heartbeats before Geode's failure detection. */
    @SuppressWarnings("unchecked") // the class of messages with this type of members
    private void listen() {
        Messenger<M> messenger = services.getMessenger();
        MessageHandler<HeartbeatMessage<M>> failureDetection = handler(messenger);
        Class<HeartbeatMessage<M>> heartbeat = (Class<HeartbeatMessage<M>>) (Class<?>) HeartbeatMessage.class;
        messenger.addHandler(heartbeat, message -> {
            lease.answered(message.getSender(), message.getRequestId());
            failureDetection.processMessage(message);
        });
    }

    @SuppressWarnings("unchecked") // The handler of a class of messages handles these.
    private static <M extends MemberIdentifier> MessageHandler<HeartbeatMessage<M>> handler(Messenger<M> messenger) {
        try {
            Field handlers = JGroupsMessenger.class.getDeclaredField("handlers");
            handlers.setAccessible(true);
            return (MessageHandler<HeartbeatMessage<M>>)
                    Objects.requireNonNull(((Map<?, ?>) handlers.get(messenger)).get(HeartbeatMessage.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Geode has another messenger.", e);
        }
    }

    private void run() {
        while (!cache.isClosed()) {
            try {
                GMSMembershipView<M> view = services.getJoinLeave().getView();
                if (view != null) {
                    ask(view);
                }
            } catch (MembershipClosedException e) {
                return; // The lease ends with the membership.
            } catch (RuntimeException e) {
                LOG.warn("The lease of this server was not renewed.", e);
            }
            LockSupport.parkNanos(lease.periodNanos());
        }
    }

    private void ask(GMSMembershipView<M> view) {
        M own = services.getJoinLeave().getMemberID();
        if (view.getViewId() != knownView) {
            lease.members(voters(view, own));
            knownView = view.getViewId();
        }
        int request = lease.ask();
        for (M member : view.getMembers()) {
            if (!member.equals(own)) {
                HeartbeatRequestMessage<M> message = new HeartbeatRequestMessage<>(member, request);
                message.setRecipient(member);
                services.getMessenger().sendUnreliably(message);
            }
        }
    }

    private static <M extends MemberIdentifier> Voters voters(GMSMembershipView<M> view, M own) {
        Map<Object, Integer> others = new HashMap<>();
        for (M member : view.getMembers()) {
            others.put(member, weight(member, view));
        }
        Integer weight = others.remove(own);
        return new Voters(weight == null ? 0 : weight, others);
    }

    /** Returns the weight with which Geode counts a member if it fails. */
    private static <M extends MemberIdentifier> int weight(M member, GMSMembershipView<M> view) {
        return new GMSMembershipView<>(view.getCreator(), view.getViewId(), List.of(), Set.of(), Set.of(member))
                .getCrashedMemberWeight(view);
    }
}
