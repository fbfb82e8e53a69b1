package desk;

import io.millrace.client.MillraceClient;
import io.millrace.store.Store;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with controllers of its own, in whose process a pipeline runs. */
@SpringBootApplication
public class DeskApplication {

    public static void main(String[] args) {
        SpringApplication.run(DeskApplication.class, args);
    }

    /** Queries the regions of this process. */
    @Bean
    MillraceClient millrace(Store store) {
        return MillraceClient.of(store);
    }
}
