# frozen_string_literal: true

require_relative "../test_helper"

# An interrupt, such as that of a Timeout, may end a transaction at any line while it
# begins. The next transaction still reads the current content, and the file is unlocked.
class PStoreInterruptTest < Frugal::TestCase
  ENGINES = Frugal::Native.engine_name == :c ? %w[c pure] : %w[pure]

  # A signal handler must not lock a Mutex that the interrupted code may hold. Stock's transaction locks none.
  HANDLER = <<~'RUBY'
    require ENV["SWITCH"] if ENV["SWITCH"]
    store = PStore.new("#{ARGV[0]}/in_handler")
    others = Array.new(40) { |number| PStore.new("#{ARGV[0]}/other#{number}") }
    trap("USR1") do
      store.transaction { store["n"] = (store["n"] || 0) + 1 }
      others.each { |other| other.transaction { other["n"] = 1 } }
    rescue Exception => e
      puts e.full_message(highlight: false)
    end
    20.times do |number|
      others[number].transaction { others[number]["m"] = number; Process.kill(:USR1, $$) if number == 3 } if number != 3
      Process.kill(:USR1, $$)
      sleep 0.001
    end
    p store.transaction(true) { store["n"] }, others.sum { |other| other.transaction(true) { other["n"] } }
  RUBY

  # Another program has written to the files of 200 stores, long enough ago for their times
  # to prove it. The transaction of the first store is interrupted at the first event of its
  # beginning, that of the second store at the second event, and so on.
  SCRIPT = <<~'RUBY'
    INTERRUPTED = %r{/(session|image|shared_file|marshal_roots)\.rb\z}

    def stopped?(store, at)
      count = 0
      trace = TracePoint.new(:line, :return, :c_return) do |event|
        raise Interrupt if INTERRUPTED.match?(event.path) && (count += 1) == at
      end
      trace.enable { store.transaction { store.abort } }
      false
    rescue Interrupt
      true
    end

    stores = Array.new(200) do |number|
      PStore.new("#{ARGV[0]}/#{number}").tap { |store| store.transaction { store["n"] = 1 } }
    end
    stores.each_index { |number| File.binwrite("#{ARGV[0]}/#{number}", Marshal.dump({ "n" => 2 })) }
    sleep 0.05
    points = stores.each_index.find { |number| !stopped?(stores[number], number + 1) }
    stores.first(points).each_with_index do |store, number|
      unlocked = File.open("#{ARGV[0]}/#{number}") { |io| io.flock(File::LOCK_EX | File::LOCK_NB) }
      puts "locked at #{number}" unless unlocked
      seen = store.transaction { store["n"] }
      puts "#{seen} at #{number}" unless seen == 2
    end
    puts points > 20
  RUBY

  def test_in_a_signal_handler
    [[nil, "c"], *ENGINES.map { |engine| ["frugal/pstore", engine] }].each do |switch, engine|
      run = run_ruby("-rpstore", "-e", HANDLER, mkdir("handler-#{switch.to_s.tr("/", "-")}-#{engine}"),
                     env: { "FRUGAL_ENGINE" => engine, "SWITCH" => switch })
      assert_equal "20\n40\n", run.out, run
    end
  end

  ENGINES.each do |engine|
    define_method("test_#{engine}") do
      skip "only MRI lets a TracePoint raise" unless RUBY_ENGINE == "ruby"
      run = run_ruby("-rpstore", "-rfrugal/pstore", "-e", SCRIPT, mkdir("stores"), env: { "FRUGAL_ENGINE" => engine })
      assert_equal "true\n", run.out, run
    end
  end
end
