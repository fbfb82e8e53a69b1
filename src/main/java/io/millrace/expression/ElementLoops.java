package io.millrace.expression;

/** Loops that read elements of parts that repeat. Each finds the elements first, if that was deferred. */
final class ElementLoops {

    private ElementLoops() {}

    static BatchFilter filter(BatchFilter loop) {
        return (batch, rejects) -> {
            batch.elements().find(batch, rejects);
            loop.apply(batch, rejects);
        };
    }

    static BatchRouter router(BatchRouter loop) {
        return (batch, branches, rejects) -> {
            batch.elements().find(batch, rejects);
            loop.route(batch, branches, rejects);
        };
    }

    static BatchSetter setter(BatchSetter loop) {
        return (batch, rejects) -> {
            batch.elements().find(batch, rejects);
            loop.apply(batch, rejects);
        };
    }

    static BatchKeys keys(BatchKeys loop) {
        return (batch, into, rejects) -> {
            batch.elements().find(batch, rejects);
            loop.fill(batch, into, rejects);
        };
    }

    static BatchTexts texts(BatchTexts loop) {
        return (batch, into, rejects) -> {
            batch.elements().find(batch, rejects);
            loop.fill(batch, into, rejects);
        };
    }
}
