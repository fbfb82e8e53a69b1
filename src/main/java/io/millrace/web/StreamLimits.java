package io.millrace.web;

import java.time.Duration;

/**
 * What streams of events may take.
 *
 * @param streams the most at once, whatever they carry
 * @param patience how long a client may read nothing, with an event waiting for it, before it is cut off
 */
public record StreamLimits(int streams, Duration patience) {}
