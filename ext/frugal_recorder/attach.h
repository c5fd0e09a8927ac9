#ifndef FRUGAL_RECORDER_ATTACH_H
#define FRUGAL_RECORDER_ATTACH_H

#include "recorder.h"

HIDDEN void frugal_attach(void);

#endif
