package io.millrace.web.access;

import java.util.List;

/**
 * Who may use the HTTP interface.
 *
 * @param open whether everyone may do everything
 * @param users known ones; none where only tokens are accepted
 * @param rolesClaim claim of a token that holds its roles
 */
public record AccessOptions(boolean open, List<AccessUser> users, String rolesClaim) {}
