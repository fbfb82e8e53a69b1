package io.millrace.metrics;

/** Receives each sample. */
@FunctionalInterface
public interface SampleListener {

    /** Called once a second on the sampler's thread. Must return quickly, because the other listeners wait. */
    void sampled(Sample sample);
}
