/*
 * The Init functions of the files in this folder. frugal.c calls each once, with the
 * module Frugal::Native::C, which is the engine under MRI.
 */
#ifndef FRUGAL_H
#define FRUGAL_H

#include "binding.h"

void frugal_block_init(VALUE module);
void frugal_boot_init(VALUE module);
void frugal_find_init(VALUE module);
void frugal_newest_init(VALUE module);
void frugal_chdir_init(VALUE module);
void frugal_fileutils_init(VALUE module);
void frugal_files_init(VALUE module);
void frugal_entry_file_init(VALUE module);
void frugal_entry_record_init(VALUE engine);
void frugal_turn_file_init(VALUE module);
void frugal_raise_site_init(VALUE module);

#endif
