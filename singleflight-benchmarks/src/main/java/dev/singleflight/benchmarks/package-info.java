/** Comparisons of the engine with what an application would use instead. */
@NullMarked
package dev.singleflight.benchmarks;

import org.jspecify.annotations.NullMarked;
