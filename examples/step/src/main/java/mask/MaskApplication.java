package mask;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose pipeline has a kind of step that the application defines. */
@SpringBootApplication
public class MaskApplication {

    public static void main(String[] args) {
        SpringApplication.run(MaskApplication.class, args);
    }
}
