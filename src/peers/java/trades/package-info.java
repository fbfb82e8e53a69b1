/** The job of {@code docs/guides/migrate-kafka.md}, written for other programs. */
package trades;
