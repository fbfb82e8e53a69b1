package io.millrace.codec.compact.upgrade;

import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.compact.MemberSteps;
import java.util.List;

/**
 * How to rewrite a group of the older version as a group of the newer one. Immutable.
 *
 * @param path full path in the older version, for messages
 * @param steps members of the older version, in the order of the bytes
 * @param bits number of bits that the group has in the older version
 * @param firstPlace index of the first of these members among those of all groups of the record
 * @param members members of the newer version, in the order of the bytes
 * @param newBits number of bits that the group has in the newer version
 * @param sameBytes whether groups of the older version are groups of the newer one as they are
 * @param unchanged whether, in addition, the newer version has no other members
 */
record GroupUpgrade(
        String path,
        List<MemberSteps.Step> steps,
        int bits,
        int firstPlace,
        List<MemberUpgrade> members,
        int newBits,
        boolean sameBytes,
        boolean unchanged) {
    /**
     * How to write a member of the newer version. Immutable.
     *
     * @param place index of its member in the older version among those of all groups of the record, or -1 if it has
     *     none
     * @param presenceBit bit that is set if the member is there, or -1 if it always is
     * @param valueBit bit that is the value of a boolean, or -1
     * @param form how to write its bytes
     */
    record MemberUpgrade(int place, int presenceBit, int valueBit, Form form) {

        /** How to write the bytes of a value or part. */
        sealed interface Form {

            /** Returns whether bytes of the older version are bytes of the newer one as they are. */
            boolean sameBytes();
        }

        /** How to write the bytes of a single value. */
        enum ValueForm implements Form {

            /** The same bytes. */
            COPY,

            /** The unsigned number as a signed one. */
            SIGN,

            /** The text with the number of a frequent text before it, which is none. */
            NUMBER_TEXT;

            @Override
            public boolean sameBytes() {
                return this == COPY;
            }
        }

        /** A group that does not repeat. */
        record Group(GroupUpgrade members) implements Form {
            @Override
            public boolean sameBytes() {
                return members.sameBytes();
            }
        }

        /** A group that repeats. */
        record Groups(GroupUpgrade members) implements Form {
            @Override
            public boolean sameBytes() {
                return members.sameBytes();
            }
        }

        /** A single value that repeats. */
        record Values(CompactValueReader reader, ValueForm form) implements Form {
            @Override
            public boolean sameBytes() {
                return form.sameBytes();
            }
        }
    }
}
