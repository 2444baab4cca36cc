package dev.singleflight.sample.exchange;

import java.math.BigDecimal;

/**
 * What a currency is worth.
 *
 * @param currency three letters
 * @param perEuro how much of it one euro buys
 */
record Rate(String currency, BigDecimal perEuro) {}
