/**
 * What stands between a caller and an annotated method. {@link dev.singleflight.spring.interceptor.AnnotatedMethods}
 * reads the annotations once for each method; the advisor and its interceptor only look up what it found and hand the
 * call to the engine.
 */
@NullMarked
package dev.singleflight.spring.interceptor;

import org.jspecify.annotations.NullMarked;
