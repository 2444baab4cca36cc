package dev.singleflight.sample.exchange;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The exchange and its caller, without the rest of the application. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(ExchangeSettings.class)
@Import({UnreliableExchange.class, ExchangeRates.class})
class SharedRates {}
