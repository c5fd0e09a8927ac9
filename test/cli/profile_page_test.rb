# frozen_string_literal: true

# needs: browser

require_relative "../test_helper"
require_relative "../support/chromium"
require_relative "../support/sample_recording"
require "frugal/profile"
require "frugal/profile/report/html"

# The page of `frugal profile --html` as a reader uses it, in headless Chromium.
class ProfilePageTest < Frugal::TestCase
  TILES = "document.querySelectorAll('#paths .tile').length"
  CRUMBS = "[...document.querySelectorAll('#paths .crumbs button')].map((node) => node.textContent)"
  FINDINGS = "[...document.querySelectorAll('#findings tr.row td:nth-child(2)')].map((node) => node.firstChild.firstChild.textContent)"
  # Boxes of the tiles that contain no other: [name, x, y, width, height].
  LEAVES = "[...document.querySelectorAll('#paths .tile:not(.group)')].map((tile) => [tile.getAttribute('aria-label').split(',')[0]," \
           "...['x', 'y', 'width', 'height'].map((name) => Number(tile.firstChild.getAttribute(name)))])"

  def setup
    skip "Chromium is not installed: bin/setup --browser" unless Chromium.path
  end

  def test_every_section_is_filled
    show(SampleRecording.rake, SampleRecording.findings) do |page|
      assert_equal ["redundant call", "rescued error", "tiny reads"], page.evaluate(FINDINGS)
      assert_equal 18, page.evaluate(TILES) # 4 folders and 14 files
      assert_equal 7, page.evaluate("document.querySelectorAll('#sources .tile').length") # lib, 2 files, 3 lines, no Ruby
      assert_equal [2, 1], page.evaluate("['.ok', '.raised'].map((name) => [...document.querySelectorAll(`#timeline .lane ${name}`)]" \
                                         ".filter((node) => node.getAttribute('d') !== '').length)")
      assert_equal [%w[4 Errno::ENOENT lib/tasks.rb:23 12]], rows(page, "exceptions")
      assert_equal ["0 µs", "100", "1", "rake -s", RUBY_VERSION, "39", "4", "0"], rows(page, "processes").first
      assert_equal [], page.errors
    end
  end

  # Those of Rake, which most programs have not.
  def test_undeclared_dependencies
    shown = "[...document.querySelectorAll('#undeclared, [href=\"#undeclared\"]')].map((node) => node.getBoundingClientRect().height > 0)"
    show(SampleRecording.rake, SampleRecording.findings) { |page| assert_equal [false, false], page.evaluate(shown) }
    write("Rakefile", "file('<i>' => []) { |t| File.write(t.name, File.read('a')) }\ntask default: '<i>'\n")
    write("a")
    command = [RUBY, "-W0", Gem.bin_path("rake", "rake")]
    recording = Frugal::Profile::Run.new(command, agent: :task, chdir: tree, in: File::NULL).call
    show(recording) do |page|
      assert_equal [true, true], page.evaluate(shown)
      assert_equal "<i>task <i> (#{tree}/Rakefile:1) read #{tree}/a (#{tree}/Rakefile:1), which is not a prerequisite",
                   page.evaluate("document.querySelector('#undeclared tbody td:nth-child(2)').textContent")
      assert_equal [], page.errors
    end
  end

  def test_findings_are_sorted_by_each_column
    show(SampleRecording.rake, SampleRecording.findings) do |page|
      assert_equal "descending", page.evaluate("document.querySelector('#findings th').getAttribute('aria-sort')")
      page.click("#findings th button")
      assert_equal ["tiny reads", "rescued error", "redundant call"], page.evaluate(FINDINGS)
      page.click("#findings th:nth-child(2) button")
      assert_equal ["redundant call", "rescued error", "tiny reads"], page.evaluate(FINDINGS)
      assert_equal [nil, "ascending"], page.evaluate("[1, 2].map((n) => document.querySelector(`#findings th:nth-child(${n})`).getAttribute('aria-sort'))")
      page.click("#findings th:nth-child(4) button")
      assert_equal ["redundant call", "tiny reads", "rescued error"], page.evaluate(FINDINGS)
    end
  end

  # The fix of what is worth a change is on the first screen; what is not is folded, and opens before the page is printed.
  def test_what_is_not_worth_a_change_is_folded
    small = Array.new(5) { |number| SampleRecording.finding(:tiny_reads, "/app/a.rb:#{number + 1}", saved_us: 900.0) }
    opened = "document.querySelector('#findings details').open"
    show(SampleRecording.rake, [*SampleRecording.findings, *small]) do |page|
      assert_equal ["Do it once."] * 2, page.evaluate("[...document.querySelectorAll('#findings .fix')].map((node) => node.textContent)")
      assert_equal "5 more findings, 4.5 ms together: not worth a change", page.evaluate("document.querySelector('#findings summary').textContent")
      assert_equal [false, 8], [page.evaluate(opened), page.evaluate(FINDINGS).size]
      page.click("#findings summary")
      page.wait_for("document.querySelectorAll('#findings details tr.row')[4].getBoundingClientRect().height > 0")
      page.click("#findings summary")
      page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
      assert_equal true, page.evaluate(opened)
    end
    show(SampleRecording.rake, small) do |page|
      assert_equal "2 more findings", page.evaluate("document.querySelector('#findings summary').textContent")[/\A[^,]+/]
    end
  end

  def test_a_finding_opens_with_the_mouse_and_with_the_keyboard
    show(SampleRecording.rake, SampleRecording.findings) do |page|
      assert_equal [true, true, true], hidden(page)
      page.click("#findings tr.row td:nth-child(2)")
      assert_equal [false, true, true], hidden(page)
      detail = page.evaluate("document.querySelector('#findings .detail').innerText")
      ["20 of 35 calls repeat one", "rake: frugal run -- rake -s", "/app/src/1.c", "/app/src/2.c"].each { |text| assert_includes detail, text }
      page.evaluate("document.querySelectorAll('#findings .open')[1].focus()")
      page.press("Enter")
      assert_equal [false, false, true], hidden(page)
      page.press(" ")
      assert_equal [false, true, true], hidden(page)
      assert_equal %w[true false false], page.evaluate("[...document.querySelectorAll('#findings .open')].map((node) => node.getAttribute('aria-expanded'))")
    end
  end

  def test_the_areas_of_the_treemap_are_the_calls
    show(SampleRecording.rake) do |page|
      boxes = page.evaluate(LEAVES)
      assert_equal 14, boxes.size
      areas = boxes.to_h { |name, _, _, width, height| [name, width * height] }
      assert_in_delta areas["/app/src/1.c"] * 6 / 3, areas["/usr/include/stdio.h"], areas["/usr/include/stdio.h"] * 0.25 # frames
      assert_in_delta areas["/app/build/log"] * 5 / 4, areas["/app/build/1.o"], areas["/app/build/1.o"] * 0.02
      boxes.combination(2) { |one, other| refute overlap?(one, other), "#{one} and #{other}" }
      ratios = boxes.map { |_, _, _, width, height| [width / height, height / width].max }
      assert_operator ratios.sum / ratios.size, :<, 2, "squarified"
    end
  end

  def test_folders_open_with_the_mouse
    show(SampleRecording.rake) do |page|
      page.click("#paths .tile.group[aria-label^='/app/build,']")
      assert_equal ["all", "/app", "build"], page.evaluate(CRUMBS)
      assert_equal 3, page.evaluate(TILES)
      page.click("#paths .tile[aria-label^='/app/build/1.o,']")
      assert_equal ["all", "/app", "build"], page.evaluate(CRUMBS), "a file is no folder"
      assert_equal "/app/build/1.o, 5 calls, 10 µs, 5 fail (100 %), stat 5", page.evaluate("document.querySelector('#paths .about-tile').textContent")
      page.click("#paths .crumbs button:nth-of-type(2)")
      assert_equal ["all", "/app"], page.evaluate(CRUMBS)
      page.click("#paths .crumbs button")
      assert_equal [["all"], 18], [page.evaluate(CRUMBS), page.evaluate(TILES)]
    end
  end

  def test_folders_open_with_the_keyboard
    show(SampleRecording.rake) do |page|
      page.evaluate("document.querySelector('#paths .tile[tabindex=\"0\"]').focus()")
      assert_equal "/app, 40 calls, 65 µs, 5 fail (13 %)", focused(page)
      page.press("Enter")
      assert_equal ["all", "/app"], page.evaluate(CRUMBS)
      assert_equal "/app/src, 30 calls, 45 µs", focused(page)
      page.press("ArrowRight")
      assert_equal "/app/build, 10 calls, 20 µs, 5 fail (50 %)", focused(page)
      page.press("ArrowLeft")
      page.press("ArrowLeft")
      assert_match %r{\A/app/build/}, focused(page), "the last tile comes before the first one"
      page.press("Escape")
      assert_equal ["all"], page.evaluate(CRUMBS)
      assert_equal 1, page.evaluate("document.querySelectorAll('#paths .tile[tabindex=\"0\"]').length")
    end
  end

  def test_colours_of_the_treemap
    show(SampleRecording.rake) do |page|
      value = "document.querySelector('#paths .tile[aria-label^=\"/app/build/1.o,\"]').style.getPropertyValue('--v')"
      colour = "getComputedStyle(document.querySelector('#paths .tile[aria-label^=\"/app/build/1.o,\"] rect')).fill"
      assert_equal "1.000", page.evaluate(value) # 2 µs, the slowest
      before = page.evaluate(colour)
      page.click("#paths input[value=failures]")
      assert_equal "1.000", page.evaluate(value) # all of them fail
      refute_equal before, page.evaluate(colour)
      assert_equal "0.000", page.evaluate(value.sub("1.o", "log"))
      assert_equal "0 %100 %", page.evaluate("document.querySelector('#paths .legend').textContent")
    end
  end

  def test_tooltips
    show(SampleRecording.rake) do |page|
      tip = "document.getElementById('tip').hidden ? null : document.getElementById('tip').textContent"
      assert_nil page.evaluate(tip)
      page.hover("#paths .tile[aria-label^='/usr/include/stdio.h,']")
      assert_equal "/usr/include/stdio.h\n6 calls, 12 µs\nread 6", page.evaluate(tip)
      page.hover("h1")
      assert_nil page.evaluate(tip)
      page.evaluate("document.querySelector('#timeline svg').focus()")
      2.times { page.press("ArrowRight") }
      page.press("ArrowLeft")
      assert_match(/\A\d.* to \d.*\n\d calls?\z/, page.evaluate(tip))
    end
  end

  # Names with markup, in every place where a name can stand. None of them runs, and none is read as markup.
  def test_hostile_names_are_shown_as_text
    show(SampleRecording.hostile, SampleRecording.hostile_findings) do |page|
      assert_equal [0, 2], page.evaluate("[document.images.length, document.scripts.length]")
      assert_equal "undefined", page.evaluate("typeof hostile")
      name = "/app/</script><img src=x onerror=alert(1)>"
      %w[exceptions processes findings].each { |section| assert_includes page.evaluate("document.getElementById('#{section}').textContent"), name[5..] }
      assert_includes page.evaluate("[...document.querySelectorAll('.tile')].map((tile) => tile.getAttribute('aria-label')).join()"), name
      assert_includes page.evaluate("document.title"), name[5..]
      assert_equal [], page.errors
      assert_equal ["file://#{path("page.html")}"], page.requests
    end
  end

  # What a hole in the escaping would allow is refused by the policy.
  def test_the_policy_is_in_force
    show(SampleRecording.rake) do |page|
      page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.marker = 1\"><p style=\"color: red\">')")
      page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.marker = 1' }))")
      assert_equal "refused", page.evaluate("fetch('http://127.0.0.1:1/').then(() => 'sent', () => 'refused')")
      assert_nil page.evaluate("window.marker")
      refused = page.errors.join.scan(/\b(?:img|script|style|connect)-src\b/).uniq
      assert_equal %w[connect-src img-src script-src style-src], refused.sort, page.errors.join("\n")
    end
  end

  def test_light_dark_and_print
    show(SampleRecording.rake, SampleRecording.findings, media: { "prefers-color-scheme" => "light" }) do |page|
      light = brightness(page)
      page.emulate("prefers-color-scheme" => "dark")
      dark = brightness(page)
      page.emulate("type" => "print", "prefers-color-scheme" => "dark")
      assert_equal [true, true, true], [light > 200, dark < 40, brightness(page) == 255]
      assert_equal %w[table-row none], page.evaluate("['.detail', '.sections'].map((name) => getComputedStyle(document.querySelector(name)).display)")
    end
  end

  # Text has a contrast of 4.5 at least, on tiles as well (Web Content Accessibility Guidelines 2.1, 1.4.3).
  def test_contrast
    %w[light dark].each do |scheme|
      show(SampleRecording.rake, SampleRecording.findings, media: { "prefers-color-scheme" => scheme }) do |page|
        tiles = %w[time failures].product(%w[--ink], %w[--low --high])
        texts = [""].product(%w[--ink --muted --accent], %w[--card --page --soft])
        (tiles + texts).each { |pair| assert_operator contrast(page, *pair), :>=, 4.5, [scheme, *pair].join(" ") }
      end
    end
  end

  def test_narrow_and_wide_windows
    long = SampleRecording.finding(:tiny_reads, "/app/#{"long_name_" * 12}/#{"x" * 90}.rb:1", saved_us: 20_000.0, message: "w" * 200)
    show(SampleRecording.rake, [*SampleRecording.findings, long], width: 360) do |page|
      assert_equal 360, page.evaluate("document.documentElement.scrollWidth")
      assert_equal 0, page.evaluate("Math.max(...[...document.querySelectorAll('#findings .scroll')].map((node) => node.scrollWidth - node.clientWidth))")
      narrow = page.evaluate("document.querySelector('#paths svg').getAttribute('viewBox')")
      page.resize(1400, 900)
      page.wait_for("document.querySelector('#paths svg').getAttribute('viewBox') !== #{JSON.generate(narrow)}")
      assert_equal 18, page.evaluate(TILES)
      assert_equal 1400, page.evaluate("document.documentElement.scrollWidth")
    end
  end

  def test_many_calls
    show(SampleRecording.large(calls: 100_000, lines: 5000)) do |page|
      assert_operator page.evaluate(TILES), :>, 500
      assert_operator page.evaluate("document.querySelectorAll('*').length"), :<, 20_000
      assert_equal "100,000 calls", page.evaluate("document.querySelector('#timeline svg').getAttribute('aria-label')")[/[\d,]+ calls/]
    end
  end

  def test_nothing_recorded
    show(SampleRecording.build { |run| run.process(1) }) do |page|
      texts = page.evaluate("[...document.querySelectorAll('.empty')].map((node) => node.textContent)")
      assert_equal ["No waste was found.", "No call was recorded.", "No call was recorded.", "Nothing was recorded.", "None was raised."], texts
      assert_equal [], page.errors
    end
  end

  private

  def show(recording, findings = [], **options, &block)
    page = write("page.html", Frugal::Profile::Report::HTML.of(recording, findings, origins: Frugal::Profile::Origins.new("/app")))
    Chromium.open(page, **options) do |browser|
      browser.wait_for("document.documentElement.dataset.ready === 'true'")
      block.call(browser)
    end
  end

  def rows(page, section)
    page.evaluate("[...document.querySelectorAll('##{section} tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
  end

  def hidden(page) = page.evaluate("[...document.querySelectorAll('#findings .detail')].map((node) => node.hidden)")

  def focused(page) = page.evaluate("document.activeElement.getAttribute('aria-label')")

  def overlap?((_, x, y, width, height), (_, left, top, across, down))
    x + width > left + 0.2 && left + across > x + 0.2 && y + height > top + 0.2 && top + down > y + 0.2
  end

  def brightness(page) = page.evaluate("getComputedStyle(document.body).backgroundColor")[/\d+/].to_i

  # The contrast of two colours that an element of a class sees (WCAG 2.1, relative luminance).
  def contrast(page, class_name, *names)
    colours = names.map do |name|
      page.evaluate(<<~JS).scan(/\d+/).map(&:to_i)
        (() => {
          const node = document.body.appendChild(document.createElement("p"));
          node.className = #{JSON.generate(class_name)};
          node.style.color = "var(#{name})";
          const colour = getComputedStyle(node).color;
          node.remove();
          return colour;
        })()
      JS
    end
    bright, dim = colours.map { |colour| luminance(colour) }.sort.reverse
    (bright + 0.05) / (dim + 0.05)
  end

  def luminance(colour)
    linear = colour.map { |value| (value / 255.0).then { |part| part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055)**2.4 } }
    linear.zip([0.2126, 0.7152, 0.0722]).sum { |part, weight| part * weight }
  end
end
