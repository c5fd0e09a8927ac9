# frozen_string_literal: true

require "rbconfig"
require_relative "version"
require_relative "native"
require_relative "dropin"
require_relative "profile/run"
require_relative "doctor/application"
require_relative "doctor/application_advice"
require_relative "doctor/kept_code"
require_relative "doctor/launcher_cost"

module Frugal
  # Finds out which parts of frugal work on this machine, and returns the result as values.
  #
  #   Frugal::Doctor.new.diagnosis[:verdict]   # => "All drop-ins work here: rake, dir."
  class Doctor
    # How to get the missing engine of a Ruby.
    TO_COMPILE = {
      "ruby" => "compile the library: bin/setup in a checkout, gem pristine frugal for a gem",
      "jruby" => "compile the Java engine: bin/setup --jruby in a checkout; gem install frugal --platform java else"
    }.freeze
    private_constant :TO_COMPILE

    # @param folder [String] a folder that may hold a Rails application
    # @yieldparam step [String] the next step that takes long
    def initialize(folder = Dir.pwd, &progress)
      @application = Application.in(folder)
      @progress = progress
    end

    # Loads each upstream library and its drop-in into this process, so that a drop-in is
    # reported as on only if it was really installed. A Rails application is booted in
    # another process.
    #
    # @return [Hash{Symbol => Object}] verdict, healthy, engine, ruby, frugal, drop_ins, application (the result of
    #   `Application#to_h`, or nil), run (nil, or the reason why `frugal run` installs nothing in this Ruby), launcher
    #   (system_calls, or the reason why not), bytecode (folder, files, bytes, or the reason why not), recorder
    #   (available, or the reason why not), strace, next
    #
    # *Cost*: one second, mostly to count the calls of the launcher, plus the boot of the application.
    def diagnosis
      step("booting the Rails application") { application } if @application
      launcher = LauncherCost.new
      { verdict: verdict, healthy: healthy?, engine: engine, ruby: RUBY_DESCRIPTION, frugal: VERSION,
        drop_ins: drop_ins, application: application, run: run_reason,
        launcher: step("counting the calls of frugal run") { launcher.to_h }, bytecode: KeptCode.new.to_h,
        recorder: recorder, strace: launcher.strace, next: next_step }
    end

    private

    def step(title)
      @progress&.call(title)
      yield
    end

    def application = @application&.to_h

    def advice = (ApplicationAdvice.new(application) if application)

    def healthy? = advice ? advice.healthy? : not_on.empty?

    def verdict
      return advice.verdict if advice
      return "Not all drop-ins work here: #{not_on.map { |one| "#{one[:name]} is not on" }.join(", ")}." if not_on.any?

      waiting = drop_ins - on(drop_ins)
      return "All drop-ins work here: #{names(on(drop_ins))}." if waiting.empty?

      "These drop-ins work here: #{names(on(drop_ins))}. These wait for their library: #{names(waiting)}."
    end

    # @param drop_ins [Array<Hash>, nil]
    def on(drop_ins) = drop_ins.to_a.select { |drop_in| drop_in[:state] == :on }

    def names(drop_ins) = drop_ins.map { |drop_in| drop_in[:name] }.join(", ")

    # The drop-ins that should be on but are not. A drop-in that waits for an optional
    # library is left out.
    def not_on
      (drop_ins - on(drop_ins)).reject do |drop_in|
        drop_in[:state] == :waiting && Dropin::CATALOGUE.fetch(drop_in[:name]).optional?
      end
    end

    def drop_ins
      @drop_ins ||= Dropin::CATALOGUE.each_value.map { |entry| examine(entry) }
    end

    def examine(entry)
      missing = load_upstream(entry)
      Dropin.enable(entry.name)
      status = Dropin.status.find { |one| one.name == entry.name }
      reason = missing || (entry.switch && status.state == :waiting ? gemfile_hint(entry) : status.reason)
      status.to_h.merge(reason: reason)
    end

    # A drop-in with a switch can only be on in an application that has it in its Gemfile.
    def gemfile_hint(entry)
      "for an application with gem \"frugal\", require: \"#{entry.switch}\" in its Gemfile; " \
        "run it with FRUGAL_VERBOSE=1 to see whether the drop-in is on"
    end

    def load_upstream(entry)
      entry.loads.each { |feature| require feature }
      nil
    rescue LoadError => e
      "its library is not installed (#{e.message.lines.first.to_s.chomp})"
    rescue StandardError => e
      "its library cannot be loaded (#{e.message.lines.first.to_s.chomp})"
    end

    # @return [String, nil]
    def run_reason
      "JRuby does not tell what a program loads without lib/frugal/native.jar" unless Dropin.load_autorun
    end

    # Reports whether the native recorder, which counts file calls for compare, profile, budget and assert_cost, can
    # run.
    def recorder = Profile::Run.unavailable.then { |reason| { available: reason.nil?, why: reason } }

    def engine
      reason = case Native.engine_name
               when :c then "compiled for #{Platform::ABI}"
               when :java then Native.engine.description
               else why_pure
               end
      { name: Native.engine_name, why: reason }
    end

    def why_pure
      if ENV["FRUGAL_ENGINE"] == "pure" then "FRUGAL_ENGINE=pure"
      elsif Native.problem then Native.problem
      elsif Platform::JRUBY then "there is no lib/frugal/native.jar"
      elsif !Platform::MRI then "#{Platform::RUBY} has no C extension"
      else "no library for #{Platform::ABI}"
      end
    end

    def next_step
      return advice.next_step if advice && !(healthy? && missing_part)

      missing_part || drop_ins_step
    end

    # @return [String, nil] how to get the engine, or the library that `frugal run` needs; nil if neither is missing
    def missing_part
      if Native.engine_name == :pure && ENV["FRUGAL_ENGINE"] != "pure" && TO_COMPILE.key?(Platform::RUBY)
        TO_COMPILE[Platform::RUBY]
      elsif run_reason
        "bin/setup --jruby in a checkout"
      end
    end

    def drop_ins_step
      if (off = not_on.find { |drop_in| drop_in[:state] == :off })
        "unset the variable that turns #{off[:name]} off: #{off[:reason]}"
      elsif not_on.any? { |drop_in| drop_in[:state] == :waiting }
        "gem install #{not_on.first[:name]}"
      else
        "frugal compare -- rake"
      end
    end
  end
end
