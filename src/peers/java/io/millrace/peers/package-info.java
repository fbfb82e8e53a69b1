/** The job of {@code KafkaJobBenchmark}, written for other programs that process streams. */
package io.millrace.peers;
