/** What single flight answers over HTTP when it turns callers away. */
@NullMarked
package dev.singleflight.spring.web;

import org.jspecify.annotations.NullMarked;
