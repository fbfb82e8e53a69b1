package desk;

import io.millrace.client.MillraceClient;
import io.millrace.store.Store;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with its own controllers that runs a pipeline in its process. */
@SpringBootApplication
public class DeskApplication {

    public static void main(String[] args) {
        SpringApplication.run(DeskApplication.class, args);
    }

    /** Returns a client that queries the regions of this process. */
    @Bean
    MillraceClient millrace(Store store) {
        return MillraceClient.of(store);
    }
}
