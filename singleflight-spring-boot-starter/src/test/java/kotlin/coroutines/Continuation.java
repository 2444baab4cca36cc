package kotlin.coroutines;

/** Stands for Kotlin's interface of this name, by which a suspend function is known. */
public interface Continuation<T> {}
