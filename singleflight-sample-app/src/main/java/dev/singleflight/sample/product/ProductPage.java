package dev.singleflight.sample.product;

import java.math.BigDecimal;
import java.util.List;

/**
 * What a product's page shows.
 *
 * @param productId which product
 * @param name what it is called
 * @param category where it stands
 * @param price what it costs
 * @param boughtTogether names of what its buyers bought most, besides
 */
record ProductPage(long productId, String name, String category, BigDecimal price, List<String> boughtTogether) {}
