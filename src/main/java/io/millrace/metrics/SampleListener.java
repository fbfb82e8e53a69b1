package io.millrace.metrics;

/** Receives each sample. */
@FunctionalInterface
public interface SampleListener {

    /** Called once a second by the sampler's thread, which the other listeners wait for: returns soon. */
    void sampled(Sample sample);
}
