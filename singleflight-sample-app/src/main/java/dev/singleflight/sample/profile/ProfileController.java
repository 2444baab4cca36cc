package dev.singleflight.sample.profile;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ProfileController {

    private final Profiles profiles;

    ProfileController(Profiles profiles) {
        this.profiles = profiles;
    }

    @GetMapping("/users/{userId}")
    ResponseEntity<Profile> profile(@PathVariable long userId, @RequestParam(defaultValue = "true") boolean shared) {
        return ResponseEntity.of(shared ? profiles.profile(userId) : profiles.unsharedProfile(userId));
    }

    @ExceptionHandler
    ProblemDetail noConnection(CannotGetJdbcConnectionException poolIsEmpty) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "No database connection became free");
    }
}
