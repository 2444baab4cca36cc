/** The health of the engine; needs Spring Boot's health module. */
@NullMarked
package dev.singleflight.spring.health;

import org.jspecify.annotations.NullMarked;
