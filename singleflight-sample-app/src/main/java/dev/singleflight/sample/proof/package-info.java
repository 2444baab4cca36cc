/** Shows, when the application has started, that concurrent callers share one execution. */
@NullMarked
package dev.singleflight.sample.proof;

import org.jspecify.annotations.NullMarked;
