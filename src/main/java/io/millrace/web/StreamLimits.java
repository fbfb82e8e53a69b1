package io.millrace.web;

import java.time.Duration;

/**
 * What streams of events may take.
 *
 * @param maxStreams the most at once, whatever they carry
 * @param slowClientTimeout how long a client may read nothing, with an event waiting for it, before it is cut off
 */
public record StreamLimits(int maxStreams, Duration slowClientTimeout) {}
