package io.millrace.cluster;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Network.Ipam;
import org.testcontainers.containers.Network;

/**
 * A network of containers that reaches nothing outside of it, in which the test chooses the addresses. Docker allows
 * that only if the test chooses the range too, so this is the first one that no other network has, such as that of a
 * test which was killed.
 */
record InnerNetwork(Network network, String prefix) implements AutoCloseable {

    private static final int RANGES = 256;

    static InnerNetwork create() {
        DockerException taken = null;
        for (int range = 0; range < RANGES; range++) {
            String prefix = "10.100." + range + ".";
            Network network = Network.builder()
                    .createNetworkCmdModifier(command -> command.withInternal(true)
                            .withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet(prefix + "0/24"))))
                    .build();
            try {
                // Docker creates it now.
                network.getId();
                return new InnerNetwork(network, prefix);
            } catch (DockerException e) {
                if (!e.getMessage().contains("overlaps")) {
                    throw e;
                }
                taken = e;
            }
        }
        throw new IllegalStateException("No range of addresses is free.", taken);
    }

    /** The address with a number. */
    String address(int number) {
        return prefix + number;
    }

    @Override
    public void close() {
        network.close();
    }
}
