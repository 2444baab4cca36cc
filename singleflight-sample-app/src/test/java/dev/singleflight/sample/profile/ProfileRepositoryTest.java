package dev.singleflight.sample.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.boot.test.context.SpringBootTest.WebEnvironment.RANDOM_PORT;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest(webEnvironment = RANDOM_PORT, properties = "proof=false")
class ProfileRepositoryTest {

    @Autowired
    private ProfileRepository repository;

    @Autowired
    private JdbcTemplate database;

    @Test
    void profileTellsWhatTheUserBought() {
        Profile profile = repository.find(7).orElseThrow();

        assertThat(profile.name()).isEqualTo("Grace Abbott");
        assertThat(profile.purchases())
                .isEqualTo(database.queryForObject("select count(*) from purchases where user_id = 7", int.class));
        assertThat(profile.spent())
                .isEqualByComparingTo(database.queryForObject(
                        "select sum(quantity * price) from purchases join products on products.id = product_id where user_id = 7",
                        BigDecimal.class));
        assertThat(profile.standing()).isBetween(1, 1000);
    }

    @Test
    void unknownUserHasNoProfile() {
        assertThat(repository.find(0)).isEmpty();
    }

    @Test
    void everyExecutionIsCounted() {
        long before = repository.executions();

        repository.find(7);
        repository.find(0);

        assertThat(repository.executions() - before).isEqualTo(2);
    }
}
