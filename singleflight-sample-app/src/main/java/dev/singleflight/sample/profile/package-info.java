/** A user's profile: one slow query that everybody asks for at once. */
@NullMarked
package dev.singleflight.sample.profile;

import org.jspecify.annotations.NullMarked;
