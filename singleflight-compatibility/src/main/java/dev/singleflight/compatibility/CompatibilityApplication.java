package dev.singleflight.compatibility;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class CompatibilityApplication {

    public static void main(String[] args) {
        SpringApplication.run(CompatibilityApplication.class, args);
    }
}
