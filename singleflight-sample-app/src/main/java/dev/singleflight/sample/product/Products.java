package dev.singleflight.sample.product;

import dev.singleflight.spring.annotation.ForgetFlight;
import dev.singleflight.spring.annotation.SingleFlight;
import java.math.BigDecimal;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The products: pages are shared and kept, until a price changes. */
@Component
class Products {

    private static final String PAGE = "product-page";

    private final ProductRepository repository;

    Products(ProductRepository repository) {
        this.repository = repository;
    }

    /** Single flight is outside the transaction: whoever joins needs neither a transaction nor a connection. */
    @SingleFlight(operation = PAGE, key = "#productId", timeout = "5s", cacheFor = "1m")
    @Transactional(readOnly = true)
    public Optional<ProductPage> page(long productId) {
        return repository.page(productId);
    }

    /** The page is forgotten when the new price is committed, and not at all where it is not. */
    @ForgetFlight(operation = PAGE, key = "#productId")
    @Transactional
    public boolean changePrice(long productId, BigDecimal price) {
        return repository.changePrice(productId, price);
    }
}
