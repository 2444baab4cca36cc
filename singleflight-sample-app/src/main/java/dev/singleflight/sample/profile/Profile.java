package dev.singleflight.sample.profile;

import java.math.BigDecimal;

/**
 * A user as the shop sees it.
 *
 * @param userId who
 * @param name what to call them
 * @param purchases how often they bought something
 * @param spent what they paid for it
 * @param standing their place among all users, 1 for whoever spent most
 */
public record Profile(long userId, String name, int purchases, BigDecimal spent, int standing) {}
