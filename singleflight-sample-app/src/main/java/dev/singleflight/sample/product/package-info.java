/** A product's page: a slow join in a read-only transaction, and an update that makes the page come anew. */
@NullMarked
package dev.singleflight.sample.product;

import org.jspecify.annotations.NullMarked;
