package dev.singleflight.sample.product;

import java.math.BigDecimal;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ProductController {

    private final Products products;

    ProductController(Products products) {
        this.products = products;
    }

    @GetMapping("/products/{productId}")
    ResponseEntity<ProductPage> page(@PathVariable long productId) {
        return ResponseEntity.of(products.page(productId));
    }

    @PutMapping("/products/{productId}/price")
    ResponseEntity<Void> changePrice(@PathVariable long productId, @RequestBody BigDecimal price) {
        return products.changePrice(productId, price)
                ? ResponseEntity.noContent().build()
                : ResponseEntity.notFound().build();
    }
}
