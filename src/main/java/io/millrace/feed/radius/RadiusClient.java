package io.millrace.feed.radius;

import io.millrace.feed.radius.packet.Secret;

/**
 * A client that may send requests, with the checks that its requests must pass.
 *
 * @param range addresses of the client
 * @param secret shared with all of these addresses
 * @param acceptZeroAuthenticator whether a Request Authenticator of 16 zero octets is accepted: some old clients do not
 *     sign; anyone who can send from their address can then forge records
 * @param requireMessageAuthenticator whether a request without a Message-Authenticator is discarded
 */
public record RadiusClient(
        AddressRange range, Secret secret, boolean acceptZeroAuthenticator, boolean requireMessageAuthenticator) {}
