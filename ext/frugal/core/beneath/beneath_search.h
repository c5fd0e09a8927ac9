/*
 * Flags to open a directory only to resolve names in it, which does not need the right to list it. Include it after
 * <fcntl.h>.
 */
#ifndef FRUGAL_BENEATH_SEARCH_H
#define FRUGAL_BENEATH_SEARCH_H

#if defined(O_PATH)
#define SEARCH_ONLY O_PATH
#elif defined(O_SEARCH)
#define SEARCH_ONLY O_SEARCH
#else
#define SEARCH_ONLY O_RDONLY
#endif

#endif
