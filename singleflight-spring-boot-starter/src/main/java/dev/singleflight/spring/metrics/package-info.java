/** The {@code singleflight.*} meters; need Micrometer. */
@NullMarked
package dev.singleflight.spring.metrics;

import org.jspecify.annotations.NullMarked;
