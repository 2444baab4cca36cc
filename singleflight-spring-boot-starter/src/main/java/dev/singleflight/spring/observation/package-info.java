/** The observation of flights; needs Micrometer's observations. */
@NullMarked
package dev.singleflight.spring.observation;

import org.jspecify.annotations.NullMarked;
