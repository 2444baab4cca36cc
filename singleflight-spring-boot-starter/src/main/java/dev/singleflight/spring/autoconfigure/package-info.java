/** What Spring Boot sets up, and the {@code singleflight.*} properties. */
@NullMarked
package dev.singleflight.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
