# frozen_string_literal: true

# Shared by the sections of side.rb.
module Observer
  # A replaced method.
  Subject = Struct.new(:path, :singleton, :name) do
    def object = Object.const_get(path)

    def owner = singleton ? object.singleton_class : object

    def to_s = "#{path}#{singleton ? "." : "#"}#{name}"

    def visibility
      return :private if owner.private_method_defined?(name)

      owner.protected_method_defined?(name) ? :protected : :public
    end
  end

  class << self
    attr_writer :share

    # Whether it is the turn of this case, of all that ask one after the other.
    def turn? = ((@asked = @asked.to_i + 1) % @share).zero?

    # What the receivers of Rake's methods need; see ReplacedMethods.
    def prepare = TOPLEVEL_BINDING.eval(ReplacedMethods::PREPARE.lines.first(2).join)

    # Prints an observation. The folder of this process, addresses and times are no difference.
    def see(key, value)
      text = JSON.generate([key, Array(value).map { |one| plain(one.to_s) }])
      $stdout.syswrite("#{text}\n")
    end

    # Runs the block in a child process and a new directory.
    def isolated(name)
      pid = fork do
        Dir.mkdir(folder = "#{name.gsub(/\W/, "_")}#{Process.pid}")
        Dir.chdir(folder)
        %w[src lib].each { |one| Dir.mkdir(one) }
        %w[src/a.c src/b.c lib/x].each_with_index do |file, number|
          File.write(file, "text")
          File.utime(number, number, file)
        end
        yield
      rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
        see(name, ["failed", e.full_message(highlight: false)])
      ensure
        exit!
      end
      Process.wait(pid)
    end

    # @return [Array<String>] the texts of an error that the block raises, and its frames
    def error
      result = yield
      ["no error", result.class]
    rescue Exception => e # rubocop:disable Lint/RescueException -- any error is an observation
      [e.class, e.message, (e.detailed_message(highlight: false) if e.respond_to?(:detailed_message)),
       e.cause.class, *places(e.backtrace_locations), *e.backtrace]
    end

    # @return [Array<String>] paths, lines and names. Where Ruby's own methods are written in Ruby, their absolute path is
    #   nil, that of the drop-in's is "<internal:dir>": Ruby compiles no other code with tail calls.
    def places(locations)
      locations.to_a.map do |one|
        [one.path, one.absolute_path&.sub(/\A<internal:.*/, ""), one.lineno, one.label, one.base_label].join(" ")
      end
    end

    # @return [Array<String>] the warnings that Ruby prints in the block
    def warnings
      before = $stderr
      $stderr = StringIO.new
      yield
      $stderr.string.lines
    ensure
      $stderr = before
    end

    private

    # The folder first: its random name may look like an address.
    def plain(text) = text.gsub(Dir.pwd, "FOLDER").gsub(/0x\h+/, "0x").gsub(/#{Process.pid}/, "PID")
  end
end
