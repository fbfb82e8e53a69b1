package io.millrace.codec.compact;

import java.util.List;

/**
 * What to do with the members of a group. Immutable.
 *
 * @param members members in the order of the bytes
 * @param bits number of bits that the group has, if all its members are known
 * @param wantedMembers number of leading members to read; no member after them is wanted
 * @param bare whether an element is a single value, without bits and length
 * @param blank content of the row of an element before its members are read; empty for a group that has no row
 */
record GroupPlan(List<MemberPlan> members, int bits, int wantedMembers, boolean bare, byte[] blank) {}
