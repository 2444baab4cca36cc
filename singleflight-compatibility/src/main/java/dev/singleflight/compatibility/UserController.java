package dev.singleflight.compatibility;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class UserController {

    private final Users users;

    /** Asks for the class, not the interface. */
    UserController(Users users) {
        this.users = users;
    }

    @GetMapping("/users/{userId}")
    String profile(@PathVariable("userId") long userId) throws InterruptedException {
        return users.profile(userId);
    }

    @GetMapping("/slow")
    String slow() throws InterruptedException {
        return users.slow(new Users.User(7));
    }
}
