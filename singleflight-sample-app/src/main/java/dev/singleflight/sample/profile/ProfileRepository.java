package dev.singleflight.sample.profile;

import java.sql.PreparedStatement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Repository;

/** Reads profiles from the database, slowly: a user's standing takes the purchases of all users. */
@Repository
public class ProfileRepository {

    private static final String QUERY = """
            select u.id as user_id, u.name, s.purchases, s.spent, s.standing
            from users u
            join (select pu.user_id, count(*) as purchases, sum(pu.quantity * pr.price) as spent,
                         rank() over (order by sum(pu.quantity * pr.price) desc) as standing
                  from purchases pu
                  join products pr on pr.id = pu.product_id
                  group by pu.user_id) s on s.user_id = u.id
            where u.id = ?
            """;
    private static final RowMapper<Profile> ROW = new DataClassRowMapper<>(Profile.class);

    private final JdbcTemplate database;
    private final AtomicLong executions = new AtomicLong();

    ProfileRepository(JdbcTemplate database) {
        this.database = database;
    }

    Optional<Profile> find(long userId) {
        return DataAccessUtils.optionalResult(database.query(
                connection -> {
                    PreparedStatement query = connection.prepareStatement(QUERY);
                    query.setLong(1, userId);
                    executions.incrementAndGet();
                    return query;
                },
                ROW));
    }

    /** How often the query was given to the database; a caller for whom no connection was free is not counted. */
    public long executions() {
        return executions.get();
    }
}
