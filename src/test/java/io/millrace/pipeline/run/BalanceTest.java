package io.millrace.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestBudget;
import io.millrace.TestTimeout;
import io.millrace.pipeline.step.Pauses;
import io.millrace.store.error.StoreException;
import io.millrace.store.write.Participation;
import io.millrace.store.write.PartitionOwners;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Processes that join, leave and end in any order, with a clock that steps. */
class BalanceTest {

    private static final int STEP_MILLIS = 50;
    /** Enough for all moves: a process asks every 250 ms, and others have 2 s to claim what is free. */
    private static final int STEPS_UNTIL_BALANCED = 200;

    private final Set<String> members = new TreeSet<>();
    private @Nullable String[] owners = new @Nullable String[0];
    private final List<Node> processes = new ArrayList<>();
    private int moves;
    private long nanos = 1;

    /** A process that runs a balance as its partitions do. */
    private final class Node implements Participation, Pauses {

        private final String name;
        private final Balance balance;
        private final Set<Integer> failed = new HashSet<>();
        private boolean unreachable;
        private int reads;
        private Runnable whileReading = () -> {};

        private Node(String name, int partitions) {
            this.name = name;
            this.balance = new Balance("trades", partitions, true, this, this);
        }

        @Override
        public void participate(String pipeline, boolean participates) {
            requireReachable();
            if (participates) {
                whileReading.run();
                members.add(name);
            } else {
                members.remove(name);
            }
        }

        @Override
        public Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
            requireReachable();
            reads++;
            return Optional.of(new PartitionOwners(
                    name,
                    members,
                    Arrays.stream(owners)
                            .map(owner -> Optional.ofNullable(owner).map(one -> new PartitionOwners.Owner(one, one)))
                            .toList()));
        }

        private void requireReachable() {
            if (unreachable) {
                throw new StoreException("no answer");
            }
        }

        @Override
        public boolean pause(Duration time) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        private void turn(int partition) {
            if (name.equals(owners[partition])) {
                if (balance.transfers(partition)) {
                    release(partition);
                }
            } else if (!failed.contains(partition) && balance.mayClaim(partition) && !unreachable) {
                claim(partition);
            }
        }

        private void claim(int partition) {
            String owner = owners[partition];
            if (owner == null || !members.contains(owner)) {
                owners[partition] = name;
                balance.claimed(partition);
                moves++;
            }
        }

        private void release(int partition) {
            owners[partition] = null;
            balance.released(partition);
        }

