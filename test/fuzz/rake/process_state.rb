# frozen_string_literal: true

module RakeFuzz
  # Restores the state of the process that Rake keeps outside its applications, so
  # that the next case in the same process starts like the first.
  class ProcessState
    def initialize
      @environment = ENV.to_h
      @directory = Dir.pwd
    end

    def restore
      Dir.chdir(@directory)
      ENV.replace(@environment) unless ENV.to_h == @environment
      Rake::FileUtilsExt.verbose_flag = Rake::FileUtilsExt::DEFAULT
      Rake::FileUtilsExt.nowrite_flag = false
      Rake::TaskManager.record_task_metadata = false
      Thread.current[:rake_display_exception_details_seen] = nil
    end
  end
end
