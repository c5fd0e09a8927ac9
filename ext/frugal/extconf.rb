# frozen_string_literal: true

# Elsewhere the engine is plain Ruby; the gem of the platform java has one in Java.
unless RUBY_ENGINE == "ruby"
  File.write("Makefile", "all install clean:\n")
  exit
end

require "mkmf"

abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

# All folders are compiled into one library. The basenames of the files are distinct, so that
# make finds each one by $VPATH. An include line has the path from this folder.
sources = Dir.glob("**/*.c", base: __dir__).sort
$srcs = sources.map { |file| File.basename(file) }
$VPATH.concat(sources.map { |file| File.dirname(file) }.uniq.grep_v(".").map { |folder| "$(srcdir)/#{folder}" })
$INCFLAGS << " -I$(srcdir)"
$CFLAGS << " -std=gnu11 -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers"
$CFLAGS << " -Werror=implicit-function-declaration"
$CFLAGS << " -Werror" if ENV["FRUGAL_WERROR"]

have_struct_member("struct stat", "st_mtim", "sys/stat.h")
have_struct_member("struct stat", "st_mtimespec", "sys/stat.h")
have_header("pthread.h") && have_library("pthread", "pthread_create")

create_makefile("frugal/native/#{abi}/frugal")
# After the installation of the gem, only the library is kept, not the object files.
File.write("Makefile", "\ninstall:\n\t-$(Q)$(RM) $(OBJS) $(DLLIB) $(TIMESTAMP_DIR)/.*.time\n", mode: "a")

# Compiles the files of `frugal run` to bytecode. Without it, `frugal run` loads the sources.
settings = { "RUBYOPT" => nil, "FRUGAL" => nil }
message("making bytecode... %s\n", system(settings, RbConfig.ruby, "#{__dir__}/bytecode.rb") ? "yes" : "no")
