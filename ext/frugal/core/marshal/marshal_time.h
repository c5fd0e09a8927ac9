/* Times, as Marshal.dump writes them. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_MARSHAL_TIME_H
#define FRUGAL_MARSHAL_TIME_H

#include "core/marshal/marshal_scan.h"

/*
 * Reports whether a Time begins at the `u` where the scan is (behind an `I`)
 * that Marshal.load loads without fail, and without running code that is not
 * Ruby's own: its date is valid, and it has only the instance variables of a
 * Time. False in doubt. Does not move the scan. A zone may be a link: the caller
 * checks that it leads to a String.
 *
 * The eight bytes of the date are those of `time_mdump` in Ruby's time.c, since 1.9.2.
 */
bool frugal_marshal_is_safe_time(frugal_marshal_scan *scan);

#endif
