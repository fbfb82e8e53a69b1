package io.millrace.feed.kafka.direct;

import java.util.List;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.utils.LogContext;

/** Which broker leads each partition of a topic. Thread-safe. */
final class TopicMetadata extends Metadata {

    private final String topic;

    TopicMetadata(ConsumerConfig config, String topic, LogContext log) {
        super(
                config.getLong(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG),
                config.getLong(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG),
                config.getLong(CommonClientConfigs.METADATA_MAX_AGE_CONFIG),
                log,
                new ClusterResourceListeners());
        this.topic = topic;
        bootstrap(ClientUtils.parseAndValidateAddresses(config));
    }

    @Override
    protected MetadataRequest.Builder newMetadataRequestBuilder() {
        return MetadataRequest.Builder.forTopicNames(List.of(topic), false);
    }
}
