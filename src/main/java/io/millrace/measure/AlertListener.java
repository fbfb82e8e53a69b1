package io.millrace.measure;

import org.apiguardian.api.API;

/**
 * Receives the alerts that the pipelines of this process raise and clear. An application adds a listener with a bean of
 * this type.
 *
 * <p>Each listener is called on a thread of its own, with one event at a time, so it may take its time. If an exception
 * is thrown, it is logged and counted, and the event is not delivered again. Events that wait when the process is
 * killed are lost; after a restart, an event may be delivered a second time.
 */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface AlertListener {

    /** Called when an alert has been raised or cleared for a group. */
    void onAlert(AlertEvent event);
}
