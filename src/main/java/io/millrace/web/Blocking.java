package io.millrace.web;

import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Work that may block, on threads for that and not on those of the network. */
final class Blocking {

    private Blocking() {}

    /** What the work gives, or why it fails. */
    static <T> Mono<T> blocking(Callable<T> work) {
        return Mono.fromCallable(() -> answering(work)).subscribeOn(Schedulers.boundedElastic());
    }

    /** Reactor lets these errors end its worker and tells nobody: the client would wait for ever. */
    private static <T> T answering(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (VirtualMachineError | LinkageError e) {
            throw new IllegalStateException("the request could not be answered: " + e, e);
        }
    }
}
