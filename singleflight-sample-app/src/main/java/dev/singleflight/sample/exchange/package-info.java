/** Exchange rates from a remote server that limits its callers and often fails. */
@NullMarked
package dev.singleflight.sample.exchange;

import org.jspecify.annotations.NullMarked;
