/** An application as users write it, in words that every supported line of Spring Boot understands. */
@NullMarked
package dev.singleflight.compatibility;

import org.jspecify.annotations.NullMarked;
