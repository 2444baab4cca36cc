package dev.singleflight.spring.interceptor;

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

    @Override
    public void afterCommit() {
        action.run();
    }
}
