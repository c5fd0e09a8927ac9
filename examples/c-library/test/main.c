#include "check.h"
#include "kit/kit.h"

int checks, failures;

int main(void)
{
    test_memory();
    test_strings();
    test_words();
    printf("%d checks, %d failures\n", checks, failures);
    return failures > 0;
}
