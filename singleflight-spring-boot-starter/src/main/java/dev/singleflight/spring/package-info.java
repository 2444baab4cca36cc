/**
 * Single flight for Spring Boot: what an application implements. The annotations are in
 * {@link dev.singleflight.spring.annotation}.
 */
@NullMarked
package dev.singleflight.spring;

import org.jspecify.annotations.NullMarked;
