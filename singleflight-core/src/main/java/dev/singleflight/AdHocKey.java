package dev.singleflight;

/** The key of an ad-hoc call: name and key together, so that an idle name leaves nothing behind. */
record AdHocKey(String name, Object key) {

    /** The caller's own key, whichever kind of call it came by. */
    static Object unwrap(Object key) {
        return key instanceof AdHocKey adHoc ? adHoc.key : key;
    }
}
