package io.millrace.nemesis;

/** A process that a nemesis can harm: one of this machine, or a container. */
public interface Victim {

    /** Ends it as {@code kill -9} does. */
    void kill() throws Exception;

    /** Stops it as a service manager does, and waits for that. */
    void shutDown() throws Exception;

    /** Starts it again after it has ended, with the same data. */
    void restart() throws Exception;

    /** Lets it stand still. */
    void pause() throws Exception;

    /** Lets it continue. */
    void resume() throws Exception;
}
