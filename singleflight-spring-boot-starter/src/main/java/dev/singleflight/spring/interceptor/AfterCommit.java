package dev.singleflight.spring.interceptor;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Waits for the transaction of the calling thread; apart from its callers because transactions are optional. */
final class AfterCommit implements TransactionSynchronization {

    private final Runnable action;

    private AfterCommit(Runnable action) {
        this.action = action;
    }

    /** Has the action run after the commit, and not at all on a rollback; false where no transaction is active. */
    static boolean registered(Runnable action) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
        return true;
    }

    /** Before anybody else hears of the commit, and perhaps reads what is stale by now. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        action.run();
    }
}
