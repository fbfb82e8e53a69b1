package io.millrace.web.page;

/**
 * What the page may do.
 *
 * @param play whether it may change how fast feeds bring their records
 */
public record PageOptions(boolean play) {}
