/* Times, as Marshal.dump writes them. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_MARSHAL_TIME_H
#define FRUGAL_MARSHAL_TIME_H

#include "marshal_scan.h"

/*
 * Whether what begins at the `u` that the scan is at, behind an `I`, is a Time
 * whose loading cannot fail, and runs none but Ruby's own code: of a valid date,
 * with nothing but instance variables that a Time has. Where in doubt, not. A
 * zone may be a link, of which the caller sees to it that a string is there.
 *
 * The eight bytes are those of time_mdump in Ruby's time.c, since 1.9.2.
 */
bool frugal_marshal_is_plain_time(frugal_marshal_scan *scan);

#endif
