/** The {@code singleflight} endpoint; needs Spring Boot's actuator. */
@NullMarked
package dev.singleflight.spring.actuate;

import org.jspecify.annotations.NullMarked;
