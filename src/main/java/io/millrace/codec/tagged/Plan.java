package io.millrace.codec.tagged;

import java.util.List;

/**
 * What to do with the elements of a record. Immutable.
 *
 * @param headerLength bytes before the first element
 * @param outermost the record's own elements
 * @param header slots that read the header
 * @param required slots of fields that no record may lack
 * @param blank a row in which all fields are absent
 * @param counters number of different elements that slots read
 */
record Plan(int headerLength, Level outermost, List<Slot> header, List<Slot> required, byte[] blank, int counters) {}
