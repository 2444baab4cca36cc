/** The aspect for what proxies cannot catch; needs AspectJ and a weaver. */
@NullMarked
package dev.singleflight.spring.aspectj;

import org.jspecify.annotations.NullMarked;
