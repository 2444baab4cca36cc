/** The annotations that put methods under single flight. They need neither a running engine nor Spring's AOP to compile. */
@NullMarked
package dev.singleflight.spring.annotation;

import org.jspecify.annotations.NullMarked;
