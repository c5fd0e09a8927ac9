# frozen_string_literal: true

# Other Rubies use the engine in plain Ruby; the gem for the platform java has an engine in Java.
unless RUBY_ENGINE == "ruby"
  File.write("Makefile", "all install clean:\n")
  exit
end

require "mkmf"
require_relative "../units"

abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

# All folders are compiled into one library. Paths in #include lines are relative to this folder.
$srcs = Units.new(__dir__).write
$INCFLAGS << " -I$(srcdir)"
$CFLAGS << " -D_GNU_SOURCE=1 -std=gnu11 -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter"
$CFLAGS << " -Wno-missing-field-initializers -Werror=implicit-function-declaration"
$CFLAGS << " -Werror" if ENV["FRUGAL_WERROR"]
if enable_config("stripped", false) # for users of the gem
  $CFLAGS << " -g0"
  $DLDFLAGS << " -s" unless RUBY_PLATFORM.include?("darwin")
end

have_struct_member("struct stat", "st_mtim", "sys/stat.h")
have_struct_member("struct stat", "st_mtimespec", "sys/stat.h")
have_header("pthread.h") && have_library("pthread", "pthread_create")

create_makefile("frugal/native/#{abi}/frugal")
