/* Times, as Marshal.dump writes them. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_TIME_H
#define FRUGAL_MARSHAL_TIME_H

#include "core/marshal/marshal_scan.h"

/*
 * Reports whether a safe Time begins at the `u` where the scan is (after an `I`). Marshal.load loads a safe Time
 * without an error, and runs only Ruby's own code: its date is valid, and it has only the instance variables of a Time.
 * Returns false in doubt. Does not move the scan. A zone may be a link: the caller checks that the link leads to a
 * String.
 *
 * `time_mdump` in Ruby's time.c has written the eight bytes of the date since 1.9.2.
 */
bool frugal_marshal_is_safe_time(frugal_marshal_scan *scan);

#endif
