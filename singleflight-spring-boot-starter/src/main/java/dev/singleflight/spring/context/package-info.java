/**
 * What goes along from the leader of a flight to its attempts. A flight is shared between callers, so only what is
 * allowed by name does; the leader's identity is not, unless the application says so.
 */
@NullMarked
package dev.singleflight.spring.context;

import org.jspecify.annotations.NullMarked;
