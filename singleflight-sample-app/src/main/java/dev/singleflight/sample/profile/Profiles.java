package dev.singleflight.sample.profile;

import dev.singleflight.spring.annotation.SingleFlight;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The profiles, with single flight and without. */
@Component
class Profiles {

    private final ProfileRepository repository;

    Profiles(ProfileRepository repository) {
        this.repository = repository;
    }

    /** Whoever asks for a user while the query for that user runs, shares its result. */
    @SingleFlight(key = "#userId", retries = 2, cacheFor = "500ms")
    public Optional<Profile> profile(long userId) {
        return repository.find(userId);
    }

    /** The same without single flight: every caller runs the query. */
    public Optional<Profile> unsharedProfile(long userId) {
        return repository.find(userId);
    }
}
