package io.millrace.documentation;

import com.google.gson.Gson;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** Objects of Kubernetes as files describe them, each held against Kubernetes' schema. */
final class KubernetesManifests {

    private static final Map<String, Class<?>> KINDS = Map.of(
            "v1 ConfigMap", V1ConfigMap.class,
            "v1 Service", V1Service.class,
            "apps/v1 StatefulSet", V1StatefulSet.class,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class);

    private final List<Object> objects;

    private KubernetesManifests(List<Object> objects) {
        this.objects = objects;
    }

    /** Those of all files in a folder. */
    static KubernetesManifests in(Path folder) throws IOException {
        List<Object> objects = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                objects.addAll(parse(Files.readString(file)));
            }
        }
        return new KubernetesManifests(objects);
    }

    /**
     * The objects that a file describes.
     *
     * @throws IllegalArgumentException where the schema does not know a field, or misses one
     */
    static List<Object> parse(String yaml) {
        List<Object> objects = new ArrayList<>();
        for (Object document : new Yaml().loadAll(yaml)) {
            Map<?, ?> fields = (Map<?, ?>) document;
            String kind = fields.get("apiVersion") + " " + fields.get("kind");
            Class<?> type = KINDS.get(kind);
            if (type == null) {
                throw new IllegalArgumentException("kind=" + kind + " is none of " + KINDS.keySet());
            }
            objects.add(JSON.getGson().fromJson(new Gson().toJson(document), type));
        }
        return objects;
    }

    /** Those of one kind. */
    <T> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
