#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

extern int checks, failures;

#define CHECK(condition) \
    (checks++, (condition) ? (void)0 : \
     (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

void test_memory(void);
void test_strings(void);
void test_words(void);

#endif
