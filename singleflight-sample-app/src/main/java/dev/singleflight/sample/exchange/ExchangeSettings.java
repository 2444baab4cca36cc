package dev.singleflight.sample.exchange;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How unreliable the exchange is.
 *
 * @param failEvery which requests fail: every third for 3, none for 0
 * @param hangEvery which requests are never answered
 * @param perSecond how many requests are taken in a second
 */
@ConfigurationProperties("sample.exchange")
record ExchangeSettings(
        @DefaultValue("3") int failEvery,
        @DefaultValue("7") int hangEvery,
        @DefaultValue("10") int perSecond) {

    boolean fails(long request) {
        return failEvery > 0 && request % failEvery == 0;
    }

    boolean hangs(long request) {
        return hangEvery > 0 && request % hangEvery == 0;
    }
}
