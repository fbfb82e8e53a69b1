package io.millrace.web;

import java.time.Duration;

/**
 * What connections of HTTP may take.
 *
 * @param streams the most at once, whatever they carry
 * @param patience how long a client may read nothing, with an event waiting for it, before it is cut off
 * @param requestTimeout how long a client may take to send the headers of a request, and as long for its body
 */
public record StreamLimits(int streams, Duration patience, Duration requestTimeout) {}
