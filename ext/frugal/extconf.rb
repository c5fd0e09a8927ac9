# frozen_string_literal: true

require "mkmf"

abi = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

# core/ is plain C without ruby.h; it is compiled into the same library.
$srcs = Dir.glob("{,core/}*.c", base: __dir__).map { |name| File.basename(name) }
$VPATH << "$(srcdir)/core"
$INCFLAGS << " -I$(srcdir) -I$(srcdir)/core"
$CFLAGS << " -std=gnu11 -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Werror=implicit-function-declaration"
$CFLAGS << " -Werror" if ENV["FRUGAL_WERROR"]

have_struct_member("struct stat", "st_mtim", "sys/stat.h")
have_struct_member("struct stat", "st_mtimespec", "sys/stat.h")
have_header("pthread.h") && have_library("pthread", "pthread_create")

create_makefile("frugal/native/#{abi}/frugal")

# What `frugal run` loads, as bytecode of this Ruby; without it, it reads the sources.
settings = { "RUBYOPT" => nil, "FRUGAL" => nil }
message("making bytecode... %s\n", system(settings, RbConfig.ruby, "#{__dir__}/bytecode.rb") ? "yes" : "no")
