#include "store/store.h"

#include "store/store_file.h"

void
frugal_store_init(VALUE module)
{
    VALUE klass = rb_define_class_under(module, "StoreFile", rb_cObject);

    frugal_store_pool_init();
    frugal_store_file_init(klass);
    frugal_store_session_init(klass);
    frugal_store_bytes_init(klass);
}