        private void stop() {
            balance.leave();
            for (int i = 0; i < owners.length; i++) {
                if (name.equals(owners[i])) {
                    release(i);
                }
            }
        }
    }

    private Node start(String name) {
        Node started = new Node(name, owners.length);
        processes.add(started);
        return started;
    }

    private void run(int steps, SplittableRandom random) {
        for (int step = 0; step < steps; step++) {
            nanos += Duration.ofMillis(STEP_MILLIS).toNanos();
            List<Runnable> turns = new ArrayList<>();
            for (Node process : processes) {
                for (int i = 0; i < owners.length; i++) {
                    int partition = i;
                    turns.add(() -> process.turn(partition));
                }
            }
            Collections.shuffle(turns, new java.util.Random(random.nextLong()));
            turns.forEach(Runnable::run);
        }
    }

    private int owned(Node process) {
        return (int) Arrays.stream(owners).filter(process.name::equals).count();
    }

    private void requireBalanced() {
        assertThat(owners).doesNotContainNull();
        int each = owners.length / processes.size();
        assertThat(processes).allSatisfy(process -> assertThat(owned(process)).isBetween(each, each + 1));
    }

    @Test
    void shouldMoveNoMoreThanNecessaryToAProcessThatJoins() {
        owners = new @Nullable String[16];
        SplittableRandom random = new SplittableRandom(1);
        start("b");
        run(10, random);
        assertThat(moves).isEqualTo(16);

        start("c");
        run(STEPS_UNTIL_BALANCED, random);
        requireBalanced();
        assertThat(moves).isEqualTo(16 + 8);

        start("a");
        run(STEPS_UNTIL_BALANCED, random);
        requireBalanced();
        assertThat(moves).isEqualTo(16 + 8 + 5);
    }

    @Test
    void shouldBalanceWhateverJoinsAndLeaves() {
        for (int seed = 0; seed < TestBudget.of(200); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            members.clear();
            processes.clear();
            owners = new @Nullable String[2 + random.nextInt(30)];
            start("p0");
            for (int event = 1; event < 8; event++) {
                int kind = random.nextInt(3);
                if (kind == 0 && processes.size() > 1) {
                    processes.remove(random.nextInt(processes.size())).stop();
                } else if (kind == 1 && processes.size() > 1) {
                    Node ended = processes.remove(random.nextInt(processes.size()));
                    run(random.nextInt(20), random); // until its lease has expired
                    members.remove(ended.name);
                } else {
                    start("p" + random.nextInt(1_000) + "-" + event);
                }
                run(random.nextInt(20), random);
            }
            run(STEPS_UNTIL_BALANCED, random);
            requireBalanced();
            int before = moves;
            run(STEPS_UNTIL_BALANCED, random);
            assertThat(moves).as("moves of what is balanced, seed %d", seed).isEqualTo(before);
        }
    }

    @Test
    void shouldClaimAtOnceWhatAProcessThatStopsHadOwned() {
        owners = new @Nullable String[16];
        SplittableRandom random = new SplittableRandom(2);
        start("a");
        Node second = start("b");
        run(STEPS_UNTIL_BALANCED, random);
        processes.remove(second);
        second.stop();
        run(1_000 / STEP_MILLIS - 1, random);
        assertThat(owned(processes.getFirst())).isEqualTo(16);
    }

    /** It releases its partitions one after the other, because each is written to the end. */
    @Test
    void shouldClaimSoonWhatAProcessThatStopsReleases() {
        owners = new @Nullable String[16];
        SplittableRandom random = new SplittableRandom(7);
        Node first = start("a");
        Node second = start("b");
        run(STEPS_UNTIL_BALANCED, random);
        processes.remove(second);
        second.balance.leave();
        run(250 / STEP_MILLIS, random);
        for (int i = 0; i < owners.length; i++) {
            if (second.name.equals(owners[i])) {
                assertThat(first.balance.isMoving()).isTrue();
                second.release(i);
                run(100 / STEP_MILLIS, random);
                assertThat(owners[i]).isEqualTo(first.name);
            }
        }
        run(250 / STEP_MILLIS, random);
        assertThat(first.balance.isMoving()).isFalse();
    }

    @Test
    void shouldReadRarelyAgainIfNobodyClaimsWhatIsFree() {
        owners = new @Nullable String[4];
        SplittableRandom random = new SplittableRandom(8);
        Node node = start("a");
        node.failed.add(3);
        run(10_000 / STEP_MILLIS, random);
        int before = node.reads;
        run(10_000 / STEP_MILLIS, random);
        assertThat(node.reads - before).isEqualTo(10_000 / 250);
    }

    /** Else the others leave its partitions to it until it has ended. */
    @Test
    void shouldNotTakePartAgainAfterItHasLeft() throws Exception {
        owners = new @Nullable String[4];
        Node node = start("a");
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        node.whileReading = () -> {
            reads.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        Thread lane = Thread.ofPlatform().start(() -> node.balance.mayClaim(0));
        assertThat(reads.await(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread stop = Thread.ofPlatform().start(node.balance::leave);
        await().until(() -> stop.getState() == Thread.State.WAITING || !stop.isAlive());
        goesOn.countDown();
        assertThat(lane.join(TestTimeout.MAX)).isTrue();
        assertThat(stop.join(TestTimeout.MAX)).isTrue();
        assertThat(members).isEmpty();
    }

    /** Else nobody would run them. */
    @Test
    void shouldKeepWhatAnotherProcessDoesNotClaim() {
        owners = new @Nullable String[8];
        SplittableRandom random = new SplittableRandom(3);
        Node first = start("a");
        Node second = start("b");
        second.failed.addAll(List.of(0, 1, 2, 3, 4, 5, 6, 7));
        run(STEPS_UNTIL_BALANCED, random);
        assertThat(owned(first)).isEqualTo(8);
        int before = moves;
        run(STEPS_UNTIL_BALANCED, random);
        assertThat(moves).isEqualTo(before);
    }

    @Test
    void shouldMoveAFailedPartitionToAnotherProcess() {
        owners = new @Nullable String[8];
        SplittableRandom random = new SplittableRandom(4);
        Node first = start("a");
        start("b");
        run(STEPS_UNTIL_BALANCED, random);
        int failing = List.of(owners).indexOf("a");
        first.failed.add(failing);
        first.release(failing);
        run(STEPS_UNTIL_BALANCED, random);
        requireBalanced();
        assertThat(owners[failing]).isEqualTo("b");
    }

    /**
     * A process that does not reach the store keeps what it has: it can't write, and loses it when its lease expires.
     */
    @Test
    void shouldTransferNothingWhileTheStoreDoesNotAnswer() {
        owners = new @Nullable String[6];
        SplittableRandom random = new SplittableRandom(5);
        Node first = start("a");
        Node second = start("b");
        run(STEPS_UNTIL_BALANCED, random);
        int before = moves;
        second.unreachable = true;
        run(STEPS_UNTIL_BALANCED, random);
        assertThat(moves).isEqualTo(before);
        members.remove("b");
        run(STEPS_UNTIL_BALANCED, random);
        assertThat(owned(first)).isEqualTo(6);
        for (int i = 0; i < owners.length; i++) {
            second.balance.released(i); // its writes are refused
        }
        second.unreachable = false;
        run(STEPS_UNTIL_BALANCED, random);
        requireBalanced();
    }

    @Test
    void shouldNotBalanceOnePartition() {
        owners = new @Nullable String[1];
        SplittableRandom random = new SplittableRandom(6);
        Node first = start("a");
        run(10, random);
        Node second = start("b");
        nanos += Duration.ofSeconds(10).toNanos();
        assertThat(second.balance.mayClaim(0)).isTrue();
        assertThat(first.balance.transfers(0)).isFalse();
        assertThat(members).isEmpty();
    }
}
