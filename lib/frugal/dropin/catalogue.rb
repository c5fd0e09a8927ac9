# frozen_string_literal: true

require_relative "entry"

module Frugal
  module Dropin
    # All drop-ins, in the order in which {.status} returns them. The facts about an upstream that frugal needs before
    # it loads the drop-in are only here. Lists that are needed before this file is loaded repeat parts of them, and
    # tests compare them: in autorun/start.rb, watcher.rb and work.rb, and in libexec/frugal-run.
    CATALOGUE = [
      Entry.new(name: :rake, feature: "rake.rb", gem: "rake", constant: :Rake, origin: ["Rake::Task", :invoke],
                parts: %w[Rake::Application Rake::Backtrace FileList],
                version: "Rake::VERSION", versions: ["13.0".."13.4"]),
      Entry.new(name: :dir, feature: nil, constant: :Dir, parts: %w[Dir], version: "RUBY_VERSION"),
      Entry.new(name: :find, feature: "find.rb", gem: "find", constant: :Find, origin: ["Find", :find],
                parts: %w[Find], version: "Find::VERSION", versions: ["0.2".."0.2"]),
      Entry.new(name: :pstore, feature: "pstore.rb", gem: "pstore", constant: :PStore, origin: ["PStore", :transaction],
                parts: %w[PStore::EMPTY_MARSHAL_CHECKSUM], version: "PStore::VERSION", versions: ["0.1".."0.3"]),
      Entry.new(name: :fileutils, feature: "fileutils.rb", gem: "fileutils", constant: :FileUtils,
                origin: ["FileUtils::Entry_", :path], parts: %w[FileUtils::DryRun],
                version: "FileUtils::VERSION", versions: ["1.6".."1.8"],
                answers: %w[remove_entry rm_f]), # others may leave it to stock, depending on their arguments
      Entry.new(name: :active_support, feature: "active_support/cache/file_store.rb", gem: "activesupport",
                constant: :ActiveSupport, origin: ["ActiveSupport::Cache::FileStore", :initialize],
                parts: %w[ActiveSupport::Cache::FileStore ActiveSupport::VERSION::STRING],
                version: "ActiveSupport::VERSION::STRING", versions: ["7.0".."8.1"],
                loads: %w[logger active_support active_support/cache/file_store], optional: true),
      Entry.new(name: :file_update_checker, feature: "active_support/file_update_checker.rb", gem: "activesupport",
                constant: :ActiveSupport, origin: ["ActiveSupport::FileUpdateChecker", :execute],
                parts: %w[ActiveSupport::FileUpdateChecker ActiveSupport::VERSION::STRING],
                version: "ActiveSupport::VERSION::STRING", versions: ["7.0".."8.1"],
                loads: %w[logger active_support active_support/file_update_checker], optional: true),
      Entry.new(name: :sprockets, feature: "sprockets/path_utils.rb", gem: "sprockets", constant: :Sprockets,
                origin: ["Sprockets::PathUtils", :absolute_path?],
                parts: %w[Sprockets::PathUtils::SEPARATOR_PATTERN Sprockets::VERSION],
                version: "Sprockets::VERSION", versions: ["3.7".."3.7", "4.0".."4.4"],
                loads: %w[logger sprockets], optional: true),
      Entry.new(name: :rails, feature: nil, constant: :Rails,
                parts: %w[Frugal::Railtie ActionController::Railtie Rails::VERSION::STRING],
                version: "Rails::VERSION::STRING", versions: ["7.0".."8.1"], switch: "frugal/rails", optional: true),
      Entry.new(name: :sinatra, feature: "sinatra/base.rb", gem: "sinatra", constant: :Sinatra,
                origin: ["Sinatra::Base", :call!], parts: %w[Sinatra::Base Sinatra::Wrapper Sinatra::VERSION],
                version: "Sinatra::VERSION", versions: ["3.0".."4.2"],
                except: "4.2.0", # the only version with other rules for an empty path
                loads: %w[sinatra/base], optional: true)
    ].to_h { |entry| [entry.name, entry] }
  end
end
