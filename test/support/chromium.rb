# frozen_string_literal: true

require "fileutils"
require "io/nonblock"
require "json"
require "minitest"
require "timeout"
require "tmpdir"

# Headless Chromium, driven over a pipe by the Chrome DevTools Protocol.
#
#   Chromium.open("/tmp/page.html", width: 1200) do |page|
#     page.evaluate("document.querySelectorAll('rect').length")   # => 12
#     page.requests                                               # => ["file:///tmp/page.html"]
#   end
class Chromium
  NAMES = %w[chromium chromium-browser google-chrome].freeze
  # Without a profile, updates, or a request of its own.
  OPTIONS = %w[--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking
               --disable-component-update --disable-sync --hide-scrollbars --force-device-scale-factor=1
               --remote-debugging-pipe].freeze
  LIMIT = 60 # seconds for an answer

  class << self
    # @return [String, nil]
    def path
      folders = ENV.fetch("PATH", "").split(File::PATH_SEPARATOR)
      NAMES.flat_map { |name| folders.map { |folder| File.join(folder, name) } }.find { |file| File.executable?(file) }
    end

    # Opens a tab. One browser serves the whole run of the tests.
    #
    # @param file [String] of a page
    # @param media [Hash{String => String}] such as { "prefers-color-scheme" => "dark" }
    # @yieldparam page [Chromium] after its script ran
    def open(file, width: 1200, height: 900, media: {})
      browser = self.browser
      browser.visit(file, width, height, media)
      yield browser
    ensure
      browser&.leave
    end

    private

    def browser
      @browser ||= begin
        folder = Dir.mktmpdir("frugal-chromium-")
        new(folder).tap do |browser|
          Minitest.after_run do
            browser.quit
            FileUtils.remove_entry(folder)
          end
        end
      end
    end
  end

  # @return [Array<String>] the addresses that the page asked for
  attr_reader :requests
  # @return [Array<String>] errors of scripts, and what the policy of the page refused
  attr_reader :errors

  def initialize(folder)
    commands, @commands = IO.pipe
    @answers, answers = IO.pipe
    [commands, answers].each { |pipe| pipe.nonblock = false } # Chromium takes EAGAIN for the end
    @pid = spawn(self.class.path, *OPTIONS, "--user-data-dir=#{folder}/profile", "about:blank",
                 3 => commands, 4 => answers, in: File::NULL, out: File::NULL, err: File::NULL, pgroup: true)
    [commands, answers].each(&:close)
    @number = 0
    @buffer = +""
  end

  def visit(file, width, height, media)
    @requests = []
    @errors = []
    @target = command("Target.createTarget", url: "about:blank")["targetId"]
    @session = command("Target.attachToTarget", targetId: @target, flatten: true)["sessionId"]
    %w[Page Network Runtime Log].each { |domain| command("#{domain}.enable") }
    resize(width, height)
    emulate(media)
    command("Page.navigate", url: "file://#{file}")
    wait_for("document.readyState === 'complete' && location.protocol === 'file:'")
  end

  def leave = command("Target.closeTarget", targetId: @target)

  def resize(width, height)
    command("Emulation.setDeviceMetricsOverride", width: width, height: height, deviceScaleFactor: 1, mobile: false)
  end

  # @param media [Hash{String => String}] features; `"type" => "print"` for print
  def emulate(media)
    features = media.except("type").map { |name, value| { name: name, value: value } }
    command("Emulation.setEmulatedMedia", media: media.fetch("type", ""), features: features)
  end

  # @param script [String] an expression
  # @return [Object] its value, as JSON has it
  def evaluate(script)
    answer = command("Runtime.evaluate", expression: script, returnByValue: true, awaitPromise: true)
    raise "#{script[0, 200]}: #{answer["exceptionDetails"]}" if answer["exceptionDetails"]

    answer["result"]["value"]
  end

  # Waits until a script's expression is true.
  def wait_for(script)
    Timeout.timeout(LIMIT) { sleep 0.02 until evaluate(script) }
  end

  # @param key [String] such as "Enter" or "ArrowRight"
  def press(key)
    text = { "Enter" => "\r", " " => " " }[key]
    code = { "Enter" => 13, " " => 32, "Escape" => 27, "Tab" => 9, "ArrowLeft" => 37, "ArrowUp" => 38, "ArrowRight" => 39, "ArrowDown" => 40 }.fetch(key)
    command("Input.dispatchKeyEvent", type: text ? "keyDown" : "rawKeyDown", key: key, windowsVirtualKeyCode: code, **(text ? { text: text } : {}))
    command("Input.dispatchKeyEvent", type: "keyUp", key: key, windowsVirtualKeyCode: code)
  end

  # @param selector [String] of the element in whose middle the mouse is pressed
  def click(selector) = mouse(selector, "mousePressed", "mouseReleased")

  def hover(selector) = mouse(selector, "mouseMoved")

  # @return [String] a picture of the whole page as PNG
  def screenshot
    command("Page.captureScreenshot", captureBeyondViewport: true)["data"].unpack1("m")
  end

  def quit
    command("Browser.close")
  rescue IOError, SystemCallError, Timeout::Error
    nil # it has ended
  ensure
    [@commands, @answers].each(&:close)
    end_process
  end

  private

  def mouse(selector, *types)
    x, y = evaluate(<<~JS)
      (() => {
        const node = document.querySelector(#{JSON.generate(selector)});
        node.scrollIntoView({ block: "center" });
        const box = (node.querySelector(":scope > rect") || node).getBoundingClientRect();
        return [box.left + Math.min(box.width / 2, 20), box.top + Math.min(box.height / 2, 8)];
      })()
    JS
    types.each { |type| command("Input.dispatchMouseEvent", type: type, x: x, y: y, button: type == "mouseMoved" ? "none" : "left", clickCount: 1) }
  end

  def command(method, **parameters)
    number = @number += 1
    message = { id: number, method: method, params: parameters }
    message[:sessionId] = @session if @session && !method.start_with?("Browser.", "Target.")
    @commands.write(JSON.generate(message), "\0")
    answer = message_where { |one| one["id"] == number }
    raise "#{method}: #{answer["error"]}" if answer["error"]

    answer["result"]
  end

  def message_where
    Timeout.timeout(LIMIT) do
      loop do
        message = JSON.parse(next_message)
        note(message)
        return message if yield message
      end
    end
  end

  def next_message
    @buffer << @answers.readpartial(65_536) until @buffer.include?("\0")
    @buffer.slice!(0..@buffer.index("\0")).chomp("\0").force_encoding(Encoding::UTF_8)
  end

  def note(message)
    return unless message["sessionId"] == @session

    details = message["params"]
    case message["method"]
    when "Network.requestWillBeSent" then @requests << details["request"]["url"]
    when "Runtime.exceptionThrown" then @errors << details["exceptionDetails"].to_s
    when "Log.entryAdded" then @errors << details["entry"]["text"]
    end
  end

  def end_process
    Timeout.timeout(10) { Process.wait(@pid) }
  rescue Timeout::Error
    Process.kill(:KILL, -@pid)
    Process.wait(@pid)
  end
end
