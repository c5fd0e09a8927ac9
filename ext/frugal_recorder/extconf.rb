# frozen_string_literal: true

# There is a recorder for MRI on 64-bit Linux only. Elsewhere `frugal profile` says so.
unless RUBY_ENGINE == "ruby" && RUBY_PLATFORM.match?(/(x86_64|aarch64).*linux/)
  File.write("Makefile", "all install clean:\n")
  exit
end

require "mkmf"

abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

# The library is preloaded into programs that have no Ruby, so it links nothing of Ruby.
$LIBRUBYARG = $LIBRUBYARG_SHARED = $LIBRUBYARG_STATIC = ""
$CFLAGS << " -std=gnu11 -fvisibility=hidden -ftls-model=initial-exec -fno-builtin -Wall -Wextra -Wno-unused-parameter"
$CFLAGS << " -Wno-missing-field-initializers -Wno-nonnull-compare -Werror=implicit-function-declaration"
$CFLAGS << " -Wno-array-parameter" if try_cflags("-Wno-array-parameter")
$CFLAGS << " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0" # it would turn the functions that we define into others
$CFLAGS << " -Werror" if ENV["FRUGAL_WERROR"]
$libs = ""
have_library("dl", "dlsym")
have_library("pthread", "pthread_create")
create_makefile("frugal/native/#{abi}/recorder")
# After the installation of the gem, only the library is kept, not the object files.
File.write("Makefile", "\ninstall:\n\t-$(Q)$(RM) $(OBJS) $(DLLIB) $(TIMESTAMP_DIR)/.*.time\n", mode: "a")
