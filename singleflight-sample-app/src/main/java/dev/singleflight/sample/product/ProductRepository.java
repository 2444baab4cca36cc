package dev.singleflight.sample.product;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads and prices products. */
@Repository
class ProductRepository {

    private static final String BOUGHT_TOGETHER = """
            select other.name
            from purchases its
            join purchases others on others.user_id = its.user_id and others.product_id <> its.product_id
            join products other on other.id = others.product_id
            where its.product_id = ?
            group by other.id, other.name
            order by count(*) desc, other.id
            fetch first 5 rows only
            """;

    private final JdbcClient database;

    ProductRepository(JdbcClient database) {
        this.database = database;
    }

    Optional<ProductPage> page(long productId) {
        return database.sql("select id, name, category, price from products where id = ?")
                .param(productId)
                .query((row, number) -> new ProductPage(
                        row.getLong("id"),
                        row.getString("name"),
                        row.getString("category"),
                        row.getBigDecimal("price"),
                        boughtTogether(productId)))
                .optional();
    }

    private List<String> boughtTogether(long productId) {
        return database.sql(BOUGHT_TOGETHER)
                .param(productId)
                .query(String.class)
                .list();
    }

    boolean changePrice(long productId, BigDecimal price) {
        return database.sql("update products set price = ? where id = ?")
                        .params(price, productId)
                        .update()
                == 1;
    }
}
