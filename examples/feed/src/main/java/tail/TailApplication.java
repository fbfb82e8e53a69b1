package tail;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose pipeline reads a kind of feed that the application defines. */
@SpringBootApplication
public class TailApplication {

    public static void main(String[] args) {
        SpringApplication.run(TailApplication.class, args);
    }
}
