package io.millrace.feed.radius;

/**
 * Who may send requests, and how strictly they are taken.
 *
 * @param range addresses that requests come from
 * @param secret shared with all of them
 * @param acceptZeroAuthenticator whether a Request Authenticator of 16 zero octets is taken as well: some old clients
 *     sign nothing, and then anyone who can send from their address can make up records
 * @param requireMessageAuthenticator whether a request without a Message-Authenticator is discarded
 */
public record RadiusClient(
        AddressRange range, Secret secret, boolean acceptZeroAuthenticator, boolean requireMessageAuthenticator) {}
