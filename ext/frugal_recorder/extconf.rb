# frozen_string_literal: true

# There is a recorder for MRI on 64-bit Linux only. Elsewhere `frugal profile` reports that it is
# missing.
unless RUBY_ENGINE == "ruby" && RUBY_PLATFORM.match?(/(x86_64|aarch64).*linux/)
  File.write("Makefile", "all install clean:\n")
  exit
end

require "mkmf"
require_relative "../units"

abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

$srcs = Units.new(__dir__).write
$INCFLAGS << " -I$(srcdir)"
# The library is preloaded into programs that have no Ruby, so it links nothing of Ruby.
$LIBRUBYARG = $LIBRUBYARG_SHARED = $LIBRUBYARG_STATIC = ""
$CFLAGS << " -std=gnu11 -fvisibility=hidden -ftls-model=initial-exec -fno-builtin -Wall -Wextra -Wno-unused-parameter"
$CFLAGS << " -Wno-missing-field-initializers -Wno-nonnull-compare -Werror=implicit-function-declaration"
$CFLAGS << " -Wno-array-parameter" if try_cflags("-Wno-array-parameter")
$CFLAGS << " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0" # it would turn the functions that we define into others
$CFLAGS << " -Werror" if ENV["FRUGAL_WERROR"]
if enable_config("stripped", false) # for users of the gem
  $CFLAGS << " -g0"
  $DLDFLAGS << " -s" unless RUBY_PLATFORM.include?("darwin")
end
$libs = ""
have_library("dl", "dlsym")
have_library("pthread", "pthread_create")
$CFLAGS << " -D_GNU_SOURCE=" # as in the files; the checks above include ruby.h, which has another value
create_makefile("frugal/native/#{abi}/recorder")
