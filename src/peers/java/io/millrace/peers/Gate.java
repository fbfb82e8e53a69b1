package io.millrace.peers;

import java.util.concurrent.CountDownLatch;

/** Holds the first records until the measurement begins, so that it does not contain the start of the program. */
final class Gate {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    /** Read without synchronization: who does not see the change passes the latches once more. */
    private boolean open;

    /** Waits until the gate is open; called for each record. */
    void pass() {
        if (!open) {
            arrived.countDown();
            await(opened);
            open = true;
        }
    }

    /** Waits for the first record. */
    void awaitRecord() {
        await(arrived);
    }

    void open() {
        opened.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
