package io.millrace.output.kafka;

/** What the value of a message contains. */
public enum KafkaFormat {
    /** The bytes of a record. */
    RECORD,
    /** A record as a JSON object in UTF-8. */
    JSON,
    /** Records of the fixed layout, back to back. */
    BATCH,
    /** The bytes of a rejected record, with headers that say why it was rejected. */
    DEAD_LETTER
}
