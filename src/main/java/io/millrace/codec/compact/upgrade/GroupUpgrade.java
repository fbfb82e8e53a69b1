package io.millrace.codec.compact.upgrade;

import io.millrace.codec.compact.CompactScope;
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
        List<CompactScope.Step> steps,
        int bits,
        int firstPlace,
        List<MemberUpgrade> members,
        int newBits,
        boolean sameBytes,
        boolean unchanged) {}
