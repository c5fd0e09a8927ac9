/* How a directory is opened that is only passed through: no right to list it is needed. After <fcntl.h>. */
#ifndef FRUGAL_BENEATH_PASS_H
#define FRUGAL_BENEATH_PASS_H

#if defined(O_PATH)
# define PASS O_PATH
#elif defined(O_SEARCH)
# define PASS O_SEARCH
#else
# define PASS O_RDONLY
#endif

#endif
