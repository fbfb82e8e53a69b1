package io.millrace.pipeline.chain;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.springframework.integration.support.management.MappingMessageRouterManagement;

/** The endpoint of a step that sends records to targets, which the integration graph shows as a router. */
final class RouteEndpoint extends StepEndpoint implements MappingMessageRouterManagement {

    private final List<String> targets;

    /** @param targets names of the channels of the targets, in order */
    RouteEndpoint(String name, StepChannel channel, List<String> targets, int partitions) {
        super(name, channel, null, partitions);
        this.targets = targets;
    }

    @Override
    public Map<String, String> getChannelMappings() {
        Map<String, String> mappings = new LinkedHashMap<>();
        for (int i = 0; i < targets.size(); i++) {
            mappings.put(Integer.toString(i), targets.get(i));
        }
        return mappings;
    }

    @Override
    public Collection<String> getDynamicChannelNames() {
        return List.of();
    }

    @Override
    public void setChannelMapping(String key, String channelName) {
        throw fixed();
    }

    @Override
    public void removeChannelMapping(String key) {
        throw fixed();
    }

    @Override
    public void replaceChannelMappings(Properties channelMappings) {
        throw fixed();
    }

    @Override
    public void setChannelMappings(Map<String, String> channelMappings) {
        throw fixed();
    }

    private static UnsupportedOperationException fixed() {
        return new UnsupportedOperationException("The branches of a route are those of the pipeline's configuration.");
    }
}
