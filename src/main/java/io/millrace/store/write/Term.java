package io.millrace.store.write;

/**
 * The right to write under a {@linkplain WriterName name}, from a claim until the next one. Each claim increments the
 * epoch and creates a new token. Servers accept writes with the token of the current term only, so a process that lost
 * its term without noticing, for example because it was paused, can't change anything. Immutable.
 *
 * @param writer that the term belongs to
 * @param persistent whether the term is recorded on disk, as it is if one of the pipeline's regions is persistent
 * @param number unique among the writers of a store; part of the keys of its blocks
 * @param epoch counts the terms of the writer, from 1
 * @param token unique to this term
 */
public record Term(WriterName writer, boolean persistent, int number, long epoch, String token) {

    /** Returns the text that is sent with each write, for the servers to check. */
    public String proof() {
        return (persistent ? 'p' : 'm') + ":" + token + ":" + writer.text();
    }

    @Override
    public String toString() {
        return writer + " epoch=" + epoch;
    }
}
