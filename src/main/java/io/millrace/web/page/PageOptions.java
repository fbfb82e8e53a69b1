package io.millrace.web.page;

/**
 * Options of the page.
 *
 * @param play whether the page may change the rate of feeds
 */
public record PageOptions(boolean play) {}
