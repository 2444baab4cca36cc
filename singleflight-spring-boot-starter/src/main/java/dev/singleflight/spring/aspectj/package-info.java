/** The woven door: what AspectJ puts into the methods that no proxy can catch. Nothing else needs this package. */
@NullMarked
package dev.singleflight.spring.aspectj;

import org.jspecify.annotations.NullMarked;
