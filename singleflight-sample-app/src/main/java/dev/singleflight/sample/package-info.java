/** A small application that shows flights at work. */
@NullMarked
package dev.singleflight.sample;

import org.jspecify.annotations.NullMarked;
